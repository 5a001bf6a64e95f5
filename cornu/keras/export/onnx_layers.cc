#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string_view>

#include "cornu/base/check.h"
#include "cornu/keras/export/onnx_export_support.h"
#include "cornu/keras/layers/operations/operation.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/ops/epsilon.h"
#include "cornu/tensor/ops/transposed_padding_support.h"

/// The forms of Keras's layers in ONNX.
namespace cornu::inline v0::keras {
namespace {

using Attributes = OnnxGraph::Attributes;

std::string scalar(OnnxGraph& graph, double value) { return onnx_scalar(graph, value); }
std::string constant(OnnxGraph& graph, const Tensor& tensor) { return onnx_constant(graph, tensor); }

/// Values of each channel, for the form in which the channels come first.
std::string of_channels_first(OnnxGraph& graph, const Tensor& values, std::int64_t rank) {
  Dims shape = {values.num_elements()};
  for (std::int64_t i = 2; i < rank; ++i) shape.push_back(1);
  return constant(graph, ops::reshape(values, shape));
}

// Activations.

std::string times_sigmoid(OnnxGraph& graph, const std::string& x) {
  return graph.node("Mul", {x, graph.node("Sigmoid", {x})});
}

/// x * (1 + erf(x / sqrt(2))) / 2, or its approximation by tanh.
std::string gelu(OnnxGraph& graph, const std::string& x, bool approximate) {
  std::string inner;
  if (approximate) {
    const std::string cube = graph.node("Mul", {graph.node("Mul", {x, x}), x});
    const std::string sum = graph.node("Add", {x, graph.node("Mul", {cube, scalar(graph, 0.044715)})});
    inner = graph.node("Tanh", {graph.node("Mul", {sum, scalar(graph, std::sqrt(2 / M_PI))})});
  } else {
    inner = graph.node("Erf", {graph.node("Mul", {x, scalar(graph, std::sqrt(0.5))})});
  }
  const std::string half = graph.node("Mul", {x, scalar(graph, 0.5)});
  return graph.node("Mul", {half, graph.node("Add", {inner, scalar(graph, 1)})});
}

std::string clipped(OnnxGraph& graph, const std::string& x, double max_value) {
  return graph.node("Clip", {x, scalar(graph, 0), scalar(graph, max_value)});
}

/// Activations that compute each element by itself.
struct Elementwise {
  const char* name;
  std::string (*make)(OnnxGraph& graph, const std::string& x);
};
constexpr Elementwise kActivations[] = {
    {"linear", [](OnnxGraph&, const std::string& x) { return x; }},
    {"relu", [](OnnxGraph& g, const std::string& x) { return g.node("Relu", {x}); }},
    {"relu6", [](OnnxGraph& g, const std::string& x) { return clipped(g, x, 6); }},
    {"sigmoid", [](OnnxGraph& g, const std::string& x) { return g.node("Sigmoid", {x}); }},
    {"tanh", [](OnnxGraph& g, const std::string& x) { return g.node("Tanh", {x}); }},
    {"silu", times_sigmoid},
    {"gelu", [](OnnxGraph& g, const std::string& x) { return gelu(g, x, false); }},
    {"hard_silu", [](OnnxGraph& g, const std::string& x) { return g.node("HardSwish", {x}); }},
    {"hard_sigmoid",
     [](OnnxGraph& g, const std::string& x) {
       return g.node("HardSigmoid", {x}, Attributes().number("alpha", 1.0 / 6).number("beta", 0.5));
     }},
    {"elu", [](OnnxGraph& g, const std::string& x) { return g.node("Elu", {x}); }},
    {"selu", [](OnnxGraph& g, const std::string& x) { return g.node("Selu", {x}); }},
    {"softplus", [](OnnxGraph& g, const std::string& x) { return g.node("Softplus", {x}); }},
    {"softsign", [](OnnxGraph& g, const std::string& x) { return g.node("Softsign", {x}); }},
    {"exponential", [](OnnxGraph& g, const std::string& x) { return g.node("Exp", {x}); }},
    {"leaky_relu",
     [](OnnxGraph& g, const std::string& x) {
       return g.node("LeakyRelu", {x}, Attributes().number("alpha", 0.2));
     }},
};

std::string canonical(const std::string& name) {
  if (name == "swish") return "silu";
  if (name == "hard_swish") return "hard_silu";
  return name;
}

/// An operation on each element, in the form that the value has.
template <typename F>
OnnxValue in_its_form(OnnxExport& to, OnnxValue& x, const F& f) {
  return x.last.empty() ? to.made_first(x.rank, f(x.first)) : to.made_last(x.rank, f(x.last));
}

OnnxValue identity(const OnnxCall& c) { return c.x(); }

OnnxValue activation(const OnnxCall& c) { return c.to.activated(c.x(), c.config.at("activation"), c.layer); }

OnnxValue relu(const OnnxCall& c) {
  const auto number = [&c](const char* key) {
    const Config* value = c.config.find(key);
    return value == nullptr || value->is_null() ? 0.0 : value->as_number();
  };
  c.require(number("threshold") == 0, "has a threshold");
  const double slope = number("negative_slope"), largest = number("max_value");
  c.require(slope == 0 || largest == 0, "has both a slope and a largest value");
  return in_its_form(c.to, c.x(), [&](const std::string& x) {
    if (largest > 0) return clipped(c.graph(), x, largest);
    if (slope != 0) return c.graph().node("LeakyRelu", {x}, Attributes().number("alpha", slope));
    return c.graph().node("Relu", {x});
  });
}

OnnxValue elu(const OnnxCall& c) {
  return in_its_form(c.to, c.x(), [&](const std::string& x) {
    return c.graph().node("Elu", {x}, Attributes().number("alpha", c.config.at("alpha").as_number()));
  });
}

OnnxValue softmax(const OnnxCall& c) {
  c.require(c.x().mask.empty(), "has a mask");
  const Config& axis = c.config.at("axis");
  c.require(axis.is_number() && (axis.as_integer() == -1 || axis.as_integer() == c.rank() - 1),
            "is over other axes than the last");
  return c.to.activated(c.x(), Config("softmax"), c.layer);
}

// Convolutions.

/// Padding as attributes of a convolution or a pooling.
void set_padding(const OnnxCall& c, Attributes& attributes, const Dims& kernel, const Dims& dilations) {
  const std::string& padding = c.config.at("padding").as_string();
  if (padding == "same") attributes.text("auto_pad", "SAME_UPPER");
  if (padding == "causal") attributes.integers("pads", Dims{(kernel[0] - 1) * dilations[0], 0});
}

/// `kernel` in ONNX's order: outputs, inputs of a group, windows.
OnnxValue convolved(const OnnxCall& c, OnnxValue& x, const Tensor& kernel, const Tensor& bias,
                    std::int64_t groups, bool is_pointwise = false) {
  c.require_channels_last();
  const std::size_t num_spatial = static_cast<std::size_t>(x.rank - 2);
  const Dims ones(num_spatial, 1);
  const Dims window(kernel.shape().begin() + 2, kernel.shape().end());
  const Dims dilations = is_pointwise ? ones : c.dims("dilation_rate");
  Attributes attributes;
  attributes.integers("kernel_shape", window).integers("dilations", dilations).integer("group", groups);
  attributes.integers("strides", is_pointwise ? ones : c.dims("strides"));
  if (!is_pointwise) set_padding(c, attributes, window, dilations);
  std::vector<std::string> inputs = {c.to.first(x), constant(c.graph(), kernel)};
  if (bias.defined()) inputs.push_back(constant(c.graph(), bias));
  return c.to.made_first(x.rank, c.graph().node("Conv", inputs, attributes));
}

/// The axes of Keras's kernel in ONNX's order.
Tensor outputs_first(const Tensor& kernel) {
  Dims axes = {kernel.rank() - 1, kernel.rank() - 2};
  for (std::int64_t i = 0; i + 2 < kernel.rank(); ++i) axes.push_back(i);
  return ops::transpose(kernel, {.axes = axes});
}

/// A depthwise kernel [windows..., channels, multiplier] as [channels * multiplier, 1, windows...].
Tensor depthwise_first(const Tensor& kernel) {
  Dims axes = {kernel.rank() - 2, kernel.rank() - 1}, shape = {-1, 1};
  for (std::int64_t i = 0; i + 2 < kernel.rank(); ++i) {
    axes.push_back(i);
    shape.push_back(kernel.shape()[static_cast<std::size_t>(i)]);
  }
  return ops::reshape(ops::transpose(kernel, {.axes = axes}), shape);
}

OnnxValue conv(const OnnxCall& c) {
  const OnnxValue y = convolved(c, c.x(), outputs_first(c.weight("kernel")), c.weight("bias"),
                                c.config.at("groups").as_integer());
  return c.to.activated(y, c.config.at("activation"), c.layer);
}

OnnxValue conv_transpose(const OnnxCall& c) {
  c.require_channels_last();
  const Tensor kernel = c.weight("kernel");  // windows, outputs, inputs
  const std::int64_t num_spatial = c.rank() - 2;
  const Dims strides = c.dims("strides"), dilations = c.dims("dilation_rate");
  const Config& extra = c.config.at("output_padding");
  const Dims given = extra.is_null() ? Dims() : c.dims("output_padding");
  Dims order = {num_spatial + 1, num_spatial}, window, begins, ends, beyond;
  for (std::int64_t i = 0; i < num_spatial; ++i) {
    const auto at = static_cast<std::size_t>(i);
    order.push_back(i);
    window.push_back(kernel.shape()[at]);
    const ops::TransposedPadding padding = ops::transposed_padding(
        c.config.at("padding").as_string() == "same", (window[at] - 1) * dilations[at] + 1, strides[at],
        given.empty() ? std::nullopt : std::optional(given[at]));
    const std::int64_t widest = (window[at] - 1) * dilations[at];
    begins.push_back(widest - padding.low);
    ends.push_back(std::max<std::int64_t>(widest - padding.high, 0));
    beyond.push_back(std::max<std::int64_t>(padding.high - widest, 0));
  }
  begins.insert(begins.end(), ends.begin(), ends.end());
  std::vector<std::string> inputs = {c.to.first(c.x()),
                                     constant(c.graph(), ops::transpose(kernel, {.axes = order}))};
  if (const Tensor bias = c.weight("bias"); bias.defined()) inputs.push_back(constant(c.graph(), bias));
  Attributes attributes;
  attributes.integers("kernel_shape", window).integers("strides", strides).integers("dilations", dilations);
  attributes.integers("pads", begins).integers("output_padding", beyond);
  const OnnxValue y = c.to.made_first(c.rank(), c.graph().node("ConvTranspose", inputs, attributes));
  return c.to.activated(y, c.config.at("activation"), c.layer);
}

OnnxValue depthwise_conv(const OnnxCall& c) {
  const Tensor kernel = c.weight("kernel");
  const std::int64_t channels = kernel.shape()[static_cast<std::size_t>(kernel.rank() - 2)];
  const OnnxValue y = convolved(c, c.x(), depthwise_first(kernel), c.weight("bias"), channels);
  return c.to.activated(y, c.config.at("activation"), c.layer);
}

OnnxValue separable_conv(const OnnxCall& c) {
  const Tensor kernel = c.weight("depthwise_kernel");
  const std::int64_t channels = kernel.shape()[static_cast<std::size_t>(kernel.rank() - 2)];
  OnnxValue y = convolved(c, c.x(), depthwise_first(kernel), {}, channels);
  y = convolved(c, y, outputs_first(c.weight("pointwise_kernel")), c.weight("bias"), 1, true);
  return c.to.activated(y, c.config.at("activation"), c.layer);
}

// Normalization.

bool is_last_axis(const OnnxCall& c) {
  const Config& axis = c.config.at("axis");
  const auto is_last = [&c](const Config& value) {
    return value.as_integer() == -1 || value.as_integer() == c.rank() - 1;
  };
  return axis.is_number() ? is_last(axis) : axis.is_list() && axis.size() == 1 && is_last(axis.at(0));
}

OnnxValue batch_normalization(const OnnxCall& c) {
  c.require(is_last_axis(c), "normalizes another axis than the last");
  const Tensor mean = c.weight("moving_mean"), variance = c.weight("moving_variance");
  const auto or_all = [&](const char* name, float value) {
    const Tensor given = c.weight(name);
    if (given.defined()) return constant(c.graph(), given);
    return c.graph().floats(std::vector<float>(static_cast<std::size_t>(mean.num_elements()), value),
                            mean.shape());
  };
  const std::string gamma = or_all("gamma", 1), beta = or_all("beta", 0);
  return c.to.made_first(c.rank(),
                         c.graph().node("BatchNormalization",
                                        {c.to.first(c.x()), gamma, beta, constant(c.graph(), mean),
                                         constant(c.graph(), variance)},
                                        Attributes().number("epsilon", c.config.at("epsilon").as_number())));
}

OnnxValue layer_normalization(const OnnxCall& c) {
  c.require(is_last_axis(c), "normalizes other axes than the last");
  c.require(!c.config.at("rms_scaling").as_bool(), "scales by the root mean square");
  const Tensor gamma = c.weight("gamma"), beta = c.weight("beta");
  c.require(gamma.defined(), "has no scale");
  std::vector<std::string> inputs = {c.to.last(c.x()), constant(c.graph(), gamma)};
  if (beta.defined()) inputs.push_back(constant(c.graph(), beta));
  return c.to.made_last(
      c.rank(),
      c.graph().node("LayerNormalization", inputs,
                     Attributes().integer("axis", -1).number("epsilon", c.config.at("epsilon").as_number())));
}

/// A number or a list of numbers, one a channel.
Tensor numbers(const Config& value) {
  if (value.is_number()) return Tensor(std::vector<float>{static_cast<float>(value.as_number())});
  std::vector<float> all;
  const std::function<void(const Config&)> collect = [&](const Config& each) {
    if (each.is_number()) return all.push_back(static_cast<float>(each.as_number()));
    for (const Config& inner : each.as_list()) collect(inner);
  };
  collect(value);
  return Tensor(all);
}

OnnxValue normalization(const OnnxCall& c) {
  c.require(is_last_axis(c), "normalizes other axes than the last");
  c.require(!c.config.at("invert").as_bool(), "inverts the normalization");
  Tensor mean = c.weight("mean"), variance = c.weight("variance");
  if (!mean.defined()) {
    mean = numbers(c.config.at("mean"));
    variance = numbers(c.config.at("variance"));
  }
  const Tensor deviation = ops::maximum(ops::sqrt(variance), cornu::detail::small_number());
  const std::string centered =
      c.graph().node("Sub", {c.to.first(c.x()), of_channels_first(c.graph(), mean, c.rank())});
  return c.to.made_first(
      c.rank(), c.graph().node("Div", {centered, of_channels_first(c.graph(), deviation, c.rank())}));
}

OnnxValue rescaling(const OnnxCall& c) {
  const Tensor scale = numbers(c.config.at("scale")), offset = numbers(c.config.at("offset"));
  const std::string y =
      c.graph().node("Mul", {c.to.first(c.x()), of_channels_first(c.graph(), scale, c.rank())});
  return c.to.made_first(c.rank(),
                         c.graph().node("Add", {y, of_channels_first(c.graph(), offset, c.rank())}));
}

OnnxValue layer_scale(const OnnxCall& c) {
  return c.to.made_first(
      c.rank(),
      c.graph().node("Mul", {c.to.first(c.x()), of_channels_first(c.graph(), c.weight("gamma"), c.rank())}));
}

// Pooling.

OnnxValue pooled(const OnnxCall& c, const char* op) {
  c.require_channels_last();
  const Dims window = c.dims("pool_size");
  Attributes attributes;
  attributes.integers("kernel_shape", window);
  const Config& strides = c.config.at("strides");
  attributes.integers("strides", strides.is_null() ? window : c.dims("strides"));
  set_padding(c, attributes, window, {});
  return c.to.made_first(c.rank(), c.graph().node(op, {c.to.first(c.x())}, attributes));
}
OnnxValue max_pooling(const OnnxCall& c) { return pooled(c, "MaxPool"); }
OnnxValue average_pooling(const OnnxCall& c) { return pooled(c, "AveragePool"); }

OnnxValue global_pooled(const OnnxCall& c, const char* op) {
  c.require_channels_last();
  const std::string y = c.graph().node(op, {c.to.first(c.x())});
  if (c.config.at("keepdims").as_bool()) return c.to.made_first(c.rank(), y);
  return c.to.made_last(2, c.graph().node("Flatten", {y}));
}
OnnxValue global_max_pooling(const OnnxCall& c) { return global_pooled(c, "GlobalMaxPool"); }

/// The mean over steps that count.
OnnxValue masked_mean(const OnnxCall& c) {
  c.require_channels_last();
  const std::string counts = c.graph().node("Unsqueeze", {c.x().mask, c.graph().integers({-1})});
  const std::string weights =
      c.graph().node("Cast", {counts}, Attributes().integer("to", OnnxGraph::element_type(DType::kF32)));
  const bool keeps = c.config.at("keepdims").as_bool();
  const auto sum = [&](const std::string& x) {
    return c.graph().node("ReduceSum", {x, c.graph().integers({1})},
                          Attributes().integer("keepdims", keeps ? 1 : 0));
  };
  const std::string counted = c.graph().node("Where", {counts, c.to.last(c.x()), scalar(c.graph(), 0)});
  return c.to.made_last(keeps ? 3 : 2, c.graph().node("Div", {sum(counted), sum(weights)}));
}

OnnxValue global_average_pooling(const OnnxCall& c) {
  if (c.rank() == 3 && !c.x().mask.empty()) return masked_mean(c);
  return global_pooled(c, "GlobalAveragePool");
}

// Shapes.

/// Pairs before and after each spatial axis.
std::vector<std::pair<std::int64_t, std::int64_t>> pairs(const OnnxCall& c, const char* key) {
  std::vector<std::pair<std::int64_t, std::int64_t>> all;
  const Config& value = c.config.at(key);
  for (std::int64_t i = 0; i + 2 < c.rank(); ++i) {
    if (value.is_number()) {
      all.emplace_back(value.as_integer(), value.as_integer());
      continue;
    }
    const Config& each = c.rank() == 3 ? value : value.at(static_cast<std::size_t>(i));
    if (each.is_number()) {
      all.emplace_back(each.as_integer(), each.as_integer());
    } else {
      all.emplace_back(each.at(0).as_integer(), each.at(1).as_integer());
    }
  }
  return all;
}

OnnxValue zero_padding(const OnnxCall& c) {
  c.require_channels_last();
  Dims before = {0, 0}, after = {0, 0};
  for (const auto& [begin, end] : pairs(c, "padding")) {
    before.push_back(begin);
    after.push_back(end);
  }
  before.insert(before.end(), after.begin(), after.end());
  return c.to.made_first(c.rank(), c.graph().node("Pad", {c.to.first(c.x()), c.graph().integers(before)}));
}

OnnxValue cropping(const OnnxCall& c) {
  c.require_channels_last();
  Dims starts, ends, axes;
  for (const auto& [begin, end] : pairs(c, "cropping")) {
    axes.push_back(static_cast<std::int64_t>(axes.size()) + 2);
    starts.push_back(begin);
    ends.push_back(end == 0 ? std::numeric_limits<std::int64_t>::max() : -end);
  }
  return c.to.made_first(c.rank(),
                         c.graph().node("Slice", {c.to.first(c.x()), c.graph().integers(starts),
                                                  c.graph().integers(ends), c.graph().integers(axes)}));
}

OnnxValue up_sampling(const OnnxCall& c) {
  c.require_channels_last();
  const Config* interpolation = c.config.find("interpolation");
  c.require(interpolation == nullptr || interpolation->as_string() == "nearest",
            "interpolates other than nearest");
  std::vector<float> scales = {1, 1};
  for (const std::int64_t size : c.dims("size")) scales.push_back(static_cast<float>(size));
  const std::string factors = c.graph().floats(scales, {static_cast<std::int64_t>(scales.size())});
  return c.to.made_first(c.rank(), c.graph().node("Resize", {c.to.first(c.x()), "", factors},
                                                  Attributes()
                                                      .text("mode", "nearest")
                                                      .text("coordinate_transformation_mode", "asymmetric")
                                                      .text("nearest_mode", "floor")));
}

OnnxValue flatten(const OnnxCall& c) {
  c.require_channels_last();
  return c.to.made_last(2, c.graph().node("Flatten", {c.to.last(c.x())}));
}

OnnxValue reshape(const OnnxCall& c) {
  Dims shape = {0};  // the batch, as it is
  for (const Config& extent : c.config.at("target_shape").as_list()) shape.push_back(extent.as_integer());
  const auto rank = static_cast<std::int64_t>(shape.size());
  return c.to.made_last(rank, c.graph().node("Reshape", {c.to.last(c.x()), c.graph().integers(shape)}));
}

OnnxValue permute(const OnnxCall& c) {
  Dims order = {0};
  for (const Config& axis : c.config.at("dims").as_list()) order.push_back(axis.as_integer());
  return c.to.made_last(
      c.rank(), c.graph().node("Transpose", {c.to.last(c.x())}, Attributes().integers("perm", order)));
}

// Several inputs.

/// All inputs in one form: that with the channels first if one of them has only that.
std::vector<std::string> in_one_form(const OnnxCall& c, bool& is_first) {
  std::vector<std::string> names;
  is_first = false;
  for (const OnnxValue& input : c.inputs) {
    c.require(input.rank == c.rank(), "joins tensors of different ranks");
    is_first = is_first || input.last.empty();
  }
  for (OnnxValue& input : c.inputs) names.push_back(is_first ? c.to.first(input) : c.to.last(input));
  return names;
}

/// The mask of a merged tensor: steps that count in an input, if all inputs have masks; else none.
OnnxValue with_merged_mask(const OnnxCall& c, OnnxValue merged) {
  merged.mask = c.inputs[0].mask;
  for (std::size_t i = 1; i < c.inputs.size() && !merged.mask.empty(); ++i)
    merged.mask = c.inputs[i].mask.empty() ? "" : c.graph().node("Or", {merged.mask, c.inputs[i].mask});
  return merged;
}

OnnxValue folded(const OnnxCall& c, const char* op) {
  bool is_first = false;
  const std::vector<std::string> names = in_one_form(c, is_first);
  std::string y = names[0];
  for (std::size_t i = 1; i < names.size(); ++i) y = c.graph().node(op, {y, names[i]});
  return with_merged_mask(c, is_first ? c.to.made_first(c.rank(), y) : c.to.made_last(c.rank(), y));
}

/// `x + y` of a graph, where one of them may be a number.
OnnxValue binary_operation(const OnnxCall& c, const layers::Operation& operation, const char* op) {
  const layers::OperationArguments& arguments = operation.arguments();
  if (c.inputs.size() == 2) return folded(c, op);
  c.require(arguments.args.size() == 2, "is called by names of arguments");
  std::vector<std::string> operands;
  return in_its_form(c.to, c.x(), [&](const std::string& x) {
    for (const Config& argument : arguments.args.as_list()) {
      const Config* place = argument.find(layers::OperationArguments::kTensor);
      const Tensor tensor = place != nullptr
                                ? arguments.tensors[static_cast<std::size_t>(place->as_integer())]
                            : argument.is_number() ? Tensor(argument.as_number())
                                                   : Tensor();
      c.require(place != nullptr || argument.is_number(), "has an argument that is no tensor and no number");
      c.require(!tensor.defined() || tensor.num_elements() == 1, "has a constant that is no single number");
      operands.push_back(tensor.defined() ? scalar(c.graph(), tensor.at(0)) : x);
    }
    return c.graph().node(op, operands);
  });
}

OnnxValue merged(const OnnxCall& c, const char* op) {
  const auto* operation = dynamic_cast<const layers::Operation*>(&c.layer);
  if (operation == nullptr) return folded(c, op);
  OnnxValue y = binary_operation(c, *operation, op);
  y.mask.clear();
  return y;
}
OnnxValue add(const OnnxCall& c) { return merged(c, "Add"); }
OnnxValue subtract(const OnnxCall& c) { return merged(c, "Sub"); }
OnnxValue multiply(const OnnxCall& c) { return merged(c, "Mul"); }
OnnxValue maximum(const OnnxCall& c) { return merged(c, "Max"); }
OnnxValue minimum(const OnnxCall& c) { return merged(c, "Min"); }

OnnxValue average(const OnnxCall& c) {
  bool is_first = false;
  const std::string y = c.graph().node("Mean", in_one_form(c, is_first));
  return with_merged_mask(c, is_first ? c.to.made_first(c.rank(), y) : c.to.made_last(c.rank(), y));
}

OnnxValue concatenate(const OnnxCall& c) {
  std::int64_t axis = c.config.at("axis").as_integer();
  if (axis < 0) axis += c.rank();
  for (const OnnxValue& input : c.inputs)
    c.require(axis == c.rank() - 1 || input.mask.empty(),
              "joins tensors with masks along another axis than the last");
  const bool is_first = axis == c.rank() - 1 && c.rank() > 2 && c.x().last.empty();
  std::vector<std::string> names;
  for (OnnxValue& input : c.inputs) names.push_back(is_first ? c.to.first(input) : c.to.last(input));
  const std::string y = c.graph().node("Concat", names, Attributes().integer("axis", is_first ? 1 : axis));
  return with_merged_mask(c, is_first ? c.to.made_first(c.rank(), y) : c.to.made_last(c.rank(), y));
}

OnnxValue scaled_sum(const OnnxCall& c) {
  bool is_first = false;
  const std::vector<std::string> names = in_one_form(c, is_first);
  const std::string scaled =
      c.graph().node("Mul", {names[1], scalar(c.graph(), c.config.at("scale").as_number())});
  const std::string y = c.graph().node("Add", {names[0], scaled});
  return is_first ? c.to.made_first(c.rank(), y) : c.to.made_last(c.rank(), y);
}

template <OnnxValue (*kMake)(const OnnxCall&)>
std::vector<OnnxValue> one(const OnnxCall& c) {
  return {kMake(c)};
}

constexpr OnnxTranslation kTranslations[] = {
    {"Activation", one<activation>},
    {"ActivityRegularization", one<identity>},
    {"Add", one<add>, true},
    {"AlphaDropout", one<identity>},
    {"Average", one<average>, true},
    {"AveragePooling1D", one<average_pooling>},
    {"AveragePooling2D", one<average_pooling>},
    {"AveragePooling3D", one<average_pooling>},
    {"BatchNormalization", one<batch_normalization>},
    {"Concatenate", one<concatenate>, true},
    {"Conv1D", one<conv>},
    {"Conv2D", one<conv>},
    {"Conv3D", one<conv>},
    {"Conv1DTranspose", one<conv_transpose>},
    {"Conv2DTranspose", one<conv_transpose>},
    {"Conv3DTranspose", one<conv_transpose>},
    {"Cropping1D", one<cropping>},
    {"Cropping2D", one<cropping>},
    {"Cropping3D", one<cropping>},
    {"CustomScaleLayer", one<scaled_sum>},
    {"DepthwiseConv1D", one<depthwise_conv>},
    {"DepthwiseConv2D", one<depthwise_conv>},
    {"Dropout", one<identity>},
    {"ELU", one<elu>},
    {"Flatten", one<flatten>},
    {"GaussianDropout", one<identity>},
    {"GaussianNoise", one<identity>},
    {"GlobalAveragePooling1D", one<global_average_pooling>, true},
    {"GlobalAveragePooling2D", one<global_average_pooling>},
    {"GlobalAveragePooling3D", one<global_average_pooling>},
    {"GlobalMaxPooling1D", one<global_max_pooling>},
    {"GlobalMaxPooling2D", one<global_max_pooling>},
    {"GlobalMaxPooling3D", one<global_max_pooling>},
    {"Identity", one<identity>},
    {"LayerNormalization", one<layer_normalization>},
    {"LayerScale", one<layer_scale>},
    {"LeakyReLU", one<relu>},
    {"MaxPooling1D", one<max_pooling>},
    {"MaxPooling2D", one<max_pooling>},
    {"MaxPooling3D", one<max_pooling>},
    {"Maximum", one<maximum>, true},
    {"Minimum", one<minimum>, true},
    {"Multiply", one<multiply>, true},
    {"Normalization", one<normalization>},
    {"Permute", one<permute>},
    {"ReLU", one<relu>},
    {"Rescaling", one<rescaling>},
    {"Reshape", one<reshape>},
    {"SeparableConv1D", one<separable_conv>},
    {"SeparableConv2D", one<separable_conv>},
    {"Softmax", one<softmax>},
    {"SpatialDropout1D", one<identity>},
    {"SpatialDropout2D", one<identity>},
    {"SpatialDropout3D", one<identity>},
    {"StochasticDepth", one<identity>},
    {"Subtract", one<subtract>, true},
    {"UpSampling2D", one<up_sampling>},
    {"UpSampling3D", one<up_sampling>},
    {"ZeroPadding1D", one<zero_padding>},
    {"ZeroPadding2D", one<zero_padding>},
    {"ZeroPadding3D", one<zero_padding>},
};

}  // namespace

std::string onnx_scalar(OnnxGraph& graph, double value) {
  return graph.floats({static_cast<float>(value)}, {});
}

std::string onnx_integer(OnnxGraph& graph, std::int64_t value) {
  return graph.constant(ir::Literal::of<std::int64_t>({}, std::span(&value, 1)));
}

std::string onnx_constant(OnnxGraph& graph, const Tensor& tensor) { return graph.constant(tensor.literal()); }

const OnnxTranslation* onnx_translation(const std::string& class_name) {
  for (const std::span<const OnnxTranslation> rows :
       {std::span<const OnnxTranslation>(kTranslations), onnx_dense_layers(), onnx_recurrent_layers(),
        onnx_conv_lstm_layers(), onnx_attention_layers(), onnx_wrappers()})
    if (const auto found = std::ranges::find(rows, class_name, &OnnxTranslation::class_name);
        found != rows.end())
      return &*found;
  return nullptr;
}

std::string onnx_activation(OnnxGraph& graph, const std::string& x, const Config& activation,
                            const Layer& layer) {
  if (activation.is_null()) return x;
  const std::string name = activation.is_string() ? canonical(activation.as_string()) : "";
  const auto* found = std::ranges::find(kActivations, name, &Elementwise::name);
  if (name.empty() || found == std::end(kActivations))
    fail(ErrorCode::kUnimplemented, {.layer = layer.name()},
         "[export_model] the activation {} of the layer \"{}\" has no form in ONNX files", activation.json(),
         layer.name());
  return found->make(graph, x);
}

OnnxValue OnnxExport::activated(OnnxValue value, const Config& activation, const Layer& layer) {
  if (activation.is_null()) return value;
  if (activation.is_string() && activation.as_string() == "softmax")
    return made_last(value.rank, graph.node("Softmax", {last(value)}, Attributes().integer("axis", -1)));
  return in_its_form(*this, value,
                     [&](const std::string& x) { return onnx_activation(graph, x, activation, layer); });
}

}  // namespace cornu::inline v0::keras
