#include <algorithm>

#include "cornu/base/check.h"
#include "cornu/keras/export/onnx_export_support.h"
#include "cornu/tensor/ops.h"

/// Recurrent layers in ONNX: as ONNX's RNN, LSTM and GRU where these have the form, else as a Scan over steps.
namespace cornu::inline v0::keras {
namespace {

using Attributes = OnnxGraph::Attributes;

/// A SimpleRNN, LSTM or GRU.
struct Recurrence {
  const Layer& layer;
  Config config;
  std::string class_name;
  std::int64_t units = 0, num_gates = 1, num_states = 1;
  Tensor kernel, recurrent_kernel, bias, recurrent_bias;  // biases: undefined if there are none
  bool backwards = false;
  bool is_reset_after = false;

  /// A layer, or the cell of one, whose options are then in `options` beside those of the cell.
  Recurrence(const OnnxCall& c, const Layer& recurrent_layer, const Config& options = {});
  bool option(const char* key) const { return config.at(key).as_bool(); }
  bool has_native_form() const;
};

Recurrence::Recurrence(const OnnxCall& c, const Layer& recurrent_layer, const Config& options)
    : layer(recurrent_layer), config(recurrent_layer.get_config()), class_name(recurrent_layer.class_name()) {
  constexpr std::string_view kCell = "Cell";
  if (options.is_dict()) {
    if (!class_name.ends_with(kCell)) c.refuse("runs cells that have no form in ONNX files");
    class_name.resize(class_name.size() - kCell.size());
    for (const char* key :
         {"return_sequences", "return_state", "go_backwards", "stateful", "zero_output_for_mask"})
      config.set(key, options.at(key));
  }
  const std::pair<std::string_view, std::int64_t> kGates[] = {{"SimpleRNN", 1}, {"LSTM", 4}, {"GRU", 3}};
  const auto* const gates = std::ranges::find(kGates, class_name, [](const auto& row) { return row.first; });
  if (gates == std::end(kGates)) c.refuse("runs cells that have no form in ONNX files");
  c.require(!option("stateful"), "is stateful");
  num_gates = gates->second;
  num_states = class_name == "LSTM" ? 2 : 1;
  units = config.at("units").as_integer();
  backwards = option("go_backwards");
  const auto weight = [&](const char* name) {
    const Variable variable = onnx_weight(layer, name);
    return variable.defined() ? Tensor(variable.read()) : Tensor();
  };
  kernel = weight("kernel");
  c.require(kernel.dtype() == DType::kF32, "has weights that are not float32");
  recurrent_kernel = weight("recurrent_kernel");
  bias = weight("bias");
  is_reset_after = class_name == "GRU" && option("reset_after");
  if (is_reset_after && bias.defined()) {
    const std::vector<Tensor> both = ops::unstack(bias);
    bias = both[0];
    recurrent_bias = both[1];
  }
}

bool Recurrence::has_native_form() const {
  constexpr std::string_view kNative[] = {"tanh", "sigmoid", "relu"};
  for (const char* key : {"activation", "recurrent_activation"}) {
    const Config* name = config.find(key);
    if (name == nullptr) continue;
    if (!name->is_string() || std::ranges::find(kNative, name->as_string()) == std::end(kNative))
      return false;
  }
  return true;
}

/// The values of a call of one recurrent layer.
struct SequenceValues {
  std::string sequence;             // [batch, steps, units]
  std::vector<std::string> states;  // [batch, units]; the first is the last output
};

/// A call of one recurrent layer.
struct SequenceCall {
  OnnxGraph& graph;
  const Recurrence& layer;
  std::string input;  // [batch, steps, features]
  std::string mask;   // bool [batch, steps]; may be empty
  std::vector<std::string> states;
  bool zeros_for_mask = false;
  bool in_input_order = false;
};

// ONNX's operators.

/// Columns of gates [rows, gates * units] as ONNX has them, [1, gates * units, rows].
Tensor gates_first(const Recurrence& r, const Tensor& columns) {
  Tensor gates = ops::reshape(columns, {-1, r.num_gates, r.units});
  if (r.class_name == "LSTM") gates = ops::take(gates, Tensor(std::vector<int>{0, 3, 1, 2}), {.axis = 1});
  return ops::reshape(ops::transpose(gates, {1, 2, 0}), {1, r.num_gates * r.units, -1});
}

std::string native_biases(OnnxGraph& graph, const Recurrence& r) {
  if (!r.bias.defined()) return "";
  const Tensor zeros = ops::zeros({r.num_gates * r.units}, DType::kF32);
  const Tensor both[] = {
      gates_first(r, ops::expand_dims(r.bias, 0)),
      gates_first(r, ops::expand_dims(r.recurrent_bias.defined() ? r.recurrent_bias : zeros, 0))};
  return onnx_constant(graph, ops::reshape(ops::concatenate(both, 1), {1, -1}));
}

std::vector<std::string> native_activations(const Recurrence& r) {
  const auto named = [&](const char* key) {
    const std::string& name = r.config.at(key).as_string();
    return name == "tanh" ? "Tanh" : name == "sigmoid" ? "Sigmoid" : "Relu";
  };
  if (r.class_name == "SimpleRNN") return {named("activation")};
  std::vector<std::string> all = {named("recurrent_activation"), named("activation")};
  if (r.class_name == "LSTM") all.push_back(all[1]);
  return all;
}

/// The steps along `axis` in the opposite order.
std::string reversed(OnnxGraph& graph, const std::string& x, std::int64_t axis) {
  return graph.node("Slice",
                    {x, graph.integers({-1}), graph.integers({std::numeric_limits<std::int64_t>::min() + 1}),
                     graph.integers({axis}), graph.integers({-1})});
}

SequenceValues native(const SequenceCall& c) {
  OnnxGraph& graph = c.graph;
  const Recurrence& r = c.layer;
  const Attributes steps_first = Attributes().integers("perm", Dims{1, 0, 2});
  std::vector<std::string> inputs = {
      graph.node("Transpose", {c.input}, steps_first), onnx_constant(graph, gates_first(r, r.kernel)),
      onnx_constant(graph, gates_first(r, r.recurrent_kernel)), native_biases(graph, r), ""};
  for (const std::string& state : c.states)
    inputs.push_back(graph.node("Unsqueeze", {state, graph.integers({0})}));
  Attributes attributes;
  attributes.integer("hidden_size", r.units).texts("activations", native_activations(r));
  attributes.text("direction", r.backwards ? "reverse" : "forward");
  if (r.class_name == "GRU") attributes.integer("linear_before_reset", r.is_reset_after ? 1 : 0);
  const std::vector<std::string> outputs =
      graph.outputs_of(r.class_name == "SimpleRNN" ? "RNN" : r.class_name.c_str(), inputs, attributes,
                       static_cast<int>(1 + r.num_states));
  std::string sequence = graph.node("Squeeze", {outputs[0], graph.integers({1})});
  if (r.backwards && !c.in_input_order) sequence = reversed(graph, sequence, 0);
  SequenceValues values{.sequence = graph.node("Transpose", {sequence}, steps_first), .states = {}};
  for (std::size_t i = 1; i < outputs.size(); ++i)
    values.states.push_back(graph.node("Squeeze", {outputs[i], graph.integers({0})}));
  return values;
}

// A scan over steps.

/// The gates' parts of columns.
std::vector<std::string> split(OnnxGraph& graph, const std::string& x, std::int64_t num_parts,
                               std::int64_t units) {
  const std::vector<std::int64_t> sizes(static_cast<std::size_t>(num_parts), units);
  return graph.outputs_of("Split", {x, graph.integers(sizes)}, Attributes().integer("axis", -1),
                          static_cast<int>(num_parts));
}

/// One step: `projected` is input . kernel + bias; the new states.
std::vector<std::string> step(OnnxGraph& g, const Recurrence& r, const std::string& projected,
                              const std::vector<std::string>& states) {
  const auto activated = [&](const char* key, const std::string& x) {
    return onnx_activation(g, x, r.config.at(key), r.layer);
  };
  const auto product = [&](const std::string& x, std::int64_t first, std::int64_t count) {
    const Tensor columns = ops::slice(r.recurrent_kernel, {0, first * r.units}, {r.units, count * r.units});
    return g.node("MatMul", {x, onnx_constant(g, columns)});
  };
  const std::string& h = states[0];
  if (r.class_name == "SimpleRNN")
    return {activated("activation", g.node("Add", {projected, product(h, 0, 1)}))};
  if (r.class_name == "LSTM") {
    const std::vector<std::string> gates = split(g, g.node("Add", {projected, product(h, 0, 4)}), 4, r.units);
    const std::string kept = g.node("Mul", {activated("recurrent_activation", gates[1]), states[1]});
    const std::string added =
        g.node("Mul", {activated("recurrent_activation", gates[0]), activated("activation", gates[2])});
    const std::string cell = g.node("Add", {kept, added});
    return {g.node("Mul", {activated("recurrent_activation", gates[3]), activated("activation", cell)}),
            cell};
  }
  const std::vector<std::string> x = split(g, projected, 3, r.units);
  std::string recurrent = product(h, 0, r.is_reset_after ? 3 : 2);
  if (r.recurrent_bias.defined()) recurrent = g.node("Add", {recurrent, onnx_constant(g, r.recurrent_bias)});
  const std::vector<std::string> y = split(g, recurrent, r.is_reset_after ? 3 : 2, r.units);
  const std::string update = activated("recurrent_activation", g.node("Add", {x[0], y[0]}));
  const std::string reset = activated("recurrent_activation", g.node("Add", {x[1], y[1]}));
  const std::string of_state =
      r.is_reset_after ? g.node("Mul", {reset, y[2]}) : product(g.node("Mul", {reset, h}), 2, 1);
  const std::string candidate = activated("activation", g.node("Add", {x[2], of_state}));
  const std::string rest = g.node("Sub", {onnx_scalar(g, 1), update});
  return {g.node("Add", {g.node("Mul", {update, h}), g.node("Mul", {rest, candidate})})};
}

/// The body of the scan: states, a step's projected input and its mask become new states and the output.
OnnxGraph scan_body(const SequenceCall& c) {
  OnnxGraph body = c.graph.body();
  const Recurrence& r = c.layer;
  const auto add = [&](const char* what, DType dtype, std::int64_t extent) {
    const std::string name = body.name() + "/" + what;
    std::vector<OnnxGraph::Extent> shape = {{.name = "batch"}};
    if (extent > 0) shape.push_back({.value = extent});
    body.add_input(name, dtype, shape);
    return name;
  };
  std::vector<std::string> before;
  for (const char* what : {"h", "c"})
    if (static_cast<std::int64_t>(before.size()) < r.num_states)
      before.push_back(add(what, DType::kF32, r.units));
  const std::string x = add("x", DType::kF32, r.num_gates * r.units);
  const std::string mask = c.mask.empty() ? "" : add("mask", DType::kI1, 0);
  std::vector<std::string> after = step(body, r, x, before);
  std::string output = after[0];
  if (!mask.empty()) {
    const std::string counts = body.node("Unsqueeze", {mask, body.integers({1})});
    for (std::size_t i = 0; i < after.size(); ++i)
      after[i] = body.node("Where", {counts, after[i], before[i]});
    output = c.zeros_for_mask ? body.node("Where", {counts, output, onnx_scalar(body, 0)}) : after[0];
  }
  after.push_back(output);
  for (std::size_t i = 0; i < after.size(); ++i) {
    const std::string name = body.name() + "/output_" + std::to_string(i);
    body.rename(after[i], name);
    const OnnxGraph::Extent shape[] = {{.name = "batch"}, {.value = r.units}};
    body.add_output(name, DType::kF32, shape);
  }
  return body;
}

SequenceValues scanned(const SequenceCall& c) {
  OnnxGraph& graph = c.graph;
  const Recurrence& r = c.layer;
  std::string projected = graph.node("MatMul", {c.input, onnx_constant(graph, r.kernel)});
  if (r.bias.defined()) projected = graph.node("Add", {projected, onnx_constant(graph, r.bias)});
  std::vector<std::string> inputs = c.states;
  if (inputs.empty()) {
    const std::string batch =
        graph.node("Shape", {c.input}, Attributes().integer("start", 0).integer("end", 1));
    const std::string shape =
        graph.node("Concat", {batch, graph.integers({r.units})}, Attributes().integer("axis", 0));
    inputs.assign(static_cast<std::size_t>(r.num_states), graph.node("ConstantOfShape", {shape}));
  }
  inputs.push_back(projected);
  if (!c.mask.empty()) inputs.push_back(c.mask);
  const std::int64_t num_sequences = c.mask.empty() ? 1 : 2;
  const std::vector<std::int64_t> second(static_cast<std::size_t>(num_sequences), 1);
  const std::vector<std::int64_t> direction(second.size(), r.backwards ? 1 : 0);
  Attributes attributes;
  attributes.body("body", scan_body(c)).integer("num_scan_inputs", num_sequences);
  attributes.integers("scan_input_axes", second).integers("scan_input_directions", direction);
  attributes.integers("scan_output_axes", Dims{1});
  attributes.integers("scan_output_directions", Dims{r.backwards && c.in_input_order ? 1 : 0});
  std::vector<std::string> outputs =
      graph.outputs_of("Scan", inputs, attributes, static_cast<int>(r.num_states + 1));
  SequenceValues values{.sequence = outputs.back(), .states = {}};
  outputs.pop_back();
  values.states = std::move(outputs);
  return values;
}

// Layers.

SequenceValues called(const OnnxCall& c, const Recurrence& r, const std::string& input,
                      std::span<OnnxValue> states, bool zeros_for_mask, bool in_input_order) {
  SequenceCall call{.graph = c.graph(),
                    .layer = r,
                    .input = input,
                    .mask = c.step_mask(),
                    .states = {},
                    .zeros_for_mask = zeros_for_mask,
                    .in_input_order = in_input_order};
  for (OnnxValue& state : states) call.states.push_back(c.to.last(state));
  return call.mask.empty() && r.has_native_form() ? native(call) : scanned(call);
}

/// A layer's output: of all steps, or of the last one.
OnnxValue output_of(const OnnxCall& c, const Recurrence& r, const SequenceValues& values) {
  if (!r.option("return_sequences")) return c.to.made_last(2, values.states[0]);
  OnnxValue output = c.to.made_last(3, values.sequence);
  output.mask = c.x().mask;
  return output;
}

void add_states(const OnnxCall& c, const SequenceValues& values, std::vector<OnnxValue>& results) {
  for (const std::string& state : values.states) results.push_back(c.to.made_last(2, state));
}

std::vector<OnnxValue> recurrent(const OnnxCall& c) {
  const Recurrence r(c, c.layer);
  const bool zeros = r.config.contains("zero_output_for_mask") && r.option("zero_output_for_mask");
  const SequenceValues values = called(c, r, c.to.last(c.x()), std::span(c.inputs).subspan(1), zeros, false);
  std::vector<OnnxValue> results = {output_of(c, r, values)};
  if (r.option("return_state")) add_states(c, values, results);
  return results;
}

/// RNN of one of Keras's cells, or of several, of which each runs over the outputs of the one before.
std::vector<OnnxValue> rnn(const OnnxCall& c) {
  const std::shared_ptr<Layer> cell = c.layer.sublayers().at(0);
  std::vector<std::shared_ptr<Layer>> cells = {cell};
  if (cell->class_name() == "StackedRNNCells") cells = cell->sublayers();
  std::span<OnnxValue> states = std::span(c.inputs).subspan(1);
  std::string x = c.to.last(c.x());
  std::vector<OnnxValue> results = {{}};
  for (const std::shared_ptr<Layer>& each : cells) {
    const Recurrence r(c, *each, c.config);
    const bool is_last = each == cells.back();
    const auto num_given = states.empty() ? 0 : static_cast<std::size_t>(r.num_states);
    const SequenceValues values =
        called(c, r, x, states.first(num_given), is_last && r.option("zero_output_for_mask"), !is_last);
    states = states.subspan(num_given);
    x = values.sequence;
    if (r.option("return_state")) add_states(c, values, results);
    if (is_last) results[0] = output_of(c, r, values);
  }
  return results;
}

OnnxValue merged_directions(const OnnxCall& c, const std::string& mode, const OnnxValue& forward,
                            const OnnxValue& backward) {
  const std::vector<std::string> both = {forward.last, backward.last};
  OnnxGraph& graph = c.graph();
  const std::string y = mode == "concat" ? graph.node("Concat", both, Attributes().integer("axis", -1))
                        : mode == "mul"  ? graph.node("Mul", both)
                        : mode == "sum"  ? graph.node("Add", both)
                                         : graph.node("Mean", both);
  OnnxValue result = c.to.made_last(forward.rank, y);
  result.mask = forward.mask;
  return result;
}

std::vector<OnnxValue> bidirectional(const OnnxCall& c) {
  const std::vector<std::shared_ptr<Layer>> inner = c.layer.sublayers();
  const Recurrence forward(c, *inner.at(0)), backward(c, *inner.at(1));
  c.require(!forward.backwards, "has a forward layer that goes backwards");
  const bool zeros = forward.option("return_sequences");
  const std::span<OnnxValue> states = std::span(c.inputs).subspan(1);
  const std::size_t half = states.size() / 2;
  const std::string x = c.to.last(c.x());
  const SequenceValues first = called(c, forward, x, states.first(half), zeros, true),
                       second = called(c, backward, x, states.subspan(half), zeros, true);
  const OnnxValue outputs[] = {output_of(c, forward, first), output_of(c, backward, second)};
  const Config& mode = c.config.at("merge_mode");
  std::vector<OnnxValue> results;
  if (mode.is_null())
    results.assign(std::begin(outputs), std::end(outputs));
  else
    results.push_back(merged_directions(c, mode.as_string(), outputs[0], outputs[1]));
  if (!forward.option("return_state")) return results;
  add_states(c, first, results);
  add_states(c, second, results);
  return results;
}

constexpr OnnxTranslation kRecurrentLayers[] = {
    {"Bidirectional", bidirectional, true},
    {"GRU", recurrent, true},
    {"LSTM", recurrent, true},
    {"RNN", rnn, true},
    {"SimpleRNN", recurrent, true},
};

}  // namespace

std::span<const OnnxTranslation> onnx_recurrent_layers() { return kRecurrentLayers; }

}  // namespace cornu::inline v0::keras
