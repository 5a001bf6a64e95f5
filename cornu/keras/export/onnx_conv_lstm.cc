#include <string>
#include <vector>

#include "cornu/keras/export/onnx_export_support.h"
#include "cornu/tensor/ops.h"

/// ConvLSTM in ONNX: the convolution of the inputs for all steps, and a Scan with that of the states.
namespace cornu::inline v0::keras {
namespace {

using Attributes = OnnxGraph::Attributes;

constexpr std::int64_t kNumGates = 4;

/// A call of one layer. Values have the channels first.
struct ConvolutionalSequence {
  const OnnxCall& c;
  std::int64_t num_spatial, filters;
  Dims extents;  // of the outputs

  explicit ConvolutionalSequence(const OnnxCall& call);
  bool option(const char* key) const { return c.config.at(key).as_bool(); }
  /// The axes of a kernel [windows..., inputs, outputs] in ONNX's order.
  Tensor outputs_first(const Tensor& kernel) const;
  /// The extents of one output, with the channels first.
  Dims output_shape(std::int64_t channels) const;
  /// The convolution of all steps, [batch, steps, gates * filters, ...].
  std::string projected() const;
  std::vector<std::string> initial_states(const std::string& x) const;
  /// States, a step's convolved input and its mask become new states and the output.
  OnnxGraph body() const;
  std::vector<std::string> step(OnnxGraph& body, const std::string& x,
                                const std::vector<std::string>& states) const;
  OnnxValue last_output(const std::string& state) const { return c.to.made_first(num_spatial + 2, state); }
};

ConvolutionalSequence::ConvolutionalSequence(const OnnxCall& call)
    : c(call), num_spatial(call.rank() - 3), filters(call.config.at("filters").as_integer()) {
  c.require_channels_last();
  c.require(!option("stateful"), "is stateful");
  c.require(c.inputs.size() == 1 || c.inputs.size() == 3, "takes other inputs than its states");
  c.require(c.node.layer.get() == &c.layer, "is inside a wrapper");
  const Dims& output = c.node.types.at(0).dims;
  const auto first = output.size() - static_cast<std::size_t>(num_spatial) - 1;
  extents.assign(output.begin() + static_cast<std::ptrdiff_t>(first), output.end() - 1);
}

Tensor ConvolutionalSequence::outputs_first(const Tensor& kernel) const {
  Dims axes = {num_spatial + 1, num_spatial};
  for (std::int64_t i = 0; i < num_spatial; ++i) axes.push_back(i);
  return ops::transpose(kernel, {.axes = axes});
}

Dims ConvolutionalSequence::output_shape(std::int64_t channels) const {
  Dims shape = {channels};
  shape.insert(shape.end(), extents.begin(), extents.end());
  return shape;
}

std::string ConvolutionalSequence::projected() const {
  OnnxGraph& graph = c.graph();
  const std::string x = c.to.last(c.x());
  // Each step is a row of one batch.
  const Dims& given = c.node.inputs[0].shape();
  Dims rows(given.begin() + 1, given.end()), order = {0, num_spatial + 1};
  rows[0] = -1;
  for (std::int64_t i = 1; i <= num_spatial; ++i) order.push_back(i);
  const std::string images = graph.node("Transpose", {graph.node("Reshape", {x, graph.integers(rows)})},
                                        Attributes().integers("perm", order));
  const Tensor kernel = c.weight("kernel"), bias = c.weight("bias");
  const auto sizes = [&](const char* key) {
    const Config& value = c.config.at(key);
    if (value.is_number()) return Dims(static_cast<std::size_t>(num_spatial), value.as_integer());
    return c.dims(key);
  };
  Attributes attributes;
  attributes.integers("kernel_shape", Dims(kernel.shape().begin(), kernel.shape().end() - 2));
  attributes.integers("strides", sizes("strides")).integers("dilations", sizes("dilation_rate"));
  if (c.config.at("padding").as_string() == "same") attributes.text("auto_pad", "SAME_UPPER");
  std::vector<std::string> inputs = {images, onnx_constant(graph, outputs_first(kernel))};
  if (bias.defined()) inputs.push_back(onnx_constant(graph, bias));
  const std::string convolved = graph.node("Conv", inputs, attributes);
  const std::string steps = graph.node("Shape", {x}, Attributes().integer("start", 0).integer("end", 2));
  const std::string shape = graph.node("Concat", {steps, graph.integers(output_shape(kNumGates * filters))},
                                       Attributes().integer("axis", 0));
  return graph.node("Reshape", {convolved, shape});
}

std::vector<std::string> ConvolutionalSequence::initial_states(const std::string& x) const {
  if (c.inputs.size() == 3) return {c.to.first(c.inputs[1]), c.to.first(c.inputs[2])};
  OnnxGraph& graph = c.graph();
  const std::string batch = graph.node("Shape", {x}, Attributes().integer("start", 0).integer("end", 1));
  const std::string shape =
      graph.node("Concat", {batch, graph.integers(output_shape(filters))}, Attributes().integer("axis", 0));
  return std::vector<std::string>(2, graph.node("ConstantOfShape", {shape}));
}

std::vector<std::string> ConvolutionalSequence::step(OnnxGraph& body, const std::string& x,
                                                     const std::vector<std::string>& states) const {
  const Tensor kernel = c.weight("recurrent_kernel");
  Attributes same;
  same.integers("kernel_shape", Dims(kernel.shape().begin(), kernel.shape().end() - 2));
  same.text("auto_pad", "SAME_UPPER");
  const std::string of_state =
      body.node("Conv", {states[0], onnx_constant(body, outputs_first(kernel))}, same);
  const std::vector<std::int64_t> sizes(kNumGates, filters);
  const std::vector<std::string> z =
      body.outputs_of("Split", {body.node("Add", {x, of_state}), body.integers(sizes)},
                      Attributes().integer("axis", 1), static_cast<int>(kNumGates));
  const auto activated = [&](const char* key, const std::string& value) {
    return onnx_activation(body, value, c.config.at(key), c.layer);
  };
  const std::string kept = body.node("Mul", {activated("recurrent_activation", z[1]), states[1]});
  const std::string added =
      body.node("Mul", {activated("recurrent_activation", z[0]), activated("activation", z[2])});
  const std::string cell = body.node("Add", {kept, added});
  return {body.node("Mul", {activated("recurrent_activation", z[3]), activated("activation", cell)}), cell};
}

OnnxGraph ConvolutionalSequence::body() const {
  OnnxGraph body = c.graph().body();
  const auto shape = [&](std::int64_t channels) {
    std::vector<OnnxGraph::Extent> all = {{.name = "batch"}};
    for (const std::int64_t extent : output_shape(channels)) all.push_back({.value = extent});
    return all;
  };
  const auto add = [&](const char* what, DType dtype, const std::vector<OnnxGraph::Extent>& extents_of) {
    const std::string name = body.name() + "/" + what;
    body.add_input(name, dtype, extents_of);
    return name;
  };
  const std::vector<std::string> before = {add("h", DType::kF32, shape(filters)),
                                           add("c", DType::kF32, shape(filters))};
  const std::string x = add("x", DType::kF32, shape(kNumGates * filters));
  const std::string mask = c.step_mask().empty() ? "" : add("mask", DType::kI1, {{.name = "batch"}});
  std::vector<std::string> after = step(body, x, before);
  std::string output = after[0];
  if (!mask.empty()) {
    Dims axes;
    for (std::int64_t i = 1; i < num_spatial + 2; ++i) axes.push_back(i);
    const std::string counts = body.node("Unsqueeze", {mask, body.integers(axes)});
    for (std::size_t i = 0; i < after.size(); ++i)
      after[i] = body.node("Where", {counts, after[i], before[i]});
    output = option("zero_output_for_mask") ? body.node("Where", {counts, output, onnx_scalar(body, 0)})
                                            : after[0];
  }
  after.push_back(output);
  for (std::size_t i = 0; i < after.size(); ++i) {
    const std::string name = body.name() + "/output_" + std::to_string(i);
    body.rename(after[i], name);
    body.add_output(name, DType::kF32, shape(filters));
  }
  return body;
}

std::vector<OnnxValue> conv_lstm(const OnnxCall& c) {
  const ConvolutionalSequence sequence(c);
  OnnxGraph& graph = c.graph();
  std::vector<std::string> inputs = sequence.initial_states(c.to.last(c.x()));
  inputs.push_back(sequence.projected());
  if (const std::string mask = c.step_mask(); !mask.empty()) inputs.push_back(mask);
  const std::size_t num_sequences = inputs.size() - 2;
  const bool backwards = sequence.option("go_backwards");
  Attributes attributes;
  attributes.body("body", sequence.body())
      .integer("num_scan_inputs", static_cast<std::int64_t>(num_sequences));
  attributes.integers("scan_input_axes", Dims(num_sequences, 1));
  attributes.integers("scan_input_directions", Dims(num_sequences, backwards ? 1 : 0));
  attributes.integers("scan_output_axes", Dims{1}).integers("scan_output_directions", Dims{0});
  const std::vector<std::string> outputs = graph.outputs_of("Scan", inputs, attributes, 3);
  std::vector<OnnxValue> results;
  if (sequence.option("return_sequences")) {
    Dims order = {0, 1};  // the channels after the extents
    for (std::int64_t i = 0; i < sequence.num_spatial; ++i) order.push_back(i + 3);
    order.push_back(2);
    results.push_back(c.to.made_last(
        c.rank(), graph.node("Transpose", {outputs[2]}, Attributes().integers("perm", order))));
    results[0].mask = c.x().mask;
  } else {
    results.push_back(sequence.last_output(outputs[0]));
  }
  if (!sequence.option("return_state")) return results;
  for (std::size_t i = 0; i < 2; ++i) results.push_back(sequence.last_output(outputs[i]));
  return results;
}

constexpr OnnxTranslation kConvLstmLayers[] = {
    {"ConvLSTM1D", conv_lstm, true},
    {"ConvLSTM2D", conv_lstm, true},
    {"ConvLSTM3D", conv_lstm, true},
};

}  // namespace

std::span<const OnnxTranslation> onnx_conv_lstm_layers() { return kConvLstmLayers; }

}  // namespace cornu::inline v0::keras
