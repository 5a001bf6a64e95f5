#include "cornu/keras/layers/spatial/spatial_layer_support.h"

#include <algorithm>
#include <cctype>

#include "cornu/base/check.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/config/data_format_support.h"

namespace cornu::inline v0::keras::layers {

std::string list_str(const Dims& values) { return fmt::format("[{}]", fmt::join(values, ", ")); }

SpatialLayer::SpatialLayer(LayerSettings settings, std::int64_t num_spatial, const std::string& data_format)
    : Layer(std::move(settings)),
      num_spatial_(num_spatial),
      is_channels_first_(choice_option("data_format", config::given_or_global(data_format),
                                       {"channels_last", "channels_first"}) == "channels_first") {
  set_input_spec({.ndim = num_spatial + 2});
  set_type_rule(TypeRule::kOverridden);
}

std::vector<TensorType> SpatialLayer::compute_output_types(std::span<const TensorType> inputs) const {
  if (inputs.size() != 1)
    invalid_argument("[{}] expected one input; got {}", snake_case(class_name()), inputs.size());
  return {{output_dtype(cast_type(inputs[0]).dtype), compute_output_shape(inputs[0].dims)}};
}

std::int64_t SpatialLayer::extent(const Dims& shape, std::int64_t axis) const {
  if (static_cast<std::int64_t>(shape.size()) != num_spatial_ + 2)
    option_error(fmt::format(
        "the input must have {} dimensions: batch, {} and channels; its shape is {}", num_spatial_ + 2,
        num_spatial_ == 1 ? "one spatial axis" : fmt::format("{} spatial axes", num_spatial_),
        shape_with_none_str(shape)));
  return shape[static_cast<std::size_t>(axis)];
}

Dims SpatialLayer::spatial_axes() const {
  Dims axes;
  for (std::int64_t i = 0; i < num_spatial_; ++i) axes.push_back(first_spatial() + i);
  return axes;
}

Dims SpatialLayer::with_spatial(Dims shape, const Dims& spatial, std::int64_t channels) const {
  std::copy(spatial.begin(), spatial.end(), shape.begin() + first_spatial());
  if (channels != kUnknown) shape.at(static_cast<std::size_t>(channel_axis())) = channels;
  return shape;
}

std::int64_t SpatialLayer::checked_extent(const char* what, CheckedSize extent) const {
  return extent.value([&] { return fmt::format("[{}] {}", snake_case(class_name()), what); });
}

Dims SpatialLayer::spatial_option(const char* option, const ops::IntOrInts& values,
                                  std::int64_t minimum) const {
  const auto size = static_cast<std::size_t>(num_spatial_);
  Dims result = values.values();
  if (!values.is_list()) result.resize(size, result.at(0));
  const bool fits =
      result.size() == size &&
      std::all_of(result.begin(), result.end(), [minimum](std::int64_t value) { return value >= minimum; });
  if (!fits) {
    option_error(
        option,
        fmt::format(
            "must be {}, one number{}", minimum > 0 ? "positive" : "0 or more",
            num_spatial_ == 1 ? "" : fmt::format(" or one for each of {} spatial axes", num_spatial_)),
        values.is_list() ? list_str(values.values()) : fmt::format("{}", values.values().at(0)));
  }
  return result;
}

std::string SpatialLayer::choice_option(const char* option, const std::string& value,
                                        const std::vector<std::string>& allowed) const {
  std::string lower = value;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (std::find(allowed.begin(), allowed.end(), lower) != allowed.end()) return lower;
  const std::vector<std::string> all_but_last(allowed.begin(), allowed.end() - 1);
  option_error(option,
               fmt::format("must be \"{}\" or \"{}\"", fmt::join(all_but_last, "\", \""), allowed.back()),
               fmt::format("\"{}\"", value));
}

void SpatialLayer::check_positive(const char* option, std::int64_t value) const {
  if (value <= 0) option_error(option, "must be positive", fmt::format("{}", value));
}

std::int64_t SpatialLayer::known_channels(const Dims& input_shape) const {
  const std::int64_t result = channels(input_shape);
  if (result <= 0) {
    option_error(
        fmt::format("the channels of the input (axis {}, data_format = \"{}\") must be known and positive; "
                    "its shape is {}",
                    channel_axis(), data_format(), shape_with_none_str(input_shape)));
  }
  return result;
}

Dims SpatialLayer::count_windows(const Dims& input_shape, const Dims& windows, const Dims& strides,
                                 bool has_padding, const std::string& window) const {
  Dims counts;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const std::int64_t extent = spatial(input_shape, i);
    if (extent == kUnknown) {
      counts.push_back(kUnknown);
      continue;
    }
    if (!has_padding && extent < windows[i]) {
      option_error(fmt::format(
          "{} spans {} elements along spatial axis {}, where the input has {}; got an input of shape {}",
          window, windows[i], i, extent, shape_with_none_str(input_shape)));
    }
    counts.push_back(has_padding ? extent / strides[i] + (extent % strides[i] != 0)
                                 : (extent - windows[i]) / strides[i] + 1);
  }
  return counts;
}

}  // namespace cornu::inline v0::keras::layers
