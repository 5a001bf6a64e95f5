#pragma once

#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cornu/keras/layer/layer.h"
#include "cornu/keras/layer/remat_scope.h"

namespace cornu::inline v0::keras {

struct Layer::Parts {
  std::vector<InputSpec> input_specs;
  std::vector<std::shared_ptr<Layer>> undone;        // tracked by builds that were undone
  std::unordered_map<const Layer*, HeldAs> held_as;  // only inner layers with a key
  std::vector<std::weak_ptr<const Node>> nodes;      // weak, because calls hold the layer
  std::vector<SeedGenerator> seed_generators;
  std::vector<std::pair<Variable, std::shared_ptr<Regularizer>>> regularizers;
  std::shared_ptr<const RematScopeOptions> remat = RematScope::current();  // of the layer's construction
};

}  // namespace cornu::inline v0::keras
