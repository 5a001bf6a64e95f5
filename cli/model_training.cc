#include "cli/model_training.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <memory>
#include <utility>

#include "cli/commands.h"
#include "cli/interruption.h"
#include "cornu/base/error.h"
#include "cornu/base/log_formatted.h"
#include "cornu/base/printable.h"
#include "cornu/keras/callbacks/control/backup_and_restore.h"
#include "cornu/keras/callbacks/control/monitor.h"
#include "cornu/keras/callbacks/progress_bar.h"
#include "cornu/keras/files/compile_config.h"
#include "cornu/keras/files/training_state.h"

namespace cornu::inline v0::cli {
namespace {

/// A backup that also has the last step before a signal.
class Backup final : public keras::callbacks::BackupAndRestore {
 public:
  explicit Backup(const std::string& folder)
      : BackupAndRestore({.backup_dir = folder, .exit_on_sigterm = false}) {}

  void on_train_batch_end(const keras::callbacks::BatchRange& batches, keras::LazyLogs& logs) override {
    BackupAndRestore::on_train_batch_end(batches, logs);
    if (Interruption::signal() != 0) last_ = model()->training_state();
  }
  /// After the backup that another thread may still write.
  void on_abandon() noexcept override {
    BackupAndRestore::on_abandon();
    if (last_.empty()) return;
    try {
      keras::save_training_state(path(), last_);
    } catch (const std::exception& error) {
      log_warning("[model] the backup is that of an earlier step: {}", error.what());
    }
  }

 private:
  keras::StateValues last_;
};

keras::CompileOptions compile_options_of(const keras::Model& model) {
  keras::CompileOptions options =
      keras::files::read_compile_config(model.get_compile_config(), keras::saving::KerasVersion(), model);
  options.optimizer = model.optimizer();
  return options;
}

/// Compiles again with the same optimizer and its state.
void stop_at_non_finite(keras::Model& model) {
  keras::CompileOptions options = compile_options_of(model);
  options.stop_on_nan = true;
  model.compile(options);
}

std::vector<keras::callbacks::CallbackEntry> callbacks_of(
    const TrainingOptions& options, std::vector<keras::callbacks::CallbackEntry> callbacks) {
  if (options.early_stopping.has_value())
    callbacks.emplace_back(
        keras::callbacks::EarlyStopping({.monitor = options.validation_split > 0 ? "val_loss" : "loss",
                                         .patience = *options.early_stopping,
                                         .restore_best_weights = true}));
  if (!options.backup.empty()) callbacks.emplace_back(std::make_shared<Backup>(options.backup));
  return callbacks;
}

/// Describes the results of an interrupted run.
std::string what_is_kept(const TrainingOptions& options, bool has_begun) {
  if (!has_begun) return "interrupted before the first step";
  std::string text = "interrupted";
  if (!options.save.empty())
    text += fmt::format("; {} has the weights after the last step that ended", printable(options.save));
  if (!options.backup.empty())
    text += fmt::format("; the same command goes on from the backup in {}", printable(options.backup));
  if (options.save.empty() && options.backup.empty())
    text += "; the trained weights are lost: there was no --save";
  return text;
}

/// A bar that is redrawn on a terminal, else a line for each epoch.
int verbose_here() { return keras::callbacks::terminal_progress_bar().redraw ? 1 : 2; }

}  // namespace

void add_compile_options(CLI::App& command, CompileChanges& changes, bool with_optimizer) {
  if (with_optimizer)
    command
        .add_option("--optimizer", changes.optimizer,
                    "Name of an optimizer, such as adam, in place of the file's; it starts without a state")
        ->type_name("NAME");
  command
      .add_option(
          "--loss", changes.loss,
          "Name of a loss, such as mse or sparse_categorical_crossentropy, in place of the file's; for "
          "several outputs names separated by commas")
      ->type_name("NAME")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--metrics", changes.metrics, "Names of metrics, separated by commas, such as accuracy")
      ->type_name("NAME")
      ->delimiter(',')
      ->allow_extra_args(false);
}

void compile_for(keras::Model& model, const CompileChanges& changes, const std::string& file) {
  if (model.compiled() && changes.empty()) return;
  if (!model.compiled() && changes.loss.empty())
    throw Error(ErrorCode::kFailedPrecondition,
                fmt::format("[model] {} has no optimizer and no loss: it was saved before compile(). Name "
                            "them, for example --optimizer adam --loss mse for numbers, or --loss "
                            "sparse_categorical_crossentropy for labels that are class ids",
                            file));
  keras::CompileOptions options = model.compiled() ? compile_options_of(model) : keras::CompileOptions();
  if (!changes.optimizer.empty()) options.optimizer = changes.optimizer;
  if (changes.loss.size() == 1) options.loss = changes.loss[0];
  if (changes.loss.size() > 1)
    options.loss = std::vector<keras::LossSpec>(changes.loss.begin(), changes.loss.end());
  if (!changes.metrics.empty())
    options.metrics = std::vector<keras::MetricSpec>(changes.metrics.begin(), changes.metrics.end());
  model.compile(options);
}

int train_and_save(keras::Model& model, const keras::Tensors& x, const keras::Tensors& y,
                   const TrainingOptions& options, std::vector<keras::callbacks::CallbackEntry> first) {
  if (options.save.empty())
    log_warning("[model] without --save the trained weights are lost when the program ends");
  stop_at_non_finite(model);
  if (options.learning_rate.has_value()) model.optimizer()->set_learning_rate(*options.learning_rate);
  std::vector<keras::callbacks::CallbackEntry> callbacks = callbacks_of(options, std::move(first));
  Interruption interruption;
  callbacks.push_back(interruption.watch());
  std::optional<Error> ended_by;
  try {
    model.fit(x, y,
              {.batch_size = options.batch_size,
               .epochs = options.epochs,
               .verbose = verbose_here(),
               .callbacks = std::move(callbacks),
               .validation_split = options.validation_split,
               .shuffle = options.shuffle,
               .steps_per_epoch = options.steps});
  } catch (const Error& error) {
    const bool is_interrupted = error.code() == ErrorCode::kCancelled;
    const bool has_good_weights =
        is_interrupted || (interruption.has_begun() && error.code() == ErrorCode::kDataLoss);
    if (!has_good_weights) throw;
    ended_by = error;
  }
  const bool has_trained = interruption.has_begun();
  if (!options.save.empty() && has_trained) model.save(options.save);
  if (!ended_by.has_value()) return 0;
  if (ended_by->code() == ErrorCode::kDataLoss)
    throw options.save.empty() ? *ended_by
                               : ended_by->with({.notes = fmt::format("{} has them", options.save)});
  print_error(what_is_kept(options, has_trained));
  return 128 + (Interruption::signal() == 0 ? SIGINT : Interruption::signal());
}

}  // namespace cornu::inline v0::cli
