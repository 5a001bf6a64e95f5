#include "cornu/keras/layers/operations/index_key_support.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/keras/config/values_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

constexpr saving::Place kPlace = {"GetItem", "key"};

bool is_class(const Config& part, std::string_view name) {
  const Config* const class_name = part.find("class_name");
  return class_name != nullptr && class_name->is_string() && class_name->as_string() == name;
}

std::optional<std::int64_t> bound(const Config& slice, const char* key) {
  std::optional<std::int64_t> value;
  if (const Config* const given = slice.find(key)) saving::read_value(*given, kPlace, value);
  return value;
}

Slice slice_of(const Config& part) {
  const Config* const slice = part.find("config");
  if (slice == nullptr || !slice->is_dict())
    saving::wrong_type(kPlace, "a slice with start, stop and step", part);
  return {bound(*slice, "start"), bound(*slice, "stop"), bound(*slice, "step").value_or(1)};
}

Slice one_position(std::int64_t at, std::int64_t axis, std::int64_t extent) {
  if (at < -extent || at >= extent)
    fail(ErrorCode::kOutOfRange, {.op = "GetItem", .argument = "key"},
         "[get_item] position {} is outside axis {}, which has {} elements", at, axis, extent);
  Slice slice{.begin = at};
  if (at != -1) slice.end = at + 1;
  return slice;
}

}  // namespace

Tensor item_of(const Tensor& x, const Config& key) {
  const Config::List parts = key.is_list() ? key.as_list() : Config::List{key};
  const auto takes_axis = [](const Config& part) { return part.is_integer() || is_class(part, "__slice__"); };
  const auto is_ellipsis = [](const Config& part) { return is_class(part, "__ellipsis__"); };
  const std::int64_t num_axes = std::count_if(parts.begin(), parts.end(), takes_axis);
  if (num_axes > x.rank() || std::count_if(parts.begin(), parts.end(), is_ellipsis) > 1)
    invalid_argument({.op = "GetItem", .argument = "key"},
                     "[get_item] a tensor with {} axes takes at most {} positions and one ellipsis; got {}",
                     x.rank(), x.rank(), key.json().substr(0, 200));
  std::vector<Slice> slices;
  std::vector<std::int64_t> gone, added;  // axes of the slice, axes of the result
  std::int64_t axis = 0, result_axis = 0;
  for (const Config& part : parts) {
    if (part.is_null()) {
      added.push_back(result_axis++);
    } else if (is_ellipsis(part)) {
      for (std::int64_t i = num_axes; i < x.rank(); ++i, ++axis, ++result_axis) slices.emplace_back();
    } else if (part.is_integer()) {
      slices.push_back(one_position(part.as_integer(), axis, x.shape()[axis]));
      gone.push_back(axis++);
    } else if (takes_axis(part)) {
      slices.push_back(slice_of(part));
      ++axis, ++result_axis;
    } else {
      saving::wrong_type(kPlace, "integers, slices, an ellipsis and null", part);
    }
  }
  Tensor result = x.slice(slices);
  if (!gone.empty()) result = ops::squeeze(result, ops::SqueezeOptions{.axis = gone});
  if (!added.empty()) result = ops::expand_dims(result, added);
  return result;
}

}  // namespace cornu::inline v0::keras::layers
