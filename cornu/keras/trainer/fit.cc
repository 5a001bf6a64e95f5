#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/trainer/interrupt.h"
#include "cornu/keras/trainer/run_guard.h"
#include "cornu/keras/trainer/slow_callback.h"
#include "cornu/keras/trainer/trainer.h"

namespace cornu::inline v0::keras {

/// What one call of fit works with.
struct Trainer::FitRun {
  const FitOptions& options;
  ArrayData data;
  ArrayData validation;  // x empty: none
  std::int64_t batch_size;
  BatchOrder order;
  std::int64_t next_step = 0;  // in `order`
  std::int64_t num_steps = 0;  // of the epoch that runs
  std::shared_ptr<StepRunner> train;
  std::shared_ptr<StepRunner> test;
  BatchOrder validation_order{1};
  std::int64_t validation_steps = 0;
  callbacks::CallbackList* callbacks = nullptr;
  std::optional<SlowCallbackWatch> watch;
  LazyLogs logs;
  std::int64_t steps_run = 0;
  double train_seconds = 0;
  bool warned = false;
};

namespace {

void check_options(const FitOptions& options) {
  require_at_least_one(options.batch_size, "batch_size", "fit");
  require_at_least_one(options.steps_per_epoch, "steps_per_epoch", "fit");
  require_at_least_one(options.validation_steps, "validation_steps", "fit");
  require_at_least_one(options.validation_batch_size, "validation_batch_size", "fit");
  if (options.epochs < 0) invalid_argument("[fit] epochs must not be negative; got epochs = {}", options.epochs);
  if (options.initial_epoch < 0)
    invalid_argument("[fit] initial_epoch must not be negative; got initial_epoch = {}", options.initial_epoch);
  if (options.repeat && !options.steps_per_epoch.has_value())
    invalid_argument("[fit] repeat makes an endless stream: say with steps_per_epoch how many steps of it are an epoch");
  if (!options.class_weight.empty() && !options.sample_weight.empty())
    invalid_argument("[fit] class_weight and sample_weight exclude each other");
  if (options.repeat && options.row_order) invalid_argument("[fit] repeat and row_order exclude each other");
}

/// The training rows and, with validation_split, those set apart.
std::pair<ArrayData, ArrayData> split_rows(const ArrayData& all, const FitOptions& options) {
  if (!options.validation_data.x.empty() || options.validation_split == 0) return {all, {}};
  return split_for_validation(all, options.validation_split);
}

/// As the options say, before padding is cut down.
std::int64_t fit_batch_size(const FitOptions& options, std::int64_t num_rows) {
  return resolve_batch_size(options.batch_size, options.repeat ? std::nullopt : options.steps_per_epoch, num_rows);
}

/// A stream that is cut into full batches needs the batch as it is; otherwise padding is cut down.
std::int64_t fit_step_rows(const FitOptions& options, std::int64_t num_rows) {
  const std::int64_t batch_size = fit_batch_size(options, num_rows);
  if (!options.repeat) return program_batch_size(batch_size, num_rows);
  rows_of_steps(*options.steps_per_epoch, batch_size);  // refused now rather than in the first epoch
  return batch_size;
}

/// How many batches of a pass over the data come up in some epoch.
std::int64_t num_steps_of(const FitOptions& options, std::int64_t num_rows, std::int64_t batch_size) {
  const std::int64_t available = ceil_divide(num_rows, batch_size);
  if (!options.steps_per_epoch.has_value()) return available;
  const std::int64_t epochs = std::max<std::int64_t>(options.epochs - options.initial_epoch, 0);
  return *options.steps_per_epoch >= ceil_divide(available, std::max<std::int64_t>(epochs, 1)) ? available : 0;
}

std::int64_t scalar_value(const Variable& variable) { return static_cast<std::int64_t>(variable.read().at(0)); }

void read_logs_of(void* runner, Logs& logs) { static_cast<const StepRunner*>(runner)->read_logs(logs); }

std::size_t weight_bytes(const Layer& network) {
  std::size_t total = 0;
  for (const Variable& weight : network.weights()) total += weight.type().size_bytes();
  return total;
}

}  // namespace

callbacks::History Trainer::fit(Model* model, const Tensors& x, const Tensors& y, const FitOptions& options) {
  const auto claimed = claim(RunClaims::Beside::kNothing, "fit");
  require_compiled("fit");
  check_options(options);
  const ArrayData data = arranged(x, y, options.sample_weight, "fit");
  return with_memory_errors("fit", data.size_bytes(), weight_bytes(*network_), [&] { return fit_arrays(model, data, options); });
}

std::shared_ptr<const StepRunner> Trainer::prepare_train(const Tensors& x, const Tensors& y, const FitOptions& options) {
  const auto claimed = claim(RunClaims::Beside::kRunsAround, "train_program");
  require_compiled("fit");
  if (options_.run_eagerly)
    fail(ErrorCode::kFailedPrecondition, "[train_program] model \"{}\" was compiled with run_eagerly = true: its steps are not programs",
         network_->name());
  check_options(options);
  ArrayData data = arranged(x, y, options.sample_weight, "fit");
  PrepareGuard guard(*this);
  prepare(data, "fit", "y");
  ArrayData rows = split_rows(data, options).first;
  apply_class_weight(rows, options.class_weight, "fit");
  std::shared_ptr<StepRunner> made = runner(ProgramKind::kTrain, fit_step_rows(options, rows.num_rows()), rows, "fit");
  guard.keep();
  return made;
}

callbacks::History Trainer::fit_arrays(Model* model, ArrayData all, const FitOptions& options) {
  const RunScope scope(*this);
  const InterruptScope interrupt(interrupt_flags());
  PrepareGuard guard(*this);
  prepare(all, "fit", "y");
  auto [data, validation] = split_rows(all, options);
  apply_class_weight(data, options.class_weight, "fit");
  if (!options.validation_data.x.empty()) {
    validation =
        arranged(options.validation_data.x, options.validation_data.y, options.validation_data.sample_weight, "fit, validation_data");
    prepare(validation, "fit", "validation_data's y");
  }
  const std::int64_t num_rows = data.num_rows();
  const std::int64_t step_rows = fit_step_rows(options, num_rows);
  if (!options.repeat && !options.row_order)
    check_batches_of_states(*network_, num_rows, step_rows, num_steps_of(options, num_rows, step_rows), "fit");

  std::int64_t test_rows = 0;
  if (!validation.x.empty()) {
    const std::int64_t rows = validation.num_rows();
    test_rows = program_batch_size(options.validation_batch_size.value_or(fit_batch_size(options, num_rows)), rows);
    check_batches_of_states(*network_, rows, test_rows, options.validation_steps.value_or(ceil_divide(rows, test_rows)),
                            "fit, validation_data");
  }

  FitRun run{
      .options = options, .data = data, .validation = validation, .batch_size = step_rows, .order = BatchOrder(step_rows), .logs = {}};
  const int compiles_before = num_compiles_, from_cache_before = num_from_cache_;
  const double compile_seconds_before = compile_seconds_;
  run.train = runner(ProgramKind::kTrain, run.batch_size, data, "fit");
  run.logs = LazyLogs(&read_logs_of, run.train.get());
  if (!validation.x.empty()) {
    const std::int64_t rows = validation.num_rows();
    run.test = runner(ProgramKind::kTest, test_rows, validation, "fit");
    run.validation_order = BatchOrder(test_rows);
    run.validation_order.set_sequential(rows);
    run.validation_steps = std::min(options.validation_steps.value_or(run.validation_order.num_steps()), run.validation_order.num_steps());
    expect_steps(*run.test, run.validation_order, 0, run.validation_steps);  // while the first epoch trains
  }
  check_interrupted("fit");
  guard.keep();

  callbacks::CallbackList callbacks(options.callbacks,
                                    {.add_history = true,
                                     .add_progress_bar = options.verbose.level() != 0,
                                     .model = model,
                                     .params = {.verbose = options.verbose.level(),
                                                .epochs = options.epochs,
                                                .steps = options.steps_per_epoch.value_or(ceil_divide(num_rows, run.batch_size)),
                                                .progress = &progress_}});
  run.callbacks = &callbacks;
  run.watch.emplace(callbacks);
  with_callbacks(callbacks, [&] {
    callbacks.call([](callbacks::Callback& callback) { callback.on_train_begin(); });
    Logs logs;
    for (std::int64_t epoch = options.initial_epoch; epoch < options.epochs; ++epoch) {
      reset_metrics();
      callbacks.call([&](callbacks::Callback& callback) { callback.on_epoch_begin(epoch); });
      train_epoch(run, epoch);
      check_interrupted("fit");
      logs = run.logs.get();
      if (run.test != nullptr && options.validation_freq.is_due(epoch)) validate(run, logs);
      check_interrupted("fit");
      callbacks.call([&](callbacks::Callback& callback) { callback.on_epoch_end(epoch, logs); });
      if (stop_training()) break;
    }
    check_interrupted("fit");
    callbacks::History& history = *callbacks.history();
    history.compile_seconds = compile_seconds_ - compile_seconds_before;
    history.num_compiles = num_compiles_ - compiles_before;
    history.num_from_cache = num_from_cache_ - from_cache_before;
    history.steps_per_execution = train_tuner_.steps();
    history.num_steps = run.steps_run;
    history.train_seconds = run.train_seconds;
    parts_.optimizer->finalize_variable_values(parts_.trainable);
    callbacks.call([&](callbacks::Callback& callback) { callback.on_train_end(logs); });
  });
  check_interrupted("fit");  // a Ctrl-C is never lost
  return *callbacks.history();
}

// A network that brings optimizers of its own leaves the compiled one at 0; then the steps that ran are counted here.
std::uint64_t Trainer::shuffle_position() const {
  const std::int64_t iterations = scalar_value(parts_.optimizer->iteration_variable());
  return static_cast<std::uint64_t>(iterations > 0 ? iterations : steps_trained_);
}

// Which rows the epoch's steps take. The shuffle's position is the number of steps trained so far: a fit that goes on where another stopped
// shuffles as if it had been one, and the same call on new data does not repeat itself.
void Trainer::plan_epoch(FitRun& run, std::int64_t epoch) {
  const FitOptions& options = run.options;
  const std::int64_t num_rows = run.data.num_rows();
  const std::uint64_t position = shuffle_position();
  if (options.repeat) {
    run.order.set_repeated(num_rows, *options.steps_per_epoch, options.shuffle, seed_, position);
    run.next_step = 0;
  } else if (options.row_order) {
    std::vector<std::int64_t> rows = options.row_order(epoch);
    if (rows.empty()) invalid_argument("[fit] row_order gave no rows for epoch {}", epoch);
    check_batches_of_states(*network_, static_cast<std::int64_t>(rows.size()), run.batch_size,
                            ceil_divide(static_cast<std::int64_t>(rows.size()), run.batch_size), "fit, row_order");
    run.order.set_rows(std::move(rows), num_rows);
    run.next_step = 0;
  } else if (run.next_step >= run.order.num_steps()) {  // the first epoch, or a pass has ended
    if (options.shuffle) {
      run.order.set_shuffled(num_rows, seed_, position);
    } else if (run.order.num_steps() == 0) {
      run.order.set_sequential(num_rows);
    }
    run.next_step = 0;
  }
  const std::int64_t left = run.order.num_steps() - run.next_step;
  run.num_steps = std::min(options.steps_per_epoch.value_or(left), left);
  if (options.steps_per_epoch.has_value() && run.num_steps < *options.steps_per_epoch && !run.warned) {
    run.warned = true;
    fmt::print(
        stderr,
        "warning: [fit] the data ran out after {} of {} steps of epoch {}; the epoch ends here. Give more rows, a smaller batch_size or "
        "steps_per_epoch, or .repeat = true to go through the data again.\n",
        run.num_steps, *options.steps_per_epoch, epoch + 1);
  }
}

void Trainer::train_epoch(FitRun& run, std::int64_t epoch) {
  const double start = seconds_now();
  plan_epoch(run, epoch);
  callbacks::CallbackList& callbacks = *run.callbacks;
  SlowCallbackWatch& watch = *run.watch;
  run.train->bind(run.data);
  double compiling = expect_steps(*run.train, run.order, run.next_step, run.num_steps);
  run.logs.invalidate();
  train_tuner_.set_limit(std::min(run.num_steps, callbacks.max_batches_per_call()));
  const bool tune = train_tuner_.is_auto();
  std::int64_t step = 0;  // in the epoch
  while (step < run.num_steps && !progress_.stop.load(std::memory_order_relaxed)) {
    const std::int64_t count = std::min(train_tuner_.steps(), run.num_steps - step);
    compiling += make_steps_ready(*run.train, run.order, run.next_step, count);
    const callbacks::BatchRange planned{step, step + count - 1, count};
    const bool timed = watch.begin_execution() || tune;
    watch.call([&](callbacks::Callback& callback) { callback.on_train_batch_begin(planned); });
    const double execution_start = timed ? seconds_now() : 0;
    const std::int64_t done = run.train->run(run.order, run.next_step, count, progress_);
    const double execution_seconds = timed ? seconds_now() - execution_start : 0;
    if (tune) train_tuner_.record(done, execution_seconds);
    if (parts_.faults.any()) check_fault(run, epoch, step);
    run.logs.invalidate();
    run.next_step += done;
    run.steps_run += done;
    steps_trained_ += done;
    if (done > 0) {
      const callbacks::BatchRange ran{step, step + done - 1, done};
      watch.call([&](callbacks::Callback& callback) { callback.on_train_batch_end(ran, run.logs); });
      if (watch.is_measuring()) {
        const std::string warning = watch.record(done, execution_seconds);
        if (!warning.empty()) fmt::print(stderr, "{}", warning);
      }
    }
    step += done;
    if (done < count) break;  // stopped
  }
  run.train_seconds += seconds_now() - start - compiling;
}

void Trainer::validate(FitRun& run, Logs& logs) {
  const Logs validation = run_test(*run.test, run.validation, run.validation_order, run.validation_steps, *run.callbacks, inner_progress_,
                                   "fit, validation_data");
  for (const auto& [name, value] : validation) logs.set("val_" + name, value);
  logs.sort_by_name();  // "weighted_mae" comes behind "val_mae", as in Keras
}

// `run.next_step` is still that of the execution's first step.
void Trainer::check_fault(FitRun& run, std::int64_t epoch, std::int64_t first_step) {
  const std::optional<StepFault> fault = run.train->fault();
  if (!fault.has_value()) return;
  steps_trained_ += fault->step;  // those before it hold
  throw_fault(*fault, {.caller = "fit",
                       .step = fmt::format(" in epoch {}, step {} of {}", epoch + 1, first_step + fault->step + 1, run.num_steps),
                       .data = run.data,
                       .rows = run.order.rows_of(run.next_step + fault->step)});
}

}  // namespace cornu::inline v0::keras
