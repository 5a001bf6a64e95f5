#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cornu/keras/trainer/compiled_parts.h"
#include "cornu/keras/trainer/step_runner.h"
#include "cornu/tensor/trace/variable_watcher.h"

namespace cornu::inline v0::keras {

/// A step that runs op by op on the rows of each batch, without padding (run_eagerly of compile).
///
/// It runs the same network step that is otherwise traced; gradients come from a tape around it. If the step
/// looks for faults, a step with a fault leaves all variables unchanged.
class EagerStep : public StepRunner, private FaultReceiver {
 public:
  EagerStep(ProgramKey key, const ModelParts& parts);

  const std::vector<LogSource>& logs() const override { return logs_; }
  std::int64_t run(const Batches& batches, runtime::Progress& progress) override;
  void hold_values() override;
  void release_values() override { held_.pop_back(); }
  void hold_as(const StepRunner& other) override {
    held_.push_back(dynamic_cast<const EagerStep&>(other).held_.back());
  }
  std::optional<StepFault> fault() const override { return fault_; }
  /// The generator that its first training step draws from; before that step, the process's generator, if
  /// there is one.
  std::optional<DefaultGenerator> default_generator() const override {
    return has_trained_ && !draws_by_default_ ? std::nullopt : current_default_generator();
  }
  /// The outputs of a prediction, for the rows of the last step.
  const Tensors& outputs() const { return outputs_; }

 private:
  bool looks_for(FaultKind kind) const override;
  void report_traced(const FaultReport&) override {}  // inside a user's function, which reads no faults
  void found(const FaultSite& site, std::int64_t position, const std::string& value) override;
  void run_step(const Batches& batches, std::int64_t step, const detail::AssignmentLog* assignments);

  const ModelParts& parts_;
  std::deque<detail::VariableValues> held_;  // elements must not move: a step may begin a run
  std::vector<LogSource> logs_;
  Tensors outputs_;
  std::optional<StepFault> fault_;
  bool has_trained_ = false;  // the first step gets more checks
  bool draws_by_default_ = false;
};

}  // namespace cornu::inline v0::keras
