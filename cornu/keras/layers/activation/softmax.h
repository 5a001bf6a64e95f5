#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {

struct SoftmaxOptions {
  ops::Axes axis = -1;
  RegularizerSpec activity_regularizer = {};
  std::string name = {};
  bool trainable = true;
  std::optional<DTypePolicy> dtype = {};
  OptionalDims input_shape = {};
};
CORNU_FIELDS(SoftmaxOptions, axis, activity_regularizer, name, trainable, dtype, input_shape)
/// exp(x) over its sum along `axis`. A mask (that of the input, or `.mask` of the call) is true where an
/// element counts; the others give 0.
/// Errors: InvalidArgument when an axis is outside the rank, or the mask does not broadcast to the input.
class Softmax : public LayerHandle {
 public:
  explicit Softmax(SoftmaxOptions options = {});
  explicit Softmax(NoOptions) : Softmax() {}
};

}  // namespace cornu::inline v0::keras::layers
