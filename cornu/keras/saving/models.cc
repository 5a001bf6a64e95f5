#include "cornu/keras/saving/models.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/base/memory_allowance.h"
#include "cornu/keras/config/serialize.h"
#include "cornu/keras/config/values_support.h"
#include "cornu/keras/layer/deferred_initialization.h"
#include "cornu/keras/layer/node.h"
#include "cornu/keras/layers/core/input_layer.h"
#include "cornu/keras/layers/operations/operation.h"
#include "cornu/keras/models/functional.h"
#include "cornu/keras/models/sequential.h"
#include "cornu/keras/saving/custom_objects_support.h"
#include "cornu/keras/saving/old_config.h"

namespace cornu::inline v0::keras {
namespace {

using CloneLayer = std::function<std::shared_ptr<Layer>(const std::shared_ptr<Layer>&)>;

/// The inputs of the clone: the tensors that the caller gave, else new ones.
KerasTensors clone_inputs(std::span<const KerasTensor> inputs, const std::vector<KerasTensor>& given) {
  KerasTensors made;
  if (!given.empty() && given.size() != inputs.size())
    invalid_argument({.argument = "input_tensors"},
                     "[clone_model] the model has {} inputs; got {} input_tensors", inputs.size(),
                     given.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const KerasTensor& input = inputs[i];
    if (given.empty())
      made.push_back(layers::make_input(
          {.dtype = input.dtype(), .name = input.node().layer->name(), .batch_shape = input.shape()}));
    else if (given[i].shape().size() == input.shape().size())
      made.push_back(given[i]);
    else
      invalid_argument({.argument = "input_tensors"},
                       "[clone_model] input {} has shape {}; got a tensor of shape {}", i,
                       shape_with_none_str(input.shape()), shape_with_none_str(given[i].shape()));
  }
  return made;
}

std::shared_ptr<Layer> clone_sequential(const SequentialNetwork& network, const CloneLayer& clone_layer) {
  std::vector<std::shared_ptr<Layer>> layers;
  if (network.built())
    layers.push_back(saving::deserialize<Layer>(saving::serialize(*network.inputs()[0].node().layer)));
  for (const auto& layer : network.layers()) layers.push_back(clone_layer(layer));
  auto clone = std::make_shared<SequentialNetwork>(
      SequentialOptions{.name = network.name(), .trainable = network.trainable()});
  clone->add(layers);
  return clone;
}

/// The calls in an order in which each has its inputs, and calls of one layer keep their order: their numbers
/// are part of a configuration.
std::vector<const FunctionalGraph::Step*> steps_in_order(const FunctionalGraph& graph) {
  std::map<const Layer*, std::vector<std::size_t>> calls_left;  // of each layer, the last first
  for (const FunctionalGraph::Step& step : graph.steps)
    calls_left[step.node->layer.get()].push_back(step.node->index);
  for (auto& [layer, calls] : calls_left) std::sort(calls.begin(), calls.end(), std::greater<>());
  std::vector<bool> is_there(graph.num_values, false);
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) is_there[i] = true;
  std::vector<const FunctionalGraph::Step*> ordered, waiting;
  for (const FunctionalGraph::Step& step : graph.steps) waiting.push_back(&step);
  while (!waiting.empty()) {
    std::vector<const FunctionalGraph::Step*> still_waiting;
    for (const FunctionalGraph::Step* step : waiting) {
      std::vector<std::size_t>& calls = calls_left.at(step->node->layer.get());
      const bool is_next = calls.back() == step->node->index &&
                           std::all_of(step->inputs.begin(), step->inputs.end(),
                                       [&](std::size_t value) { return is_there[value]; });
      if (!is_next) {
        still_waiting.push_back(step);
        continue;
      }
      calls.pop_back();
      for (const std::size_t value : step->outputs) is_there[value] = true;
      ordered.push_back(step);
    }
    CORNU_CHECK(still_waiting.size() < waiting.size(),
                "the calls of a functional model were made in some order");
    waiting = std::move(still_waiting);
  }
  return ordered;
}

std::shared_ptr<Layer> clone_functional(const FunctionalNetwork& network, const CloneLayer& clone_layer,
                                        const CloneOptions& options) {
  const FunctionalGraph& graph = network.graph();
  std::map<const Layer*, std::shared_ptr<Layer>> clones;
  std::vector<KerasTensor> values(graph.num_values);
  const KerasTensors inputs = clone_inputs(graph.inputs, options.input_tensors);
  KerasTensors outputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) values[i] = inputs[i];
  for (const FunctionalGraph::Step* step : steps_in_order(graph)) {
    const std::shared_ptr<Layer>& layer = step->node->layer;
    std::shared_ptr<Layer>& clone = clones[layer.get()];
    if (clone == nullptr) {
      const auto* operation = dynamic_cast<const layers::Operation*>(layer.get());
      clone = operation == nullptr
                  ? clone_layer(layer)
                  : std::make_shared<layers::Operation>(operation->class_name(), operation->name(),
                                                        operation->arguments(), operation->options());
    }
    std::vector<KerasTensor> arguments;
    arguments.reserve(step->inputs.size());
    for (const std::size_t value : step->inputs) arguments.push_back(values[value]);
    const std::vector<KerasTensor> results =
        options.call_function ? options.call_function(LayerHandle(clone), arguments, step->node->arguments)
                              : clone->call_many(arguments, step->node->arguments);
    if (results.size() != step->outputs.size())
      invalid_argument("[clone_model] the clone of layer \"{}\" gives {} outputs; the layer gives {}",
                       layer->name(), results.size(), step->outputs.size());
    for (std::size_t i = 0; i < results.size(); ++i) values[step->outputs[i]] = results[i];
  }
  for (const std::size_t value : graph.output_values) outputs.push_back(values[value]);
  return std::make_shared<FunctionalNetwork>(
      FunctionalOptions{
          .inputs = inputs, .outputs = outputs, .name = network.name(), .trainable = network.trainable()},
      network.given_names());
}

}  // namespace

std::string Model::to_json(int indent) const { return saving::serialize(**this).json(indent); }

Model saving::make_model(const Config& description, const KerasVersion& version,
                         const CustomObjects& custom_objects) {
  const CustomObjectScope scope(custom_objects);
  Config current = in_current_form(description, version);
  for (const char* key : {"keras_version", "backend"}) current.erase(key);
  return Model(deserialize<Layer>(current));
}

Model model_from_config(const Config& config, const CustomObjects& custom_objects,
                        const DescriptionLimits& limits) {
  constexpr std::int64_t kBesides = std::int64_t{1} << 30;  // the same as for files
  const std::int64_t max_bytes = limits.max_bytes.value_or(memory_budget_bytes() / 2);
  const MemoryAllowance besides(std::min(max_bytes, kBesides));
  const WeightLimit weights(max_bytes);
  // Before Keras 3 to_json() wrote the version, but get_config() of a model did not.
  const Config* const version = config.find("keras_version");
  if (version == nullptr)
    return saving::make_model(config, saving::version_by_form(config, custom_objects), custom_objects);
  if (!version->is_string()) saving::wrong_type({"the model", "keras_version"}, "a string", *version);
  return saving::make_model(config, saving::KerasVersion(version->as_string()), custom_objects);
}

Model model_from_json(StringViewArgument json, const CustomObjects& custom_objects,
                      const DescriptionLimits& limits) {
  return model_from_config(Config::parse(json), custom_objects, limits);
}

namespace {

/// The clone of an inner model if `recursive` asks for it and `layer` is one; else null.
std::shared_ptr<Layer> clone_inner(const std::shared_ptr<Layer>& layer, CloneOptions options) {
  const bool is_sequential = std::dynamic_pointer_cast<SequentialNetwork>(layer) != nullptr;
  if (!options.recursive ||
      (!is_sequential && std::dynamic_pointer_cast<FunctionalNetwork>(layer) == nullptr))
    return nullptr;
  options.input_tensors.clear();
  if (is_sequential) options.call_function = nullptr;
  return clone_model(Model(layer), options).shared();
}

}  // namespace

Model clone_model(const Model& model, const CloneOptions& options) {
  const CloneLayer clone_layer = [&](const std::shared_ptr<Layer>& layer) {
    if (std::shared_ptr<Layer> inner = clone_inner(layer, options)) return inner;
    const std::string& known = layer->description().class_name;
    if (options.clone_function) {
      const std::shared_ptr<Layer> clone = options.clone_function(LayerHandle(layer)).shared();
      if (clone == nullptr)
        invalid_argument("[clone_model] clone_function gave no layer for \"{}\"", layer->name());
      return clone;
    }
    const Config config = layer->get_config();
    if (known.empty())
      fail(ErrorCode::kUnimplemented,
           "[clone_model] layer \"{}\" is of a class of yours, {}: make its clone in clone_function",
           layer->name(), layer->class_name());
    return saving::from_config<Layer>(known, config);
  };
  if (const auto* network = dynamic_cast<const SequentialNetwork*>(model.get())) {
    if (options.call_function)
      invalid_argument({.argument = "call_function"},
                       "[clone_model] call_function is for functional models; \"{}\" is Sequential",
                       model.name());
    if (!options.input_tensors.empty())
      invalid_argument(
          {.argument = "input_tensors"},
          "[clone_model] input_tensors are for functional models; \"{}\" is Sequential: call the clone",
          model.name());
    return Model(clone_sequential(*network, clone_layer));
  }
  if (const auto* network = dynamic_cast<const FunctionalNetwork*>(model.get()))
    return Model(clone_functional(*network, clone_layer, options));
  fail(ErrorCode::kUnimplemented,
       "[clone_model] model \"{}\" is of a class of yours, {}: make another one of it", model.name(),
       model->class_name());
}

}  // namespace cornu::inline v0::keras
