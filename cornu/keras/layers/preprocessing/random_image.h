#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/layers/preprocessing/factor.h"

namespace cornu::inline v0::keras::layers {

// Layers that change images at random while training, and pass them through
// otherwise. Images are [batch, rows, columns, channels] or, with data_format
// "channels_first", [batch, channels, rows, columns], or one of these without
// the batch. What happens to an image follows from (seed, step counter, its row
// in the batch) only. Called in a pipeline (`dataset.map(...)` of a batch, with
// {.training = true}) they count their calls themselves, so such a map must not
// run in parallel. Images without rows or columns are an InvalidArgument.

struct RandomFlipOptions {
  std::string mode = "horizontal_and_vertical";  // "horizontal" or "vertical"
  std::optional<std::uint64_t> seed = {};
  std::string data_format = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(RandomFlipOptions, mode, seed, data_format, name, trainable, dtype, input_shape)

/// Mirrors half of the images; in both directions at once where the mode says
/// both, as Keras does.
class RandomFlip : public LayerHandle {
 public:
  explicit RandomFlip(RandomFlipOptions options = {});
  explicit RandomFlip(NoOptions) : RandomFlip() {}
};

struct RandomCropOptions {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::optional<std::uint64_t> seed = {};
  std::string data_format = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(RandomCropOptions, height, width, seed, data_format, name, trainable, dtype, input_shape)

/// A part at random, one place for the whole batch, while training; otherwise the middle of the new shape,
/// resized, as Keras documents it. Images that are not larger in both directions are resized in training too.
/// Outside of training Keras 3's code gives images back as they came, although its documentation and its
/// compute_output_shape() say otherwise; layers that need the new shape, as Flatten and Dense do, would fail
/// then. Here the shape is always the new one, as in Keras 2.
/// Errors:  InvalidArgument unless height and width are positive.
class RandomCrop : public LayerHandle {
 public:
  explicit RandomCrop(RandomCropOptions options);
};

struct RandomContrastOptions {
  Factor factor = 0.0;
  std::vector<double> value_range = {0, 255};
  std::optional<std::uint64_t> seed = {};
  std::string data_format = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(RandomContrastOptions, factor, value_range, seed, data_format, name, trainable, dtype,
             input_shape)

/// (x - mean) * f + mean of each channel, clipped to the range of values, with f in [1 - lower, 1 + upper]
/// for each image; a factor of one number is {0, number}.
/// Errors:  InvalidArgument for a number outside [0, 1], and for two of which the first is above 1 or the
///          second negative, as in Keras.
class RandomContrast : public LayerHandle {
 public:
  explicit RandomContrast(RandomContrastOptions options);
};

struct RandomBrightnessOptions {
  Factor factor = 0.0;
  std::vector<double> value_range = {0, 255};
  std::optional<std::uint64_t> seed = {};
  std::string data_format = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(RandomBrightnessOptions, factor, value_range, seed, data_format, name, trainable, dtype,
             input_shape)

/// x + f * (largest - smallest value), clipped to the range of values, with f in [lower, upper] for each
/// image.
/// Errors:  InvalidArgument for a number outside [-1, 1], and for two of which the first is above 1 or the
///          second below -1, as in Keras.
class RandomBrightness : public LayerHandle {
 public:
  explicit RandomBrightness(RandomBrightnessOptions options);
};

struct RandomTranslationOptions {
  Factor height_factor = 0.0;              // of the height; down where positive
  Factor width_factor = 0.0;               // of the width; to the right where positive
  std::string fill_mode = "reflect";       // "wrap", "constant" or "nearest"
  std::string interpolation = "bilinear";  // or "nearest"
  std::optional<std::uint64_t> seed = {};
  double fill_value = 0.0;
  std::string data_format = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(RandomTranslationOptions, height_factor, width_factor, fill_mode, interpolation, seed,
             fill_value, data_format, name, trainable, dtype, input_shape)

/// Moves images; what comes in from outside is as fill_mode says.
/// Errors:  InvalidArgument for numbers outside [-1, 1], an unknown fill_mode or interpolation.
class RandomTranslation : public LayerHandle {
 public:
  explicit RandomTranslation(RandomTranslationOptions options);
};

struct RandomRotationOptions {
  Factor factor = 0.0;  // of a full turn
  std::string fill_mode = "reflect";
  std::string interpolation = "bilinear";
  std::optional<std::uint64_t> seed = {};
  double fill_value = 0.0;
  std::string data_format = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(RandomRotationOptions, factor, fill_mode, interpolation, seed, fill_value, data_format, name,
             trainable, dtype, input_shape)

/// Turns images around their middle, against the clock where positive.
/// Errors:  InvalidArgument for a factor that RandomBrightness does not take, an unknown fill_mode or
///          interpolation.
class RandomRotation : public LayerHandle {
 public:
  explicit RandomRotation(RandomRotationOptions options);
};

struct RandomZoomOptions {
  Factor height_factor = 0.0;
  std::optional<Factor> width_factor = {};  // none: the height's, so that images keep their shape
  std::string fill_mode = "reflect";
  std::string interpolation = "bilinear";
  std::optional<std::uint64_t> seed = {};
  double fill_value = 0.0;
  std::string data_format = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(RandomZoomOptions, height_factor, width_factor, fill_mode, interpolation, seed, fill_value,
             data_format, name, trainable, dtype, input_shape)

/// Zooms out where positive, in where negative, around the middle.
/// Errors:  InvalidArgument for numbers outside (-1, 1]; else as RandomTranslation.
class RandomZoom : public LayerHandle {
 public:
  explicit RandomZoom(RandomZoomOptions options);
};

}  // namespace cornu::inline v0::keras::layers
