#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cornu/keras/callbacks/control/monitor.h"

namespace cornu::inline v0::keras::callbacks {

/// The points at which a ModelCheckpoint saves: "epoch", at the end of each, or after a number of batches.
/// Errors: InvalidArgument for another string and for a number below 1.
class SaveFreq {
 public:
  SaveFreq(const char* word);
  SaveFreq(std::int64_t batches);
  SaveFreq(int batches) : SaveFreq(std::int64_t{batches}) {}
  /// 0: at the end of epochs.
  std::int64_t batches() const { return batches_; }

 private:
  std::int64_t batches_ = 0;
};

struct ModelCheckpointOptions {  // options/callbacks.toml
  /// Path; may contain names of logs, "{epoch}" and, with a save_freq in batches, "{batch}", which count from
  /// 1: "model_{epoch:02d}_{val_loss:.3f}.keras".
  std::string filepath;
  /// Name of the log to watch.
  std::string monitor = "val_loss";
  /// 1: prints a message when the callback acts; 0: silent.
  int verbose = 0;
  /// True: saves only when monitor has improved, so that a path without names is the best model. While there
  /// is no such log, or it is an array, each model is saved, with one warning, as in Keras.
  bool save_best_only = false;
  /// True: Model::save_weights instead of Model::save.
  bool save_weights_only = false;
  /// Direction of improvement: "min", "max", or "auto", which follows from the metric.
  std::string mode = "auto";
  /// "epoch", or a number of batches between saves.
  SaveFreq save_freq = "epoch";
  /// Value of monitor that the first saved model must improve on; unset: none.
  std::optional<double> initial_value_threshold = {};
};

/// Saves the model during training, in a thread: training waits only for the previous file. Each file is
/// written atomically. It is complete at the latest when fit() returns, when the next file is begun, or when
/// a backup of the run is made. The folder of the path is created if needed.
///
/// Errors: InvalidArgument for a path whose extension is not a format of Model::save (or save_weights), and,
///         when it saves, for a name in the path that is not a log; NotFound for a folder that cannot be
///         created; those of saving, which may be thrown at the next file or at the end.
class ModelCheckpoint : public MonitorCallback {
 public:
  explicit ModelCheckpoint(ModelCheckpointOptions options);

  std::optional<double> best() const { return best_; }

  void on_epoch_begin(std::int64_t epoch) override { epoch_ = epoch; }
  void on_train_batch_end(const BatchRange& batches, LazyLogs& logs) override;
  void on_epoch_end(std::int64_t epoch, Logs& logs) override;
  void on_train_end(Logs& logs) override;
  void on_abandon() noexcept override;
  std::int64_t max_batches_per_call() const override;
  /// Waits for the file being written: a run that resumes from a backup finds the files that the backup
  /// records as saved.
  StateList state() override;

 private:
  bool should_save(const Logs& logs);
  void save(const Logs& logs, std::optional<std::int64_t> batch);
  void wait();
  std::string path_for(const Logs& logs, std::optional<std::int64_t> batch) const;

  ModelCheckpointOptions options_;
  std::optional<double> best_;
  std::int64_t epoch_ = 0;
  std::int64_t batches_since_save_ = 0;
  bool warned_ = false;
  struct Writing;
  std::shared_ptr<Writing> writing_;  // the last destructor waits
};

}  // namespace cornu::inline v0::keras::callbacks
