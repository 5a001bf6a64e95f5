#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/layers/preprocessing/factor.h"
#include "cornu/keras/layers/preprocessing/image_handle.h"

namespace cornu::inline v0::keras::layers {

struct RandomErasingOptions {  // options/layers.toml
  /// Probability that an image is changed, in [0, 1]: drawn up to one number, or between the bounds {lower,
  /// upper}.
  Factor factor = 1.0;
  /// Squared share of each side that the rectangle has, in [0, 1]: drawn up to one number, or between the
  /// bounds {lower, upper}.
  Factor scale = {0.02, 0.33};
  /// Value of the pixels of the rectangle: a number, or one for each of three channels; undefined: normal
  /// noise times the largest value.
  Tensor fill_value = {};
  /// Smallest and largest pixel value; results are clipped to them.
  std::vector<double> value_range = {0, 255};
  /// Seed of the random numbers; unset: the process's next default seed.
  std::optional<std::uint64_t> seed = {};
  /// "channels_last" or "channels_first"; empty: config::image_data_format().
  std::string data_format = {};
  /// Format of boxes in calls on elements by name, which stay as they are.
  std::string bounding_box_format = {};
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype or policy, such as "mixed_bfloat16"; unset: the global policy.
  std::optional<DTypePolicy> dtype = {};
  /// Shape of one row of the input without the batch, for the first layer of a Sequential; unset: the input
  /// decides.
  OptionalDims input_shape = {};
};
CORNU_FIELDS(RandomErasingOptions, factor, scale, fill_value, value_range, seed, data_format,
             bounding_box_format, name, trainable, dtype, input_shape)
/// Fills a random rectangle of images during training, with noise or a value.
/// Errors:  InvalidArgument for a factor or scale outside [0, 1], and for a fill_value of other than one or
///          three numbers.
class RandomErasing : public ImageHandle {
 public:
  explicit RandomErasing(RandomErasingOptions options = {});
  explicit RandomErasing(NoOptions) : RandomErasing() {}
};

struct RandomGaussianBlurOptions {  // options/layers.toml
  /// Probability that an image is changed, in [0, 1]: drawn up to one number, or between the bounds {lower,
  /// upper}.
  Factor factor = 1.0;
  /// Width and height of the kernel in pixels, one number or {width, height}; must be odd.
  ops::IntOrInts kernel_size = 3;
  /// Standard deviation in pixels, in [0, 1], for each direction: drawn up to one number, or between the
  /// bounds {lower, upper}.
  Factor sigma = 1.0;
  /// Smallest and largest pixel value; results are clipped to them.
  std::vector<double> value_range = {0, 255};
  /// "channels_last" or "channels_first"; empty: config::image_data_format().
  std::string data_format = {};
  /// Seed of the random numbers; unset: the process's next default seed.
  std::optional<std::uint64_t> seed = {};
  /// Format of boxes in calls on elements by name, which stay as they are.
  std::string bounding_box_format = {};
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype or policy, such as "mixed_bfloat16"; unset: the global policy.
  std::optional<DTypePolicy> dtype = {};
  /// Shape of one row of the input without the batch, for the first layer of a Sequential; unset: the input
  /// decides.
  OptionalDims input_shape = {};
};
CORNU_FIELDS(RandomGaussianBlurOptions, factor, kernel_size, sigma, value_range, data_format, seed,
             bounding_box_format, name, trainable, dtype, input_shape)
/// Blurs images during training by a Gaussian kernel, whose standard deviations are the same for a batch.
/// Errors:  InvalidArgument for a factor or sigma outside [0, 1], and for an even kernel_size.
class RandomGaussianBlur : public ImageHandle {
 public:
  explicit RandomGaussianBlur(RandomGaussianBlurOptions options = {});
  explicit RandomGaussianBlur(NoOptions) : RandomGaussianBlur() {}
};

struct RandomColorJitterOptions {  // options/layers.toml
  /// Smallest and largest pixel value; results are clipped to them.
  std::vector<double> value_range = {0, 255};
  /// Factor of RandomBrightness; unset: the brightness stays.
  std::optional<Factor> brightness_factor = {};
  /// Factor of RandomContrast; unset: the contrast stays.
  std::optional<Factor> contrast_factor = {};
  /// Factor of RandomSaturation; unset: the saturation stays.
  std::optional<Factor> saturation_factor = {};
  /// Factor of RandomHue; unset: the hue stays.
  std::optional<Factor> hue_factor = {};
  /// Seed of the random numbers; unset: the process's next default seed.
  std::optional<std::uint64_t> seed = {};
  /// "channels_last" or "channels_first"; empty: config::image_data_format().
  std::string data_format = {};
  /// Format of boxes in calls on elements by name, which stay as they are.
  std::string bounding_box_format = {};
  /// Name of the layer, unique in a model; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// False: the weights are frozen.
  bool trainable = true;
  /// Dtype or policy, such as "mixed_bfloat16"; unset: the global policy.
  std::optional<DTypePolicy> dtype = {};
  /// Shape of one row of the input without the batch, for the first layer of a Sequential; unset: the input
  /// decides.
  OptionalDims input_shape = {};
};
CORNU_FIELDS(RandomColorJitterOptions, value_range, brightness_factor, contrast_factor, saturation_factor,
             hue_factor, seed, data_format, bounding_box_format, name, trainable, dtype, input_shape)
/// Changes brightness, contrast, saturation and hue of images during training, in this order.
/// Errors:  those of RandomBrightness, RandomContrast, RandomSaturation and RandomHue.
class RandomColorJitter : public ImageHandle {
 public:
  explicit RandomColorJitter(RandomColorJitterOptions options = {});
  explicit RandomColorJitter(NoOptions) : RandomColorJitter() {}
};

}  // namespace cornu::inline v0::keras::layers
