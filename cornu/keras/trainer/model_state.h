#pragma once

#include "cornu/keras/base/state.h"
#include "cornu/keras/network/network.h"
#include "cornu/keras/trainer/compiled_parts.h"

namespace cornu::inline v0::keras {

// What a compiled model keeps from step to step, as lists of state. Paths follow from where a thing stands in
// the model, by the class of the layers and not by their names: those of a model that is made again in the
// same program count on.

/// "model/dense_1/kernel": the weights and the random counters of all layers, the states of stateful ones.
StateList network_state(const Layer& network);
/// "model/dropout/seed_generator/seed": what random numbers follow from besides their counter. It is part of
/// programs: a program that was made before another seed was loaded must be forgotten.
StateList seed_state(const Layer& network);
/// "optimizer/iteration", "optimizer/learning_rate", "optimizer/slot/0".
StateList optimizer_state(const Optimizer& optimizer);
/// Whether there are slots among what optimizer_state gave, or among values, below `prefix`.
bool has_slots(const StateList& list);
bool has_slots(const StateValues& values, const std::string& prefix = {});
/// Makes the optimizer's slots, as its first step does, when it has none yet and values are there for some.
void make_slots_for(const ModelParts& parts, const StateValues& values);
/// "metrics/loss/total".
StateList metrics_state(const std::vector<NamedMetric>& metrics);
/// "step/...": what else is carried from step to step by these variables, those that are in `known` left out.
StateList other_state(std::span<const Variable> carried, std::span<const Variable> known);

/// The variables of the first four lists.
std::vector<Variable> known_variables(const ModelParts& parts);

}  // namespace cornu::inline v0::keras
