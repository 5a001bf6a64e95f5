#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "cornu/keras/callbacks/callback_list.h"
#include "cornu/keras/callbacks/history.h"
#include "cornu/keras/trainer/batch_source.h"
#include "cornu/keras/trainer/evaluation_run.h"
#include "cornu/keras/trainer/executions_ahead.h"
#include "cornu/keras/trainer/fit_backup.h"
#include "cornu/keras/trainer/late_epochs.h"
#include "cornu/keras/trainer/slow_callback.h"
#include "cornu/keras/trainer/trainer_parts.h"
#include "cornu/keras/trainer/tuned_executions.h"

namespace cornu::inline v0::keras {

class Model;

/// The sources and steps of a run of fit. Lifetime: all that it refers to must outlive it.
struct FitWork {
  BatchSource& source;
  BatchSource* validation_source;     // null: none
  std::shared_ptr<StepRunner> train;  // the steps for the sources' batches
  std::shared_ptr<StepRunner> test;   // null: no validation
};

/// A position in a run of fit: an epoch, and the number of its steps that are done.
struct FitPosition {
  std::int64_t epoch = 0;
  std::int64_t step = 0;
};

/// Trains a model over the epochs of one call of fit: shuffles, executes, validates, calls the callbacks.
class FitRun {
 public:
  /// With resume_from it begins at the saved position. Errors: InvalidArgument, before anything changes, if
  /// that state does not fit.
  FitRun(TrainerParts& parts, Model* model, const FitOptions& options, FitWork work);
  FitRun(const FitRun&) = delete;
  FitRun& operator=(const FitRun&) = delete;

  /// The state from which this run and the model can continue: the current one, or, for a stopped run, the
  /// one at the stop.
  StateValues training_state();
  /// The same after the run has ended. Empty if training was complete, or if an error occurred in a step.
  StateValues take_stopped_state() { return std::move(stopped_state_); }

  /// `compiled_before`: the compile statistics at the call of fit.
  struct CompiledBefore {
    int num_compiles;
    int num_from_cache;
    double seconds;
  };
  callbacks::History run(const CompiledBefore& compiled_before);

 private:
  StateList state();
  StateList position_state();
  /// The logs of the epochs so far. A resumed run that has nothing left to do returns them, so that its
  /// History is not empty.
  StateList history_state();
  callbacks::History logged() const;
  void take_over_history();
  /// The body of run(), called inside with_callbacks.
  void run_to_end(const CompiledBefore& compiled_before);
  /// Saves the state at the stop. The rest of the run's end (validation, averaged weights, weights that
  /// callbacks restore) is not part of the training that a resumed run continues.
  void keep_stopped_state();
  /// True if a callback reports that training is complete.
  bool has_ended_training() const;
  std::uint64_t shuffle_position();
  void expect_passes();
  /// The number of validations in the epochs from `epoch` on; only the first thousand epochs are counted.
  std::int64_t validations_from(std::int64_t epoch) const;
  /// Runs the epochs and returns the logs of the last one.
  Logs run_epochs();
  /// Runs an epoch, or the rest of it; returns false if training ends with it. `resumed` is the state to
  /// begin with; null for the present state.
  bool run_epoch(const StateValues* resumed, Logs& logs);
  /// Waits for a lost device, or for a stop, and returns the values of the last backup, which the caller then
  /// loads. Errors: those of FitBackup::recover.
  const StateValues& recover(const Error& error);
  /// Ends a run that was stopped while it waited for its device, with the values of its last backup.
  void stop_at(const StateValues& values);
  /// Loads the state from which the run continues.
  void load(const StateValues& values);
  /// Makes the first backup, if backups are configured.
  void begin_backup();
  /// Makes a backup of the current state.
  void back_up();
  /// The variables of programs that state() does not hold.
  std::vector<Variable> other_variables();
  /// The point at which an epoch begins.
  enum class Begin {
    kWhole,   // at its first step
    kInside,  // after done steps, which the source skips
    kLoaded   // after done steps, at the source's loaded position
  };
  void begin_epoch(Begin begin);
  /// Returns false if the epoch's logs may still be on their way; late_ reports them.
  bool train_epoch(Begin begin);
  /// True if the next epoch can begin before the logs of this one are there: the device is still at work, and
  /// only a History and a progress bar wait for them.
  bool can_report_late() const;
  /// Leaves the logs of the submitted epoch to late_; returns false if that is not possible.
  bool report_late(std::int64_t first_step);
  /// Runs the next batches, at most `max_steps`; returns false if the epoch ends here. Adds the seconds spent
  /// compiling to `compiling`.
  bool execute(TunedExecutions& executions, std::int64_t max_steps, double& compiling);
  /// Ends a run that was stopped between two epochs, of which the last were not reported.
  void stop_after_late_epochs();
  /// Waits until the batches can run; returns false if the run was stopped meanwhile.
  bool make_ready(TunedExecutions& executions, const Batches& batches, double& compiling);
  /// The number of steps that the whole run still has, as far as it is known.
  double steps_left() const;
  /// Called with any error: if an execution on a device has failed, goes back to it and throws its error,
  /// which reports the number of steps done. Otherwise it returns.
  void throw_failure();
  void validate(Logs& logs);
  void check_fault(const Batches& batches);
  void warn_of_end(std::int64_t num_steps);

  TrainerParts& parts_;
  const FitOptions& options_;
  FitWork work_;
  BatchSource& source_;
  StepRunner& train_;
  std::optional<EvaluationRun> validation_;
  LazyLogs logs_;
  callbacks::CallbackList callbacks_;
  SlowCallbackWatch watch_;
  FitPosition position_;                   // the position from which the run continues
  std::optional<std::int64_t> num_steps_;  // of the current epoch, if known
  const Logs* ending_logs_ = nullptr;      // in on_epoch_end: the logs of the epoch that has ended
  callbacks::History history_before_;      // the history in the state that the run resumes from
  std::int64_t steps_run_ = 0;
  StateValues stopped_state_;     // empty until the run is stopped
  bool is_device_lost_ = false;   // true if the run was stopped before a lost device came back
  bool is_between_steps_ = true;  // true if position_ counts all steps done
  ExecutionsAhead ahead_;
  LateEpochs late_;
  /// The optimizer's counter of iterations as it was last read, and how far it goes on in each step.
  struct Iterations {
    std::int64_t value = 0;
    std::int64_t at_step = 0;  // steps_run_
    std::optional<std::int64_t> increment;
  };
  std::optional<Iterations> iterations_;
  double train_seconds_ = 0;
  bool warned_ = false;
  std::optional<FitBackup> backup_;
  std::uint64_t generation_;  // the client's session that holds the weights
};

}  // namespace cornu::inline v0::keras
