#include "cornu/keras/layer/traced_types.h"

#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/keras/base/shapes.h"

namespace cornu::inline v0::keras {
namespace {

std::string types_str(std::span<const TensorType> types) {
  std::vector<std::string> texts;
  for (const TensorType& type : types) texts.push_back(type_str(type));
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

NoTypeRule::NoTypeRule(const std::string& class_name)
    : Error(
          ErrorCode::kUnimplemented,
          "class " + class_name +
              " has no type rule for these inputs, so the types follow only from call(): ask a layer that is "
              "not const, or override compute_output_types() or compute_output_shape()") {}

bool has_open_extents(std::span<const TensorType> types) {
  return std::any_of(types.begin(), types.end(), [](const TensorType& type) {
    return std::find(type.dims.begin(), type.dims.end(), kUnknown) != type.dims.end();
  });
}

std::vector<TensorType> with_open_extents(std::span<const TensorType> types, std::int64_t extent) {
  std::vector<TensorType> closed(types.begin(), types.end());
  for (TensorType& type : closed) std::replace(type.dims.begin(), type.dims.end(), kUnknown, extent);
  return closed;
}

std::vector<TensorType> common_types(const TypesForExtent& first, const TypesForExtent& second) {
  const bool are_alike = std::equal(
      first.types.begin(), first.types.end(), second.types.begin(), second.types.end(),
      [](const TensorType& a, const TensorType& b) { return a.dtype == b.dtype && a.rank() == b.rank(); });
  if (!are_alike)
    invalid_argument(
        "the number, dtypes and ranks of the outputs must be the same whatever the open extents of the "
        "inputs are (the batch); with {} in their place the outputs are {}, with {} they are {}",
        first.extent, types_str(first.types), second.extent, types_str(second.types));
  std::vector<TensorType> common = first.types;
  for (std::size_t k = 0; k < common.size(); ++k)
    for (std::size_t i = 0; i < common[k].dims.size(); ++i)
      if (common[k].dims[i] != second.types[k].dims[i]) common[k].dims[i] = kUnknown;
  return common;
}

std::vector<TensorType> traced_types(std::span<const TensorType> inputs, const TypesOfCall& trace) {
  const auto types_for = [&](std::int64_t extent) {
    return TypesForExtent{extent, trace(with_open_extents(inputs, extent))};
  };
  TypesForExtent first = types_for(kFirstTracedExtent);
  if (!has_open_extents(inputs)) return std::move(first.types);
  return common_types(first, types_for(kSecondTracedExtent));
}

}  // namespace cornu::inline v0::keras
