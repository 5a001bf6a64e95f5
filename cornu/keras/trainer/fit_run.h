#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "cornu/keras/callbacks/callback_list.h"
#include "cornu/keras/callbacks/history.h"
#include "cornu/keras/trainer/batch_source.h"
#include "cornu/keras/trainer/evaluation_run.h"
#include "cornu/keras/trainer/fit_backup.h"
#include "cornu/keras/trainer/slow_callback.h"
#include "cornu/keras/trainer/trainer_parts.h"
#include "cornu/keras/trainer/tuned_executions.h"

namespace cornu::inline v0::keras {

class Model;

/// What a run of fit works on. Lifetime: that of all it refers to.
struct FitWork {
  BatchSource& source;
  BatchSource* validation_source;     // null: none
  std::shared_ptr<StepRunner> train;  // the steps for the sources' batches
  std::shared_ptr<StepRunner> test;   // null: no validation
};

/// A place in a run of fit: an epoch, and how many of its steps were done.
struct FitPosition {
  std::int64_t epoch = 0;
  std::int64_t step = 0;
};

/// Trains a model over the epochs of one call of fit: shuffles, executes, validates, calls the callbacks.
class FitRun {
 public:
  /// With resume_from it begins at that place. Errors: InvalidArgument, before anything changes, when that
  /// state does not fit.
  FitRun(TrainerParts& parts, Model* model, const FitOptions& options, FitWork work);
  FitRun(const FitRun&) = delete;
  FitRun& operator=(const FitRun&) = delete;

  /// All that this run and the model have to keep to go on here; of a run that was stopped, to go on where it
  /// was stopped.
  StateValues training_state();
  /// The same once the run has ended: empty if its training was over, or where an error came in a step.
  StateValues take_stopped_state() { return std::move(stopped_state_); }

  /// `compiled_before`: what had been compiled when fit was called.
  struct CompiledBefore {
    int num_compiles;
    int num_from_cache;
    double seconds;
  };
  callbacks::History run(const CompiledBefore& compiled_before);

 private:
  StateList state();
  StateList position_state();
  /// The logs of the epochs so far. A run that finds nothing left to do takes them over, so that its History
  /// is not empty.
  StateList history_state();
  callbacks::History logged() const;
  void take_over_history();
  /// What run() does inside with_callbacks.
  void run_to_end(const CompiledBefore& compiled_before);
  /// Keeps the state as it is: what else a run does at its end (validation, averages of weights, what
  /// callbacks restore) is not the training that another run goes on with.
  void keep_stopped_state();
  /// Whether a callback says that the training is over.
  bool has_ended_training() const;
  std::uint64_t shuffle_position() const;
  void expect_passes();
  /// How often the epochs from this one on validate; of a thousand of them, where there are more.
  std::int64_t validations_from(std::int64_t epoch) const;
  /// The logs of the last epoch.
  Logs run_epochs();
  /// Runs an epoch, or what is left of it; false when training ends with it. `resumed` is the state that it
  /// begins with; null where that is the present one.
  bool run_epoch(const StateValues* resumed, Logs& logs);
  /// Waits for a device that was lost, or for a stop, and puts the run back to its last backup, whose values
  /// are yet to be loaded. Errors: as FitBackup::recover.
  const StateValues& recover(const Error& error);
  /// Ends a run that was stopped while it waited for its device: with the values of its last backup.
  void stop_at(const StateValues& values);
  /// Loads the state that the run goes on from.
  void load(const StateValues& values);
  /// Makes the first backup, if there are to be any.
  void begin_backup();
  /// Makes a backup of the state as it is now.
  void back_up();
  /// The variables that programs work with and that are not in state().
  std::vector<Variable> other_variables();
  /// How an epoch begins.
  enum class Begin {
    kWhole,   // with its first step
    kInside,  // behind steps that were done: the source skips them
    kLoaded   // behind steps that were done: the source is in its place already
  };
  void begin_epoch(Begin begin);
  void train_epoch(Begin begin);
  /// Runs the next batches, `max_steps` at most; false when the epoch ends here. Adds the seconds that
  /// compiling took.
  bool execute(TunedExecutions& executions, std::int64_t max_steps, double& compiling);
  /// Waits until the batches can run; false where the run was stopped meanwhile.
  bool make_ready(TunedExecutions& executions, const Batches& batches, double& compiling);
  /// How many steps the whole run still has, as far as that is known.
  double steps_left() const;
  /// One execution. The error of a device that fails in it says how far it came.
  std::int64_t run_steps(const Batches& batches);
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
  FitPosition position_;                   // what the run goes on from
  std::optional<std::int64_t> num_steps_;  // of the epoch that runs, where they are known
  const Logs* ending_logs_ = nullptr;      // in on_epoch_end: of the epoch that has ended
  callbacks::History history_before_;      // that a state to resume from has
  std::int64_t steps_run_ = 0;
  StateValues stopped_state_;     // empty until it is stopped
  bool is_device_lost_ = false;   // and the run has been stopped before it came back
  bool is_between_steps_ = true;  // position_ says what was done
  double train_seconds_ = 0;
  bool warned_ = false;
  std::optional<FitBackup> backup_;
  std::uint64_t generation_;  // of the client's session that the weights are in
};

}  // namespace cornu::inline v0::keras
