#pragma once

#include <cstdint>
#include <string>

#include "cornu/keras/callbacks/callback.h"
#include "cornu/keras/callbacks/control/model_checkpoint.h"
#include "cornu/keras/files/state_writer.h"

namespace cornu::inline v0::keras::callbacks {

struct BackupAndRestoreOptions {
  /// A folder of its own for each run; made if it is not there.
  std::string backup_dir;
  SaveFreq save_freq = "epoch";
  /// Removes the backup when fit has come to its end.
  bool delete_checkpoint = true;
};

/// Keeps a backup of a run of fit, from which the same call goes on after a crash, a kill or a power cut:
///
///     model.fit(x, y, {.epochs = 100, .callbacks = {callbacks::BackupAndRestore({.backup_dir = "/backup/run1"})}});
///
/// The run that goes on gives the bits that an uninterrupted one would have given: weights, optimizer, metrics,
/// random numbers, the place in epoch and data, and what other callbacks remember are all in the backup (see
/// Model::training_state). Put it last among the callbacks. Backups are written by a thread beside the training;
/// each is there whole or not at all.
/// Errors: InvalidArgument for an empty backup_dir; when fit begins, for a backup of another model or another
///         call, with the difference, and DataLoss for one that is damaged; those of writing at the next backup
///         or at the end.
class BackupAndRestore : public Callback {
 public:
  explicit BackupAndRestore(BackupAndRestoreOptions options);

  std::string name() const override { return "BackupAndRestore"; }
  StateValues resume_from() override;
  void on_train_batch_end(const BatchRange& batches, LazyLogs& logs) override;
  void on_epoch_end(std::int64_t epoch, Logs& logs) override;
  void on_train_end(Logs& logs) override;
  void on_abandon() noexcept override;
  std::int64_t max_batches_per_call() const override;
  StateList state() override;

  /// The file that holds the backup.
  std::string path() const;

 private:
  BackupAndRestoreOptions options_;
  std::int64_t batches_since_save_ = 0;
  std::shared_ptr<StateWriter> writer_;
};

}  // namespace cornu::inline v0::keras::callbacks
