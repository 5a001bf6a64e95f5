#pragma once

#include <string>
#include <vector>

#include "cornu/keras/trainer/step_runner.h"
#include "cornu/tensor/trace/variable_claim.h"

namespace cornu::inline v0::keras {

/// The variables that a step changes, and those that it only reads.
struct StepVariables {
  std::vector<Variable> written;
  std::vector<Variable> read;

  detail::VariableClaim::Variables all() const { return {.written = written, .read = read}; }
};

/// The variables of a step. For a step that runs op by op, `written` holds all variables that it may change.
StepVariables variables_of(const StepRunner& step, const ModelParts& parts);

/// "[fit] of model \"m\"": the name of a run that has a claim on variables, in errors of other threads.
std::string holder_of(const char* caller, const Layer& model);

}  // namespace cornu::inline v0::keras
