#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {

struct SoftmaxOptions {  // options/layers.toml
  /// Axes over which the outputs sum to 1; negative: from the end.
  ops::Axes axis = -1;
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
CORNU_FIELDS(SoftmaxOptions, axis, activity_regularizer, name, trainable, dtype, input_shape)
/// exp(x) divided by its sum along `axis`. Elements where the mask (that of the input, or `.mask` of the
/// call) is false are left out and give 0.
///
/// Shapes:  any -> the same; the mask broadcasts to it.
/// Errors:  InvalidArgument if an axis is outside the rank, or the mask does not broadcast to the input.
class Softmax : public LayerHandle {
 public:
  explicit Softmax(SoftmaxOptions options = {});
  explicit Softmax(NoOptions) : Softmax() {}
};

}  // namespace cornu::inline v0::keras::layers
