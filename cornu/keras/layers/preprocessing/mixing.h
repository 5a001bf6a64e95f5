#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/layers/preprocessing/factor.h"
#include "cornu/keras/layers/preprocessing/image_handle.h"

namespace cornu::inline v0::keras::layers {

struct MixUpOptions {  // options/layers.toml
  /// Both parameters of the beta distribution of the weights; must be positive.
  double alpha = 0.2;
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
CORNU_FIELDS(MixUpOptions, alpha, data_format, seed, bounding_box_format, name, trainable, dtype, input_shape)
/// Mixes each image of a batch with another one during training: w * image + (1 - w) * other, with w of a
/// beta distribution; for inputs {images, labels} it mixes the labels [batch, classes] alike.
///
///     const std::vector<Tensor> mixed = layers::MixUp({.alpha = 0.4}).call_many({images, labels}, {.training
///     = true});
///
/// Elements by name: "images", "labels" and "segmentation_masks" are mixed alike; masks become floats. A
/// result has the "bounding_boxes" of both images: [batch, boxes, 4] -> [batch, 2 * boxes, 4].
///
///     train = photos.batch(8).map(layers::MixUp({.bounding_box_format = "xyxy"}));
///
/// Shapes:  images [batch, height, width, channels] -> the same.
/// Errors:  InvalidArgument unless alpha is positive, for labels of other than two axes, and for the boxes of a
///          single image.
class MixUp : public ImageHandle {
 public:
  explicit MixUp(MixUpOptions options = {});
  explicit MixUp(NoOptions) : MixUp() {}
};

struct CutMixOptions {  // options/layers.toml
  /// Both parameters of the beta distribution of the share that stays, in [0, 1]: drawn up to one number, or
  /// between the bounds {lower, upper}.
  Factor factor = 1.0;
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
CORNU_FIELDS(CutMixOptions, factor, seed, data_format, bounding_box_format, name, trainable, dtype,
             input_shape)
/// Replaces a random rectangle of each image of a batch by that of another image during training; for inputs
/// {images, labels} it mixes the labels [batch, classes] by the areas. A single image stays.
///
/// Elements by name: the layer changes "images", "labels" and "segmentation_masks" alike.
///
/// Shapes:  images [batch, height, width, channels] -> the same.
/// Errors:  InvalidArgument for a factor outside [0, 1], for labels of other than two axes, and for
///          "bounding_boxes", as in Keras.
class CutMix : public ImageHandle {
 public:
  explicit CutMix(CutMixOptions options = {});
  explicit CutMix(NoOptions) : CutMix() {}
};

}  // namespace cornu::inline v0::keras::layers
