#pragma once

#include <cstdint>
#include <string>

#include "cornu/keras/callbacks/callback.h"
#include "cornu/keras/callbacks/control/model_checkpoint.h"
#include "cornu/keras/callbacks/control/termination.h"
#include "cornu/keras/files/state_writer.h"

namespace cornu::inline v0::keras::callbacks {

struct BackupAndRestoreOptions {
  /// A folder of its own for each run; made if it is not there.
  std::string backup_dir;
  SaveFreq save_freq = "epoch";
  /// Removes the backup when the training is over: after the last epoch, or where a callback such as
  /// EarlyStopping has ended it. The backup of a run that was stopped (set_stop_training, FitOptions::
  /// stop_token) stays, and the same call goes on where that run was stopped.
  bool delete_checkpoint = true;
  /// SIGTERM, unless the program handles it itself: behind the execution that runs a backup is made and the
  /// process ends with the exit code kRestartExitCode, by std::exit. The machine is wanted back;
  /// whoever starts processes starts this one again. A second SIGTERM ends the process at once.
  bool exit_on_sigterm = true;
};

/// What a process ends with that a SIGTERM stopped and that goes on when it is started again:
/// EX_TEMPFAIL of sysexits.h.
inline constexpr int kRestartExitCode = 75;

/// Keeps a backup of a run of fit, from which the same call goes on after a crash, a kill or a power cut:
///
///     model.fit(x, y, {.epochs = 100,
///                      .callbacks = {callbacks::BackupAndRestore({.backup_dir = "/backup/run1"})}});
///
/// The run that goes on gives the bits that an uninterrupted one would have given: weights, optimizer,
/// metrics, random numbers, the place in epoch and data, and what other callbacks remember are all in the
/// backup (see Model::training_state). Put it last among the callbacks. Backups are written by a thread
/// beside the training; each is there whole or not at all.
/// Errors: InvalidArgument for an empty backup_dir; when fit begins, for a backup of another model or another
///         call, with the difference, and DataLoss for one that is damaged; those of writing at the next
///         backup or at the end.
class BackupAndRestore : public Callback {
 public:
  explicit BackupAndRestore(BackupAndRestoreOptions options);

  std::string name() const override { return "BackupAndRestore"; }
  StateValues resume_from() override;
  void on_train_begin() override;
  void on_train_batch_end(const BatchRange& batches, LazyLogs& logs) override;
  void on_epoch_end(std::int64_t epoch, Logs& logs) override;
  void on_train_stopped() override;
  void on_train_end(Logs& logs) override;
  void on_abandon() noexcept override;
  std::int64_t max_batches_per_call() const override;
  StateList state() override;

  /// The file that holds the backup.
  std::string path() const;

 private:
  /// What is in the file; nothing where there is none.
  StateValues read_backup() const;
  /// Ends the process, with a backup of the state as it is, if SIGTERM has come.
  void end_if_asked();

  BackupAndRestoreOptions options_;
  std::int64_t batches_since_save_ = 0;
  bool was_stopped_ = false;
  std::shared_ptr<StateWriter> writer_;
  std::shared_ptr<TerminationScope> termination_;  // while fit runs
};

}  // namespace cornu::inline v0::keras::callbacks
