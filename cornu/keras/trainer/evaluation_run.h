#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "cornu/keras/callbacks/callback_list.h"
#include "cornu/keras/trainer/batch_source.h"
#include "cornu/keras/trainer/executions_ahead.h"
#include "cornu/keras/trainer/late_logs.h"
#include "cornu/keras/trainer/trainer_parts.h"

namespace cornu::inline v0::keras {

/// An evaluation that was submitted, and whose results may still be on their way.
/// Lifetime: the step and the progress must outlive it.
class LateEvaluation {
 public:
  LateEvaluation(StepRunner& test, runtime::Progress& progress) : ahead_(test, progress) {}
  LateEvaluation(const LateEvaluation&) = delete;
  LateEvaluation& operator=(const LateEvaluation&) = delete;

  bool is_ready() const { return logs_ == nullptr || logs_->is_ready(); }
  /// Waits for the values of the metrics. Errors: that of the first execution that has failed.
  Logs get() {
    ahead_.finish();
    return logs_ == nullptr ? known_ : logs_->get();
  }

 private:
  friend class EvaluationRun;
  ExecutionsAhead ahead_;
  std::unique_ptr<LateLogs> logs_;
  Logs known_;  // if `logs_` is null
};

/// Evaluates a model, for evaluate() and for the validation of fit(): runs its test step over a source, with
/// metrics that begin at zero.
class EvaluationRun {
 public:
  /// `num_steps` is the most steps of the run; without it, the run takes the whole pass. Error messages begin
  /// with `caller` ("evaluate").
  /// Lifetime: `parts` and `source` must outlive this object.
  EvaluationRun(TrainerParts& parts, std::shared_ptr<StepRunner> test, BatchSource& source,
                std::optional<std::int64_t> num_steps, const char* caller)
      : parts_(parts), test_(std::move(test)), source_(source), wanted_steps_(num_steps), caller_(caller) {}

  /// Starts compiling what the run will need and does not have yet.
  void expect();
  /// Runs and returns the values of the metrics; warns and returns none if the source has no batch.
  /// `runs_after`: the number of such runs still planned, for which "auto" may compile another program.
  Logs run(callbacks::CallbackList& callbacks, runtime::Progress& progress, std::int64_t runs_after = 0);

  /// Runs without callbacks, and waits for nothing that the device does by itself. Returns null, after a
  /// warning, if the source has no batch.
  std::unique_ptr<LateEvaluation> begin(runtime::Progress& progress);

 private:
  /// Runs or submits all executions; returns the number of steps.
  std::int64_t execute(callbacks::CallbackList& callbacks, const runtime::Progress& progress,
                       std::int64_t runs_after, ExecutionsAhead& ahead, LazyLogs& lazy);
  void warn_of_no_batch();
  /// The number of steps of the current pass; nullopt if it is not known before the pass ends.
  std::optional<std::int64_t> num_steps() const;
  void check_fault(const Batches& batches, std::int64_t first_step) const;

  TrainerParts& parts_;
  std::shared_ptr<StepRunner> test_;
  BatchSource& source_;
  std::optional<std::int64_t> wanted_steps_;
  const char* caller_;
  bool warned_ = false;
};

}  // namespace cornu::inline v0::keras
