#include "cornu/keras/trainer/fit_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/log_formatted.h"
#include "cornu/keras/base/variable_state.h"
#include "cornu/keras/trainer/model_state.h"
#include "cornu/keras/trainer/process_run.h"
#include "cornu/keras/trainer/run_guard.h"
#include "cornu/keras/trainer/state_counts.h"
#include "cornu/keras/trainer/trainer_state.h"
#include "cornu/runtime/distant_client.h"
#include "cornu/runtime/pass_listener.h"
#include "cornu/tensor/trace/variable_parts.h"

namespace cornu::inline v0::keras {
namespace {

std::int64_t scalar_value(const Variable& variable) {
  return static_cast<std::int64_t>(variable.read().at(0));
}

}  // namespace

namespace {

/// The number of the client's session that holds its buffers now; 0 for a local client.
std::uint64_t generation_of(runtime::Client& client) {
  return client.distant() == nullptr ? 0 : client.distant()->generation();
}

/// The state of the weights after an error. A lost device has lost the weights too, also if it was
/// reconnected; other failures leave the weights unchanged. `generation`: the session that held them.
const char* state_of_weights(const Error& error, runtime::Client& client, std::uint64_t generation) {
  if (generation_of(client) != generation) return "its weights are lost";
  const bool may_be_lost = error.code() == ErrorCode::kUnavailable;
  if (may_be_lost && client.has_lost_devices()) return "its weights are lost";
  if (may_be_lost && client.distant() != nullptr)
    return "its weights are lost, unless the worker is still there";
  return "all weights are as they were before that step";
}

callbacks::CallbackList::Options callback_options(TrainerParts& parts, Model* model,
                                                  const FitOptions& options, const BatchSource& source) {
  const std::optional<std::int64_t> num_steps =
      options.steps_per_epoch.has_value() ? options.steps_per_epoch : source.num_steps();
  return {.add_history = true,
          .add_progress_bar = shown_level(options.verbose) != 0,
          .model = model,
          .params = {.verbose = shown_level(options.verbose),
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
      position_{options.initial_epoch, options.initial_step},
      ahead_(train_, parts.run_state.progress()),
      late_(callbacks_),
      generation_(generation_of(*train_.key().placement.client())) {
  if (!options.resume_from.empty()) {
    // A compiled step has slots since its trace; a step that runs op by op has none yet.
    make_slots_for(parts.data_adapter.parts(), options.resume_from);
    check_state(state(), options.resume_from, "fit");
    position_.epoch = options.resume_from.at("run/epoch").item<std::int64_t>();
    position_.step = options.resume_from.at("run/step").item<std::int64_t>();
    is_between_steps_ = false;  // false until the state is loaded
  }
  if (work_.test == nullptr) return;
  validation_.emplace(parts, work_.test, *work_.validation_source, options.validation_steps,
                      "fit, validation_data");
  validation_->expect();  // compiles while the first epoch trains
}

StateList FitRun::state() {
  StateList list = trainer_state(parts_);
  std::vector<Variable> known = known_variables(parts_.data_adapter.parts());
  const std::optional<DefaultGenerator> generator = train_.default_generator();
  if (generator.has_value()) known.push_back(generator->counter);
  if (const CompiledStep* program = train_.compiled())
    append_state(list, "", other_state(program->traced().state, known));
  if (generator.has_value())
    append_state(list, "", default_generator_state(*generator, train_.compiled() == nullptr));
  append_state(list, "run/", position_state());
  append_state(list, "run/history/", history_state());
  append_state(list, "source/", source_.state());
  if (work_.validation_source != nullptr) append_state(list, "validation/", work_.validation_source->state());
  for (std::size_t i = 0; i < callbacks_.given().size(); ++i) {
    callbacks::Callback& callback = *callbacks_.given()[i];
    append_state(list, fmt::format("callbacks/{}/{}/", i, callback.name()), callback.state());
  }
  return list;
}

StateList FitRun::position_state() {
  StateEntry epoch = state_of("epoch", position_.epoch), step = state_of("step", position_.step);
  epoch.check = [](const Tensor& value) { return wrong_count(value, {}, "the epochs done"); };
  // An order of the caller's may make an epoch longer than a pass over the data.
  std::optional<std::int64_t> most = options_.steps_per_epoch;
  if (!most.has_value() && !options_.row_order) most = source_.num_steps();
  step.check = [most](const Tensor& value) {
    return wrong_count(value, most, "the steps done of the epoch");
  };
  // Older states record here that their run was stopped. The entry is ignored: a stop ends a run, not the
  // training.
  StateEntry stop{.path = "stop_training",
                  .type = {DType::kI64, {1}},
                  .save = [] { return Tensor(); },
                  .load = [](const Tensor&) {},
                  .is_optional = true};
  return {std::move(epoch), std::move(step), std::move(stop)};
}

callbacks::History FitRun::logged() const {
  callbacks::History all = *callbacks_.history();
  // The History callback runs after the callbacks that save states.
  const bool is_in_hooks = ending_logs_ != nullptr;
  if (is_in_hooks && (all.epoch.empty() || all.epoch.back() != position_.epoch - 1)) {
    Logs logs = *ending_logs_;
    all.on_epoch_end(position_.epoch - 1, logs);
  }
  return all;
}

StateList FitRun::history_state() {
  const auto all = std::make_shared<const callbacks::History>(logged());
  StateList list;
  list.push_back({.path = "epochs",
                  .type = {DType::kI64, {-1}},
                  .save =
                      [all] {
                        return all->epoch.empty() ? Tensor()
                                                  : state_words(std::span<const std::int64_t>(all->epoch));
                      },
                  .load =
                      [this](const Tensor& saved) {
                        if (saved.defined()) history_before_.epoch = saved.to_vector<std::int64_t>();
                      },
                  .is_optional = true});
  constexpr std::string_view kLogs = "logs/", kSavedLogs = "run/history/logs/";
  std::set<std::string> names;
  for (const auto& [name, values] : all->history) names.insert(name);
  for (const auto& [path, value] : options_.resume_from)
    if (path.starts_with(kSavedLogs)) names.insert(path.substr(kSavedLogs.size()));
  for (const std::string& name : names)
    list.push_back({.path = std::string(kLogs) + name,
                    .type = {DType::kF64, {-1}},
                    .save =
                        [all, name] {
                          return all->history.contains(name)
                                     ? state_words(std::span<const double>((*all)[name]))
                                     : Tensor();
                        },
                    .load =
                        [this, name](const Tensor& saved) {
                          if (saved.defined()) history_before_.history.set(name, saved.to_vector<double>());
                        },
                    .is_optional = true});
  return list;
}

void FitRun::take_over_history() {
  callbacks::History& history = *callbacks_.history();
  history.epoch = history_before_.epoch;
  for (const auto& [name, values] : history_before_.history)
    if (!history.contains(name)) history.history.set(name, values);
}

StateValues FitRun::training_state() { return stopped_state_.empty() ? save_state(state()) : stopped_state_; }

void FitRun::keep_stopped_state() {
  if (!stopped_state_.empty() || position_.epoch >= options_.epochs) return;
  const StateList list = state();
  std::vector<Variable> variables;
  for (const StateEntry& entry : list)
    if (const Variable* const variable = variable_of(entry)) variables.push_back(*variable);
  variables = detail::stored_here(variables);
  const detail::VariableValues values(variables, {.reads_devices = false});  // shared, without copies
  const detail::ValuesScope scope(values);
  stopped_state_ = save_state(list);
}

bool FitRun::has_ended_training() const {
  return std::ranges::any_of(callbacks_.given(),
                             [](const auto& callback) { return callback->has_ended_training(); });
}

callbacks::History FitRun::run(const CompiledBefore& compiled_before) {
  try {
    with_callbacks(callbacks_, [&] { run_to_end(compiled_before); });
  } catch (...) {
    try {
      if (is_between_steps_) keep_stopped_state();
    } catch (...) {
      stopped_state_.clear();  // the device is lost, or a callback's state() failed
    }
    throw;
  }
  parts_.run_state.check_interrupted("fit");  // a Ctrl-C is never lost
  return *callbacks_.history();
}

void FitRun::run_to_end(const CompiledBefore& compiled_before) {
  callbacks_.call([](callbacks::Callback& callback) { callback.on_train_begin(); });
  Logs logs = run_epochs();
  std::optional<detail::HostScope> on_host;
  if (is_device_lost_)
    on_host.emplace();  // finalize_variable_values and callbacks must not compute on the
                        // lost device
  parts_.run_state.check_interrupted("fit");
  callbacks::History& history = *callbacks_.history();
  history.compile_seconds = parts_.programs.compile_seconds() - compiled_before.seconds;
  history.num_compiles = parts_.programs.num_compiles() - compiled_before.num_compiles;
  history.num_from_cache = parts_.programs.num_from_cache() - compiled_before.num_from_cache;
  history.steps_per_execution = parts_.tuners.train.steps();
  history.num_steps = steps_run_;
  history.train_seconds = train_seconds_;
  if (!stopped_state_.empty())
    callbacks_.call([](callbacks::Callback& callback) { callback.on_train_stopped(); });
  callbacks_.call([](callbacks::Callback& callback) { callback.on_epochs_done(); });
  const ModelParts& compiled = parts_.data_adapter.parts();
  compiled.optimizer->finalize_variable_values(compiled.trainable);
  callbacks_.call([&](callbacks::Callback& callback) { callback.on_train_end(logs); });
}

void FitRun::expect_passes() {
  const std::int64_t epochs = options_.epochs - position_.epoch;
  const std::int64_t steps_of_pass = source_.num_steps().value_or(0);
  if (!options_.steps_per_epoch.has_value()) {
    source_.expect_passes(epochs);
  } else if (steps_of_pass > 0) {
    source_.expect_passes(static_cast<std::int64_t>(static_cast<double>(epochs) *
                                                    static_cast<double>(*options_.steps_per_epoch) /
                                                    static_cast<double>(steps_of_pass)));
  }
  // With validation_steps, a validation may not use all of its rows.
  if (work_.validation_source == nullptr || options_.validation_steps.has_value()) return;
  work_.validation_source->expect_passes(validations_from(position_.epoch));
}

std::int64_t FitRun::validations_from(std::int64_t epoch) const {
  constexpr std::int64_t kMostEpochs = 1000;
  const std::int64_t end = epoch + std::min(kMostEpochs, options_.epochs - epoch);
  std::int64_t validations = 0;
  for (; epoch < end; ++epoch) validations += options_.validation_freq.is_due(epoch) ? 1 : 0;
  return validations;
}

Logs FitRun::run_epochs() {
  Logs logs;
  const StateValues* resumed = options_.resume_from.empty() ? nullptr : &options_.resume_from;
  expect_passes();
  bool goes_on = position_.epoch < options_.epochs;
  if (resumed != nullptr && (!goes_on || position_.step == 0)) load(*std::exchange(resumed, nullptr));
  if (goes_on && !options_.resume_from.empty() && position_.step == 0 && has_ended_training()) {
    log_warning(
        "[fit] the training to resume was stopped after {} of {} epochs by a callback such as EarlyStopping, "
        "so no step runs; with more patience it goes on",
        position_.epoch, options_.epochs);
    goes_on = false;
  }
  if (!goes_on) take_over_history();
  while (goes_on) {
    try {
      goes_on = run_epoch(std::exchange(resumed, nullptr), logs) && position_.epoch < options_.epochs;
    } catch (const Error& error) {
      if (!backup_.has_value()) throw;
      resumed = &recover(error);
      goes_on = !parts_.run_state.stop_training();
      if (!goes_on) stop_at(*resumed);
    }
  }
  return logs;
}

const StateValues& FitRun::recover(const Error& error) {
  const StateValues& values =
      backup_->recover(error, *callbacks_.history(), [this] { return parts_.run_state.is_stopped("fit"); });
  generation_ = generation_of(*train_.key().placement.client());
  position_.epoch = values.at("run/epoch").item<std::int64_t>();
  position_.step = values.at("run/step").item<std::int64_t>();
  return values;
}

// Loads the values to the host: the device may not come back.
void FitRun::stop_at(const StateValues& values) {
  is_device_lost_ = true;
  load(values);
  stopped_state_ = values;
}

// The resumed state is loaded after the hooks that reset parts of it, so that they do not undo the loading.
// Inside an epoch these include on_epoch_begin, which the saved run had called before it saved. Variables
// lost with their worker are also loaded before on_epoch_begin, which may read them.
bool FitRun::run_epoch(const StateValues* resumed, Logs& logs) {
  const std::int64_t epoch = position_.epoch;
  const bool begins_inside = position_.step > 0;
  const bool is_loaded_inside = resumed != nullptr && begins_inside;
  if (resumed != nullptr && (!begins_inside || backup_.has_value())) load(*resumed);
  if (!is_loaded_inside) begin_backup();
  if (!begins_inside) parts_.reset_metrics();
  if (!late_.empty() && parts_.run_state.stop_training()) {
    stop_after_late_epochs();
    return false;
  }
  late_.begin(epoch);
  if (is_loaded_inside) {
    load(*resumed);
    begin_backup();
  }
  const bool has_ended = train_epoch(!begins_inside     ? Begin::kWhole
                                     : is_loaded_inside ? Begin::kLoaded
                                                        : Begin::kInside);
  parts_.run_state.check_interrupted("fit");
  if (!has_ended) {
    position_ = {.epoch = epoch + 1, .step = 0};
    return true;
  }
  if (position_.step == 0) {  // an epoch without steps is none
    if (!parts_.run_state.stop_training())
      log_warning("[fit] the data ran out before epoch {} of {}; training ends here", epoch + 1,
                  options_.epochs);
    return false;
  }
  logs = logs_.get();
  if (validation_.has_value() && options_.validation_freq.is_due(epoch)) validate(logs);
  parts_.run_state.check_interrupted("fit");
  position_ = {.epoch = epoch + 1, .step = 0};
  const bool was_stopped = !stopped_state_.empty();  // within the epoch
  {
    struct Ending {
      const Logs*& logs;
      ~Ending() { logs = nullptr; }
    } const ending{ending_logs_};
    ending_logs_ = &logs;
    callbacks_.call([&](callbacks::Callback& callback) { callback.on_epoch_end(epoch, logs); });
  }
  if (!parts_.run_state.stop_training()) return true;
  if (!has_ended_training())
    keep_stopped_state();
  else if (!was_stopped)
    stopped_state_.clear();
  return false;
}

void FitRun::load(const StateValues& values) {
  if (backup_.has_value()) backup_->load_variables();
  load_state(state(), values);
  is_between_steps_ = true;
  parts_.programs.forget_faults();  // the steps for other shapes of rows
  train_.forget_faults();
  if (work_.test != nullptr) work_.test->forget_faults();
}

void FitRun::begin_backup() {
  if (!options_.backup.has_value() || backup_.has_value()) return;
  backup_.emplace(*options_.backup, train_.key().placement);
  back_up();
}

void FitRun::back_up() {
  const std::uint64_t generation = backup_->generation();  // of the values read here or by `take`
  const std::vector<Variable> others = other_variables();
  std::vector<Variable> all = known_variables(parts_.data_adapter.parts());
  all.insert(all.end(), others.begin(), others.end());
  if (const CompiledStep* const train = train_.compiled())
    all.insert(all.end(), train->traced().state.begin(), train->traced().state.end());
  if (backup_->is_on_worker()) all.clear();
  try {
    const detail::VariableValues values(all);  // read together
    const detail::ValuesScope scope(values);
    backup_->take(generation, state(), others, *callbacks_.history());
  } catch (const Error& error) {
    if (backup_->is_loss(error)) throw;
    throw error.with(
        {.notes = fmt::format("fit ends with this error in epoch {} after {} steps, and the weights "
                              "are those after that step",
                              position_.epoch + 1, position_.step)});
  }
}

std::vector<Variable> FitRun::other_variables() {
  std::vector<Variable> others;
  const std::vector<Variable> known = known_variables(parts_.data_adapter.parts());
  const auto add = [&](std::span<const Variable> variables) {
    for (const Variable& variable : variables)
      if (!detail::is_part(variable) && std::find(known.begin(), known.end(), variable) == known.end() &&
          std::find(others.begin(), others.end(), variable) == others.end())
        others.push_back(variable);
  };
  if (const CompiledStep* const train = train_.compiled()) add(train->traced().fixed);
  if (const CompiledStep* const test = work_.test == nullptr ? nullptr : work_.test->compiled()) {
    add(test->traced().fixed);
    add(test->traced().state);
  }
  return others;
}

// A network with optimizers of its own leaves the iterations of the compiled optimizer at 0; the count of
// steps run is used then.
std::uint64_t FitRun::shuffle_position() {
  const Variable& counter = parts_.data_adapter.parts().optimizer->iteration_variable();
  if (late_.empty()) {
    // Values known since the last execution save a read.
    const detail::VariableValues unknown;
    const detail::ValuesScope values(steps_run_ > 0 ? train_.last_values() : unknown);
    iterations_ = {
        .value = scalar_value(counter), .at_step = steps_run_, .increment = train_.increment_of(counter)};
  }
  const std::int64_t iterations =
      iterations_->value + (steps_run_ - iterations_->at_step) * iterations_->increment.value_or(0);
  return static_cast<std::uint64_t>(iterations > 0 ? iterations : parts_.steps_trained);
}

void FitRun::begin_epoch(Begin begin) {
  const std::uint64_t position = shuffle_position(), done = static_cast<std::uint64_t>(position_.step);
  require_same_start(parts_.network(),
                     {.epoch = position_.epoch, .seed = parts_.seed, .steps_trained = position});
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
  log_warning(
      "[fit] the data ran out after {} of {} steps of epoch {}; the epoch ends here. Give more rows, a "
      "smaller batch_size or steps_per_epoch, or .repeat = true to go through the data again.",
      num_steps, *options_.steps_per_epoch, position_.epoch + 1);
}

bool FitRun::train_epoch(Begin begin) {
  const double start = train_.now();
  const std::int64_t first_step = steps_run_;
  bool has_ended = true;
  begin_epoch(begin);
  train_.bind();
  runtime::begin_pass(*train_.key().placement.client());
  const std::int64_t limit = num_steps_.value_or(kUntilTheEnd);
  double compiling = parts_.programs.expect(train_, source_.sizes_ahead(limit - position_.step));
  logs_.invalidate();
  TunedExecutions executions(parts_.tuners.train, train_, std::min(limit, callbacks_.max_batches_per_call()));
  const runtime::Progress& progress = parts_.run_state.progress();
  try {
    while (position_.step < limit && !progress.stop.load(std::memory_order_relaxed)) {
      if (!execute(executions, limit - position_.step, compiling)) break;
    }
    has_ended = !report_late(first_step);
    if (has_ended) {
      ahead_.finish();
      late_.report_all(position_.step);
    }
  } catch (const Error&) {
    throw_failure();
    throw;
  }
  if (progress.stop.load() && position_.step < limit) keep_stopped_state();
  train_seconds_ += train_.now() - start - compiling;
  return has_ended;
}

bool FitRun::can_report_late() const {
  const ModelParts& parts = parts_.data_adapter.parts();
  return ahead_.is_ahead() && position_.epoch + 1 < options_.epochs && !parts_.run_state.stop_training() &&
         !backup_.has_value() && !parts.faults.any() && !times_executions(parts_.tuners.train, train_) &&
         !times_executions(parts_.tuners.test, train_) && callbacks_.are_display_only() &&
         iterations_.has_value() && iterations_->increment.has_value() && detail::num_processes() == 1;
}

bool FitRun::report_late(std::int64_t first_step) {
  if (!can_report_late()) return false;
  LateEpoch epoch{.epoch = position_.epoch,
                  .first_step = first_step,
                  .num_steps = position_.step,
                  .logs = train_.begin_logs(),
                  .validation = nullptr};
  if (epoch.logs == nullptr) return false;
  const bool validates = validation_.has_value() && options_.validation_freq.is_due(position_.epoch);
  if (validates) {
    const double start = train_.now();
    epoch.validation = validation_->begin(parts_.run_state.inner_progress());
    train_seconds_ -= train_.now() - start;  // train_epoch() adds it
  }
  late_.push(std::move(epoch));
  return true;
}

void FitRun::stop_after_late_epochs() {
  try {
    ahead_.finish();
    late_.report_all(0);
  } catch (const Error&) {
    throw_failure();
    throw;
  }
  keep_stopped_state();
}

double FitRun::steps_left() const {
  const std::optional<std::int64_t> of_epoch = num_steps_.has_value() ? num_steps_ : source_.num_steps();
  if (!of_epoch.has_value() || *of_epoch == kUntilTheEnd) return std::numeric_limits<double>::infinity();
  const auto epochs = static_cast<double>(options_.epochs - position_.epoch);
  return epochs * static_cast<double>(*of_epoch) - static_cast<double>(position_.step);
}

bool FitRun::execute(TunedExecutions& executions, std::int64_t max_steps, double& compiling) {
  late_.report_ready(position_.step);
  const Batches batches = source_.next(std::min(executions.num_steps(), max_steps));
  const std::int64_t count = batches.num_steps;
  if (count == 0) {
    if (options_.steps_per_epoch.has_value()) warn_of_end(position_.step);
    return false;
  }
  if (!make_ready(executions, batches, compiling)) return false;
  const callbacks::BatchRange planned{position_.step, position_.step + count - 1, count};
  const bool is_watched = watch_.begin_execution();
  if (late_.empty())
    watch_.call([&](callbacks::Callback& callback) { callback.on_train_batch_begin(planned); });
  executions.begin(is_watched);
  is_between_steps_ = false;
  const std::int64_t done = ahead_.run(batches, steps_run_, executions.is_timed());
  const double seconds = executions.end(done, steps_left() - static_cast<double>(done));
  if (parts_.data_adapter.parts().faults.any()) check_fault(batches);
  logs_.invalidate();
  source_.advance(done);
  steps_run_ += done;
  parts_.steps_trained += done;
  const std::int64_t first = std::exchange(position_.step, position_.step + done);
  is_between_steps_ = true;
  if (done > 0 && late_.empty()) {
    const callbacks::BatchRange ran{first, first + done - 1, done};
    watch_.call([&](callbacks::Callback& callback) { callback.on_train_batch_end(ran, logs_); });
    if (watch_.is_measuring()) {
      const std::string warning = watch_.record(done, seconds);
      if (!warning.empty()) log_warning("[fit] {}", warning);
    }
  }
  if (backup_.has_value() && backup_->is_due(done)) {
    ahead_.finish();
    back_up();
  }
  return done == count;  // false: stopped
}

bool FitRun::make_ready(TunedExecutions& executions, const Batches& batches, double& compiling) {
  const RunState::StopsCompiling scope(parts_.run_state);
  try {
    compiling += executions.make_ready(parts_.programs, train_, batches);
    return true;
  } catch (const Error& error) {
    const bool is_stopped = parts_.run_state.stop_training() && !parts_.run_state.is_interrupted();
    if (error.code() != ErrorCode::kCancelled || !is_stopped) throw;
    return false;
  }
}

// The steps of the executions after it were counted when they were submitted.
void FitRun::throw_failure() {
  const std::optional<ExecutionsAhead::Failure> failure = ahead_.take_failure();
  if (!failure.has_value()) return late_.report_all(position_.step);
  const std::int64_t undone = steps_run_ - failure->first_step;
  position_.step -= undone;
  if (const std::optional<LateEpoch> late = late_.report_before(failure->first_step, position_.step)) {
    position_ = {.epoch = late->epoch, .step = failure->first_step - late->first_step};
    num_steps_ = late->num_steps;
  }
  steps_run_ -= undone;
  parts_.steps_trained += failure->steps_done - undone;
  is_between_steps_ = false;
  try {
    std::rethrow_exception(failure->error);
  } catch (const Error& error) {
    throw error.with(
        {.notes = fmt::format("in epoch {}, {}; {}", position_.epoch + 1,
                              step_str(position_.step + failure->steps_done, num_steps_),
                              state_of_weights(error, *train_.key().placement.client(), generation_))});
  }
}

void FitRun::validate(Logs& logs) {
  add_validation(
      validation_->run(callbacks_, parts_.run_state.inner_progress(), validations_from(position_.epoch + 1)),
      logs);
}

void FitRun::check_fault(const Batches& batches) {
  const std::optional<StepFault> fault = train_.fault();
  if (!fault.has_value()) return;
  parts_.steps_trained += fault->step;  // the steps before it stay done
  throw_fault(*fault, {.caller = "fit",
                       .step = fmt::format(" in epoch {}, {}", position_.epoch + 1,
                                           step_str(position_.step + fault->step, num_steps_)),
                       .source = source_,
                       .batches = batches.part(fault->step, 1)});
}

}  // namespace cornu::inline v0::keras
