#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/layers/preprocessing/factor.h"
#include "cornu/keras/layers/preprocessing/image_handle.h"

namespace cornu::inline v0::keras::layers {

struct RandAugmentOptions {  // options/layers.toml
  /// Smallest and largest pixel value; results are clipped to them.
  std::vector<double> value_range = {0, 255};
  /// Number of changes one after the other; must not be negative.
  std::int64_t num_ops = 2;
  /// Factor of the changes, in [0, 1]: one number for {0, number}, or the bounds {lower, upper}.
  Factor factor = 0.5;
  /// "bilinear" or "nearest".
  std::string interpolation = "bilinear";
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
CORNU_FIELDS(RandAugmentOptions, value_range, num_ops, factor, interpolation, seed, data_format,
             bounding_box_format, name, trainable, dtype, input_shape)
/// Applies num_ops changes to a batch of images during training, each drawn from RandomShear,
/// RandomTranslation, RandomRotation, RandomBrightness, RandomColorDegeneration, RandomContrast,
/// RandomSharpness, RandomPosterization, Solarization, AutoContrast and Equalization.
///
/// Boxes and masks of an element by name move with the images; see ImageHandle.
///
/// Shapes:  images [batch, height, width, channels] -> the same.
/// Errors:  InvalidArgument for a factor outside [0, 1] and a negative num_ops; those of these layers.
class RandAugment : public ImageHandle {
 public:
  explicit RandAugment(RandAugmentOptions options = {});
  explicit RandAugment(NoOptions) : RandAugment() {}
};

struct AugMixOptions {  // options/layers.toml
  /// Smallest and largest pixel value; results are clipped to them.
  std::vector<double> value_range = {0, 255};
  /// Number of chains of changes that are mixed; must be positive.
  std::int64_t num_chains = 3;
  /// Number of changes one after the other; must be positive.
  std::int64_t chain_depth = 3;
  /// Factor of the changes, in [0, 1]: one number for {0, number}, or the bounds {lower, upper}.
  Factor factor = 0.3;
  /// Parameter of the Dirichlet distribution of the chains' weights, and both of the beta distribution of the
  /// original's; must be positive.
  double alpha = 1.0;
  /// True: also changes of brightness, color, contrast and sharpness.
  bool all_ops = true;
  /// "bilinear" or "nearest".
  std::string interpolation = "bilinear";
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
CORNU_FIELDS(AugMixOptions, value_range, num_chains, chain_depth, factor, alpha, all_ops, interpolation, seed,
             data_format, bounding_box_format, name, trainable, dtype, input_shape)
/// Mixes a batch of images with several chains of random changes of it during training: those of RandAugment,
/// or with all_ops = false those without brightness, color, contrast and sharpness.
///
/// Elements by name: "segmentation_masks" are mixed alike and become floats; boxes stay, as in Keras.
///
/// Shapes:  images [batch, height, width, channels] -> the same.
/// Errors:  InvalidArgument for a factor outside [0, 1], and unless num_chains, chain_depth and alpha are
///          positive.
class AugMix : public ImageHandle {
 public:
  explicit AugMix(AugMixOptions options = {});
  explicit AugMix(NoOptions) : AugMix() {}
};

}  // namespace cornu::inline v0::keras::layers
