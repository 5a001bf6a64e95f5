#include "cornu/keras/trainer/fit_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <utility>

#include "cornu/keras/trainer/model_state.h"
#include "cornu/keras/trainer/run_guard.h"
#include "cornu/keras/trainer/trainer_state.h"

namespace cornu::inline v0::keras {
namespace {

std::int64_t scalar_value(const Variable& variable) {
  return static_cast<std::int64_t>(variable.read().at(0));
}

}  // namespace

namespace {

callbacks::CallbackList::Options callback_options(TrainerParts& parts, Model* model,
                                                  const FitOptions& options, const BatchSource& source) {
  const std::optional<std::int64_t> num_steps =
      options.steps_per_epoch.has_value() ? options.steps_per_epoch : source.num_steps();
  return {.add_history = true,
          .add_progress_bar = options.verbose.level() != 0,
          .model = model,
          .params = {.verbose = options.verbose.level(),
                     .epochs = options.epochs,
                     .steps = num_steps.value_or(0),
                     .progress = &parts.run_state.progress()}};
}

}  // namespace

FitRun::FitRun(TrainerParts& parts, Model* model, const FitOptions& options, FitWork work)
    : parts_(parts),
      options_(options),
      work_(std::move(work)),
      source_(work_.source),
      train_(*work_.train),
      logs_(train_),
      callbacks_(options.callbacks, callback_options(parts, model, options, source_)),
      watch_(callbacks_),
      position_{options.initial_epoch, options.initial_step} {
  if (!options.resume_from.empty()) {
    check_state(state(), options.resume_from, "fit");
    position_.epoch = options.resume_from.at("run/epoch").item<std::int64_t>();
    position_.step = options.resume_from.at("run/step").item<std::int64_t>();
  }
  if (work_.test == nullptr) return;
  validation_.emplace(parts, work_.test, *work_.validation_source, options.validation_steps,
                      "fit, validation_data");
  validation_->expect();  // while the first epoch trains
}

StateList FitRun::state() {
  StateList list = trainer_state(parts_);
  if (const ProgramStep* program = train_.compiled())
    append_state(list, "", other_state(program->traced().state, known_variables(parts_.preparation.parts())));
  append_state(list, "run/", {state_of("epoch", position_.epoch), state_of("step", position_.step)});
  append_state(list, "source/", source_.state());
  if (work_.validation_source != nullptr) append_state(list, "validation/", work_.validation_source->state());
  for (std::size_t i = 0; i < callbacks_.given().size(); ++i) {
    callbacks::Callback& callback = *callbacks_.given()[i];
    append_state(list, fmt::format("callbacks/{}/{}/", i, callback.name()), callback.state());
  }
  return list;
}

callbacks::History FitRun::run(const CompiledBefore& compiled_before) {
  with_callbacks(callbacks_, [&] {
    callbacks_.call([](callbacks::Callback& callback) { callback.on_train_begin(); });
    Logs logs = run_epochs();
    parts_.run_state.check_interrupted("fit");
    callbacks::History& history = *callbacks_.history();
    history.compile_seconds = parts_.programs.compile_seconds() - compiled_before.seconds;
    history.num_compiles = parts_.programs.num_compiles() - compiled_before.num_compiles;
    history.num_from_cache = parts_.programs.num_from_cache() - compiled_before.num_from_cache;
    history.steps_per_execution = parts_.tuners.train.steps();
    history.num_steps = steps_run_;
    history.train_seconds = train_seconds_;
    const ModelParts& compiled = parts_.preparation.parts();
    compiled.optimizer->finalize_variable_values(compiled.trainable);
    callbacks_.call([&](callbacks::Callback& callback) { callback.on_train_end(logs); });
  });
  parts_.run_state.check_interrupted("fit");  // a Ctrl-C is never lost
  return *callbacks_.history();
}

// What is resumed from is loaded behind the hooks that begin anew what it holds, so that they do not undo it:
// inside an epoch that is on_epoch_begin too, which was called before it was saved.
Logs FitRun::run_epochs() {
  Logs logs;
  bool begins_inside = position_.step > 0;
  bool loads = !options_.resume_from.empty();
  if (loads && !begins_inside) {
    load_state(state(), options_.resume_from);
    loads = false;
  }
  while (position_.epoch < options_.epochs) {
    const std::int64_t epoch = position_.epoch;
    if (!begins_inside) parts_.reset_metrics();
    callbacks_.call([&](callbacks::Callback& callback) { callback.on_epoch_begin(epoch); });
    if (loads) load_state(state(), options_.resume_from);
    train_epoch(!begins_inside ? Begin::kWhole : loads ? Begin::kLoaded : Begin::kInside);
    begins_inside = loads = false;
    parts_.run_state.check_interrupted("fit");
    if (position_.step == 0 && !parts_.run_state.stop_training()) {
      fmt::print(stderr, "warning: [fit] the data ran out before epoch {} of {}; training ends here\n",
                 epoch + 1, options_.epochs);
      break;
    }
    logs = logs_.get();
    if (validation_.has_value() && options_.validation_freq.is_due(epoch)) validate(logs);
    parts_.run_state.check_interrupted("fit");
    position_ = {.epoch = epoch + 1, .step = 0};
    callbacks_.call([&](callbacks::Callback& callback) { callback.on_epoch_end(epoch, logs); });
    if (parts_.run_state.stop_training()) break;
  }
  return logs;
}

// A network that brings optimizers of its own leaves the compiled one at 0; then the steps that ran are
// counted here.
std::uint64_t FitRun::shuffle_position() const {
  // What is known of it after an execution saves a read.
  const detail::VariableValues unknown;
  const detail::ValuesScope values(steps_run_ > 0 ? train_.last_values() : unknown);
  const std::int64_t iterations = scalar_value(parts_.preparation.parts().optimizer->iteration_variable());
  return static_cast<std::uint64_t>(iterations > 0 ? iterations : parts_.steps_trained);
}

void FitRun::begin_epoch(Begin begin) {
  const std::uint64_t position = shuffle_position(), done = static_cast<std::uint64_t>(position_.step);
  if (begin == Begin::kWhole)
    source_.begin_epoch({.epoch = position_.epoch, .seed = parts_.seed, .steps_trained = position});
  if (begin == Begin::kInside) {
    source_.begin_epoch({.epoch = position_.epoch,
                         .seed = parts_.seed,
                         .steps_trained = position - std::min(position, done)});
    source_.skip(position_.step);
  }
  num_steps_ = source_.num_steps_left();
  if (num_steps_.has_value()) *num_steps_ += position_.step;
  if (!options_.steps_per_epoch.has_value()) return;
  if (num_steps_.has_value() && *num_steps_ < *options_.steps_per_epoch) warn_of_end(*num_steps_);
  num_steps_ = std::min(num_steps_.value_or(kUntilTheEnd), *options_.steps_per_epoch);
}

void FitRun::warn_of_end(std::int64_t num_steps) {
  if (std::exchange(warned_, true)) return;
  fmt::print(stderr,
             "warning: [fit] the data ran out after {} of {} steps of epoch {}; the epoch ends here. Give "
             "more rows, a smaller batch_size or "
             "steps_per_epoch, or .repeat = true to go through the data again.\n",
             num_steps, *options_.steps_per_epoch, position_.epoch + 1);
}

void FitRun::train_epoch(Begin begin) {
  const double start = train_.now();
  begin_epoch(begin);
  train_.bind();
  const std::int64_t limit = num_steps_.value_or(kUntilTheEnd);
  double compiling = parts_.programs.expect(train_, source_.sizes_ahead(limit - position_.step));
  logs_.invalidate();
  parts_.tuners.train.set_limit(std::min(limit, callbacks_.max_batches_per_call()));
  const runtime::Progress& progress = parts_.run_state.progress();
  while (position_.step < limit && !progress.stop.load(std::memory_order_relaxed)) {
    if (!execute(limit - position_.step, compiling)) break;
  }
  train_seconds_ += train_.now() - start - compiling;
}

bool FitRun::execute(std::int64_t max_steps, double& compiling) {
  ExecutionTuner& tuner = parts_.tuners.train;
  const Batches batches = source_.next(std::min(tuner.steps(), max_steps));
  const std::int64_t count = batches.num_steps;
  if (count == 0) {
    if (options_.steps_per_epoch.has_value()) warn_of_end(position_.step);
    return false;
  }
  compiling += parts_.programs.make_ready(train_, batches);
  const callbacks::BatchRange planned{position_.step, position_.step + count - 1, count};
  const bool timed = watch_.begin_execution() || tuner.is_auto();
  watch_.call([&](callbacks::Callback& callback) { callback.on_train_batch_begin(planned); });
  const double start = timed ? train_.now() : 0;
  const std::int64_t done = run_steps(batches);
  const double seconds = timed ? train_.now() - start : 0;
  if (tuner.is_auto()) tuner.record(done, seconds);
  if (parts_.preparation.parts().faults.any()) check_fault(batches);
  logs_.invalidate();
  source_.advance(done);
  steps_run_ += done;
  parts_.steps_trained += done;
  const std::int64_t first = std::exchange(position_.step, position_.step + done);
  if (done > 0) {
    const callbacks::BatchRange ran{first, first + done - 1, done};
    watch_.call([&](callbacks::Callback& callback) { callback.on_train_batch_end(ran, logs_); });
    if (watch_.is_measuring()) {
      const std::string warning = watch_.record(done, seconds);
      if (!warning.empty()) fmt::print(stderr, "{}", warning);
    }
  }
  return done == count;  // else stopped
}

std::int64_t FitRun::run_steps(const Batches& batches) {
  runtime::Progress& progress = parts_.run_state.progress();
  if (train_.key().placement.client()->is_addressable()) return train_.run(batches, progress);
  try {
    return train_.run(batches, progress);
  } catch (const Error& error) {
    const std::int64_t done = progress.steps_done.load(std::memory_order_relaxed);
    parts_.steps_trained += done;
    throw error.with(
        {.notes = fmt::format("in epoch {}, {}; all weights are as they were before that step",
                              position_.epoch + 1, step_str(position_.step + done, num_steps_))});
  }
}

void FitRun::validate(Logs& logs) {
  const Logs validation = validation_->run(callbacks_, parts_.run_state.inner_progress());
  for (const auto& [name, value] : validation) logs.set("val_" + name, value);
  logs.sort_by_name();  // "weighted_mae" comes behind "val_mae", as in Keras
}

void FitRun::check_fault(const Batches& batches) {
  const std::optional<StepFault> fault = train_.fault();
  if (!fault.has_value()) return;
  parts_.steps_trained += fault->step;  // those before it hold
  throw_fault(*fault, {.caller = "fit",
                       .step = fmt::format(" in epoch {}, {}", position_.epoch + 1,
                                           step_str(position_.step + fault->step, num_steps_)),
                       .source = source_,
                       .batches = batches.part(fault->step, 1)});
}

}  // namespace cornu::inline v0::keras
