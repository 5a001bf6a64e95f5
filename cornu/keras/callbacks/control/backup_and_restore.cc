#include "cornu/keras/callbacks/control/backup_and_restore.h"

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/io/file.h"
#include "cornu/keras/files/chief_state.h"
#include "cornu/keras/files/state_writer.h"
#include "cornu/keras/files/training_state.h"
#include "cornu/keras/models/model.h"
#include "cornu/runtime/collective.h"
#include "cornu/tensor/trace/replicas.h"

namespace cornu::inline v0::keras::callbacks {

BackupAndRestore::BackupAndRestore(BackupAndRestoreOptions options)
    : options_(std::move(options)), writer_(std::make_shared<StateWriter>()) {
  if (options_.backup_dir.empty())
    invalid_argument("[backup_and_restore] backup_dir must be the path of a folder; got none");
}

std::string BackupAndRestore::path() const {
  return (std::filesystem::path(options_.backup_dir) / "backup.state").string();
}

StateValues BackupAndRestore::resume_from() {
  batches_since_save_ = 0;
  if (cornu::detail::num_processes() == 1) return read_backup();
  return state_of_chief([this] { return read_backup(); });
}

StateValues BackupAndRestore::read_backup() const {
  std::error_code error;
  std::filesystem::create_directories(options_.backup_dir, error);
  if (error)
    fail(ErrorCode::kNotFound, "[backup_and_restore] cannot make the folder {}: {}", options_.backup_dir,
         error.message());
  io::WholeFile::remove_leftovers(path());
  if (!std::filesystem::exists(path(), error)) return {};
  return load_training_state(path());
}

std::int64_t BackupAndRestore::max_batches_per_call() const {
  return options_.save_freq.batches() > 0 ? options_.save_freq.batches() : Callback::max_batches_per_call();
}

void BackupAndRestore::on_train_begin() {
  was_stopped_ = false;
  if (options_.exit_on_sigterm) termination_ = std::make_shared<TerminationScope>();
}

void BackupAndRestore::end_if_asked() {
  if (termination_ == nullptr || !termination_->is_requested()) return;
  writer_->write(path(), model()->training_state());
  writer_->wait();
  std::exit(kRestartExitCode);
}

void BackupAndRestore::on_train_batch_end(const BatchRange& batches, LazyLogs&) {
  end_if_asked();
  if (options_.save_freq.batches() == 0) return;
  batches_since_save_ += batches.count;
  if (batches_since_save_ < options_.save_freq.batches()) return;
  batches_since_save_ = 0;
  writer_->write(path(), model()->training_state());
}

void BackupAndRestore::on_epoch_end(std::int64_t, Logs&) {
  end_if_asked();
  writer_->write(path(), model()->training_state());
}

void BackupAndRestore::on_train_stopped() {
  was_stopped_ = true;
  writer_->write(path(), model()->training_state());
}

void BackupAndRestore::on_train_end(Logs&) {
  termination_.reset();
  writer_->wait();
  if (!runtime::is_chief() || !options_.delete_checkpoint || was_stopped_) return;
  std::error_code ignored;
  std::filesystem::remove(path(), ignored);
}

void BackupAndRestore::on_abandon() noexcept {
  termination_.reset();
  try {
    writer_->wait();
  } catch (...) {
    return;  // the run's own error has more information
  }
}

StateList BackupAndRestore::state() { return {state_of("batches_since_save", batches_since_save_)}; }

}  // namespace cornu::inline v0::keras::callbacks
