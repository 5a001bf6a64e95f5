#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/tensor/ops/index.h"
#include "cornu/tensor/ops/shape.h"

namespace cornu::inline v0::ops {
namespace {

/// The slice of one element at a position of an axis.
Slice slice_at(std::int64_t position, std::int64_t axis, std::int64_t extent) {
  if (position < -extent || position >= extent)
    fail(ErrorCode::kOutOfRange, {.op = "get_item", .argument = "key"},
         "[get_item] position {} is outside axis {}, which has {} elements", position, axis, extent);
  Slice slice{.begin = position};
  if (position != -1) slice.end = position + 1;
  return slice;
}

template <typename T>
std::int64_t count_of(const std::vector<Index>& key) {
  return std::count_if(key.begin(), key.end(),
                       [](const Index& part) { return std::holds_alternative<T>(part.value()); });
}

}  // namespace

Tensor get_item(const Tensor& x, const std::vector<Index>& key) {
  const std::int64_t num_indexed = count_of<std::int64_t>(key) + count_of<Slice>(key);
  if (num_indexed > x.rank() || count_of<Ellipsis>(key) > 1)
    invalid_argument(
        {.op = "get_item", .argument = "key"},
        "[get_item] a tensor of shape {} takes at most {} positions or slices, and one ellipsis; "
        "got {} and {}",
        ir::shape_str(x.shape()), x.rank(), num_indexed, count_of<Ellipsis>(key));
  std::vector<Slice> slices;
  std::vector<std::int64_t> removed, added;  // axes of the slice, axes of the result
  std::int64_t result_axis = 0;
  for (const Index& part : key) {
    const auto axis = static_cast<std::int64_t>(slices.size());
    if (const auto* const position = std::get_if<std::int64_t>(&part.value())) {
      slices.push_back(slice_at(*position, axis, x.shape()[slices.size()]));
      removed.push_back(axis);
    } else if (const auto* const slice = std::get_if<Slice>(&part.value())) {
      slices.push_back(*slice);
      ++result_axis;
    } else if (std::holds_alternative<NewAxis>(part.value())) {
      added.push_back(result_axis++);
    } else {
      slices.resize(slices.size() + static_cast<std::size_t>(x.rank() - num_indexed));
      result_axis += x.rank() - num_indexed;
    }
  }
  Tensor result = slices.empty() ? x : x.slice(slices);
  if (!removed.empty()) result = squeeze(result, SqueezeOptions{.axis = removed});
  if (!added.empty()) result = expand_dims(result, added);
  return result;
}

}  // namespace cornu::inline v0::ops
