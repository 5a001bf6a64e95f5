#include "cornu/keras/layers/operations/graph_functions.h"

#include <cmath>
#include <string_view>
#include <type_traits>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/config/values_support.h"
#include "cornu/keras/layers/operations/index_key_support.h"
#include "cornu/keras/layers/operations/operation.h"

namespace cornu::inline v0::ops {
namespace {

using keras::Config;
using keras::KerasTensor;
using keras::KerasTensors;
using keras::NamedArguments;
using keras::OperationArgument;
using Arguments = std::vector<OperationArgument>;

constexpr keras::saving::Place kPlace = {"operation", "options"};

/// Converts an option to its form in a configuration.
template <typename T>
Config value(const T& option) {
  if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    const std::string_view text(option);
    return text.empty() ? Config() : Config(text);
  } else if constexpr (requires { option.has_value(); }) {
    return option.has_value() ? value(*option) : Config();
  } else {
    return keras::saving::write_value(option, kPlace);
  }
}
Config value(const Config& option) { return option; }
Config value(const std::pair<std::int64_t, std::int64_t>& option) {
  return Config::list({option.first, option.second});
}

/// A number that Python writes without a fraction if it is integral: the order of a norm.
Config number(double option) {
  constexpr double kExact = 0x1p53;
  if (std::nearbyint(option) == option && std::abs(option) < kExact) return static_cast<std::int64_t>(option);
  return option;
}

/// An option with its name in Keras.
struct Field : Config::Entry {
  template <typename T>
  Field(const char* name, const T& option) : Config::Entry(name, value(option)) {}
};
using Fields = std::initializer_list<Field>;

std::vector<KerasTensor> call_many(const char* class_name, const Arguments& arguments, Fields fields,
                                   const NamedArguments& named = {}) {
  return keras::operation_outputs(class_name, arguments,
                                  Config::dict(Config::Dict(fields.begin(), fields.end())), named);
}
KerasTensor call(const char* class_name, const Arguments& arguments, Fields fields = {},
                 const NamedArguments& named = {}) {
  return call_many(class_name, arguments, fields, named).at(0);
}

Arguments all_of(const KerasTensors& tensors) { return {tensors.begin(), tensors.end()}; }

/// Converts an omitted argument to null, which Keras writes in its position.
OperationArgument or_null(const OperationArgument& argument) {
  return argument.defined() ? argument : OperationArgument::of({});
}

// Families of functions with the same options.

KerasTensor reduced(const char* class_name, const KerasTensor& x, const ReduceOptions& o) {
  return call(class_name, {x}, {{"axis", o.axis}, {"keepdims", o.keepdims}});
}
KerasTensor extremum(const char* class_name, const KerasTensor& x, const ExtremumOptions& o) {
  return call(class_name, {x}, {{"axis", o.axis}, {"keepdims", o.keepdims}, {"initial", o.initial}});
}
KerasTensor cumulated(const char* class_name, const KerasTensor& x, const CumulativeOptions& o) {
  return call(class_name, {x}, {{"axis", o.axis}, {"dtype", o.dtype}});
}
KerasTensor quantiles(const char* class_name, const KerasTensor& x, const Quantiles& q,
                      const QuantileOptions& o) {
  const Config of_q = q.is_list() ? Config(q.values()) : Config(q.values()[0]);
  return call(class_name, {x, OperationArgument::of(of_q)},
              {{"axis", o.axis}, {"method", o.method}, {"keepdims", o.keepdims}});
}
KerasTensor diagonals(const char* class_name, const KerasTensor& x, const DiagonalOptions& o) {
  return call(class_name, {x}, {{"offset", o.offset}, {"axis1", o.axis1}, {"axis2", o.axis2}});
}
KerasTensor encoded(const char* class_name, const KerasTensor& x, std::int64_t num_classes,
                    const OneHotOptions& o) {
  return call(class_name, {x},
              {{"num_classes", num_classes}, {"axis", o.axis}, {"dtype", o.dtype}, {"sparse", false}});
}
KerasTensor segments(const char* class_name, const KerasTensor& data, const OperationArgument& ids,
                     const SegmentOptions& o) {
  return call(class_name, {data, ids}, {{"num_segments", o.num_segments}, {"sorted", o.sorted}});
}
KerasTensor pooled(const char* class_name, const KerasTensor& inputs, const IntOrInts& pool_size,
                   const PoolOptions& o) {
  return call(class_name, {inputs},
              {{"pool_size", pool_size},
               {"strides", o.strides},
               {"padding", o.padding},
               {"data_format", o.data_format}});
}
KerasTensor spaced(const OperationArgument& start, const OperationArgument& stop, const LinspaceOptions& o) {
  return call(
      "Linspace", {start, stop},
      {{"num", o.num}, {"endpoint", o.endpoint}, {"retstep", false}, {"dtype", o.dtype}, {"axis", o.axis}});
}
KerasTensor crossentropy(const char* class_name, const OperationArgument& target,
                         const OperationArgument& output, const CrossentropyOptions& o) {
  return call(class_name, {target, output}, {{"from_logits", o.from_logits}, {"axis", o.axis}});
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
KerasTensor sum(const KerasTensor& x, const ReduceOptions& options) { return reduced("Sum", x, options); }
KerasTensor mean(const KerasTensor& x, const ReduceOptions& options) { return reduced("Mean", x, options); }
KerasTensor amax(const KerasTensor& x, const ReduceOptions& options) { return reduced("Amax", x, options); }
KerasTensor amin(const KerasTensor& x, const ReduceOptions& options) { return reduced("Amin", x, options); }
KerasTensor ptp(const KerasTensor& x, const ReduceOptions& options) { return reduced("Ptp", x, options); }
KerasTensor var(const KerasTensor& x, const ReduceOptions& options) { return reduced("Var", x, options); }
KerasTensor std(const KerasTensor& x, const ReduceOptions& options) { return reduced("Std", x, options); }
KerasTensor median(const KerasTensor& x, const ReduceOptions& options) {
  return reduced("Median", x, options);
}
KerasTensor all(const KerasTensor& x, const ReduceOptions& options) { return reduced("All", x, options); }
KerasTensor any(const KerasTensor& x, const ReduceOptions& options) { return reduced("Any", x, options); }
KerasTensor logsumexp(const KerasTensor& x, const ReduceOptions& options) {
  return reduced("Logsumexp", x, options);
}
KerasTensor max(const KerasTensor& x, const ExtremumOptions& options) { return extremum("Max", x, options); }
KerasTensor min(const KerasTensor& x, const ExtremumOptions& options) { return extremum("Min", x, options); }
KerasTensor prod(const KerasTensor& x, const ProdOptions& o) {
  return call("Prod", {x}, {{"axis", o.axis}, {"keepdims", o.keepdims}, {"dtype", o.dtype}});
}
KerasTensor argmax(const KerasTensor& x, const ArgOptions& o) {
  return call("Argmax", {x}, {{"axis", o.axis}, {"keepdims", o.keepdims}});
}
KerasTensor argmin(const KerasTensor& x, const ArgOptions& o) {
  return call("Argmin", {x}, {{"axis", o.axis}, {"keepdims", o.keepdims}});
}
KerasTensor cumsum(const KerasTensor& x, const CumulativeOptions& options) {
  return cumulated("Cumsum", x, options);
}
KerasTensor cumprod(const KerasTensor& x, const CumulativeOptions& options) {
  return cumulated("Cumprod", x, options);
}
KerasTensor quantile(const KerasTensor& x, const Quantiles& q, const QuantileOptions& options) {
  return quantiles("Quantile", x, q, options);
}
KerasTensor percentile(const KerasTensor& x, const Quantiles& q, const QuantileOptions& options) {
  return quantiles("Percentile", x, q, options);
}
KerasTensor norm(const KerasTensor& x, const NormOptions& o) {
  const Config order = o.ord.is_frobenius() ? Config("fro") : o.ord.p() ? number(*o.ord.p()) : Config();
  return call("Norm", {x}, {{"ord", order}, {"axis", o.axis}, {"keepdims", o.keepdims}});
}
KerasTensor average(const KerasTensor& x, const GraphAverageOptions& o) {
  return call("Average", {x}, {{"axis", o.axis}}, {{"weights", o.weights}});
}
KerasTensor count_nonzero(const KerasTensor& x, const CountNonzeroOptions& o) {
  return call("CountNonzero", {x}, {{"axis", o.axis}});
}

// Activations and normalization.
KerasTensor softmax(const KerasTensor& x, const SoftmaxOptions& o) {
  return call("Softmax", {x}, {{"axis", o.axis}});
}
KerasTensor log_softmax(const KerasTensor& x, const SoftmaxOptions& o) {
  return call("LogSoftmax", {x}, {{"axis", o.axis}});
}
KerasTensor gelu(const KerasTensor& x, const GeluOptions& o) {
  return call("Gelu", {x}, {{"approximate", o.approximate}});
}
KerasTensor elu(const KerasTensor& x, const EluOptions& o) { return call("Elu", {x}, {{"alpha", o.alpha}}); }
KerasTensor celu(const KerasTensor& x, const EluOptions& o) {
  return call("Celu", {x}, {{"alpha", o.alpha}});
}
KerasTensor leaky_relu(const KerasTensor& x, const LeakyReluOptions& o) {
  return call("LeakyRelu", {x}, {{"negative_slope", o.negative_slope}});
}
KerasTensor soft_shrink(const KerasTensor& x, const ShrinkOptions& o) {
  return call("SoftShrink", {x}, {{"threshold", o.threshold}});
}
KerasTensor hard_shrink(const KerasTensor& x, const ShrinkOptions& o) {
  return call("HardShrink", {x}, {{"threshold", o.threshold}});
}
KerasTensor squareplus(const KerasTensor& x, const SquareplusOptions& o) {
  return call("Squareplus", {x}, {{"b", number(o.b)}});
}
KerasTensor threshold(const KerasTensor& x, double threshold, double default_value) {
  return call("Threshold", {x}, {{"threshold", threshold}, {"default_value", default_value}});
}
KerasTensor glu(const KerasTensor& x, const LastAxisOptions& o) {
  return call("Glu", {x}, {{"axis", o.axis}});
}
KerasTensor sparsemax(const KerasTensor& x, const LastAxisOptions& o) {
  return call("Sparsemax", {x}, {{"axis", o.axis}});
}
KerasTensor normalize(const KerasTensor& x, const NormalizeOptions& o) {
  return call("Normalize", {x}, {{"axis", o.axis}, {"order", o.order}, {"epsilon", o.epsilon}});
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
KerasTensor round(const KerasTensor& x, const RoundOptions& o) {
  return call("Round", {x}, {{"decimals", o.decimals}});
}
KerasTensor clip(const KerasTensor& x, double x_min, double x_max) {
  return call("Clip", {x}, {{"x_min", x_min}, {"x_max", x_max}});
}
KerasTensor nan_to_num(const KerasTensor& x, const NanToNumOptions& o) {
  return call("NanToNum", {x}, {{"nan", o.nan}, {"posinf", o.posinf}, {"neginf", o.neginf}});
}
KerasTensor isclose(const KerasTensor& x, const OperationArgument& y, const IsCloseOptions& o) {
  return call("Isclose", {x, y, OperationArgument::of(o.rtol), OperationArgument::of(o.atol)},
              {{"equal_nan", o.equal_nan}});
}
KerasTensor allclose(const KerasTensor& x, const OperationArgument& y, const IsCloseOptions& o) {
  return call("AllClose", {x, y}, {{"rtol", o.rtol}, {"atol", o.atol}, {"equal_nan", o.equal_nan}});
}
KerasTensor cast(const KerasTensor& x, DType dtype) { return call("Cast", {x}, {{"dtype", dtype}}); }
KerasTensor saturate_cast(const KerasTensor& x, DType dtype) {
  return call("SaturateCast", {x}, {{"dtype", dtype}});
}
KerasTensor convert_to_tensor(const KerasTensor& x, const ConvertOptions& o) {
  return call("ConvertToTensor", {x}, {{"dtype", o.dtype}, {"sparse", Config()}, {"ragged", Config()}});
}
KerasTensor where(const KerasTensor& condition, const OperationArgument& x1, const OperationArgument& x2) {
  return call("Where", {condition, x1, x2});
}
KerasTensor select(const KerasTensors& conditions, const std::vector<OperationArgument>& choices,
                   const GraphSelectOptions& o) {
  return call("Select",
              {OperationArgument::list(all_of(conditions)), OperationArgument::list(choices), o.fallback});
}

// Shapes and creation.
KerasTensor reshape(const KerasTensor& x, const Dims& newshape) {
  return call("Reshape", {x}, {{"newshape", newshape}});
}
KerasTensor transpose(const KerasTensor& x, const TransposeOptions& o) {
  return call("Transpose", {x}, {{"axes", o.axes.empty() ? Config() : value(o.axes)}});
}
KerasTensor swapaxes(const KerasTensor& x, std::int64_t axis1, std::int64_t axis2) {
  return call("Swapaxes", {x}, {{"axis1", axis1}, {"axis2", axis2}});
}
KerasTensor moveaxis(const KerasTensor& x, const Axes& source, const Axes& destination) {
  return call("Moveaxis", {x}, {{"source", source}, {"destination", destination}});
}
KerasTensor broadcast_to(const KerasTensor& x, const Dims& shape) {
  return call("BroadcastTo", {x}, {{"shape", shape}});
}
KerasTensor expand_dims(const KerasTensor& x, const Axes& axis) {
  return call("ExpandDims", {x}, {{"axis", axis}});
}
KerasTensor squeeze(const KerasTensor& x, const SqueezeOptions& o) {
  return call("Squeeze", {x}, {{"axis", o.axis}});
}
KerasTensor tile(const KerasTensor& x, const IntOrInts& repeats) {
  return call("Tile", {x}, {{"repeats", repeats}});
}
KerasTensor repeat(const KerasTensor& x, const IntOrInts& repeats, const RepeatOptions& o) {
  return call("Repeat", {x}, {{"repeats", repeats}, {"axis", o.axis}});
}
KerasTensor flip(const KerasTensor& x, const FlipOptions& o) { return call("Flip", {x}, {{"axis", o.axis}}); }
KerasTensor rot90(const KerasTensor& x, const Rot90Options& o) {
  return call("Rot90", {x}, {{"k", o.k}, {"axes", o.axes}});
}
KerasTensor roll(const KerasTensor& x, const IntOrInts& shift, const RollOptions& o) {
  return call("Roll", {x}, {{"shift", shift}, {"axis", o.axis}});
}
KerasTensor diff(const KerasTensor& x, const DiffOptions& o) {
  return call("Diff", {x}, {{"n", o.n}, {"axis", o.axis}});
}
KerasTensor diag(const KerasTensor& x, const DiagOptions& o) { return call("Diag", {x}, {{"k", o.k}}); }
KerasTensor diagflat(const KerasTensor& x, const DiagOptions& o) {
  return call("Diagflat", {x}, {{"k", o.k}});
}
KerasTensor tril(const KerasTensor& x, const DiagOptions& o) { return call("Tril", {x}, {{"k", o.k}}); }
KerasTensor triu(const KerasTensor& x, const DiagOptions& o) { return call("Triu", {x}, {{"k", o.k}}); }
KerasTensor diagonal(const KerasTensor& x, const DiagonalOptions& options) {
  return diagonals("Diagonal", x, options);
}
KerasTensor trace(const KerasTensor& x, const DiagonalOptions& options) {
  return diagonals("Trace", x, options);
}
KerasTensor zeros_like(const KerasTensor& x, const CreateLikeOptions& o) {
  return call("ZerosLike", {x}, {{"dtype", o.dtype}});
}
KerasTensor ones_like(const KerasTensor& x, const CreateLikeOptions& o) {
  return call("OnesLike", {x}, {{"dtype", o.dtype}});
}
KerasTensor empty_like(const KerasTensor& x, const CreateLikeOptions& o) {
  return call("EmptyLike", {x}, {{"dtype", o.dtype}});
}
KerasTensor full_like(const KerasTensor& x, const OperationArgument& fill_value, const CreateLikeOptions& o) {
  return call("FullLike", {x, fill_value}, {{"dtype", o.dtype}});
}
KerasTensor full(const Dims& shape, const KerasTensor& fill_value, const CreateOptions& o) {
  return call("Full", {fill_value}, {{"shape", shape}, {"dtype", o.dtype}});
}
KerasTensor linspace(const KerasTensor& start, const OperationArgument& stop,
                     const LinspaceOptions& options) {
  return spaced(start, stop, options);
}
KerasTensor linspace(const Tensor& start, const KerasTensor& stop, const LinspaceOptions& options) {
  return spaced(start, stop, options);
}
Dims shape(const KerasTensor& x) { return x.shape(); }
KerasTensor pad(const KerasTensor& x, const std::vector<std::pair<std::int64_t, std::int64_t>>& pad_width,
                const PadOptions& o) {
  Config widths{Config::List()};
  for (const auto& each : pad_width) widths.append(value(each));
  return call("Pad", {x}, {{"pad_width", widths}, {"mode", o.mode}},
              {{"constant_values", o.constant_values}});
}
KerasTensor concatenate(const KerasTensors& xs, const JoinOptions& o) {
  return call("Concatenate", all_of(xs), {{"axis", o.axis}});
}
KerasTensor stack(const KerasTensors& x, const JoinOptions& o) {
  return call("Stack", all_of(x), {{"axis", o.axis}});
}
KerasTensor hstack(const KerasTensors& xs) { return call("Hstack", all_of(xs)); }
KerasTensor vstack(const KerasTensors& xs) { return call("Vstack", all_of(xs)); }
KerasTensor append(const KerasTensor& x, const OperationArgument& y, const AppendOptions& o) {
  return call("Append", {x, y}, {{"axis", o.axis}});
}
KerasTensor append(const Tensor& x, const KerasTensor& y, const AppendOptions& o) {
  return call("Append", {x, y}, {{"axis", o.axis}});
}
std::vector<KerasTensor> meshgrid(const KerasTensors& vectors, const MeshgridOptions& o) {
  return call_many("Meshgrid", all_of(vectors), {{"indexing", o.indexing}});
}
std::vector<KerasTensor> split(const KerasTensor& x, const IntOrInts& indices_or_sections,
                               const SplitOptions& o) {
  return call_many("Split", {x}, {{"indices_or_sections", indices_or_sections}, {"axis", o.axis}});
}
std::vector<KerasTensor> array_split(const KerasTensor& x, std::int64_t sections, const SplitOptions& o) {
  return call_many("ArraySplit", {x}, {{"indices_or_sections", sections}, {"axis", o.axis}});
}
std::vector<KerasTensor> unstack(const KerasTensor& x, const SplitOptions& o) {
  return call_many("Unstack", {x}, {{"num", Config()}, {"axis", o.axis}});
}

// Products, convolutions, attention.
KerasTensor einsum(StringViewArgument subscripts, const KerasTensors& operands) {
  return call("Einsum", all_of(operands), {{"subscripts", subscripts}});
}
KerasTensor tensordot(const KerasTensor& x, const OperationArgument& y, const TensordotOptions& options) {
  return contracted(x, y, options.axes);
}
KerasTensor tensordot(const Tensor& x, const KerasTensor& y, const TensordotOptions& options) {
  return contracted(x, y, options.axes);
}
KerasTensor cross(const KerasTensor& x, const OperationArgument& y, const CrossOptions& o) {
  return call("Cross", {x, y},
              {{"axisa", o.axisa}, {"axisb", o.axisb}, {"axisc", o.axisc}, {"axis", o.axis}});
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
KerasTensor max_pool(const KerasTensor& inputs, const IntOrInts& pool_size, const PoolOptions& options) {
  return pooled("MaxPool", inputs, pool_size, options);
}
KerasTensor average_pool(const KerasTensor& inputs, const IntOrInts& pool_size, const PoolOptions& options) {
  return pooled("AveragePool", inputs, pool_size, options);
}
KerasTensor dot_product_attention(const KerasTensor& query, const KerasTensor& key, const KerasTensor& values,
                                  const GraphAttentionOptions& o) {
  return call("DotProductAttention", {query, key, values},
              {{"is_causal", o.is_causal}, {"flash_attention", Config()}, {"attn_logits_soft_cap", Config()}},
              {{"bias", o.bias}, {"mask", o.mask}, {"scale", OperationArgument::of(value(o.scale))}});
}

// Losses and statistics.
KerasTensor categorical_crossentropy(const KerasTensor& target, const OperationArgument& output,
                                     const CrossentropyOptions& options) {
  return crossentropy("CategoricalCrossentropy", target, output, options);
}
KerasTensor categorical_crossentropy(const Tensor& target, const KerasTensor& output,
                                     const CrossentropyOptions& options) {
  return crossentropy("CategoricalCrossentropy", target, output, options);
}
KerasTensor sparse_categorical_crossentropy(const KerasTensor& target, const OperationArgument& output,
                                            const CrossentropyOptions& options) {
  return crossentropy("SparseCategoricalCrossentropy", target, output, options);
}
KerasTensor sparse_categorical_crossentropy(const Tensor& target, const KerasTensor& output,
                                            const CrossentropyOptions& options) {
  return crossentropy("SparseCategoricalCrossentropy", target, output, options);
}
KerasTensor binary_crossentropy(const KerasTensor& target, const OperationArgument& output,
                                const BinaryCrossentropyOptions& o) {
  return call("BinaryCrossentropy", {target, output}, {{"from_logits", o.from_logits}});
}
KerasTensor binary_crossentropy(const Tensor& target, const KerasTensor& output,
                                const BinaryCrossentropyOptions& o) {
  return call("BinaryCrossentropy", {target, output}, {{"from_logits", o.from_logits}});
}
GraphMoments moments(const KerasTensor& x, const Axes& axes, const MomentsOptions& o) {
  const auto both =
      call_many("Moments", {x}, {{"axes", axes}, {"keepdims", o.keepdims}, {"synchronized", false}});
  return {both.at(0), both.at(1)};
}

// Indexing and order.
KerasTensor get_item(const KerasTensor& x, const std::vector<Index>& key) {
  return call("GetItem", {x, OperationArgument::of(keras::layers::index_key_config(key))});
}
KerasTensor take(const KerasTensor& x, const OperationArgument& indices, const TakeOptions& o) {
  return call("Take", {x, indices}, {{"axis", o.axis}});
}
KerasTensor take(const Tensor& x, const KerasTensor& indices, const TakeOptions& o) {
  return call("Take", {x, indices}, {{"axis", o.axis}});
}
KerasTensor take_along_axis(const KerasTensor& x, const OperationArgument& indices, const TakeOptions& o) {
  return call("TakeAlongAxis", {x, indices}, {{"axis", o.axis}});
}
KerasTensor slice(const KerasTensor& inputs, const GraphStartIndices& start_indices, const Dims& shape) {
  return call("Slice", {inputs, start_indices.argument()}, {{"shape", shape}});
}
KerasTensor slice_update(const KerasTensor& inputs, const GraphStartIndices& start_indices,
                         const OperationArgument& updates) {
  return call("SliceUpdate", {inputs, start_indices.argument(), updates});
}
KerasTensor scatter(const KerasTensor& indices, const OperationArgument& values, const Dims& shape) {
  return call("Scatter", {indices, values}, {{"shape", shape}});
}
KerasTensor scatter(const Tensor& indices, const KerasTensor& values, const Dims& shape) {
  return call("Scatter", {indices, values}, {{"shape", shape}});
}
KerasTensor scatter_update(const KerasTensor& inputs, const OperationArgument& indices,
                           const OperationArgument& updates, const ScatterUpdateOptions& o) {
  return call("ScatterUpdate", {inputs, indices, updates}, {{"reduction", o.reduction}});
}
KerasTensor segment_sum(const KerasTensor& data, const OperationArgument& segment_ids,
                        const SegmentOptions& options) {
  return segments("SegmentSum", data, segment_ids, options);
}
KerasTensor segment_max(const KerasTensor& data, const OperationArgument& segment_ids,
                        const SegmentOptions& options) {
  return segments("SegmentMax", data, segment_ids, options);
}
KerasTensor segment_min(const KerasTensor& data, const OperationArgument& segment_ids,
                        const SegmentOptions& options) {
  return segments("SegmentMin", data, segment_ids, options);
}
KerasTensor segment_prod(const KerasTensor& data, const OperationArgument& segment_ids,
                         const SegmentOptions& options) {
  return segments("SegmentProd", data, segment_ids, options);
}
KerasTensor one_hot(const KerasTensor& x, std::int64_t num_classes, const OneHotOptions& options) {
  return encoded("OneHot", x, num_classes, options);
}
KerasTensor multi_hot(const KerasTensor& x, std::int64_t num_classes, const OneHotOptions& options) {
  return encoded("MultiHot", x, num_classes, options);
}
KerasTensor sort(const KerasTensor& x, const SortAxisOptions& o) {
  return call("Sort", {x}, {{"axis", o.axis}});
}
KerasTensor argsort(const KerasTensor& x, const SortAxisOptions& o) {
  return call("Argsort", {x}, {{"axis", o.axis}});
}
GraphTopK top_k(const KerasTensor& x, std::int64_t k, const TopKOptions& o) {
  const auto both = call_many("TopK", {x}, {{"k", k}, {"sorted", o.sorted}});
  return {both.at(0), both.at(1)};
}
KerasTensor in_top_k(const KerasTensor& targets, const OperationArgument& predictions, std::int64_t k) {
  return call("InTopK", {targets, predictions}, {{"k", k}});
}
KerasTensor in_top_k(const Tensor& targets, const KerasTensor& predictions, std::int64_t k) {
  return call("InTopK", {targets, predictions}, {{"k", k}});
}
KerasTensor searchsorted(const KerasTensor& sorted_sequence, const OperationArgument& values,
                         const SearchSortedOptions& o) {
  return call("SearchSorted", {sorted_sequence, values}, {{"side", o.side}});
}
KerasTensor searchsorted(const Tensor& sorted_sequence, const KerasTensor& values,
                         const SearchSortedOptions& o) {
  return call("SearchSorted", {sorted_sequence, values}, {{"side", o.side}});
}
KerasTensor digitize(const KerasTensor& x, const Tensor& bins) { return call("Digitize", {x, bins}); }
KerasTensor bincount(const KerasTensor& x, const BincountOptions& o) {
  return call("Bincount", {x}, {{"weights", o.weights}, {"minlength", o.minlength}, {"sparse", false}});
}
KerasTensor extract_sequences(const KerasTensor& x, std::int64_t sequence_length,
                              std::int64_t sequence_stride) {
  return call("ExtractSequences", {x},
              {{"sequence_length", sequence_length}, {"sequence_stride", sequence_stride}});
}

}  // namespace cornu::inline v0::ops
