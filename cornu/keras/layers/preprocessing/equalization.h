#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/layers/preprocessing/image_handle.h"

namespace cornu::inline v0::keras::layers {

struct EqualizationOptions {  // options/layers.toml
  /// Smallest and largest pixel value, which become 0 and 255 meanwhile.
  std::vector<double> value_range = {0, 255};
  /// Number of bins of the histogram; must be above 1.
  std::int64_t bins = 256;
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
CORNU_FIELDS(EqualizationOptions, value_range, bins, data_format, bounding_box_format, name, trainable, dtype,
             input_shape)
/// Spreads the values of each channel during training, so that its histogram over the batch becomes even.
/// Errors:  InvalidArgument unless bins is above 1.
class Equalization : public ImageHandle {
 public:
  explicit Equalization(EqualizationOptions options = {});
  explicit Equalization(NoOptions) : Equalization() {}
};

struct ClaheOptions {  // options/layers.toml
  /// Smallest and largest pixel value, which become 0 and 255 meanwhile.
  std::vector<double> value_range = {0, 255};
  /// Largest count of a bin, as a multiple of the mean count; what is above is shared by all bins. 0 or less:
  /// no limit.
  double clip_limit = 4.0;
  /// Numbers of tiles in a column and in a row; must be positive.
  Dims tile_grid_size = {8, 8};
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
CORNU_FIELDS(ClaheOptions, value_range, clip_limit, tile_grid_size, data_format, bounding_box_format, name,
             trainable, dtype, input_shape)
/// Spreads the values of each channel by the histograms of the tiles of a grid, between which it
/// interpolates, also outside of training. The image is extended to whole tiles by its mirror image.
/// Errors:  InvalidArgument unless tile_grid_size has two positive numbers.
class ContrastLimitedAdaptiveHistogramEqualization : public ImageHandle {
 public:
  explicit ContrastLimitedAdaptiveHistogramEqualization(ClaheOptions options = {});
  explicit ContrastLimitedAdaptiveHistogramEqualization(NoOptions)
      : ContrastLimitedAdaptiveHistogramEqualization() {}
};

}  // namespace cornu::inline v0::keras::layers
