#include "cornu/keras/callbacks/control/backup_and_restore.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/log_formatted.h"
#include "cornu/io/file.h"
#include "cornu/keras/files/chief_state.h"
#include "cornu/keras/files/state_writer.h"
#include "cornu/keras/files/training_state.h"
#include "cornu/keras/models/model.h"
#include "cornu/runtime/collective.h"
#include "cornu/tensor/trace/replicas.h"
#include "cornu/tensor/trace/variable_parts.h"

namespace cornu::inline v0::keras::callbacks {

BackupAndRestore::BackupAndRestore(BackupAndRestoreOptions options)
    : options_(std::move(options)), writer_(std::make_shared<StateWriter>()) {
  if (options_.backup_dir.empty())
    invalid_argument("[backup_and_restore] backup_dir must be the path of a folder; got none");
}

std::string BackupAndRestore::path() const {
  return (std::filesystem::path(options_.backup_dir) / "backup.state").string();
}

std::string BackupAndRestore::previous_path() const {
  return (std::filesystem::path(options_.backup_dir) / "previous.state").string();
}

StateValues BackupAndRestore::resume_from() {
  batches_since_save_ = 0;
  if (cornu::detail::num_processes() == 1) return read_backup();
  const bool is_shared = runtime::is_chief() && is_backup_of_several();
  if (runtime::joined_processes()->broadcast(is_shared ? 1 : 0) == 0)
    return state_of_chief([this] { return read_backup(); });
  return state_of_each([this] { return runtime::is_chief() ? read_backup() : load_training_state(path()); });
}

/// True if several processes have written the backup. Damage is an error of reading it.
bool BackupAndRestore::is_backup_of_several() const {
  try {
    return !generation_of_state(path()).empty();
  } catch (const Error&) {
    return false;
  }
}

StateValues BackupAndRestore::read_backup() const {
  std::error_code error;
  std::filesystem::create_directories(options_.backup_dir, error);
  if (error)
    fail(ErrorCode::kNotFound, "[backup_and_restore] cannot make the folder {}: {}", options_.backup_dir,
         error.message());
  io::WholeFile::remove_leftovers(path());
  if (options_.double_checkpoint && std::filesystem::exists(previous_path(), error)) {
    try {
      if (std::filesystem::exists(path(), error)) return load_training_state(path());
    } catch (const Error& damage) {
      log_warning("[backup_and_restore] the run continues from the backup before the last one: {}",
                  damage.what());
    }
    return load_training_state(previous_path());
  }
  remove_other_generations(path(), generation_of_state(path()));
  if (!std::filesystem::exists(path(), error)) return {};
  return load_training_state(path());
}

void BackupAndRestore::write_backup() {
  if (options_.double_checkpoint && runtime::is_chief()) {
    writer_->wait();
    std::error_code none_yet;
    std::filesystem::rename(path(), previous_path(), none_yet);
  }
  writer_->write(path(), model()->training_state());
}

std::int64_t BackupAndRestore::max_batches_per_call() const {
  return options_.save_freq.batches() > 0 ? options_.save_freq.batches() : Callback::max_batches_per_call();
}

/// True if this process received SIGTERM, or another one that holds parts of the model's tables: they write
/// the backup together.
bool BackupAndRestore::is_end_requested() const {
  const bool is_requested = termination_->is_requested();
  if (!is_shared_) return is_requested;
  const std::vector<std::uint64_t> all = runtime::joined_processes()->gather(is_requested ? 1 : 0);
  return std::ranges::any_of(all, [](std::uint64_t one) { return one != 0; });
}

void BackupAndRestore::on_train_begin() {
  was_stopped_ = false;
  is_shared_ = std::ranges::any_of(model()->weights(), cornu::detail::spans_processes);
  if (is_shared_ && options_.double_checkpoint)
    fail(ErrorCode::kUnimplemented,
         "[backup_and_restore] double_checkpoint is not for tables that several processes share");
  if (options_.exit_on_sigterm) termination_ = std::make_shared<TerminationScope>();
}

void BackupAndRestore::end_if_asked() {
  if (termination_ == nullptr || !is_end_requested()) return;
  write_backup();
  writer_->wait();
  std::exit(kRestartExitCode);
}

void BackupAndRestore::on_train_batch_end(const BatchRange& batches, LazyLogs&) {
  end_if_asked();
  if (options_.save_freq.batches() == 0) return;
  batches_since_save_ += batches.count;
  if (batches_since_save_ < options_.save_freq.batches()) return;
  batches_since_save_ = 0;
  write_backup();
}

void BackupAndRestore::on_epoch_end(std::int64_t, Logs&) {
  end_if_asked();
  write_backup();
}

void BackupAndRestore::on_train_stopped() {
  was_stopped_ = true;
  write_backup();
}

void BackupAndRestore::on_train_end(Logs&) {
  termination_.reset();
  writer_->wait();
  if (!runtime::is_chief() || !options_.delete_checkpoint || was_stopped_) return;
  std::error_code ignored;
  std::filesystem::remove(path(), ignored);
  if (options_.double_checkpoint) std::filesystem::remove(previous_path(), ignored);
  remove_other_generations(path(), "");
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
