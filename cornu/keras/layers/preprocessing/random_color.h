#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/layers/preprocessing/factor.h"
#include "cornu/keras/layers/preprocessing/image_handle.h"

namespace cornu::inline v0::keras::layers {

// Layers that change the colors of images, most of them at random during training (random_image.h). Images
// have 3 channels, red, green and blue, where a layer mixes them.

struct RandomGrayscaleOptions {  // options/layers.toml
  /// Probability, in [0, 1], that an image becomes gray.
  double factor = 0.5;
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
CORNU_FIELDS(RandomGrayscaleOptions, factor, data_format, seed, bounding_box_format, name, trainable, dtype,
             input_shape)
/// Makes some images gray: each channel is the brightness of the three.
/// Errors:  InvalidArgument for a factor outside [0, 1], and for other numbers of channels than 1 and 3.
class RandomGrayscale : public ImageHandle {
 public:
  explicit RandomGrayscale(RandomGrayscaleOptions options = {});
  explicit RandomGrayscale(NoOptions) : RandomGrayscale() {}
};

struct RandomInvertOptions {  // options/layers.toml
  /// Probability that an image is inverted, in [0, 1]: drawn up to one number, or between the bounds {lower,
  /// upper}.
  Factor factor = 1.0;
  /// Smallest and largest pixel value.
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
CORNU_FIELDS(RandomInvertOptions, factor, value_range, seed, data_format, bounding_box_format, name,
             trainable, dtype, input_shape)
/// Inverts some images: a pixel becomes the largest value minus itself.
class RandomInvert : public ImageHandle {
 public:
  explicit RandomInvert(RandomInvertOptions options = {});
  explicit RandomInvert(NoOptions) : RandomInvert() {}
};

struct RandomPosterizationOptions {  // options/layers.toml
  /// Number of bits of a pixel that stay, in [1, 8]: drawn from 1 up to one number, or between the bounds
  /// {lower, upper}, without the upper one unless they are equal; required.
  Factor factor = 0.0;
  /// Smallest and largest pixel value, which become 0 and 255 while bits are dropped.
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
CORNU_FIELDS(RandomPosterizationOptions, factor, value_range, data_format, seed, bounding_box_format, name,
             trainable, dtype, input_shape)
/// Drops the low bits of pixels.
/// Errors:  InvalidArgument for a factor outside [1, 8].
class RandomPosterization : public ImageHandle {
 public:
  explicit RandomPosterization(RandomPosterizationOptions options);
};

struct RandomColorFactorOptions {  // options/layers.toml
  /// Strength of the change, at most 1: drawn up to one number (of RandomSaturation and
  /// RandomColorDegeneration: in both directions), or between the bounds {lower, upper}; required.
  Factor factor = 0.0;
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
CORNU_FIELDS(RandomColorFactorOptions, factor, value_range, data_format, seed, bounding_box_format, name,
             trainable, dtype, input_shape)
using RandomHueOptions = RandomColorFactorOptions;
using RandomSaturationOptions = RandomColorFactorOptions;
using RandomColorDegenerationOptions = RandomColorFactorOptions;
using RandomSharpnessOptions = RandomColorFactorOptions;
/// Turns the hue of images by up to half of the color wheel times the factor, in either direction.
/// Errors:  InvalidArgument for a factor outside [0, 1], and for other numbers of channels than 3.
class RandomHue : public ImageHandle {
 public:
  explicit RandomHue(RandomHueOptions options);
};
/// Multiplies the saturation of images by factor / (1 - factor): 0 is gray, 0.5 leaves the colors.
/// Errors:  those of RandomHue.
class RandomSaturation : public ImageHandle {
 public:
  explicit RandomSaturation(RandomSaturationOptions options);
};
/// Moves images towards gray: 0 leaves the colors, 1 is gray.
/// Errors:  those of RandomGrayscale.
class RandomColorDegeneration : public ImageHandle {
 public:
  explicit RandomColorDegeneration(RandomColorDegenerationOptions options);
};
/// Blurs images (factor below 0.5) or sharpens them (above), by the difference to a 3 x 3 mean.
/// Errors:  InvalidArgument for a factor outside [0, 1].
class RandomSharpness : public ImageHandle {
 public:
  explicit RandomSharpness(RandomSharpnessOptions options);
};

struct SolarizationOptions {  // options/layers.toml
  /// Number, times 255, that is added to pixels before some are inverted, in [0, 1]: drawn up to one number,
  /// or between the bounds {lower, upper}.
  Factor addition_factor = 0.0;
  /// Smallest value, times 255, of pixels that are inverted, in [0, 1]: drawn up to one number, or between
  /// the bounds {lower, upper}.
  Factor threshold_factor = 0.0;
  /// Smallest and largest pixel value, which become 0 and 255 meanwhile.
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
CORNU_FIELDS(SolarizationOptions, addition_factor, threshold_factor, value_range, seed, data_format,
             bounding_box_format, name, trainable, dtype, input_shape)
/// Inverts the pixels that are at least a threshold, after an addition.
/// Errors:  InvalidArgument for factors outside [0, 1].
class Solarization : public ImageHandle {
 public:
  explicit Solarization(SolarizationOptions options = {});
  explicit Solarization(NoOptions) : Solarization() {}
};

struct AutoContrastOptions {  // options/layers.toml
  /// Smallest and largest pixel value, to which those of each channel are moved.
  std::vector<double> value_range = {0, 255};
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
CORNU_FIELDS(AutoContrastOptions, value_range, data_format, bounding_box_format, name, trainable, dtype,
             input_shape)
/// Stretches each channel of an image to the whole value_range, also outside of training; a channel of one value
/// stays.
class AutoContrast : public ImageHandle {
 public:
  explicit AutoContrast(AutoContrastOptions options = {});
  explicit AutoContrast(NoOptions) : AutoContrast() {}
};

}  // namespace cornu::inline v0::keras::layers
