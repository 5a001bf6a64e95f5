#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "cornu/tensor/tensor.h"

/// The types of what has no type rule: calls on symbolic tensors say them, in traces that are thrown away. A
/// trace knows no open extents, so there are two, with different numbers in their place (docs/adr/0103).
namespace cornu::inline v0::keras {

/// What open extents are in the first trace and in the second. Both are even and divisible by small numbers, so
/// that pooling and splitting layers take them.
inline constexpr std::int64_t kFirstTracedExtent = 48, kSecondTracedExtent = 96;

bool has_open_extents(std::span<const TensorType> types);
/// The types with `extent` in the place of open ones.
std::vector<TensorType> with_open_extents(std::span<const TensorType> types, std::int64_t extent);

/// What the results of two calls have in common: extents that differ are open. Nothing when their number, a
/// dtype or a rank differs.
std::optional<std::vector<TensorType>> common_types(std::span<const TensorType> first,
                                                    std::span<const TensorType> second);

using TypesOfCall = std::function<std::vector<TensorType>(std::span<const TensorType>)>;
/// The types of a call on inputs with open extents: what `trace` gives for the first number and then for the
/// second has in common. Without open extents `trace` is called once.
/// Errors: those of `trace`; InvalidArgument when the two have nothing in common.
std::vector<TensorType> traced_types(std::span<const TensorType> inputs, const TypesOfCall& trace);

}  // namespace cornu::inline v0::keras
