#include "cornu/keras/models/functional.h"

#include <type_traits>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/layers/operations/operation.h"
#include "cornu/keras/models/model.h"
#include "cornu/keras/models/model_config_support.h"

namespace cornu::inline v0::keras {
namespace {

/// True if the shapes agree except for the batch. Layers that need a certain batch size check it themselves.
bool rows_fit(const Dims& shape, const Dims& wanted) {
  if (shape.size() != wanted.size()) return false;
  for (std::size_t i = 1; i < shape.size(); ++i)
    if (shape[i] != kUnknown && wanted[i] != kUnknown && shape[i] != wanted[i]) return false;
  return true;
}

/// Runs `call(node, inputs)` for each step; returns the outputs.
template <typename T, typename Call>
std::vector<T> run_graph(const FunctionalGraph& graph, std::vector<T> inputs, const Call& call) {
  std::vector<T> values = std::move(inputs);
  values.resize(graph.num_values);
  for (const FunctionalGraph::Step& step : graph.steps) {
    std::vector<T> arguments;
    arguments.reserve(step.inputs.size());
    for (const std::size_t value : step.inputs) arguments.push_back(values[value]);
    std::vector<T> results = call(*step.node, arguments);
    if constexpr (std::is_same_v<T, Tensor>) {
      if (step.node->layer->uses_up_masks())
        for (const std::size_t value : step.inputs) values[value] = values[value].with_mask({});
    }
    for (std::size_t i = 0; i < results.size(); ++i) values[step.outputs[i]] = std::move(results[i]);
  }
  std::vector<T> outputs;
  outputs.reserve(graph.output_values.size());
  for (const std::size_t value : graph.output_values) outputs.push_back(values[value]);
  return outputs;
}

}  // namespace

FunctionalNetwork::FunctionalNetwork(const FunctionalOptions& options, FunctionalNames names)
    : Network(LayerSettings{.class_name = "Functional", .name = options.name}),
      graph_(FunctionalGraph::of(options.inputs, options.outputs, name())),
      names_(std::move(names)) {
  const auto fits = [](const std::vector<std::string>& given, std::size_t count) {
    return given.empty() || given.size() == count;
  };
  CORNU_CHECK(fits(names_.inputs, graph_.inputs.size()) && fits(names_.outputs, graph_.outputs.size()),
              "{} and {} names", names_.inputs.size(), names_.outputs.size());
  set_autocast(false);
  DescriptionAccess::set(*this, {class_name(), nullptr});
  std::vector<Dims> shapes;
  shapes.reserve(graph_.inputs.size());
  for (const KerasTensor& input : graph_.inputs) shapes.push_back(input.shape());
  build_once_for(shapes);
  if (!options.trainable) set_trainable(false);
}

std::vector<std::shared_ptr<Layer>> FunctionalNetwork::layers() const {
  std::vector<std::shared_ptr<Layer>> result;
  for (const auto& layer : graph_.layers)
    if (dynamic_cast<const keras::layers::Operation*>(layer.get()) == nullptr) result.push_back(layer);
  return result;
}

std::vector<std::string> FunctionalNetwork::input_names() const {
  if (!names_.inputs.empty()) return names_.inputs;
  std::vector<std::string> names;
  names.reserve(graph_.inputs.size());
  for (const KerasTensor& input : graph_.inputs) names.push_back(input.node().layer->name());
  return names;
}

std::vector<std::string> FunctionalNetwork::output_names() const {
  if (!names_.outputs.empty()) return names_.outputs;
  std::vector<std::string> names;
  names.reserve(graph_.outputs.size());
  for (const KerasTensor& output : graph_.outputs) names.push_back(output.node().layer->name());
  return names;
}

Config FunctionalNetwork::get_config() const { return saving::functional_config(*this); }

void FunctionalNetwork::build_for(std::span<const Dims>) {}

std::vector<TensorType> FunctionalNetwork::compute_output_types(std::span<const TensorType> inputs) const {
  if (inputs.size() != graph_.inputs.size())
    invalid_argument("expected {} inputs; got {}", graph_.inputs.size(), inputs.size());
  std::vector<TensorType> types(inputs.begin(), inputs.end());
  bool is_as_declared = true;
  for (std::size_t i = 0; i < types.size(); ++i) {
    const KerasTensor& wanted = graph_.inputs[i];
    if (!rows_fit(types[i].dims, wanted.shape()))
      invalid_argument("expected the shape {} for input \"{}\"; got {}", shape_with_none_str(wanted.shape()),
                       wanted.node().layer->name(), shape_with_none_str(types[i].dims));
    types[i].dtype = wanted.dtype();
    is_as_declared = is_as_declared && types[i] == wanted.type();
  }
  if (is_as_declared) {
    types.clear();
    for (const KerasTensor& output : graph_.outputs) types.push_back(output.type());
    return types;
  }
  return run_graph(graph_, std::move(types), [](const Node& node, std::span<const TensorType> inside) {
    return node.layer->call_types(inside, node.arguments);
  });
}

std::vector<Tensor> FunctionalNetwork::call_for(std::span<const Tensor> inputs, const CallContext&) {
  if (inputs.size() != graph_.inputs.size())
    invalid_argument("expected {} inputs ({}); got {}", graph_.inputs.size(), fmt::join(input_names(), ", "),
                     inputs.size());
  std::vector<Tensor> values;
  values.reserve(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    values.push_back((*graph_.inputs[i].node().layer)(inputs[i]));
  return run_graph(graph_, std::move(values), [](const Node& node, std::span<const Tensor> tensors) {
    CallArguments arguments = node.arguments;
    if (keras::layers::is_mask_given(node)) arguments.mask = *tensors[0].mask();
    return node.layer->call_many(tensors, arguments);
  });
}

Model::Model(const FunctionalOptions& options) : Model(std::make_shared<FunctionalNetwork>(options)) {}

}  // namespace cornu::inline v0::keras
