#pragma once

#include <string>
#include <vector>

#include "cornu/keras/trainer/step_runner.h"
#include "cornu/tensor/trace/variable_claim.h"

namespace cornu::inline v0::keras {

/// The variables that a step changes, and those that its executions only read.
struct StepVariables {
  std::vector<Variable> written;
  std::vector<Variable> read;

  detail::VariableClaim::Variables all() const { return {.written = written, .read = read}; }
};

/// Of a step that runs op by op: all that such a step may change.
StepVariables variables_of(const StepRunner& step, const ModelParts& parts);

/// "[fit] of model \"m\"": how errors of other threads name a run that has a claim on variables.
std::string holder_of(const char* caller, const Layer& model);

}  // namespace cornu::inline v0::keras
