#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cornu/keras/callbacks/callback.h"
#include "cornu/keras/callbacks/control/model_checkpoint.h"
#include "cornu/keras/callbacks/control/termination.h"

namespace cornu::inline v0::keras {
class StateWriter;
}

namespace cornu::inline v0::keras::callbacks {

struct BackupAndRestoreOptions {  // options/callbacks.toml
  /// Folder of the backup, one for each run; made if it does not exist.
  std::string backup_dir;
  /// "epoch", or a number of batches between saves.
  SaveFreq save_freq = "epoch";
  /// True: keeps the backup before the last one, too, from which the run continues if the last one is
  /// damaged; twice the space. Not for tables that several processes share.
  bool double_checkpoint = false;
  /// True: removes the backup at the end of training: after the last epoch, or when a callback such as
  /// EarlyStopping has ended it. The backup of a stopped run (set_stop_training, FitOptions::stop_token)
  /// stays, and the same call continues that run.
  bool delete_checkpoint = true;
  /// True: on SIGTERM, unless the program handles it, makes a backup after the current execution and ends the
  /// process by std::exit with the exit code kRestartExitCode, so that a supervisor starts it again. A second
  /// SIGTERM ends the process at once.
  bool exit_on_sigterm = true;
};

/// The exit code of a process that was stopped by SIGTERM and continues its run when it is started again:
/// EX_TEMPFAIL of sysexits.h.
inline constexpr int kRestartExitCode = 75;

/// Keeps a backup of a run of fit, from which the same call continues after a crash, a kill or a power cut:
///
///     model.fit(x, y, {.epochs = 100,
///                      .callbacks = {callbacks::BackupAndRestore({.backup_dir = "/backup/run1"})}});
///
/// The resumed run gives the bits of an uninterrupted one: the backup contains weights, optimizer, metrics,
/// random numbers, the positions in epoch and data, and the state of other callbacks (see
/// Model::training_state). Put it last among the callbacks. A thread writes backups during training; each is
/// written atomically. If several processes share the model's tables, each writes its own rows, and backup_dir
/// must be on a file system that all of them see.
/// Errors: InvalidArgument for an empty backup_dir, and, when fit begins, for a backup of another model or
///         call, with the difference; DataLoss for a damaged backup; errors of writing at the next backup or
///         at the end.
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

  /// The path of the backup file.
  std::string path() const;

 private:
  bool is_backup_of_several() const;
  /// The values in the file; empty if there is no file.
  StateValues read_backup() const;
  std::string previous_path() const;
  /// Begins to write the present state; with double_checkpoint the last backup keeps a second name.
  void write_backup();
  bool is_end_requested() const;
  /// If SIGTERM was received, makes a backup of the present state and ends the process.
  void end_if_asked();

  BackupAndRestoreOptions options_;
  std::int64_t batches_since_save_ = 0;
  bool was_stopped_ = false;
  bool is_shared_ = false;  // other processes hold parts of the model's tables
  std::shared_ptr<StateWriter> writer_;
  std::shared_ptr<TerminationScope> termination_;  // while fit runs
};

}  // namespace cornu::inline v0::keras::callbacks
