#include "cornu/keras/base/floatx.h"
#include "cornu/keras/layers/operations/operation_adapters_support.h"
#include "cornu/tensor/function_calls_support.h"

namespace cornu::inline v0::keras::layers {
namespace {

using Tensors = std::vector<Tensor>;
using Call = OperationCall;

/// The target dtype of a cast; null means Keras's floatx.
DType target_dtype(const Call& c) {
  return c.get_nullable<std::optional<DType>>("dtype").value_or(current_floatx());
}

}  // namespace

Tensors call_clip(const Call& c) {
  const auto x_min = c.get_nullable<std::optional<double>>("x_min");
  const auto x_max = c.get_nullable<std::optional<double>>("x_max");
  if (x_min.has_value() && x_max.has_value()) return {ops::clip(c[0], *x_min, *x_max)};
  if (x_min.has_value()) return {ops::maximum(c[0], c.tensor("x_min"))};
  return {x_max.has_value() ? ops::minimum(c[0], c.tensor("x_max")) : c[0]};
}

Tensors call_cast(const Call& c) { return {ops::cast(c[0], target_dtype(c))}; }
Tensors call_saturate_cast(const Call& c) { return {ops::saturate_cast(c[0], target_dtype(c))}; }

Tensors call_select(const Call& c) {
  return {ops::select(c.tensors("condlist"), c.tensors("choicelist"), c.get<Tensor>("default", Tensor(0)))};
}

}  // namespace cornu::inline v0::keras::layers
