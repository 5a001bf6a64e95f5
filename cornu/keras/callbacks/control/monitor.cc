#include "cornu/keras/callbacks/control/monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/log_formatted.h"
#include "cornu/keras/models/model.h"
#include "cornu/runtime/collective.h"

namespace cornu::inline v0::keras::callbacks {

MonitorCallback::MonitorCallback(StringArgument class_name, StringArgument monitor, StringArgument mode,
                                 double min_delta)
    : class_name_(std::move(class_name)),
      monitor_(std::move(monitor)),
      mode_(std::move(mode)),
      min_delta_(std::fabs(min_delta)) {
  if (mode_ != "auto" && mode_ != "min" && mode_ != "max")
    invalid_argument({.argument = "mode"},
                     "[{}] mode must be \"auto\", \"min\" or \"max\"; got mode = \"{}\"", class_name_, mode_);
}

std::optional<double> MonitorCallback::value_of(const Logs& logs) {
  if (const LogValue* value = logs.find(monitor_)) {
    if (value->is_array())
      invalid_argument("[{}] \"{}\" is an array of shape {}; only a number can be watched", class_name_,
                       monitor_, ir::shape_str(value->tensor().shape()));
    return *value;
  }
  std::vector<std::string> names;
  for (const auto& [name, value] : logs) names.push_back(name);
  if (!warned_)
    log_warning("[{}] there is no log \"{}\" to watch; there are: {}", class_name_, monitor_,
                comma_separated(names));
  warned_ = true;
  return std::nullopt;
}

bool MonitorCallback::rises() {
  if (rises_.has_value()) return *rises_;
  if (mode_ != "auto") return *(rises_ = mode_ == "max");
  const std::string metric_name = monitor_.starts_with("val_") ? monitor_.substr(4) : monitor_;
  if (metric_name == "loss") return *(rises_ = false);
  if (has_model()) {
    const std::vector<MetricHandle> metrics = model()->metrics();
    const std::vector<std::string> names = model()->metrics_names();
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      const bool is_it = names[i] == metric_name || metrics[i]->name() == metric_name;
      if (is_it && metrics[i]->direction() != Metric::Direction::kNone)
        return *(rises_ = metrics[i]->direction() == Metric::Direction::kUp);
    }
  }
  invalid_argument(
      "[{}] the direction of \"{}\" does not follow from its name; set mode = \"min\" or \"max\"",
      class_name_, monitor_);
}

bool MonitorCallback::is_improvement(double value, const std::optional<double>& reference) {
  if (!reference.has_value()) return true;
  const auto limit = static_cast<float>(*reference);
  if (rises()) return static_cast<float>(value - min_delta_) > limit;
  return static_cast<float>(value + min_delta_) < limit;
}

EarlyStopping::EarlyStopping(EarlyStoppingOptions options)
    : MonitorCallback("early_stopping", options.monitor, options.mode, options.min_delta),
      options_(std::move(options)) {}

void EarlyStopping::on_train_begin() {
  wait_ = stopped_epoch_ = best_epoch_ = 0;
  best_.reset();
  best_weights_.clear();
}

void EarlyStopping::on_epoch_end(std::int64_t epoch, Logs& logs) {
  require_direction();
  const std::optional<double> current = value_of(logs);
  if (!current.has_value() || epoch < options_.start_from_epoch) return;
  if (options_.restore_best_weights && best_weights_.empty()) {
    best_weights_ = model()->get_weights();
    best_epoch_ = epoch;
  }
  ++wait_;
  if (is_improvement(*current, best_)) {
    best_ = current;
    best_epoch_ = epoch;
    if (options_.restore_best_weights) best_weights_ = model()->get_weights();
    if (is_improvement(*current, options_.baseline)) wait_ = 0;
    return;
  }
  if (wait_ >= options_.patience && epoch > 0) {
    stopped_epoch_ = epoch;
    model()->set_stop_training(true);
  }
}

void EarlyStopping::on_train_end(Logs&) {
  if (stopped_epoch_ > 0 && options_.verbose > 0 && runtime::is_chief())
    fmt::print("Epoch {}: early stopping\n", stopped_epoch_ + 1);
  if (!options_.restore_best_weights || best_weights_.empty()) return;
  if (options_.verbose > 0 && runtime::is_chief())
    fmt::print("Restoring model weights from the end of the best epoch: {}.\n", best_epoch_ + 1);
  model()->set_weights(best_weights_);
}

StateList EarlyStopping::state() {
  StateList list = {state_of("wait", wait_), state_of("stopped_epoch", stopped_epoch_),
                    state_of("best_epoch", best_epoch_), state_of("best", best_)};
  if (!options_.restore_best_weights) return list;
  const std::vector<Variable> weights = model()->weights();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    list.push_back({.path = fmt::format("best_weights/{}", i),
                    .type = weights[i].type(),
                    .save = [this, i] { return i < best_weights_.size() ? best_weights_[i] : Tensor(); },
                    .load =
                        [this, i](const Tensor& value) {
                          if (i == 0) best_weights_.clear();
                          if (value.defined()) best_weights_.push_back(value);
                        },
                    .is_optional = true});
  }
  return list;
}

namespace {

/// Reduces the optimizer's learning rate; false if it is at min_lr. `of`: " NAME" of one of several optimizers,
/// else empty.
bool reduce_rate(const Optimizer& optimizer, const ReduceLROnPlateauOptions& options, std::int64_t epoch,
                 const std::string& of) {
  const double rate = optimizer.learning_rate().item<double>();
  if (!(rate > static_cast<double>(static_cast<float>(options.min_lr)))) return false;
  const double reduced = std::max(rate * options.factor, options.min_lr);
  optimizer.set_learning_rate(reduced);
  if (options.verbose > 0 && runtime::is_chief())
    fmt::print("\nEpoch {}: ReduceLROnPlateau reducing{} learning rate to {}.\n", epoch + 1, of, reduced);
  return true;
}

}  // namespace

ReduceLROnPlateau::ReduceLROnPlateau(ReduceLROnPlateauOptions options)
    : MonitorCallback("reduce_lr_on_plateau", options.monitor, options.mode, options.min_delta),
      options_(std::move(options)) {
  if (!(options_.factor >= 0 && options_.factor < 1))
    invalid_argument({.argument = "factor"},
                     "[reduce_lr_on_plateau] factor must be at least 0 and below 1; got factor = {}",
                     options_.factor);
}

void ReduceLROnPlateau::on_train_begin() {
  best_.reset();
  wait_ = cooldown_counter_ = 0;
}

StateList ReduceLROnPlateau::state() {
  return {state_of("best", best_), state_of("wait", wait_), state_of("cooldown_counter", cooldown_counter_)};
}

void ReduceLROnPlateau::on_epoch_end(std::int64_t epoch, Logs& logs) {
  const OptimizerHandle optimizer = model()->optimizer();
  std::vector<std::shared_ptr<Optimizer>> each = optimizer->optimizers();
  const bool are_several = !each.empty();
  if (!are_several) each.push_back(optimizer.shared());
  for (const std::shared_ptr<Optimizer>& one : each)
    logs.set(are_several ? "learning_rate_" + one->name() : "learning_rate",
             one->learning_rate().item<double>());
  require_direction();
  const std::optional<double> current = value_of(logs);
  if (!current.has_value()) return;
  if (cooldown_counter_ > 0) {
    --cooldown_counter_;
    wait_ = 0;
  }
  if (is_improvement(*current, best_)) {
    best_ = current;
    wait_ = 0;
    return;
  }
  if (cooldown_counter_ > 0 || ++wait_ < options_.patience) return;
  bool is_reduced = false;
  for (const std::shared_ptr<Optimizer>& one : each)
    is_reduced = reduce_rate(*one, options_, epoch, are_several ? " " + one->name() : "") || is_reduced;
  if (!is_reduced) return;
  cooldown_counter_ = options_.cooldown;
  wait_ = 0;
}

}  // namespace cornu::inline v0::keras::callbacks
