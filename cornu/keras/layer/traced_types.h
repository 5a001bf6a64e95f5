#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/tensor/tensor.h"

/// Inference of types without a type rule, from calls on symbolic tensors in traces that are discarded. A
/// trace has no open extents, so there are two traces with different numbers in place of open extents
/// (docs/adr/0103).
namespace cornu::inline v0::keras {

/// The numbers in place of open extents in the first and in the second trace. Both are even and divisible by
/// small numbers, so that pooling and splitting layers accept them.
inline constexpr std::int64_t kFirstTracedExtent = 48, kSecondTracedExtent = 96;

bool has_open_extents(std::span<const TensorType> types);
/// The types with `extent` in place of open extents.
std::vector<TensorType> with_open_extents(std::span<const TensorType> types, std::int64_t extent);

/// The result types of a call whose inputs have `extent` in place of their open extents.
struct TypesForExtent {
  std::int64_t extent = 0;
  std::vector<TensorType> types;
};
/// Merges the results for two numbers: extents that differ are open.
/// Errors: InvalidArgument if the number of results, a dtype or a rank differs.
std::vector<TensorType> common_types(const TypesForExtent& first, const TypesForExtent& second);

/// Thrown by the const functions of Layer that compute types if no type rule applies to the inputs: only a trace
/// of call() can then tell the types, and call() is not const.
class NoTypeRule : public Error {
 public:
  explicit NoTypeRule(const std::string& class_name);
};

using TypesOfCall = std::function<std::vector<TensorType>(std::span<const TensorType>)>;
/// The types of a call on inputs with open extents: calls `trace` with the first number and with the second,
/// and merges the results. Without open extents `trace` is called once.
/// Errors: those of `trace` and of common_types().
std::vector<TensorType> traced_types(std::span<const TensorType> inputs, const TypesOfCall& trace);

}  // namespace cornu::inline v0::keras
