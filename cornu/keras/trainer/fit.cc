#include <algorithm>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/base/divide_up.h"
#include "cornu/base/log_formatted.h"
#include "cornu/base/printable.h"
#include "cornu/keras/layer/row_states.h"
#include "cornu/keras/trainer/adapted_source.h"
#include "cornu/keras/trainer/array_source.h"
#include "cornu/keras/trainer/dataset_source.h"
#include "cornu/keras/trainer/fit_run.h"
#include "cornu/keras/trainer/interrupt.h"
#include "cornu/keras/trainer/model_state.h"
#include "cornu/keras/trainer/run_guard.h"
#include "cornu/keras/trainer/run_limits.h"
#include "cornu/keras/trainer/step_variables.h"
#include "cornu/keras/trainer/trainer.h"
#include "cornu/keras/trainer/trainer_state.h"
#include "cornu/tensor/trace/variable_parts.h"

namespace cornu::inline v0::keras {
namespace {

void check_options(const FitOptions& options) {
  require_at_least_one(options.batch_size, "batch_size", "fit");
  require_at_least_one(options.steps_per_epoch, "steps_per_epoch", "fit");
  require_at_least_one(options.validation_steps, "validation_steps", "fit");
  require_at_least_one(options.validation_batch_size, "validation_batch_size", "fit");
  if (options.epochs < 0)
    invalid_argument({.argument = "epochs"}, "[fit] epochs must not be negative; got epochs = {}",
                     options.epochs);
  if (options.initial_epoch < 0)
    invalid_argument({.argument = "initial_epoch"},
                     "[fit] initial_epoch must not be negative; got initial_epoch = {}",
                     options.initial_epoch);
  if (options.initial_step < 0)
    invalid_argument({.argument = "initial_step"},
                     "[fit] initial_step must not be negative; got initial_step = {}", options.initial_step);
  const ValidationData& validation = options.validation_data;
  if ((validation.source != nullptr) + (validation.dataset.stage() != nullptr) + !validation.x.empty() > 1)
    invalid_argument(
        "[fit] validation_data has several of arrays, a data set and a source; give one of them");
  if (options.repeat && !options.steps_per_epoch.has_value())
    invalid_argument(
        "[fit] repeat makes an endless stream: set steps_per_epoch to the number of its steps in an epoch");
  if (!options.class_weight.empty() && !options.sample_weight.empty())
    invalid_argument("[fit] class_weight and sample_weight exclude each other");
  if (options.repeat && options.row_order) invalid_argument("[fit] repeat and row_order exclude each other");
}

/// The training rows and, with validation_split, the validation rows.
std::pair<ArrayData, ArrayData> split_rows(const ArrayData& all, const FitOptions& options) {
  if (options.validation_data.is_set() || options.validation_split == 0) return {all, {}};
  return split_for_validation(all, options.validation_split);
}

/// The batch size of the options, before it is reduced to avoid padding.
std::int64_t fit_batch_size(const FitOptions& options, std::int64_t num_rows) {
  return resolve_batch_size(options.batch_size, options.repeat ? std::nullopt : options.steps_per_epoch,
                            num_rows);
}

/// The rows of a step of the program. The batch size is kept for a stream cut into full batches, and for an
/// order that may repeat rows; otherwise it may be reduced to avoid padding.
std::int64_t fit_step_rows(const FitOptions& options, std::int64_t num_rows) {
  const std::int64_t batch_size = fit_batch_size(options, num_rows);
  if (options.row_order) return batch_size;
  if (!options.repeat) return program_batch_size(batch_size, num_rows);
  rows_of_steps(*options.steps_per_epoch, batch_size);  // throw now rather than in the first epoch
  return batch_size;
}

/// The rows of a validation step, as in Keras: validation_batch_size, else batch_size, else the rows divided
/// by validation_steps; `otherwise` if none of them is given.
std::int64_t validation_batch_size(const FitOptions& options, std::int64_t num_rows, std::int64_t otherwise) {
  const std::optional<std::int64_t>& given =
      options.validation_batch_size.has_value() ? options.validation_batch_size : options.batch_size;
  if (!given.has_value() && !options.validation_steps.has_value()) return otherwise;
  return resolve_batch_size(given, options.validation_steps, num_rows);
}

/// The number of batches of a pass over the data that occur in some epoch.
std::int64_t num_steps_of(const FitOptions& options, std::int64_t num_rows, std::int64_t batch_size) {
  const std::int64_t available = divide_up(num_rows, batch_size);
  if (!options.steps_per_epoch.has_value()) return available;
  const std::int64_t epochs = std::max<std::int64_t>(options.epochs - options.initial_epoch, 0);
  return *options.steps_per_epoch >= divide_up(available, std::max<std::int64_t>(epochs, 1)) ? available : 0;
}

/// The source of the training rows, in the order of the options.
std::unique_ptr<BatchSource> train_source(ArrayData data, std::int64_t batch_size, const FitOptions& options,
                                          const Network& network) {
  ArrayOrder order{.shuffle = options.shuffle};
  if (options.repeat) order.repeat_steps = options.steps_per_epoch;
  if (options.row_order) {
    order.row_order = [&options, &network, batch_size](std::int64_t epoch) {
      std::vector<std::int64_t> rows = options.row_order(epoch);
      const auto num_rows = static_cast<std::int64_t>(rows.size());
      check_batches_of_states(network, num_rows, batch_size, divide_up(num_rows, batch_size),
                              "fit, row_order");
      return rows;
    };
  } else if (!options.repeat) {
    const std::int64_t num_rows = data.num_rows();
    check_batches_of_states(network, num_rows, batch_size, num_steps_of(options, num_rows, batch_size),
                            "fit");
  }
  return std::make_unique<ArraySource>(std::move(data), batch_size, std::move(order));
}

std::size_t weight_bytes(const Layer& network) {
  std::size_t total = 0;
  for (const Variable& weight : network.weights()) total += weight.type().size_bytes();
  return total;
}

}  // namespace

callbacks::History Trainer::fit(Model* model, const Tensors& x, const Tensors& y, const FitOptions& options) {
  const auto claimed = claim(ReentrancyGuard::Beside::kNothing, "fit");
  parts_.data_adapter.require_compiled("fit");
  check_options(options);
  const ArrayData data = parts_.data_adapter.arranged(x, y, options.sample_weight, "fit");
  return with_memory_errors("fit", data.size_bytes(), weight_bytes(network()),
                            [&] { return fit_arrays(model, data, options); });
}

std::shared_ptr<const StepRunner> Trainer::prepare_train(const Tensors& x, const Tensors& y,
                                                         const FitOptions& options) {
  const auto claimed = claim(ReentrancyGuard::Beside::kRunsAround, "train_program");
  DataAdapter& data_adapter = parts_.data_adapter;
  data_adapter.require_compiled("fit");
  if (data_adapter.options().run_eagerly)
    fail(ErrorCode::kFailedPrecondition,
         "[train_program] model \"{}\" was compiled with run_eagerly = true: its steps are not programs",
         network().name());
  check_options(options);
  ArrayData data = data_adapter.arranged(x, y, options.sample_weight, "fit");
  PrepareGuard guard(parts_);
  data_adapter.prepare(data, "fit", "y", options.class_weight);
  const ArrayData rows = split_rows(data, options).first;
  std::shared_ptr<StepRunner> made =
      parts_.programs.get(ProgramKind::kTrain, fit_step_rows(options, rows.num_rows()), rows, "fit");
  guard.keep();
  return made;
}

callbacks::History Trainer::fit(Model* model, BatchSource& source, const FitOptions& options) {
  const auto claimed = claim(ReentrancyGuard::Beside::kNothing, "fit");
  parts_.data_adapter.require_compiled("fit");
  check_options(options);
  refuse_options_of_sources({{"batch_size", options.batch_size.has_value()},
                             {"validation_split", options.validation_split != 0},
                             {"sample_weight", !options.sample_weight.empty()},
                             {"repeat", options.repeat},
                             {"row_order", static_cast<bool>(options.row_order)}},
                            "fit");
  return with_memory_errors("fit", 0, weight_bytes(network()),
                            [&] { return fit_source(model, source, options); });
}

callbacks::History Trainer::fit(Model* model, const data::Dataset& dataset, const FitOptions& options) {
  check_has_end(dataset, options.steps_per_epoch, "fit", "steps_per_epoch");
  FitOptions of_source = options;
  const std::unique_ptr<BatchSource> source = source_of_run(dataset, network(), of_source.batch_size, "fit");
  return fit(model, *source, of_source);
}

namespace {

/// The data that fit validates on.
class ValidationRows {
 public:
  /// `rows`: the rows of validation_split; `batch_size`: used if the options set neither a batch size nor a
  /// number of steps. Call under a guard.
  ValidationRows(TrainerParts& parts, ArrayData rows, const FitOptions& options, std::int64_t batch_size)
      : rows_(std::move(rows)) {
    const ValidationData& given = options.validation_data;
    DataAdapter& data_adapter = parts.data_adapter;
    if (given.source != nullptr || given.dataset.stage() != nullptr) {
      if (given.source != nullptr && options.validation_batch_size.has_value())
        invalid_argument(
            "[fit] validation_batch_size is for arrays and data sets: a source of batches sets this itself");
      if (given.source == nullptr) {
        const data::Dataset dataset(given.dataset.stage());
        check_has_end(dataset, options.validation_steps, kCaller, "validation_steps");
        dataset_ = make_dataset_source(dataset, {.caller = kCaller,
                                                 .from_start = true,
                                                 .one_by_one = keeps_row_states(parts.network()),
                                                 .batch_size = options.validation_batch_size});
      }
      arranged_.emplace(given.source != nullptr ? *given.source : *dataset_, data_adapter,
                        AdaptedSourceOptions{.caller = kCaller, .labels_name = kLabels});
      return;
    }
    if (!given.x.empty()) {
      rows_ = data_adapter.arranged(given.x, given.y, given.sample_weight, kCaller);
      data_adapter.prepare(rows_, kCaller, kLabels);
    }
    if (rows_.x.empty()) return;
    const std::int64_t num_rows = rows_.num_rows(),
                       step_rows =
                           program_batch_size(validation_batch_size(options, num_rows, batch_size), num_rows);
    check_batches_of_states(parts.network(), num_rows, step_rows,
                            options.validation_steps.value_or(divide_up(num_rows, step_rows)), kCaller);
    arrays_ = std::make_unique<ArraySource>(rows_, step_rows, ArrayOrder{.from_start = true});
  }

  /// Null: none.
  BatchSource* source() const { return arranged_.has_value() ? &arranged_->source() : arrays_.get(); }
  const ArrayData& examples() const { return arranged_.has_value() ? arranged_->examples() : rows_; }

 private:
  static constexpr const char* kCaller = "fit, validation_data";
  static constexpr const char* kLabels = "validation_data's y";

  ArrayData rows_;
  std::unique_ptr<BatchSource> arrays_;
  std::unique_ptr<BatchSource> dataset_;
  std::optional<AdaptedSource> arranged_;
};

}  // namespace

callbacks::History Trainer::fit_arrays(Model* model, ArrayData all, const FitOptions& options) {
  DataAdapter& data_adapter = parts_.data_adapter;
  return stoppable_fit(options, [&](FitStart& start) {
    data_adapter.prepare(all, "fit", "y", options.class_weight);
    auto [data, split_off] = split_rows(all, options);
    if (!options.class_weight.empty() && !split_off.x.empty()) {  // class weights do not apply to validation
      split_off.sample_weight = Tensors();
      data_adapter.prepare(split_off, "fit", "validation_split's y");
    }
    const std::int64_t num_rows = data.num_rows();
    const ValidationRows validation(parts_, std::move(split_off), options, fit_batch_size(options, num_rows));
    const std::unique_ptr<BatchSource> source =
        train_source(data, fit_step_rows(options, num_rows), options, network());
    return run_fit(model, options, {*source, data, validation.source(), validation.examples()}, start);
  });
}

callbacks::History Trainer::fit_source(Model* model, BatchSource& source, const FitOptions& options) {
  return stoppable_fit(options, [&](FitStart& start) {
    const AdaptedSource arranged(source, parts_.data_adapter,
                                 {.class_weight = options.class_weight, .caller = "fit", .labels_name = "y"});
    const ValidationRows validation(parts_, {}, options, source.batch_size());
    return run_fit(model, options, {source, arranged.examples(), validation.source(), validation.examples()},
                   start);
  });
}

callbacks::History Trainer::stoppable_fit(const FitOptions& options,
                                          const std::function<callbacks::History(FitStart& start)>& run) {
  RunState& state = parts_.run_state;
  const RunState::Scope scope(state, parts_.data_adapter.options().run_eagerly,
                              options.stop_token.as<std::stop_token>());
  const InterruptScope interrupt(state.interrupt_flags());
  if (state.stop_training()) return {};
  FitStart start{.guard = PrepareGuard(parts_), .stops_compiling = {}, .has_begun = false};
  start.stops_compiling.emplace(state);
  try {
    return run(start);
  } catch (const Error& error) {
    const bool is_stopped = state.stop_training() && !state.is_interrupted();
    if (start.has_begun || error.code() != ErrorCode::kCancelled || !is_stopped) throw;
    return {};
  }
}

namespace {

/// The options, with the state to resume from that a callback provides.
FitOptions with_resumed_state(const FitOptions& options) {
  FitOptions resumed = options;
  for (const callbacks::CallbackEntry& entry : options.callbacks) {
    if (!resumed.resume_from.empty()) break;
    if (entry.get() != nullptr) resumed.resume_from = entry.get()->resume_from();
  }
  return resumed;
}

/// Warns, as tf.keras does, if layers were frozen or unfrozen after the model had taken its trainable
/// weights.
void warn_of_changed_trainable(const ModelParts& parts) {
  if (parts.outputs.empty() || parts.network->trainable_weights() == parts.trainable) return;
  log_warning(
      "[fit] what is trainable in model \"{}\" has changed since it was first trained or evaluated; call "
      "compile() again for that to take effect",
      printable(parts.network->name()));
}

/// Applies config::max_epochs() and config::max_steps_per_epoch().
void limit_run(FitOptions& options, const BatchSource& source, const BatchSource* validation_source) {
  options.epochs = limited_epochs(options.epochs);
  options.steps_per_epoch = limited_steps(options.steps_per_epoch, source.num_steps(), "fit");
  if (validation_source != nullptr)
    options.validation_steps =
        limited_steps(options.validation_steps, validation_source->num_steps(), "fit, validation_data");
}

/// Renames the values of an older state to the present paths of these steps' state.
void rename_older_values(StateValues& values, const StepRunner& train, const ModelParts& parts) {
  const std::optional<DefaultGenerator> generator = train.default_generator();
  if (values.empty() || !generator.has_value() || train.compiled() == nullptr) return;
  values = with_older_counter(std::move(values), *generator, train.compiled()->traced().state,
                              known_variables(parts));
}

}  // namespace

callbacks::History Trainer::run_fit(Model* model, const FitOptions& given, const FitRows& rows,
                                    FitStart& start) {
  FitOptions options = with_resumed_state(given);
  limit_run(options, rows.source, rows.validation_source);
  StepCache& programs = parts_.programs;
  const FitRun::CompiledBefore before{programs.num_compiles(), programs.num_from_cache(),
                                      programs.compile_seconds()};
  if (options.backup.has_value())
    FitBackup::wait_for_lost(*options.backup, programs.placement(),
                             [this] { return parts_.run_state.is_stopped("fit"); });
  if (parts_.run_state.stop_training()) return {};
  SeedsResumed seeds(parts_, options.resume_from);
  FitWork work{.source = rows.source,
               .validation_source = rows.validation_source,
               .train = programs.get(ProgramKind::kTrain, rows.source, rows.examples, "fit"),
               .test = nullptr};
  if (rows.validation_source != nullptr)
    work.test = programs.get(ProgramKind::kTest, *rows.validation_source, rows.validation_examples, "fit");
  warn_of_changed_trainable(parts_.data_adapter.parts());
  rename_older_values(options.resume_from, *work.train, parts_.data_adapter.parts());
  const StepVariables variables = variables_of(*work.train, parts_.data_adapter.parts());
  const detail::VariableClaim claim(variables.all(), detail::OtherThreads::kAreRefused,
                                    holder_of("fit", network()));
  FitRun run(parts_, model, options, std::move(work));
  parts_.run_state.check_interrupted("fit");
  if (parts_.run_state.stop_training()) return {};
  start.guard.keep();
  seeds.keep();
  start.stops_compiling.reset();
  start.has_begun = true;
  stopped_state_.clear();
  struct Current {
    Trainer& trainer;
    FitRun& run;
    ~Current() {
      trainer.fit_run_ = nullptr;
      try {
        trainer.keep_stopped_state(run.take_stopped_state());
      } catch (const std::bad_alloc&) {
        trainer.stopped_state_.clear();
      }
    }
  } const current{*this, run};
  fit_run_ = &run;
  return run.run(before);
}

void Trainer::keep_stopped_state(StateValues state) {
  stopped_state_ = std::move(state);
  writes_before_.clear();
  claims_before_.clear();
  if (stopped_state_.empty()) return;
  for (const Variable& variable : known_variables(parts_.data_adapter.parts()))
    writes_before_.emplace(variable.id(), variable.state().num_writes);
  for (const std::vector<Variable>& trained :
       {parts_.data_adapter.network().weights(), parts_.data_adapter.parts().optimizer->variables()})
    for (const Variable& variable : trained)
      claims_before_.emplace(variable.id(), detail::num_claims_of(variable));
}

}  // namespace cornu::inline v0::keras
