#include "cornu/keras/trainer/eager_step.h"

#include <algorithm>
#include <utility>

#include "cornu/tensor/gradient_tape.h"
#include "cornu/tensor/trace/replicas.h"

namespace cornu::inline v0::keras {
namespace {

std::vector<Variable> variables_of(const detail::AssignmentLog& log) {
  std::vector<Variable> variables;
  for (const auto& [variable, value] : log.assigned()) variables.push_back(variable);
  return variables;
}

}  // namespace

EagerStep::EagerStep(ProgramKey step_key, const ModelParts& parts)
    : StepRunner(std::move(step_key)), parts_(parts) {
  if (key().kind == ProgramKind::kPredict) return;
  for (const NamedMetric& named : parts.metrics)
    logs_.push_back({named.name, named.metric, {}});  // valid until a step has run
  std::sort(logs_.begin(), logs_.end(),
            [](const LogSource& a, const LogSource& b) { return a.name < b.name; });
}

bool EagerStep::looks_for(FaultKind kind) const {
  return kind == FaultKind::kIdOutOfRange ? parts_.faults.ids
                                          : parts_.faults.non_finite && key().kind == ProgramKind::kTrain;
}

void EagerStep::found(const FaultSite& site, std::int64_t position, const std::string& value) {
  fault_ = StepFault{.site = site, .step = 0, .batch_size = 0, .position = position, .value = value};
}

void EagerStep::hold_values() {
  held_.emplace_back(parts_.network->weights(),
                     detail::KnownValuesOptions{.hides_other_threads = true, .reads_devices = false});
}

void EagerStep::run_step(const Batches& batches, std::int64_t step,
                         const detail::AssignmentLog* assignments) {
  const std::span<const std::int64_t> rows = batches.rows_of(step);
  const StepData data =
      step_data(batches.arrays->gathered(rows.data(), static_cast<std::int64_t>(rows.size())), {});
  std::optional<detail::ValuesScope> values;
  if (!held_.empty()) values.emplace(held_.back());
  if (key().kind == ProgramKind::kPredict) {
    outputs_ = predict_step(parts_, data);
    return;
  }
  if (key().kind == ProgramKind::kTest) {
    logs_ = test_step(parts_, data, logs_);
    return;
  }
  GradientTape tape({.persistent = true});
  const detail::StepTapeScope scope(&tape);
  logs_ = train_step(parts_, data, logs_, [&] {
    return assignments == nullptr ? std::vector<Variable>() : variables_of(*assignments);
  });
  if (std::exchange(has_trained_, true)) return;
  std::vector<Variable> only_read = tape.watched_variables();
  const std::vector<Variable> assigned = variables_of(*assignments);
  draws_by_default_ = default_generator_of_step(assigned).has_value();
  std::erase_if(only_read, [&](const Variable& one) {
    return std::find(assigned.begin(), assigned.end(), one) != assigned.end();
  });
  refuse_untracked(*parts_.network, only_read);
}

std::int64_t EagerStep::run(const Batches& batches, runtime::Progress& progress) {
  progress.steps_done.store(0, std::memory_order_relaxed);
  fault_.reset();
  const FaultReceiver::Scope receiver(this);
  const detail::OneReplicaScope alone;
  for (std::int64_t step = 0; step < batches.num_steps; ++step) {
    if (progress.stop.load(std::memory_order_relaxed)) return step;
    std::optional<detail::AssignmentLog> assignments;
    if (parts_.faults.any() || !has_trained_) assignments.emplace();
    try {
      run_step(batches, step, assignments.has_value() ? &*assignments : nullptr);
    } catch (...) {
      if (assignments.has_value()) assignments->undo();
      if (!fault_.has_value()) throw;
      fault_->step = step;
      fault_->batch_size = batches.num_rows_of(step);
      return step;
    }
    progress.steps_done.store(step + 1, std::memory_order_relaxed);
  }
  return batches.num_steps;
}

}  // namespace cornu::inline v0::keras
