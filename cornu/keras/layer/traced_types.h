#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "cornu/tensor/tensor.h"

/// The types of what has no type rule: calls on symbolic tensors say them, in traces that are thrown away. A
/// trace knows no open extents, so there are two, with different numbers in their place (docs/adr/0103).
namespace cornu::inline v0::keras {

/// What open extents are in the first trace and in the second. Both are even and divisible by small numbers,
/// so that pooling and splitting layers take them.
inline constexpr std::int64_t kFirstTracedExtent = 48, kSecondTracedExtent = 96;

bool has_open_extents(std::span<const TensorType> types);
/// The types with `extent` in the place of open ones.
std::vector<TensorType> with_open_extents(std::span<const TensorType> types, std::int64_t extent);

/// What calls give with `extent` in the place of the open extents of their inputs.
struct TypesForExtent {
  std::int64_t extent = 0;
  std::vector<TensorType> types;
};
/// What the results for two numbers have in common: extents that differ are open.
/// Errors: InvalidArgument when the number of results, a dtype or a rank differs.
std::vector<TensorType> common_types(const TypesForExtent& first, const TypesForExtent& second);

using TypesOfCall = std::function<std::vector<TensorType>(std::span<const TensorType>)>;
/// The types of a call on inputs with open extents: what `trace` gives for the first number and then for the
/// second has in common. Without open extents `trace` is called once.
/// Errors: those of `trace` and of common_types().
std::vector<TensorType> traced_types(std::span<const TensorType> inputs, const TypesOfCall& trace);

}  // namespace cornu::inline v0::keras
