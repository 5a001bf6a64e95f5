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

// Layers that change images at random during training, and otherwise return them unchanged. Images are
// [batch, rows, columns, channels] or, with data_format "channels_first", [batch, channels, rows, columns],
// or one of these without the batch. The change of an image depends only on (seed, step counter, its row in
// the batch). In a pipeline (`dataset.map(...)` of a batch, with {.training = true}) the layers count their
// calls themselves, so that such a map must not run in parallel. Images without rows or columns are an
// InvalidArgument.

struct RandomFlipOptions {  // options/layers.toml
  /// Directions: "horizontal", "vertical" or "horizontal_and_vertical".
  std::string mode = "horizontal_and_vertical";
  /// Seed of the random numbers; unset: the process's next default seed.
  std::optional<std::uint64_t> seed = {};
  /// "channels_last" or "channels_first"; empty: config::image_data_format().
  std::string data_format = {};
  /// Format of boxes in calls on elements by name: "xyxy", "rel_xyxy" and others of utils::bounding_boxes;
  /// empty: boxes are refused.
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
CORNU_FIELDS(RandomFlipOptions, mode, seed, data_format, bounding_box_format, name, trainable, dtype,
             input_shape)

/// Mirrors half of the images; if the mode names both directions, in both at once, as Keras does.
class RandomFlip : public ImageHandle {
 public:
  explicit RandomFlip(RandomFlipOptions options = {});
  explicit RandomFlip(NoOptions) : RandomFlip() {}
};

struct RandomCropOptions {  // options/layers.toml
  /// Height of the result in pixels; must be positive.
  std::int64_t height = 0;
  /// Width of the result in pixels; must be positive.
  std::int64_t width = 0;
  /// Seed of the random numbers; unset: the process's next default seed.
  std::optional<std::uint64_t> seed = {};
  /// "channels_last" or "channels_first"; empty: config::image_data_format().
  std::string data_format = {};
  /// Format of boxes in calls on elements by name: "xyxy", "rel_xyxy" and others of utils::bounding_boxes;
  /// empty: boxes are refused.
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
CORNU_FIELDS(RandomCropOptions, height, width, seed, data_format, bounding_box_format, name, trainable, dtype,
             input_shape)

/// Crops at random during training, at one position for the whole batch; otherwise resizes the largest
/// centered box of the new shape, as Keras documents it. Images that are not larger in both directions are
/// resized in training too. Outside of training Keras 3's code returns images unchanged, contrary to its
/// documentation and its compute_output_shape(); following layers that need the new shape, such as Flatten
/// and Dense, would then fail. Here the output always has the new shape, as in Keras 2.
/// Errors:  InvalidArgument unless height and width are positive.
class RandomCrop : public ImageHandle {
 public:
  explicit RandomCrop(RandomCropOptions options);
};

struct RandomContrastOptions {  // options/layers.toml
  /// Largest change of the contrast: one number for {0, number}, or the bounds {lower, upper}; contrast is
  /// multiplied by a number in [1 - lower, 1 + upper].
  Factor factor = 0.0;
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
CORNU_FIELDS(RandomContrastOptions, factor, value_range, seed, data_format, bounding_box_format, name,
             trainable, dtype, input_shape)

/// (x - mean) * f + mean of each channel, clipped to the range of values, with f in [1 - lower, 1 + upper]
/// for each image; a single number as factor means {0, number}.
/// Errors:  InvalidArgument for a number outside [0, 1], and for two of which the first is above 1 or the
///          second negative, as in Keras.
class RandomContrast : public ImageHandle {
 public:
  explicit RandomContrast(RandomContrastOptions options);
};

struct RandomBrightnessOptions {  // options/layers.toml
  /// Largest change as a share of value_range, in [-1, 1]: one number for both directions, or the bounds
  /// {lower, upper}.
  Factor factor = 0.0;
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
CORNU_FIELDS(RandomBrightnessOptions, factor, value_range, seed, data_format, bounding_box_format, name,
             trainable, dtype, input_shape)

/// x + f * (largest - smallest value), clipped to the range of values, with f in [lower, upper] for each
/// image.
/// Errors:  InvalidArgument for a number outside [-1, 1], and for two of which the first is above 1 or the
///          second below -1, as in Keras.
class RandomBrightness : public ImageHandle {
 public:
  explicit RandomBrightness(RandomBrightnessOptions options);
};

struct RandomTranslationOptions {  // options/layers.toml
  /// Shift down as a share of the height: the most in both directions, or the bounds {lower, upper}, in [-1,
  /// 1].
  Factor height_factor = 0.0;
  /// Shift to the right as a share of the width: the most in both directions, or the bounds {lower, upper},
  /// in [-1, 1].
  Factor width_factor = 0.0;
  /// Values of pixels from outside the image: "reflect", "wrap", "constant" or "nearest".
  std::string fill_mode = "reflect";
  /// "bilinear" or "nearest".
  std::string interpolation = "bilinear";
  /// Seed of the random numbers; unset: the process's next default seed.
  std::optional<std::uint64_t> seed = {};
  /// Value of pixels outside the image with fill_mode "constant".
  double fill_value = 0.0;
  /// "channels_last" or "channels_first"; empty: config::image_data_format().
  std::string data_format = {};
  /// Format of boxes in calls on elements by name: "xyxy", "rel_xyxy" and others of utils::bounding_boxes;
  /// empty: boxes are refused.
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
CORNU_FIELDS(RandomTranslationOptions, height_factor, width_factor, fill_mode, interpolation, seed,
             fill_value, data_format, bounding_box_format, name, trainable, dtype, input_shape)

/// Shifts images; fill_mode determines the pixels from outside.
/// Errors:  InvalidArgument for numbers outside [-1, 1], an unknown fill_mode or interpolation.
class RandomTranslation : public ImageHandle {
 public:
  explicit RandomTranslation(RandomTranslationOptions options);
};

struct RandomShearOptions {  // options/layers.toml
  /// Shear to the right for each row: drawn up to one number in [0, 1] in both directions, or between the
  /// bounds {lower, upper} in [-1, 1].
  Factor x_factor = 0.0;
  /// Shear down for each column: drawn up to one number in [0, 1] in both directions, or between the bounds
  /// {lower, upper} in [-1, 1].
  Factor y_factor = 0.0;
  /// "bilinear" or "nearest".
  std::string interpolation = "bilinear";
  /// Values of pixels from outside the image: "reflect", "wrap", "constant" or "nearest".
  std::string fill_mode = "reflect";
  /// Value of pixels outside the image with fill_mode "constant".
  double fill_value = 0.0;
  /// "channels_last" or "channels_first"; empty: config::image_data_format().
  std::string data_format = {};
  /// Seed of the random numbers; unset: the process's next default seed.
  std::optional<std::uint64_t> seed = {};
  /// Format of boxes in calls on elements by name: "xyxy", "rel_xyxy" and others of utils::bounding_boxes;
  /// empty: boxes are refused.
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
CORNU_FIELDS(RandomShearOptions, x_factor, y_factor, interpolation, fill_mode, fill_value, data_format, seed,
             bounding_box_format, name, trainable, dtype, input_shape)
/// Shears images: pixel (x, y) of the result is pixel (x + a * y, y + b * x) of the image, with a in x_factor
/// and b in y_factor, both with the same random sign.
/// Errors:  InvalidArgument for a factor outside [0, 1], for bounds outside [-1, 1], and for unknown names.
class RandomShear : public ImageHandle {
 public:
  explicit RandomShear(RandomShearOptions options = {});
  explicit RandomShear(NoOptions) : RandomShear() {}
};

struct RandomPerspectiveOptions {  // options/layers.toml
  /// Probability that an image is changed, in [0, 1]: drawn up to one number, or between the bounds {lower,
  /// upper}.
  Factor factor = 1.0;
  /// Largest move of a corner, as a multiple of half of the side, in [0, 1].
  double scale = 1.0;
  /// "bilinear" or "nearest".
  std::string interpolation = "bilinear";
  /// Value of pixels outside the image.
  double fill_value = 0.0;
  /// Seed of the random numbers; unset: the process's next default seed.
  std::optional<std::uint64_t> seed = {};
  /// "channels_last" or "channels_first"; empty: config::image_data_format().
  std::string data_format = {};
  /// Format of boxes in calls on elements by name: "xyxy", "rel_xyxy" and others of utils::bounding_boxes;
  /// empty: boxes are refused.
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
CORNU_FIELDS(RandomPerspectiveOptions, factor, scale, interpolation, fill_value, seed, data_format,
             bounding_box_format, name, trainable, dtype, input_shape)
/// Changes the perspective of images: three corners move by up to half of `scale` times the side.
/// Errors:  InvalidArgument for a factor or scale outside [0, 1] and an unknown interpolation.
class RandomPerspective : public ImageHandle {
 public:
  explicit RandomPerspective(RandomPerspectiveOptions options = {});
  explicit RandomPerspective(NoOptions) : RandomPerspective() {}
};

struct RandomRotationOptions {  // options/layers.toml
  /// Largest angle as a share of a full turn, counterclockwise where positive: one number for both
  /// directions, or the bounds {lower, upper}.
  Factor factor = 0.0;
  /// Values of pixels from outside the image: "reflect", "wrap", "constant" or "nearest".
  std::string fill_mode = "reflect";
  /// "bilinear" or "nearest".
  std::string interpolation = "bilinear";
  /// Seed of the random numbers; unset: the process's next default seed.
  std::optional<std::uint64_t> seed = {};
  /// Value of pixels outside the image with fill_mode "constant".
  double fill_value = 0.0;
  /// "channels_last" or "channels_first"; empty: config::image_data_format().
  std::string data_format = {};
  /// Format of boxes in calls on elements by name: "xyxy", "rel_xyxy" and others of utils::bounding_boxes;
  /// empty: boxes are refused.
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
CORNU_FIELDS(RandomRotationOptions, factor, fill_mode, interpolation, seed, fill_value, data_format,
             bounding_box_format, name, trainable, dtype, input_shape)

/// Rotates images around their center, counterclockwise for positive angles.
/// Errors:  InvalidArgument for a factor that RandomBrightness does not accept, an unknown fill_mode or
///          interpolation.
class RandomRotation : public ImageHandle {
 public:
  explicit RandomRotation(RandomRotationOptions options);
};

struct RandomZoomOptions {  // options/layers.toml
  /// Zoom of the height, out where positive and in where negative: the most in both directions, or the bounds
  /// {lower, upper}, in (-1, 1].
  Factor height_factor = 0.0;
  /// Zoom of the width, as height_factor; unset: the same as the height, so that images keep their aspect
  /// ratio.
  std::optional<Factor> width_factor = {};
  /// Values of pixels from outside the image: "reflect", "wrap", "constant" or "nearest".
  std::string fill_mode = "reflect";
  /// "bilinear" or "nearest".
  std::string interpolation = "bilinear";
  /// Seed of the random numbers; unset: the process's next default seed.
  std::optional<std::uint64_t> seed = {};
  /// Value of pixels outside the image with fill_mode "constant".
  double fill_value = 0.0;
  /// "channels_last" or "channels_first"; empty: config::image_data_format().
  std::string data_format = {};
  /// Format of boxes in calls on elements by name: "xyxy", "rel_xyxy" and others of utils::bounding_boxes;
  /// empty: boxes are refused.
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
CORNU_FIELDS(RandomZoomOptions, height_factor, width_factor, fill_mode, interpolation, seed, fill_value,
             data_format, bounding_box_format, name, trainable, dtype, input_shape)

/// Zooms around the center: out for positive factors, in for negative ones.
/// Errors:  InvalidArgument for numbers outside (-1, 1]; otherwise those of RandomTranslation.
class RandomZoom : public ImageHandle {
 public:
  explicit RandomZoom(RandomZoomOptions options);
};

}  // namespace cornu::inline v0::keras::layers
