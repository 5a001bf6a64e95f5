#include "cornu/keras/models/functional_graph.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/layers/core/input_layer.h"

namespace cornu::inline v0::keras {
namespace {

using NodePtr = std::shared_ptr<const Node>;

/// Computes the depth of each node (outputs have 0) and the order of first visits as Keras does.
class GraphWalk {
 public:
  GraphWalk(const std::vector<KerasTensor>& declared, const std::string& model) : model_(model) {
    for (const KerasTensor& tensor : declared) {
      if (tensor.is_input()) {
        inputs_.push_back(tensor);
        continue;
      }
      inputs_.push_back(layers::make_input(
          {.dtype = tensor.dtype(), .name = tensor.name() + "CLONE", .batch_shape = tensor.shape()}));
      replaced_.emplace(Key(tensor), inputs_.back());
    }
  }

  const std::vector<KerasTensor>& inputs() const { return inputs_; }

  /// The tensor itself, or the input that replaces it.
  KerasTensor resolve(const KerasTensor& tensor) const {
    const auto found = replaced_.find(Key(tensor));
    return found == replaced_.end() ? tensor : found->second;
  }

  void walk(const std::vector<KerasTensor>& outputs) {
    for (const KerasTensor& output : outputs) visit(output);
    find_depths();
    for (const KerasTensor& input : inputs_) {  // unused inputs come last
      const NodePtr& node = input.shared_node();
      if (layer_depths_.contains(node->layer.get())) continue;
      set_depth(node, 0);
      layer_depths_[node->layer.get()] = 0;
      first_visits_[node->layer.get()] = -1;
      visited_layers_.push_back(node->layer);
    }
  }

  /// The nodes, deepest first; within a depth in the order in which depths were first assigned.
  std::vector<NodePtr> sorted_nodes() const {
    std::vector<NodePtr> nodes = nodes_by_first_depth_;
    std::stable_sort(nodes.begin(), nodes.end(),
                     [&](const NodePtr& a, const NodePtr& b) { return depths_.at(a) > depths_.at(b); });
    return nodes;
  }

  int depth(const NodePtr& node) const { return depths_.at(node); }

  /// The layers, deepest first; within a depth in the order of first visits.
  std::vector<std::shared_ptr<Layer>> sorted_layers() const {
    std::vector<std::shared_ptr<Layer>> layers = visited_layers_;
    std::stable_sort(layers.begin(), layers.end(), [&](const auto& a, const auto& b) {
      const int depth_a = layer_depths_.at(a.get()), depth_b = layer_depths_.at(b.get());
      return depth_a != depth_b ? depth_a > depth_b : first_visits_.at(a.get()) < first_visits_.at(b.get());
    });
    return layers;
  }

 private:
  struct Key {
    explicit Key(const KerasTensor& tensor) : node(&tensor.node()), index(tensor.index()) {}
    auto operator<=>(const Key&) const = default;
    const Node* node;
    std::size_t index;
  };

  /// Visits the call that returns `output` and those before it, depth first. The stack is a list, since
  /// graphs may be of any depth.
  void visit(const KerasTensor& output) {
    struct Visit {
      NodePtr node;
      std::size_t num_inputs_done = 0;
    };
    std::vector<Visit> open;
    const auto enter = [&](const NodePtr& node, const KerasTensor& wanted_by) {
      if (!seen_.insert(node).second) return;
      begin_visit(node, wanted_by);
      open.push_back({node});
    };
    enter(resolve(output).shared_node(), output);
    while (!open.empty()) {
      Visit& last = open.back();
      const NodePtr node = last.node;
      if (last.num_inputs_done < node->inputs.size()) {
        enter(resolve(node->inputs[last.num_inputs_done++]).shared_node(), {node, 0});
      } else {
        finished_.push_back(node);
        open.pop_back();
      }
    }
  }

  void begin_visit(const NodePtr& node, const KerasTensor& wanted_by) {
    if (node->inputs.empty() && std::none_of(inputs_.begin(), inputs_.end(),
                                             [&](const auto& in) { return in.shared_node() == node; })) {
      std::vector<std::string> names;
      names.reserve(inputs_.size());
      for (const KerasTensor& input : inputs_) names.push_back(input.node().layer->name());
      invalid_argument(
          "[functional] graph disconnected: {} needs input \"{}\", which is not among the inputs of model "
          "\"{}\": {}",
          wanted_by.str(), node->layer->name(), model_, fmt::join(names, ", "));
    }
    const auto layer = node->layer.get();
    if (first_visits_.emplace(layer, static_cast<int>(first_visits_.size())).second)
      visited_layers_.push_back(node->layer);
  }

  void set_depth(const NodePtr& node, int depth) {
    if (depths_.emplace(node, depth).second) nodes_by_first_depth_.push_back(node);
    depths_[node] = depth;
  }

  void find_depths() {
    for (auto node = finished_.rbegin(); node != finished_.rend(); ++node) {
      const auto known = depths_.find(*node);
      int& layer_depth = layer_depths_[(*node)->layer.get()];
      const int depth = std::max(known == depths_.end() ? 0 : known->second, layer_depth);
      layer_depth = depth;
      set_depth(*node, depth);
      for (const KerasTensor& input : (*node)->inputs) {
        const NodePtr parent = resolve(input).shared_node();
        const auto parent_known = depths_.find(parent);
        set_depth(parent, std::max(depth + 1, parent_known == depths_.end() ? 0 : parent_known->second));
      }
    }
  }

  const std::string& model_;
  std::vector<KerasTensor> inputs_;
  std::map<Key, KerasTensor> replaced_;
  std::set<NodePtr> seen_;
  std::vector<NodePtr> finished_;  // inputs before their users
  std::map<const Layer*, int> first_visits_;
  std::vector<std::shared_ptr<Layer>> visited_layers_;
  std::map<NodePtr, int> depths_;
  std::vector<NodePtr> nodes_by_first_depth_;
  std::map<const Layer*, int> layer_depths_;
};

void check_tensors(const std::vector<KerasTensor>& tensors, const char* option, const std::string& model) {
  if (tensors.empty()) invalid_argument("[functional] {} must not be empty; in model \"{}\"", option, model);
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (!tensors[i].defined())
      invalid_argument("[functional] {}[{}] is an empty KerasTensor; in model \"{}\"", option, i, model);
}

void check_names(const std::vector<std::shared_ptr<Layer>>& layers, const std::string& model) {
  std::set<std::string> names;
  for (const auto& layer : layers) {
    if (!names.insert(layer->name()).second)
      invalid_argument(
          "[functional] the name \"{}\" is used by two layers of model \"{}\"; names of layers must differ",
          layer->name(), model);
  }
}

}  // namespace

FunctionalGraph FunctionalGraph::of(const std::vector<KerasTensor>& inputs,
                                    const std::vector<KerasTensor>& outputs, const std::string& model) {
  check_tensors(inputs, "inputs", model);
  check_tensors(outputs, "outputs", model);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (std::find(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(i), inputs[i]) !=
        inputs.begin() + static_cast<std::ptrdiff_t>(i))
      invalid_argument("[functional] {} occurs twice in the inputs of model \"{}\"", inputs[i].str(), model);

  GraphWalk walk(inputs, model);
  walk.walk(outputs);
  FunctionalGraph graph;
  graph.inputs = walk.inputs();
  graph.layers = walk.sorted_layers();
  graph.nodes = walk.sorted_nodes();
  for (const NodePtr& node : graph.nodes) graph.depths.push_back(walk.depth(node));
  check_names(graph.layers, model);

  std::map<std::pair<const Node*, std::size_t>, std::size_t> values;
  const auto value_of = [&](const KerasTensor& tensor) {
    const KerasTensor resolved = walk.resolve(tensor);
    return values.at({&resolved.node(), resolved.index()});
  };
  for (const KerasTensor& input : graph.inputs)
    values.emplace(std::pair(&input.node(), input.index()), graph.num_values++);
  for (const NodePtr& node : graph.nodes) {
    if (node->inputs.empty()) continue;
    Step step{.node = node, .inputs = {}, .outputs = {}};
    for (const KerasTensor& input : node->inputs) step.inputs.push_back(value_of(input));
    for (std::size_t i = 0; i < node->types.size(); ++i) {
      values.emplace(std::pair(node.get(), i), graph.num_values);
      step.outputs.push_back(graph.num_values++);
    }
    graph.steps.push_back(std::move(step));
  }
  for (const KerasTensor& output : outputs) {
    graph.outputs.push_back(walk.resolve(output));
    graph.output_values.push_back(value_of(output));
  }
  return graph;
}

}  // namespace cornu::inline v0::keras
