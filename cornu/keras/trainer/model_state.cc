#include "cornu/keras/trainer/model_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cornu/keras/base/names.h"
#include "cornu/keras/layer/row_states.h"
#include "cornu/tensor/trace/variable_parts.h"

namespace cornu::inline v0::keras {
namespace {

constexpr const char* kSlotPath = "optimizer/slot/";

/// Numbers the names that repeat below one path: "dense", "dense_1".
class PathNames {
 public:
  std::string unique(const std::string& name) {
    const int count = counts_[name]++;
    return count == 0 ? name : fmt::format("{}_{}", name, count);
  }

 private:
  std::unordered_map<std::string, int> counts_;
};

/// Visits a layer and its inner layers, each once, with their paths: visit(layer, "model/dense").
template <typename F>
void walk_layers(const Layer& layer, const std::string& path, std::unordered_set<const Layer*>& seen,
                 F&& visit) {
  if (!seen.insert(&layer).second) return;
  visit(layer, path);
  PathNames names;
  for (const std::shared_ptr<Layer>& inside : layer.sublayers())
    walk_layers(*inside, path + "/" + names.unique(snake_case(inside->class_name())), seen, visit);
}

template <typename F>
void walk_layers(const Layer& network, F&& visit) {
  std::unordered_set<const Layer*> seen;
  walk_layers(network, "model", seen, visit);
}

/// The layer's own variables, without those of inner layers.
std::vector<Variable> own_variables(const Layer& layer) {
  std::unordered_set<Variable::Id> inside;
  for (const std::shared_ptr<Layer>& one : layer.sublayers())
    for (const Variable& variable : one->variables()) inside.insert(variable.id());
  std::vector<Variable> own = layer.variables();
  std::erase_if(own, [&](const Variable& variable) { return inside.contains(variable.id()); });
  if (const auto* states = dynamic_cast<const RowStates*>(&layer)) {
    const std::vector<Variable> rows = states->row_states();
    own.insert(own.end(), rows.begin(), rows.end());
  }
  return own;
}

}  // namespace

StateList network_state(const Layer& network) {
  StateList list;
  std::unordered_set<Variable::Id> seen;
  walk_layers(network, [&](const Layer& layer, const std::string& path) {
    PathNames names;
    for (const Variable& variable : own_variables(layer))
      if (seen.insert(variable.id()).second)
        list.push_back(state_of(path + "/" + names.unique(variable.name()), variable));
  });
  return list;
}

StateList seed_state(const Layer& network) {
  StateList list;
  const TensorType type{DType::kU64, {1}};
  walk_layers(network, [&](const Layer& layer, const std::string& path) {
    PathNames names;
    for (const SeedGenerator& generator : layer.seed_generators()) {
      list.push_back(
          {.path = path + "/" + names.unique("seed_generator") + "/seed",
           .type = type,
           .save = [generator] { return Tensor::of<std::uint64_t>({1}, {generator.seed()}); },
           .load = [generator](const Tensor& value) { generator.set_seed(value.data<std::uint64_t>()[0]); }});
    }
  });
  return list;
}

StateList optimizer_state(const Optimizer& optimizer) {
  StateList list;
  int slots = 0;
  for (const Variable& variable : optimizer.variables()) {
    const bool is_scalar =
        variable == optimizer.iteration_variable() || variable == optimizer.learning_rate_variable();
    list.push_back(state_of(
        is_scalar ? "optimizer/" + variable.name() : fmt::format("{}{}", kSlotPath, slots++), variable));
  }
  return list;
}

bool has_slots(const StateValues& values, const std::string& prefix) {
  const std::string path = prefix + kSlotPath;
  const auto first = values.lower_bound(path);
  return first != values.end() && first->first.starts_with(path);
}

bool has_slots(const StateList& list) {
  return std::any_of(list.begin(), list.end(),
                     [](const StateEntry& entry) { return entry.path.starts_with(kSlotPath); });
}

void make_slots_for(const ModelParts& parts, const StateValues& values) {
  if (parts.optimizer->built() || !has_slots(values)) return;
  parts.optimizer->build(parts.outputs.empty() ? parts.network->trainable_weights() : parts.trainable);
}

StateList metrics_state(const std::vector<NamedMetric>& metrics) {
  StateList list;
  std::unordered_set<Variable::Id> seen;
  for (const NamedMetric& named : metrics) {
    PathNames names;
    for (const Variable& variable : named.metric->variables())
      if (seen.insert(variable.id()).second)
        list.push_back(state_of("metrics/" + named.name + "/" + names.unique(variable.name()), variable));
  }
  return list;
}

StateList other_state(std::span<const Variable> carried, std::span<const Variable> known) {
  StateList list;
  PathNames names;
  for (const Variable& variable : carried)
    if (!detail::is_part(variable) && std::find(known.begin(), known.end(), variable) == known.end())
      list.push_back(state_of("step/" + names.unique(variable.name()), variable));
  return list;
}

std::vector<Variable> known_variables(const ModelParts& parts) {
  std::vector<Variable> known;
  walk_layers(*parts.network, [&](const Layer& layer, const std::string&) {
    const std::vector<Variable> own = own_variables(layer);
    known.insert(known.end(), own.begin(), own.end());
  });
  const std::vector<Variable> slots = parts.optimizer->variables();
  known.insert(known.end(), slots.begin(), slots.end());
  for (const NamedMetric& named : parts.metrics)
    known.insert(known.end(), named.metric->variables().begin(), named.metric->variables().end());
  return known;
}

}  // namespace cornu::inline v0::keras
