#include "cornu/keras/layers/operations/graph_functions.h"

#include <utility>

#include "cornu/keras/config/values_support.h"
#include "cornu/keras/layers/operations/operation.h"

namespace cornu::inline v0 {
namespace keras {

Index::Index(const Slice& slice) {
  const auto bound = [](const std::optional<std::int64_t>& at) { return at ? Config(*at) : Config(); };
  config_ =
      Config::dict({{"class_name", "__slice__"},
                    {"config", Config::dict({{"start", bound(slice.begin)},
                                             {"stop", bound(slice.end)},
                                             {"step", slice.step == 1 ? Config() : Config(slice.step)}})}});
}

Index::Index(Ellipsis)
    : config_(Config::dict({{"class_name", "__ellipsis__"}, {"config", Config::dict()}})) {}

}  // namespace keras

namespace ops {
namespace {

using keras::Config;
using keras::KerasTensor;
using keras::KerasTensors;
using keras::operation;
using keras::OperationArgument;

/// As a configuration has it.
template <typename T>
Config value(const T& option) {
  if constexpr (requires { option.has_value(); }) {
    return option.has_value() ? value(*option) : Config();
  } else {
    return keras::saving::write_value(option, {"operation", "options"});
  }
}

std::vector<OperationArgument> arguments(const KerasTensors& tensors) {
  return {tensors.begin(), tensors.end()};
}

}  // namespace

KerasTensor sum(const KerasTensor& x, const ReduceOptions& options) {
  return operation("Sum", {x}, Config::dict({{"axis", value(options.axis)}, {"keepdims", options.keepdims}}));
}
KerasTensor mean(const KerasTensor& x, const ReduceOptions& options) {
  return operation("Mean", {x},
                   Config::dict({{"axis", value(options.axis)}, {"keepdims", options.keepdims}}));
}
KerasTensor amax(const KerasTensor& x, const ReduceOptions& options) {
  return operation("Amax", {x},
                   Config::dict({{"axis", value(options.axis)}, {"keepdims", options.keepdims}}));
}
KerasTensor amin(const KerasTensor& x, const ReduceOptions& options) {
  return operation("Amin", {x},
                   Config::dict({{"axis", value(options.axis)}, {"keepdims", options.keepdims}}));
}
KerasTensor ptp(const KerasTensor& x, const ReduceOptions& options) {
  return operation("Ptp", {x}, Config::dict({{"axis", value(options.axis)}, {"keepdims", options.keepdims}}));
}
KerasTensor var(const KerasTensor& x, const ReduceOptions& options) {
  return operation("Var", {x}, Config::dict({{"axis", value(options.axis)}, {"keepdims", options.keepdims}}));
}
KerasTensor std(const KerasTensor& x, const ReduceOptions& options) {
  return operation("Std", {x}, Config::dict({{"axis", value(options.axis)}, {"keepdims", options.keepdims}}));
}
KerasTensor median(const KerasTensor& x, const ReduceOptions& options) {
  return operation("Median", {x},
                   Config::dict({{"axis", value(options.axis)}, {"keepdims", options.keepdims}}));
}
KerasTensor all(const KerasTensor& x, const ReduceOptions& options) {
  return operation("All", {x}, Config::dict({{"axis", value(options.axis)}, {"keepdims", options.keepdims}}));
}
KerasTensor any(const KerasTensor& x, const ReduceOptions& options) {
  return operation("Any", {x}, Config::dict({{"axis", value(options.axis)}, {"keepdims", options.keepdims}}));
}
KerasTensor logsumexp(const KerasTensor& x, const ReduceOptions& options) {
  return operation("Logsumexp", {x},
                   Config::dict({{"axis", value(options.axis)}, {"keepdims", options.keepdims}}));
}
KerasTensor max(const KerasTensor& x, const ExtremumOptions& options) {
  return operation("Max", {x},
                   Config::dict({{"axis", value(options.axis)},
                                 {"keepdims", options.keepdims},
                                 {"initial", value(options.initial)}}));
}
KerasTensor min(const KerasTensor& x, const ExtremumOptions& options) {
  return operation("Min", {x},
                   Config::dict({{"axis", value(options.axis)},
                                 {"keepdims", options.keepdims},
                                 {"initial", value(options.initial)}}));
}
KerasTensor prod(const KerasTensor& x, const ProdOptions& options) {
  return operation(
      "Prod", {x},
      Config::dict(
          {{"axis", value(options.axis)}, {"keepdims", options.keepdims}, {"dtype", value(options.dtype)}}));
}
KerasTensor argmax(const KerasTensor& x, const ArgOptions& options) {
  return operation("Argmax", {x},
                   Config::dict({{"axis", value(options.axis)}, {"keepdims", options.keepdims}}));
}
KerasTensor argmin(const KerasTensor& x, const ArgOptions& options) {
  return operation("Argmin", {x},
                   Config::dict({{"axis", value(options.axis)}, {"keepdims", options.keepdims}}));
}
KerasTensor cumsum(const KerasTensor& x, const CumulativeOptions& options) {
  return operation("Cumsum", {x},
                   Config::dict({{"axis", value(options.axis)}, {"dtype", value(options.dtype)}}));
}
KerasTensor cumprod(const KerasTensor& x, const CumulativeOptions& options) {
  return operation("Cumprod", {x},
                   Config::dict({{"axis", value(options.axis)}, {"dtype", value(options.dtype)}}));
}
KerasTensor count_nonzero(const KerasTensor& x, const CountNonzeroOptions& options) {
  return operation("CountNonzero", {x}, Config::dict({{"axis", value(options.axis)}}));
}
KerasTensor softmax(const KerasTensor& x, const SoftmaxOptions& options) {
  return operation("Softmax", {x}, Config::dict({{"axis", value(options.axis)}}));
}
KerasTensor log_softmax(const KerasTensor& x, const SoftmaxOptions& options) {
  return operation("LogSoftmax", {x}, Config::dict({{"axis", value(options.axis)}}));
}
KerasTensor gelu(const KerasTensor& x, const GeluOptions& options) {
  return operation("Gelu", {x}, Config::dict({{"approximate", options.approximate}}));
}
KerasTensor elu(const KerasTensor& x, const EluOptions& options) {
  return operation("Elu", {x}, Config::dict({{"alpha", options.alpha}}));
}
KerasTensor celu(const KerasTensor& x, const EluOptions& options) {
  return operation("Celu", {x}, Config::dict({{"alpha", options.alpha}}));
}
KerasTensor leaky_relu(const KerasTensor& x, const LeakyReluOptions& options) {
  return operation("LeakyRelu", {x}, Config::dict({{"negative_slope", options.negative_slope}}));
}
KerasTensor glu(const KerasTensor& x, const LastAxisOptions& options) {
  return operation("Glu", {x}, Config::dict({{"axis", options.axis}}));
}
KerasTensor sparsemax(const KerasTensor& x, const LastAxisOptions& options) {
  return operation("Sparsemax", {x}, Config::dict({{"axis", options.axis}}));
}
KerasTensor sort(const KerasTensor& x, const LastAxisOptions& options) {
  return operation("Sort", {x}, Config::dict({{"axis", options.axis}}));
}
KerasTensor argsort(const KerasTensor& x, const LastAxisOptions& options) {
  return operation("Argsort", {x}, Config::dict({{"axis", options.axis}}));
}
KerasTensor normalize(const KerasTensor& x, const NormalizeOptions& options) {
  return operation(
      "Normalize", {x},
      Config::dict(
          {{"axis", value(options.axis)}, {"order", options.order}, {"epsilon", value(options.epsilon)}}));
}
KerasTensor round(const KerasTensor& x, const RoundOptions& options) {
  return operation("Round", {x}, Config::dict({{"decimals", options.decimals}}));
}
KerasTensor clip(const KerasTensor& x, double x_min, double x_max) {
  return operation("Clip", {x}, Config::dict({{"x_min", x_min}, {"x_max", x_max}}));
}
KerasTensor cast(const KerasTensor& x, DType dtype) {
  return operation("Cast", {x}, Config::dict({{"dtype", ir::numpy_name(dtype)}}));
}
KerasTensor one_hot(const KerasTensor& x, std::int64_t num_classes, const OneHotOptions& options) {
  return operation("OneHot", {x},
                   Config::dict({{"num_classes", num_classes},
                                 {"axis", options.axis},
                                 {"dtype", ir::numpy_name(options.dtype)},
                                 {"sparse", false}}));
}
KerasTensor multi_hot(const KerasTensor& x, std::int64_t num_classes, const OneHotOptions& options) {
  return operation("MultiHot", {x},
                   Config::dict({{"num_classes", num_classes},
                                 {"axis", options.axis},
                                 {"dtype", ir::numpy_name(options.dtype)},
                                 {"sparse", false}}));
}
KerasTensor reshape(const KerasTensor& x, const Dims& newshape) {
  return operation("Reshape", {x}, Config::dict({{"newshape", value(newshape)}}));
}
KerasTensor transpose(const KerasTensor& x, const TransposeOptions& options) {
  return operation("Transpose", {x},
                   Config::dict({{"axes", options.axes.empty() ? Config() : value(options.axes)}}));
}
KerasTensor swapaxes(const KerasTensor& x, std::int64_t axis1, std::int64_t axis2) {
  return operation("Swapaxes", {x}, Config::dict({{"axis1", axis1}, {"axis2", axis2}}));
}
KerasTensor moveaxis(const KerasTensor& x, const Axes& source, const Axes& destination) {
  return operation("Moveaxis", {x},
                   Config::dict({{"source", value(source)}, {"destination", value(destination)}}));
}
KerasTensor broadcast_to(const KerasTensor& x, const Dims& shape) {
  return operation("BroadcastTo", {x}, Config::dict({{"shape", value(shape)}}));
}
KerasTensor expand_dims(const KerasTensor& x, const Axes& axis) {
  return operation("ExpandDims", {x}, Config::dict({{"axis", value(axis)}}));
}
KerasTensor squeeze(const KerasTensor& x, const SqueezeOptions& options) {
  return operation("Squeeze", {x}, Config::dict({{"axis", value(options.axis)}}));
}
KerasTensor tile(const KerasTensor& x, const IntOrInts& repeats) {
  return operation("Tile", {x}, Config::dict({{"repeats", value(repeats)}}));
}
KerasTensor repeat(const KerasTensor& x, const IntOrInts& repeats, const RepeatOptions& options) {
  return operation("Repeat", {x}, Config::dict({{"repeats", value(repeats)}, {"axis", value(options.axis)}}));
}
KerasTensor flip(const KerasTensor& x, const FlipOptions& options) {
  return operation("Flip", {x}, Config::dict({{"axis", value(options.axis)}}));
}
KerasTensor roll(const KerasTensor& x, const IntOrInts& shift, const RollOptions& options) {
  return operation("Roll", {x}, Config::dict({{"shift", value(shift)}, {"axis", value(options.axis)}}));
}
KerasTensor tril(const KerasTensor& x, const DiagOptions& options) {
  return operation("Tril", {x}, Config::dict({{"k", options.k}}));
}
KerasTensor triu(const KerasTensor& x, const DiagOptions& options) {
  return operation("Triu", {x}, Config::dict({{"k", options.k}}));
}
KerasTensor diagonal(const KerasTensor& x, const DiagonalOptions& options) {
  return operation(
      "Diagonal", {x},
      Config::dict({{"offset", options.offset}, {"axis1", options.axis1}, {"axis2", options.axis2}}));
}
KerasTensor trace(const KerasTensor& x, const DiagonalOptions& options) {
  return operation(
      "Trace", {x},
      Config::dict({{"offset", options.offset}, {"axis1", options.axis1}, {"axis2", options.axis2}}));
}
KerasTensor zeros_like(const KerasTensor& x, const CreateLikeOptions& options) {
  return operation("ZerosLike", {x}, Config::dict({{"dtype", value(options.dtype)}}));
}
KerasTensor ones_like(const KerasTensor& x, const CreateLikeOptions& options) {
  return operation("OnesLike", {x}, Config::dict({{"dtype", value(options.dtype)}}));
}

KerasTensor dot_product_attention(const KerasTensor& query, const KerasTensor& key, const KerasTensor& values,
                                  const GraphAttentionOptions& options) {
  const OperationArgument scale = OperationArgument::of(value(options.scale));
  return operation("DotProductAttention", {query, key, values},
                   Config::dict({{"is_causal", options.is_causal},
                                 {"flash_attention", Config()},
                                 {"attn_logits_soft_cap", Config()}}),
                   {{"bias", options.bias}, {"mask", options.mask}, {"scale", scale}});
}

KerasTensor concatenate(const KerasTensors& xs, const JoinOptions& options) {
  return operation("Concatenate", arguments(xs), Config::dict({{"axis", options.axis}}));
}
KerasTensor stack(const KerasTensors& x, const JoinOptions& options) {
  return operation("Stack", arguments(x), Config::dict({{"axis", options.axis}}));
}
KerasTensor hstack(const KerasTensors& xs) { return operation("Hstack", arguments(xs)); }
KerasTensor vstack(const KerasTensors& xs) { return operation("Vstack", arguments(xs)); }
KerasTensor einsum(std::string_view subscripts, const KerasTensors& operands) {
  return operation("Einsum", arguments(operands), Config::dict({{"subscripts", subscripts}}));
}

std::vector<KerasTensor> split(const KerasTensor& x, const IntOrInts& indices_or_sections,
                               const SplitOptions& options) {
  return keras::operation_outputs(
      "Split", {x},
      Config::dict({{"indices_or_sections", value(indices_or_sections)}, {"axis", options.axis}}));
}
std::vector<KerasTensor> unstack(const KerasTensor& x, const SplitOptions& options) {
  return keras::operation_outputs("Unstack", {x}, Config::dict({{"num", Config()}, {"axis", options.axis}}));
}
GraphTopK top_k(const KerasTensor& x, std::int64_t k, const TopKOptions& options) {
  const auto both =
      keras::operation_outputs("TopK", {x}, Config::dict({{"k", k}, {"sorted", options.sorted}}));
  return {both.at(0), both.at(1)};
}
GraphMoments moments(const KerasTensor& x, const Axes& axes, const MomentsOptions& options) {
  const auto both = keras::operation_outputs(
      "Moments", {x},
      Config::dict({{"axes", value(axes)}, {"keepdims", options.keepdims}, {"synchronized", false}}));
  return {both.at(0), both.at(1)};
}

KerasTensor where(const KerasTensor& condition, const OperationArgument& x1, const OperationArgument& x2) {
  return operation("Where", {condition, x1, x2});
}
KerasTensor take(const KerasTensor& x, const OperationArgument& indices, const TakeOptions& options) {
  return operation("Take", {x, indices}, Config::dict({{"axis", value(options.axis)}}));
}
KerasTensor take(const Tensor& x, const KerasTensor& indices, const TakeOptions& options) {
  return operation("Take", {x, indices}, Config::dict({{"axis", value(options.axis)}}));
}
KerasTensor take_along_axis(const KerasTensor& x, const OperationArgument& indices,
                            const TakeOptions& options) {
  return operation("TakeAlongAxis", {x, indices}, Config::dict({{"axis", value(options.axis)}}));
}

KerasTensor pad(const KerasTensor& x, const std::vector<std::pair<std::int64_t, std::int64_t>>& pad_width,
                const PadOptions& options) {
  Config widths{Config::List()};
  for (const auto& [before, behind] : pad_width) widths.append(Config::list({before, behind}));
  return operation("Pad", {x}, Config::dict({{"pad_width", std::move(widths)}, {"mode", options.mode}}),
                   {{"constant_values", options.constant_values}});
}

KerasTensor get_item(const KerasTensor& x, const std::vector<keras::Index>& key) {
  Config parts{Config::List()};
  for (const keras::Index& part : key) parts.append(part.config());
  return operation("GetItem", {x, OperationArgument::of(key.size() == 1 ? parts.at(std::size_t{0}) : parts)});
}

}  // namespace ops
}  // namespace cornu::inline v0
