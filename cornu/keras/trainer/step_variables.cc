#include "cornu/keras/trainer/step_variables.h"

#include <fmt/format.h>

#include "cornu/keras/trainer/compiled_step.h"
#include "cornu/keras/trainer/model_state.h"

namespace cornu::inline v0::keras {

StepVariables variables_of(const StepRunner& step, const ModelParts& parts) {
  if (const CompiledStep* const program = step.compiled())
    return {.written = program->traced().state, .read = program->traced().fixed};
  StepVariables found;
  if (step.key().kind == ProgramKind::kTrain) {
    found.written = known_variables(parts);
    const Variable& rate = parts.optimizer->learning_rate_variable();  // other threads may set it
    if (rate.defined()) found.read.push_back(rate);
    std::erase(found.written, rate);
  }
  if (step.key().kind != ProgramKind::kTest) return found;
  for (const NamedMetric& named : parts.metrics)
    found.written.insert(found.written.end(), named.metric->variables().begin(),
                         named.metric->variables().end());
  return found;
}

std::string holder_of(const char* caller, const Layer& model) {
  return fmt::format("[{}] of model \"{}\"", caller, model.name());
}

}  // namespace cornu::inline v0::keras
