#include "cornu/keras/layers/operations/operation_adapters_support.h"
#include "cornu/tensor/function_calls_support.h"

namespace cornu::inline v0::keras::layers {
namespace {

using Tensors = std::vector<Tensor>;
using Call = OperationCall;

/// A number that is given as such has no axis of its own in the result.
ops::Quantiles quantiles_of(const Call& c) {
  const auto q = c.get<std::vector<double>>("q");
  return c.find("q")->is_number() ? ops::Quantiles(q.at(0)) : ops::Quantiles(q);
}

}  // namespace

Tensors call_quantile(const Call& c) {
  return {ops::quantile(c[0], quantiles_of(c), ops::calls::quantile_options(c))};
}
Tensors call_nanquantile(const Call& c) {
  return {ops::nanquantile(c[0], quantiles_of(c), ops::calls::quantile_options(c))};
}
Tensors call_nanpercentile(const Call& c) {
  return {ops::nanpercentile(c[0], quantiles_of(c), ops::calls::quantile_options(c))};
}
Tensors call_percentile(const Call& c) {
  return {ops::percentile(c[0], quantiles_of(c), ops::calls::quantile_options(c))};
}

Tensors call_norm(const Call& c) {
  using O = ops::NormOptions;
  O options = c.options<O>("axis", &O::axis, "keepdims", &O::keepdims);
  if (const Config* const order = c.find("ord"); order != nullptr && !order->is_null())
    options.ord =
        order->is_string() ? ops::NormOrder(order->as_string().c_str()) : ops::NormOrder(order->as_number());
  return {ops::norm(c[0], options)};
}

}  // namespace cornu::inline v0::keras::layers
