#include "cornu/keras/trainer/trainer.h"

#include "cornu/base/check.h"
#include "cornu/base/undefined.h"
#include "cornu/keras/base/variable_state.h"
#include "cornu/keras/trainer/fit_run.h"
#include "cornu/keras/trainer/trainer_state.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/random.h"
#include "cornu/tensor/trace/variable_parts.h"
#include "cornu/tensor/trace/variable_watcher.h"

namespace cornu::inline v0::keras {
namespace {

const std::shared_ptr<Layer>& defined(const std::shared_ptr<Layer>& layer) {
  require_defined(layer, Network::kHandleKind);
  return layer;
}

}  // namespace

Trainer::Trainer(const std::shared_ptr<Layer>& layer) : parts_(defined(layer)) {}

void Trainer::compile(const CompileOptions& options) {
  const auto& scope = detail::current_replica_set();
  if (scope != nullptr && scope != parts_.programs.replicas())
    fail(ErrorCode::kFailedPrecondition, {.argument = "scope"},
         "[compile] model \"{}\" was made outside the scope() of this {}: make the model inside it",
         network().name(), scope->strategy);
  const auto claimed = claim(ReentrancyGuard::Beside::kNothing, "compile");
  parts_.data_adapter.compile(options);
  parts_.programs.forget();
  parts_.programs.set_device();
  parts_.seed = options.seed.has_value() ? *options.seed : next_seed();
  const ExecutionTuner tuner(options.steps_per_execution.steps());
  parts_.tuners = {tuner, tuner, tuner};
  parts_.steps_trained = 0;
  stopped_state_.clear();
}

void Trainer::change_layers(const char* caller, const std::function<void()>& change) {
  const auto claimed = claim(ReentrancyGuard::Beside::kNothing, caller);
  change();
  parts_.data_adapter.forget();
  parts_.programs.forget();
  stopped_state_.clear();
}

StateValues Trainer::training_state() {
  const auto claimed = claim(ReentrancyGuard::Beside::kRunsAround, "training_state");
  parts_.data_adapter.require_compiled("training_state");
  if (fit_run_ != nullptr) return fit_run_->training_state();
  const StateList list = trainer_state(parts_);
  if (stopped_state_.empty()) return save_state(list);
  StateValues state = stopped_state_;
  for (const StateEntry& entry : list) {  // variables written since have their present values
    const Variable* const variable = variable_of(entry);
    if (variable == nullptr) continue;
    const auto differs = [&](const std::map<Variable::Id, std::uint64_t>& counts, std::uint64_t now) {
      const auto before = counts.find(variable->id());
      return before != counts.end() && before->second != now;
    };
    if (differs(writes_before_, variable->state().num_writes) ||
        differs(claims_before_, detail::num_claims_of(*variable)))
      state[entry.saved_path()] = entry.save();
  }
  return state;
}

void Trainer::reset_metrics() {
  const auto claimed = claim(ReentrancyGuard::Beside::kRunsAround, "reset_metrics");
  parts_.reset_metrics();
}

Logs Trainer::metrics_result() {
  const auto claimed = claim(ReentrancyGuard::Beside::kRunsAround, "get_metrics_result");
  std::vector<Variable> variables;
  for (const NamedMetric& named : metrics())
    variables.insert(variables.end(), named.metric->variables().begin(), named.metric->variables().end());
  const detail::HostScope on_host;
  const detail::VariableValues known(variables);
  const detail::ValuesScope values(known);
  Logs logs;
  for (const NamedMetric& named : metrics()) logs.set(named.name, named.metric->result());
  return logs;
}

}  // namespace cornu::inline v0::keras
