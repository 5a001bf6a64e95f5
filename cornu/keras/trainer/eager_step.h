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

/// A step that runs op by op on the rows of each batch, without padding: compile's run_eagerly.
///
/// The network's step is the one that is traced otherwise; its gradients come from a tape around the step.
/// With faults to look for, a step that faults leaves all variables as they were.
class EagerStep : public StepRunner, private FaultReceiver {
 public:
  EagerStep(ProgramKey key, const ModelParts& parts);

  const std::vector<LogSource>& logs() const override { return logs_; }
  std::int64_t run(const Batches& batches, runtime::Progress& progress) override;
  void hold_values() override;
  void let_go_of_values() override { held_.pop_back(); }
  void hold_as(const StepRunner& other) override {
    held_.push_back(dynamic_cast<const EagerStep&>(other).held_.back());
  }
  std::optional<StepFault> fault() const override { return fault_; }
  /// The generator that its first training step draws from; before that, the process's, if it has one.
  std::optional<DefaultGenerator> default_generator() const override {
    return has_trained_ && !draws_by_default_ ? std::nullopt : current_default_generator();
  }
  /// The outputs of a prediction for the last step's rows.
  const Tensors& outputs() const { return outputs_; }

 private:
  bool looks_for(FaultKind kind) const override;
  void report_traced(const FaultReport&) override {}  // in a function of the user's: nobody would read it
  void found(const FaultSite& site, std::int64_t position, const std::string& value) override;
  void run_step(const Batches& batches, std::int64_t step, const detail::AssignmentLog* assignments);

  const ModelParts& parts_;
  std::deque<detail::VariableValues> held_;  // values do not move: a step may begin another run
  std::vector<LogSource> logs_;
  Tensors outputs_;
  std::optional<StepFault> fault_;
  bool has_trained_ = false;  // the first step is looked at more closely
  bool draws_by_default_ = false;
};

}  // namespace cornu::inline v0::keras
