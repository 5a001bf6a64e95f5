#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/keras/base/handle.h"
#include "cornu/keras/callbacks/callback.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras::callbacks {

/// Base class of callbacks that monitor one log and compare its values.
///
/// `mode` is "min", "max" or "auto", which chooses by the metric's name. Numbers are compared as f32, as in
/// Keras.
/// Errors: InvalidArgument for another mode; in the first epoch if "auto" does not recognize the metric.
class MonitorCallback : public Callback {
 protected:
  MonitorCallback(StringArgument class_name, StringArgument monitor, StringArgument mode, double min_delta);

  const std::string& class_name() const { return class_name_; }
  const std::string& monitor() const { return monitor_; }
  /// Errors: InvalidArgument if "auto" does not recognize the metric. Called before the log is used.
  void require_direction() { (void)rises(); }
  /// The log's value; nullopt, with one warning in a run, if there is no such log.
  std::optional<double> value_of(const Logs& logs);
  /// True if `value` is better than `reference` by more than min_delta, or if there is no reference.
  bool is_improvement(double value, const std::optional<double>& reference);

 private:
  bool rises();

  std::string class_name_;
  std::string monitor_;
  std::string mode_;
  double min_delta_;
  std::optional<bool> rises_;
  bool warned_ = false;
};

struct EarlyStoppingOptions {  // options/callbacks.toml
  /// Name of the log to watch.
  std::string monitor = "val_loss";
  /// Smallest change that counts as an improvement.
  double min_delta = 0;
  /// Number of epochs without improvement after which the callback acts.
  std::int64_t patience = 0;
  /// 1: prints a message when the callback acts; 0: silent.
  int verbose = 0;
  /// Direction of improvement: "min", "max", or "auto", which follows from the metric.
  std::string mode = "auto";
  /// Value that the log must improve on for patience to begin again; unset: its best so far.
  std::optional<double> baseline = {};
  /// True: the model gets the weights of its best epoch at the end.
  bool restore_best_weights = false;
  /// Number of epochs at the beginning that do not count.
  std::int64_t start_from_epoch = 0;
};

/// Ends training when a log has not improved for `patience` epochs.
class EarlyStopping : public MonitorCallback {
 public:
  explicit EarlyStopping(EarlyStoppingOptions options = {});
  explicit EarlyStopping(NoOptions) : EarlyStopping() {}

  /// The epoch in which it stopped the run, counted from 0; 0 if it did not.
  std::int64_t stopped_epoch() const { return stopped_epoch_; }
  std::int64_t best_epoch() const { return best_epoch_; }
  std::optional<double> best() const { return best_; }
  std::int64_t wait() const { return wait_; }

  void on_train_begin() override;
  void on_epoch_end(std::int64_t epoch, Logs& logs) override;
  void on_train_end(Logs& logs) override;
  StateList state() override;
  bool has_ended_training() const override { return stopped_epoch_ > 0 && wait_ >= options_.patience; }

 private:
  EarlyStoppingOptions options_;
  std::int64_t wait_ = 0;
  std::int64_t stopped_epoch_ = 0;
  std::int64_t best_epoch_ = 0;
  std::optional<double> best_;
  std::vector<Tensor> best_weights_;
};

struct ReduceLROnPlateauOptions {  // options/callbacks.toml
  /// Name of the log to watch.
  std::string monitor = "val_loss";
  /// Factor of the learning rate, in [0, 1).
  double factor = 0.1;
  /// Number of epochs without improvement after which the callback acts.
  std::int64_t patience = 10;
  /// 1: prints a message when the callback acts; 0: silent.
  int verbose = 0;
  /// Direction of improvement: "min", "max", or "auto", which follows from the metric.
  std::string mode = "auto";
  /// Smallest change that counts as an improvement.
  double min_delta = 1e-4;
  /// Number of epochs after a reduction in which patience does not count.
  std::int64_t cooldown = 0;
  /// Smallest learning rate.
  double min_lr = 0;
};

/// Multiplies the learning rate by `factor` when a log has not improved for `patience` epochs; adds
/// "learning_rate" to the logs.
///
/// With a MultiOptimizer it reduces the rate of each of its optimizers and logs "learning_rate_NAME" for each,
/// as in Keras.
/// Errors: InvalidArgument unless 0 <= factor < 1.
class ReduceLROnPlateau : public MonitorCallback {
 public:
  explicit ReduceLROnPlateau(ReduceLROnPlateauOptions options = {});
  explicit ReduceLROnPlateau(NoOptions) : ReduceLROnPlateau() {}

  void on_train_begin() override;
  void on_epoch_end(std::int64_t epoch, Logs& logs) override;
  StateList state() override;

 private:
  ReduceLROnPlateauOptions options_;
  std::optional<double> best_;
  std::int64_t wait_ = 0;
  std::int64_t cooldown_counter_ = 0;
};

}  // namespace cornu::inline v0::keras::callbacks
