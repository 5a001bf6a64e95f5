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

std::optional<std::vector<TensorType>> common_types(std::span<const TensorType> first,
                                                    std::span<const TensorType> second) {
  const bool are_alike = std::equal(
      first.begin(), first.end(), second.begin(), second.end(),
      [](const TensorType& a, const TensorType& b) { return a.dtype == b.dtype && a.rank() == b.rank(); });
  if (!are_alike) return std::nullopt;
  std::vector<TensorType> common(first.begin(), first.end());
  for (std::size_t k = 0; k < common.size(); ++k)
    for (std::size_t i = 0; i < common[k].dims.size(); ++i)
      if (common[k].dims[i] != second[k].dims[i]) common[k].dims[i] = kUnknown;
  return common;
}

std::vector<TensorType> traced_types(std::span<const TensorType> inputs, const TypesOfCall& trace) {
  const std::vector<TensorType> first = trace(with_open_extents(inputs, kFirstTracedExtent));
  if (!has_open_extents(inputs)) return first;
  const std::vector<TensorType> second = trace(with_open_extents(inputs, kSecondTracedExtent));
  const std::optional<std::vector<TensorType>> common = common_types(first, second);
  if (!common.has_value())
    invalid_argument(
        "the number, dtypes and ranks of the outputs must be the same whatever the open extents of the "
        "inputs "
        "are (the batch); with {} in their place the outputs are {}, with {} they are {}",
        kFirstTracedExtent, types_str(first), kSecondTracedExtent, types_str(second));
  return *common;
}

}  // namespace cornu::inline v0::keras
