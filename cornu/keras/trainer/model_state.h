#pragma once

#include "cornu/keras/base/state.h"
#include "cornu/keras/network/network.h"
#include "cornu/keras/trainer/compiled_parts.h"

namespace cornu::inline v0::keras {

// The state of a compiled model between steps, as lists of entries. Paths are built from an object's position
// in the model and the classes of the layers, not from layer names: the names of a model that is made again
// in the same process continue counting.

/// "model/dense_1/kernel": the weights and random counters of all layers, and the states of stateful layers.
StateList network_state(const Layer& network);
/// "model/dropout/seed_generator/seed": the seeds of random numbers. A seed is a constant of programs:
/// programs compiled before another seed was loaded must be discarded.
StateList seed_state(const Layer& network);
/// "optimizer/iteration", "optimizer/learning_rate", "optimizer/slot/0".
StateList optimizer_state(const Optimizer& optimizer);
/// True if optimizer_state's list, or values below `prefix`, contain slots.
bool has_slots(const StateList& list);
bool has_slots(const StateValues& values, const std::string& prefix = {});
/// Makes the optimizer's slots, as its first step does, if it has none yet and `values` contain some.
void make_slots_for(const ModelParts& parts, const StateValues& values);
/// "metrics/loss/total".
StateList metrics_state(const std::vector<NamedMetric>& metrics);
/// "step/...": the other variables carried from step to step; variables in `known` are left out.
StateList other_state(std::span<const Variable> carried, std::span<const Variable> known);

/// The variables of the first four lists.
std::vector<Variable> known_variables(const ModelParts& parts);

}  // namespace cornu::inline v0::keras
