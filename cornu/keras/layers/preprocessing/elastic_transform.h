#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/layers/preprocessing/factor.h"
#include "cornu/keras/layers/preprocessing/image_handle.h"

namespace cornu::inline v0::keras::layers {

struct RandomElasticTransformOptions {  // options/layers.toml
  /// Probability that an image is changed, in [0, 1]: drawn up to one number, or between the bounds {lower,
  /// upper}.
  Factor factor = 1.0;
  /// Strength of the distortion, in [0, 1]: drawn up to one number, or between the bounds {lower, upper}.
  Factor scale = 1.0;
  /// "bilinear" or "nearest".
  std::string interpolation = "bilinear";
  /// Values of pixels from outside the image: "reflect", "wrap", "constant" or "nearest".
  std::string fill_mode = "reflect";
  /// Value of pixels outside the image with fill_mode "constant".
  double fill_value = 0.0;
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
CORNU_FIELDS(RandomElasticTransformOptions, factor, scale, interpolation, fill_mode, fill_value, value_range,
             seed, data_format, bounding_box_format, name, trainable, dtype, input_shape)

/// Distorts images during training by smooth random moves of their pixels, as ops::elastic_transform does:
/// with a strength s, drawn once for a batch, alpha is 0.1 s times the longer side and sigma 0.05 s times the
/// shorter side. The filter is as long as for the largest strength, not for the drawn one. Masks of
/// elements by name (see ImageHandle) move with their images.
///
/// Shapes:  images [height, width, channels] or [batch, height, width, channels] -> the same.
/// Errors:  InvalidArgument for a factor or scale outside [0, 1], unknown interpolations and fill modes, and
///          elements with boxes.
class RandomElasticTransform : public ImageHandle {
 public:
  explicit RandomElasticTransform(RandomElasticTransformOptions options = {});
  explicit RandomElasticTransform(NoOptions) : RandomElasticTransform() {}
};

}  // namespace cornu::inline v0::keras::layers
