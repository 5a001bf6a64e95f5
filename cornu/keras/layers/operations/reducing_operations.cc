#include "cornu/keras/layers/operations/operation_call_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras::layers {
namespace {

using Tensors = std::vector<Tensor>;
using Call = OperationCall;

template <Tensor (*kFunction)(const Tensor&, const ops::ReduceOptions&)>
Tensors reduced(const Call& c) {
  using O = ops::ReduceOptions;
  return {kFunction(c[0], c.options<O>("axis", &O::axis, "keepdims", &O::keepdims))};
}

template <Tensor (*kFunction)(const Tensor&, const ops::ExtremumOptions&)>
Tensors extremum(const Call& c) {
  using O = ops::ExtremumOptions;
  return {kFunction(c[0], c.options<O>("axis", &O::axis, "keepdims", &O::keepdims, "initial", &O::initial))};
}

template <Tensor (*kFunction)(const Tensor&, const ops::ArgOptions&)>
Tensors position(const Call& c) {
  using O = ops::ArgOptions;
  return {kFunction(c[0], c.options<O>("axis", &O::axis, "keepdims", &O::keepdims))};
}

template <Tensor (*kFunction)(const Tensor&, const ops::CumulativeOptions&)>
Tensors cumulative(const Call& c) {
  using O = ops::CumulativeOptions;
  return {kFunction(c[0], c.options<O>("axis", &O::axis, "dtype", &O::dtype))};
}

template <Tensor (*kFunction)(const Tensor&, const ops::Quantiles&, const ops::QuantileOptions&)>
Tensors quantiles(const Call& c) {
  using O = ops::QuantileOptions;
  const auto q = c.get<std::vector<double>>("q");
  const O options = c.options<O>("axis", &O::axis, "method", &O::method, "keepdims", &O::keepdims);
  const bool is_one = c.find("q")->is_number();
  return {kFunction(c[0], is_one ? ops::Quantiles(q.at(0)) : ops::Quantiles(q), options)};
}

}  // namespace

std::vector<OperationRow> reducing_operations() {
  return {
      {"Sum", kNumpyModule, "x", &reduced<&ops::sum>},
      {"Mean", kNumpyModule, "x", &reduced<&ops::mean>},
      {"Amax", kNumpyModule, "x", &reduced<&ops::amax>},
      {"Amin", kNumpyModule, "x", &reduced<&ops::amin>},
      {"Ptp", kNumpyModule, "x", &reduced<&ops::ptp>},
      {"Var", kNumpyModule, "x", &reduced<&ops::var>},
      {"Std", kNumpyModule, "x", &reduced<&ops::std>},
      {"Median", kNumpyModule, "x", &reduced<&ops::median>},
      {"All", kNumpyModule, "x", &reduced<&ops::all>},
      {"Any", kNumpyModule, "x", &reduced<&ops::any>},
      {"Logsumexp", kMathModule, "x", &reduced<&ops::logsumexp>},
      {"Max", kNumpyModule, "x", &extremum<&ops::max>},
      {"Min", kNumpyModule, "x", &extremum<&ops::min>},
      {"Argmax", kNumpyModule, "x", &position<&ops::argmax>},
      {"Argmin", kNumpyModule, "x", &position<&ops::argmin>},
      {"Cumsum", kNumpyModule, "x", &cumulative<&ops::cumsum>},
      {"Cumprod", kNumpyModule, "x", &cumulative<&ops::cumprod>},
      {"Quantile", kNumpyModule, "x q", &quantiles<&ops::quantile>},
      {"Percentile", kNumpyModule, "x q", &quantiles<&ops::percentile>},
      {"Prod", kNumpyModule, "x",
       [](const Call& c) {
         using O = ops::ProdOptions;
         return Tensors{
             ops::prod(c[0], c.options<O>("axis", &O::axis, "keepdims", &O::keepdims, "dtype", &O::dtype))};
       }},
      {"CountNonzero", kNumpyModule, "x",
       [](const Call& c) {
         using O = ops::CountNonzeroOptions;
         return Tensors{ops::count_nonzero(c[0], c.options<O>("axis", &O::axis))};
       }},
      {"Average", kNumpyModule, "x weights?",
       [](const Call& c) {
         using O = ops::AverageOptions;
         return Tensors{ops::average(c[0], c.options<O>("axis", &O::axis, "weights", &O::weights))};
       }},
      {"Norm", kLinalgModule, "x",
       [](const Call& c) {
         using O = ops::NormOptions;
         O options = c.options<O>("axis", &O::axis, "keepdims", &O::keepdims);
         if (const Config* const order = c.find("ord"); order != nullptr && !order->is_null())
           options.ord = order->is_string() ? ops::NormOrder(order->as_string().c_str())
                                            : ops::NormOrder(order->as_number());
         return Tensors{ops::norm(c[0], options)};
       }},
  };
}

}  // namespace cornu::inline v0::keras::layers
