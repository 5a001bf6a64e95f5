#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/keras/layers/preprocessing/batches.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {

struct NormalizationOptions {  // options/layers.toml
  /// Axes whose positions have a mean and a variance each; empty: one of each for all values.
  ops::Axes axis = -1;
  /// Mean, with variance: numbers, or values along the axes; undefined: adapt() computes both.
  Tensor mean = {};
  /// Variance, with mean: numbers, or values along the axes; undefined: adapt() computes both.
  Tensor variance = {};
  /// True: computes input * sqrt(variance) + mean, the inverse.
  bool invert = false;
  /// Penalty on the output, averaged over the rows and added to the loss; empty: none.
  RegularizerSpec activity_regularizer = {};
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
CORNU_FIELDS(NormalizationOptions, axis, mean, variance, invert, activity_regularizer, name, trainable, dtype,
             input_shape)

/// (input - mean) / sqrt(variance), or the inverse with `invert`; mean and variance are given, adapted to
/// data, or loaded as weights.
///
///     layers::Normalization normalize;
///     normalize.adapt(x_train);
///
/// Shapes:  [batch, ...] -> the same; mean and variance have the extents of `axis`.
/// Errors:  InvalidArgument for one of mean and variance alone, for shapes that do not fit the axes, and for
///          axes outside the rank or of unknown extent.
class Normalization : public LayerHandle {
 public:
  explicit Normalization(NormalizationOptions options = {});
  explicit Normalization(NoOptions) : Normalization() {}

  /// Sets mean and variance to those of `data`; builds the layer if needed.
  /// Errors: FailedPrecondition if the options have mean and variance; InvalidArgument for another shape than
  ///         the layer was built for, and for empty data.
  void adapt(const Tensor& data) const;
  /// The same for all batches together, or for each x of (x, y), of a data set or a range. A batch of one
  /// axis is one row.
  template <BatchIterable Batches>
  void adapt(const Batches& batches) const {
    begin_adapt();
    for (const auto& batch : batches) adapt_batch(batch_tensor(batch));
    end_adapt();
  }

 private:
  void begin_adapt() const;
  void adapt_batch(const Tensor& batch) const;
  void end_adapt() const;
};

}  // namespace cornu::inline v0::keras::layers
