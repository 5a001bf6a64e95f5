#include "cornu/keras/layers/operations/graph_functions.h"

#include <cmath>

#include "cornu/base/check.h"
#include "cornu/keras/layers/operations/graph_call_support.h"
#include "cornu/keras/layers/operations/index_key_support.h"

// Overloads that tools/make_functions.py does not write: their arguments differ from those of Keras's
// classes.
namespace cornu::inline v0::ops {
using namespace graph;

namespace {

/// A number that Python writes without a fraction if it is integral: the order of a norm.
Config number(double option) {
  constexpr double kExact = 0x1p53;
  if (std::nearbyint(option) == option && std::abs(option) < kExact) return static_cast<std::int64_t>(option);
  return option;
}

/// Converts an omitted argument to null, which Keras writes in its position.
OperationArgument or_null(const OperationArgument& argument) {
  return argument.defined() ? argument : OperationArgument::of({});
}

KerasTensor quantiles(const char* class_name, const KerasTensor& x, const Quantiles& q,
                      const QuantileOptions& o) {
  const Config of_q = q.is_list() ? Config(q.values()) : Config(q.values()[0]);
  return call(class_name, {x, OperationArgument::of(of_q)},
              {{"axis", o.axis}, {"method", o.method}, {"keepdims", o.keepdims}});
}
KerasTensor contracted(const OperationArgument& x, const OperationArgument& y, const TensordotAxes& axes) {
  return call("Tensordot", {x, y},
              {{"axes", axes.count() ? Config(*axes.count())
                                     : Config::list({axes.of_x().given(), axes.of_y().given()})}});
}

/// Errors: InvalidArgument if a convolution has options that Keras's operation does not have.
template <typename Options>
void check_only_convolves(const char* function, const Options& options) {
  if (options.bias.defined() || options.activation != "linear")
    invalid_argument(
        {.op = function, .argument = options.bias.defined() ? "bias" : "activation"},
        "[{0}] on a tensor of a graph takes no bias and no activation; add the bias and call the "
        "activation: ops::relu(ops::{0}(x, kernel) + bias)",
        function);
}
KerasTensor convolved(const char* class_name, const Arguments& arguments, const ConvOptions& o) {
  return call(class_name, arguments,
              {{"strides", o.strides},
               {"padding", o.padding},
               {"data_format", o.data_format},
               {"dilation_rate", o.dilation_rate}});
}

}  // namespace

// Reductions.
KerasTensor quantile(const KerasTensor& x, const Quantiles& q, const QuantileOptions& options) {
  return quantiles("Quantile", x, q, options);
}
KerasTensor percentile(const KerasTensor& x, const Quantiles& q, const QuantileOptions& options) {
  return quantiles("Percentile", x, q, options);
}
KerasTensor nanquantile(const KerasTensor& x, const Quantiles& q, const QuantileOptions& options) {
  return quantiles("Nanquantile", x, q, options);
}
KerasTensor nanpercentile(const KerasTensor& x, const Quantiles& q, const QuantileOptions& options) {
  return quantiles("Nanpercentile", x, q, options);
}
KerasTensor norm(const KerasTensor& x, const NormOptions& o) {
  const Config order = o.ord.is_frobenius() ? Config("fro")
                       : o.ord.is_nuclear() ? Config("nuc")
                       : o.ord.p()          ? number(*o.ord.p())
                                            : Config();
  return call("Norm", {x}, {{"ord", order}, {"axis", o.axis}, {"keepdims", o.keepdims}});
}
KerasTensor average(const KerasTensor& x, const GraphAverageOptions& o) {
  return call("Average", {x}, {{"axis", o.axis}}, {{"weights", o.weights}});
}

// Activations and normalization.
KerasTensor squareplus(const KerasTensor& x, const SquareplusOptions& o) {
  return call("Squareplus", {x}, {{"b", number(o.b)}});
}
KerasTensor batch_normalization(const KerasTensor& x, const OperationArgument& mean,
                                const OperationArgument& variance, const GraphBatchNormalizationOptions& o) {
  return call("BatchNorm", {x, mean, variance, or_null(o.offset), or_null(o.scale)},
              {{"axis", o.axis}, {"epsilon", o.epsilon}});
}
KerasTensor layer_normalization(const KerasTensor& x, const GraphLayerNormalizationOptions& o) {
  return call("LayerNorm", {x, or_null(o.gamma), or_null(o.beta)},
              {{"axis", o.axis}, {"epsilon", o.epsilon}, {"rms_scaling", false}});
}
KerasTensor rms_normalization(const KerasTensor& x, const GraphRmsNormalizationOptions& o) {
  return call("RMSNorm", {x}, {{"axis", o.axis}, {"epsilon", o.epsilon}}, {{"scale", o.scale}});
}

// Elementwise.
KerasTensor isclose(const KerasTensor& x, const OperationArgument& y, const IsCloseOptions& o) {
  return call("Isclose", {x, y, OperationArgument::of(o.rtol), OperationArgument::of(o.atol)},
              {{"equal_nan", o.equal_nan}});
}
KerasTensor select(const KerasTensors& conditions, const std::vector<OperationArgument>& choices,
                   const GraphSelectOptions& o) {
  return call("Select",
              {OperationArgument::list(all_of(conditions)), OperationArgument::list(choices), o.fallback});
}

// Shapes and creation.
KerasTensor transpose(const KerasTensor& x, const TransposeOptions& o) {
  return call("Transpose", {x}, {{"axes", o.axes.empty() ? Config() : value(o.axes)}});
}
Dims shape(const KerasTensor& x) { return x.shape(); }
KerasTensor pad(const KerasTensor& x, const std::vector<std::pair<std::int64_t, std::int64_t>>& pad_width,
                const PadOptions& o) {
  Config widths{Config::List()};
  for (const auto& each : pad_width) widths.append(value(each));
  return call("Pad", {x}, {{"pad_width", widths}, {"mode", o.mode}},
              {{"constant_values", o.constant_values}});
}
std::vector<KerasTensor> array_split(const KerasTensor& x, std::int64_t sections, const SplitOptions& o) {
  return call_many("ArraySplit", {x}, {{"indices_or_sections", sections}, {"axis", o.axis}});
}

// Products, convolutions, attention.
KerasTensor tensordot(const KerasTensor& x, const OperationArgument& y, const TensordotOptions& options) {
  return contracted(x, y, options.axes);
}
KerasTensor tensordot(const Tensor& x, const KerasTensor& y, const TensordotOptions& options) {
  return contracted(x, y, options.axes);
}
KerasTensor conv(const KerasTensor& inputs, const OperationArgument& kernel, const ConvOptions& options) {
  check_only_convolves("conv", options);
  return convolved("Conv", {inputs, kernel}, options);
}
KerasTensor depthwise_conv(const KerasTensor& inputs, const OperationArgument& kernel,
                           const ConvOptions& options) {
  check_only_convolves("depthwise_conv", options);
  return convolved("DepthwiseConv", {inputs, kernel}, options);
}
KerasTensor separable_conv(const KerasTensor& inputs, const OperationArgument& depthwise_kernel,
                           const OperationArgument& pointwise_kernel, const ConvOptions& options) {
  check_only_convolves("separable_conv", options);
  return convolved("SeparableConv", {inputs, depthwise_kernel, pointwise_kernel}, options);
}
KerasTensor conv_transpose(const KerasTensor& inputs, const OperationArgument& kernel,
                           const ConvTransposeOptions& o) {
  check_only_convolves("conv_transpose", o);
  return call("ConvTranspose", {inputs, kernel},
              {{"strides", o.strides},
               {"padding", o.padding},
               {"output_padding", o.output_padding},
               {"data_format", o.data_format},
               {"dilation_rate", o.dilation_rate}});
}
KerasTensor dot_product_attention(const KerasTensor& query, const KerasTensor& key, const KerasTensor& values,
                                  const GraphAttentionOptions& o) {
  return call("DotProductAttention", {query, key, values},
              {{"is_causal", o.is_causal}, {"flash_attention", Config()}, {"attn_logits_soft_cap", Config()}},
              {{"bias", o.bias}, {"mask", o.mask}, {"scale", OperationArgument::of(value(o.scale))}});
}

// Losses and statistics.
GraphMoments moments(const KerasTensor& x, const Axes& axes, const MomentsOptions& o) {
  const auto both =
      call_many("Moments", {x}, {{"axes", axes}, {"keepdims", o.keepdims}, {"synchronized", false}});
  return {both.at(0), both.at(1)};
}

// Indexing and order.
KerasTensor get_item(const KerasTensor& x, const std::vector<Index>& key) {
  return call("GetItem", {x, OperationArgument::of(keras::layers::index_key_config(key))});
}
KerasTensor rearrange(const KerasTensor& x, StringViewArgument pattern, const RearrangeOptions& options) {
  NamedArguments lengths;
  for (const auto& [name, length] : options.axes_lengths)
    lengths.emplace_back(name, OperationArgument::of(length));
  return call("Rearrange", {x, OperationArgument::of(pattern)}, {}, lengths);
}
KerasTensor slice(const KerasTensor& inputs, const GraphStartIndices& start_indices, const Dims& shape) {
  return call("Slice", {inputs, start_indices.argument()}, {{"shape", shape}});
}
KerasTensor slice_update(const KerasTensor& inputs, const GraphStartIndices& start_indices,
                         const OperationArgument& updates) {
  return call("SliceUpdate", {inputs, start_indices.argument(), updates});
}
GraphTopK top_k(const KerasTensor& x, std::int64_t k, const TopKOptions& o) {
  const auto both = call_many("TopK", {x}, {{"k", k}, {"sorted", o.sorted}});
  return {both.at(0), both.at(1)};
}
KerasTensor digitize(const KerasTensor& x, const Tensor& bins) { return call("Digitize", {x, bins}); }

}  // namespace cornu::inline v0::ops
