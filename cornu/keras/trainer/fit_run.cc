#include "cornu/keras/trainer/fit_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <utility>

#include "cornu/keras/trainer/run_guard.h"

namespace cornu::inline v0::keras {
namespace {

constexpr std::int64_t kUntilTheEnd = std::numeric_limits<std::int64_t>::max();

std::int64_t scalar_value(const Variable& variable) { return static_cast<std::int64_t>(variable.read().at(0)); }

}  // namespace

FitRun::FitRun(TrainerParts& parts, const FitOptions& options, FitSources& sources, std::shared_ptr<StepRunner> train,
               std::shared_ptr<StepRunner> test)
    : parts_(parts),
      options_(options),
      source_(*sources.train),
      train_(std::move(train)),
      logs_([](void* runner, Logs& logs) { static_cast<const StepRunner*>(runner)->read_logs(logs); }, train_.get()) {
  if (test == nullptr) return;
  validation_.emplace(parts, std::move(test), *sources.validation, options.validation_steps, "fit, validation_data");
  validation_->expect();  // while the first epoch trains
}

callbacks::History FitRun::run(Model* model, const CompiledBefore& compiled_before) {
  const std::optional<std::int64_t> num_steps = options_.steps_per_epoch.has_value() ? options_.steps_per_epoch : source_.num_steps();
  callbacks::CallbackList callbacks(options_.callbacks, {.add_history = true,
                                                         .add_progress_bar = options_.verbose.level() != 0,
                                                         .model = model,
                                                         .params = {.verbose = options_.verbose.level(),
                                                                    .epochs = options_.epochs,
                                                                    .steps = num_steps.value_or(0),
                                                                    .progress = &parts_.run_state.progress()}});
  callbacks_ = &callbacks;
  watch_.emplace(callbacks);
  with_callbacks(callbacks, [&] {
    callbacks.call([](callbacks::Callback& callback) { callback.on_train_begin(); });
    Logs logs = run_epochs();
    parts_.run_state.check_interrupted("fit");
    callbacks::History& history = *callbacks.history();
    history.compile_seconds = parts_.programs.compile_seconds() - compiled_before.seconds;
    history.num_compiles = parts_.programs.num_compiles() - compiled_before.num_compiles;
    history.num_from_cache = parts_.programs.num_from_cache() - compiled_before.num_from_cache;
    history.steps_per_execution = parts_.tuners.train.steps();
    history.num_steps = steps_run_;
    history.train_seconds = train_seconds_;
    const ModelParts& compiled = parts_.preparation.parts();
    compiled.optimizer->finalize_variable_values(compiled.trainable);
    callbacks.call([&](callbacks::Callback& callback) { callback.on_train_end(logs); });
  });
  parts_.run_state.check_interrupted("fit");  // a Ctrl-C is never lost
  return *callbacks.history();
}

Logs FitRun::run_epochs() {
  Logs logs;
  for (std::int64_t epoch = options_.initial_epoch; epoch < options_.epochs; ++epoch) {
    parts_.reset_metrics();
    callbacks_->call([&](callbacks::Callback& callback) { callback.on_epoch_begin(epoch); });
    train_epoch(epoch);
    parts_.run_state.check_interrupted("fit");
    logs = logs_.get();
    if (validation_.has_value() && options_.validation_freq.is_due(epoch)) validate(logs);
    parts_.run_state.check_interrupted("fit");
    callbacks_->call([&](callbacks::Callback& callback) { callback.on_epoch_end(epoch, logs); });
    if (parts_.run_state.stop_training()) break;
  }
  return logs;
}

// A network that brings optimizers of its own leaves the compiled one at 0; then the steps that ran are counted here.
std::uint64_t FitRun::shuffle_position() const {
  const std::int64_t iterations = scalar_value(parts_.preparation.parts().optimizer->iteration_variable());
  return static_cast<std::uint64_t>(iterations > 0 ? iterations : parts_.steps_trained);
}

void FitRun::begin_epoch(std::int64_t epoch) {
  source_.begin_epoch({.epoch = epoch, .seed = parts_.seed, .steps_trained = shuffle_position()});
  step_ = 0;
  num_steps_ = source_.num_steps_left();
  if (!options_.steps_per_epoch.has_value()) return;
  if (num_steps_.has_value() && *num_steps_ < *options_.steps_per_epoch) warn_of_end(epoch, *num_steps_);
  num_steps_ = std::min(num_steps_.value_or(kUntilTheEnd), *options_.steps_per_epoch);
}

void FitRun::warn_of_end(std::int64_t epoch, std::int64_t num_steps) {
  if (std::exchange(warned_, true)) return;
  fmt::print(
      stderr,
      "warning: [fit] the data ran out after {} of {} steps of epoch {}; the epoch ends here. Give more rows, a smaller batch_size or "
      "steps_per_epoch, or .repeat = true to go through the data again.\n",
      num_steps, *options_.steps_per_epoch, epoch + 1);
}

void FitRun::train_epoch(std::int64_t epoch) {
  const double start = seconds_now();
  begin_epoch(epoch);
  train_->bind();
  const std::int64_t limit = num_steps_.value_or(kUntilTheEnd);
  double compiling = parts_.programs.expect(*train_, source_.sizes_ahead(limit));
  logs_.invalidate();
  parts_.tuners.train.set_limit(std::min(limit, callbacks_->max_batches_per_call()));
  const runtime::Progress& progress = parts_.run_state.progress();
  while (step_ < limit && !progress.stop.load(std::memory_order_relaxed)) {
    if (!execute(epoch, limit - step_, compiling)) break;
  }
  train_seconds_ += seconds_now() - start - compiling;
}

bool FitRun::execute(std::int64_t epoch, std::int64_t max_steps, double& compiling) {
  ExecutionTuner& tuner = parts_.tuners.train;
  const Batches batches = source_.next(std::min(tuner.steps(), max_steps));
  const std::int64_t count = batches.num_steps;
  if (count == 0) {
    if (options_.steps_per_epoch.has_value()) warn_of_end(epoch, step_);
    return false;
  }
  compiling += parts_.programs.make_ready(*train_, batches);
  const callbacks::BatchRange planned{step_, step_ + count - 1, count};
  const bool timed = watch_->begin_execution() || tuner.is_auto();
  watch_->call([&](callbacks::Callback& callback) { callback.on_train_batch_begin(planned); });
  const double start = timed ? seconds_now() : 0;
  const std::int64_t done = train_->run(batches, parts_.run_state.progress());
  const double seconds = timed ? seconds_now() - start : 0;
  if (tuner.is_auto()) tuner.record(done, seconds);
  if (parts_.preparation.parts().faults.any()) check_fault(batches, epoch);
  logs_.invalidate();
  source_.advance(done);
  steps_run_ += done;
  parts_.steps_trained += done;
  const std::int64_t first = std::exchange(step_, step_ + done);
  if (done > 0) {
    const callbacks::BatchRange ran{first, first + done - 1, done};
    watch_->call([&](callbacks::Callback& callback) { callback.on_train_batch_end(ran, logs_); });
    if (watch_->is_measuring()) {
      const std::string warning = watch_->record(done, seconds);
      if (!warning.empty()) fmt::print(stderr, "{}", warning);
    }
  }
  return done == count;  // else stopped
}

void FitRun::validate(Logs& logs) {
  const Logs validation = validation_->run(*callbacks_, parts_.run_state.inner_progress());
  for (const auto& [name, value] : validation) logs.set("val_" + name, value);
  logs.sort_by_name();  // "weighted_mae" comes behind "val_mae", as in Keras
}

void FitRun::check_fault(const Batches& batches, std::int64_t epoch) {
  const std::optional<StepFault> fault = train_->fault();
  if (!fault.has_value()) return;
  parts_.steps_trained += fault->step;  // those before it hold
  throw_fault(*fault, {.caller = "fit",
                       .step = fmt::format(" in epoch {}, {}", epoch + 1, step_str(step_ + fault->step, num_steps_)),
                       .source = source_,
                       .batches = batches.part(fault->step, 1)});
}

}  // namespace cornu::inline v0::keras
