#include <algorithm>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/export/onnx_export_support.h"
#include "cornu/keras/layers/operations/operation.h"

namespace cornu::inline v0::keras {
namespace {

/// The nodes that `outputs` need, each after its inputs; `given` are the inputs' nodes.
std::vector<const Node*> in_order(const std::vector<KerasTensor>& outputs, std::vector<const Node*> done) {
  std::vector<const Node*> order;
  std::vector<std::pair<const Node*, bool>> open;
  for (auto output = outputs.rbegin(); output != outputs.rend(); ++output)
    open.emplace_back(&output->node(), false);
  std::ranges::sort(done);
  while (!open.empty()) {
    const auto [node, has_inputs] = open.back();
    open.pop_back();
    const auto place = std::ranges::lower_bound(done, node);
    if (place != done.end() && *place == node) continue;
    if (has_inputs) {
      done.insert(place, node);
      order.push_back(node);
      continue;
    }
    open.emplace_back(node, true);
    for (auto input = node->inputs.rbegin(); input != node->inputs.rend(); ++input)
      open.emplace_back(&input->node(), false);
  }
  return order;
}

/// The order of axes that moves the last one to the second place, or back.
std::vector<std::int64_t> order_of_axes(std::int64_t rank, bool to_first) {
  std::vector<std::int64_t> axes = {0};
  if (to_first) axes.push_back(rank - 1);
  for (std::int64_t i = to_first ? 1 : 2; i < (to_first ? rank - 1 : rank); ++i) axes.push_back(i);
  if (!to_first) axes.push_back(1);
  return axes;
}

}  // namespace

std::string OnnxExport::last(OnnxValue& value) {
  if (value.last.empty())
    value.last = graph.node("Transpose", {value.first},
                            OnnxGraph::Attributes().integers("perm", order_of_axes(value.rank, false)));
  return value.last;
}

std::string OnnxExport::first(OnnxValue& value) {
  if (value.rank <= 2) return last(value);
  if (value.first.empty())
    value.first = graph.node("Transpose", {value.last},
                             OnnxGraph::Attributes().integers("perm", order_of_axes(value.rank, true)));
  return value.first;
}

OnnxValue OnnxExport::made_last(std::int64_t rank, std::string name) const {
  return {.rank = rank, .last = std::move(name), .first = {}};
}

OnnxValue OnnxExport::made_first(std::int64_t rank, std::string name) const {
  if (rank <= 2) return made_last(rank, std::move(name));
  return {.rank = rank, .last = {}, .first = std::move(name)};
}

std::vector<OnnxValue> OnnxExport::run(const std::vector<KerasTensor>& inputs, std::vector<OnnxValue> values,
                                       const std::vector<KerasTensor>& outputs) {
  std::map<Key, OnnxValue> known;
  std::vector<const Node*> given;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    known[{&inputs[i].node(), inputs[i].index()}] = std::move(values[i]);
    given.push_back(&inputs[i].node());
  }
  for (const Node* node : in_order(outputs, given)) {
    std::vector<OnnxValue> arguments;
    for (const KerasTensor& input : node->inputs)
      arguments.push_back(known.at({&input.node(), input.index()}));
    std::vector<OnnxValue> results = apply(*node->layer, *node, arguments);
    // A form that the call made of an input serves later calls.
    for (std::size_t i = 0; i < arguments.size(); ++i)
      known[{&node->inputs[i].node(), node->inputs[i].index()}] = std::move(arguments[i]);
    for (std::size_t i = 0; i < results.size(); ++i) known[{node, i}] = std::move(results[i]);
  }
  std::vector<OnnxValue> wanted;
  for (const KerasTensor& output : outputs) wanted.push_back(known.at({&output.node(), output.index()}));
  return wanted;
}

std::vector<OnnxValue> OnnxExport::apply(const Layer& layer, const Node& node,
                                         std::vector<OnnxValue>& inputs) {
  if (const Network* inner = layer.network_or_null()) {
    if (inner->inputs().size() != inputs.size() || inner->outputs().empty())
      fail(ErrorCode::kUnimplemented, {.layer = layer.name()},
           "[export_model] ONNX files need the graph of the model \"{}\", which is a class with a call()",
           layer.name());
    return run(inner->inputs(), inputs, inner->outputs());
  }
  graph.set_scope(layer.name());
  const OnnxTranslation* const translation = onnx_translation(layer.class_name());
  if (translation == nullptr)
    fail(ErrorCode::kUnimplemented, {.layer = layer.name()},
         "[export_model] the layer \"{}\" is a {}, which has no form in ONNX files; export the model as "
         "StableHLO",
         layer.name(), layer.class_name());
  std::vector<OnnxValue> results = translation->translate({*this, node, layer, layer.get_config(), inputs});
  if (!translation->makes_mask) pass_mask(layer, inputs, results);
  if (layer.uses_up_masks())
    for (OnnxValue& input : inputs) input.mask.clear();
  return results;
}

void OnnxExport::pass_mask(const Layer& layer, const std::vector<OnnxValue>& inputs,
                           std::vector<OnnxValue>& results) const {
  const bool passes = layer.supports_masking() && !inputs.empty();
  for (OnnxValue& result : results) result.mask = passes ? inputs[0].mask : "";
}

Variable onnx_weight(const Layer& layer, const std::string& name) {
  for (const Variable& variable : layer.weights())
    if (variable.path() == name || variable.path().ends_with("/" + name)) return variable;
  return {};
}

Tensor OnnxCall::weight(const char* name) const {
  const Variable variable = onnx_weight(layer, name);
  if (!variable.defined()) return {};
  require(variable.dtype() == DType::kF32, "has weights that are not float32");
  return Tensor(variable.read());
}

void OnnxCall::refuse(const std::string& why) const {
  fail(ErrorCode::kUnimplemented, {.layer = layer.name()}, "[export_model] the layer \"{}\", a {}, {}",
       layer.name(), layer.class_name(), why);
}

void OnnxCall::require_channels_last() const {
  const Config* format = config.find("data_format");
  require(format == nullptr || format->is_null() || format->as_string() == "channels_last",
          "has the channels first, which ONNX files of Cornu do not");
}

std::string OnnxCall::step_mask() const {
  return inputs.size() == 1 || layers::is_mask_given(node) ? x().mask : "";
}

Dims OnnxCall::dims(const char* key) const {
  Dims all;
  const Config& value = config.at(key);
  if (value.is_number()) return Dims(static_cast<std::size_t>(rank() - 2), value.as_integer());
  for (const Config& each : value.as_list()) all.push_back(each.as_integer());
  return all;
}

}  // namespace cornu::inline v0::keras
