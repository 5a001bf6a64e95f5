#include <memory>
#include <utility>

#include "cornu/base/divide_up.h"
#include "cornu/keras/trainer/adapted_source.h"
#include "cornu/keras/trainer/array_source.h"
#include "cornu/keras/trainer/dataset_source.h"
#include "cornu/keras/trainer/evaluation_run.h"
#include "cornu/keras/trainer/interrupt.h"
#include "cornu/keras/trainer/process_run.h"
#include "cornu/keras/trainer/run_guard.h"
#include "cornu/keras/trainer/run_limits.h"
#include "cornu/keras/trainer/trainer.h"

namespace cornu::inline v0::keras {

Logs Trainer::evaluate(Model* model, const Tensors& x, const Tensors& y, const EvaluateOptions& options) {
  const auto claimed = claim(ReentrancyGuard::Beside::kRunsAround, "evaluate");
  parts_.data_adapter.require_compiled("evaluate");
  require_at_least_one(options.batch_size, "batch_size", "evaluate");
  require_at_least_one(options.steps, "steps", "evaluate");
  const ArrayData data = parts_.data_adapter.arranged(x, y, options.sample_weight, "evaluate");
  return with_memory_errors("evaluate", data.size_bytes(), 0,
                            [&] { return evaluate_arrays(model, data, options); });
}

Logs Trainer::evaluate_arrays(Model* model, ArrayData data, const EvaluateOptions& options) {
  const RunState::Scope scope(parts_.run_state, parts_.data_adapter.options().run_eagerly);
  const InterruptScope interrupt(parts_.run_state.interrupt_flags());
  PrepareGuard guard(parts_);
  parts_.data_adapter.prepare(data, "evaluate", "y");
  const std::int64_t num_rows = data.num_rows();
  const std::int64_t batch_size =
      program_batch_size(resolve_batch_size(options.batch_size, options.steps, num_rows), num_rows);
  const std::int64_t available = divide_up(num_rows, batch_size);
  check_batches_of_states(network(), num_rows, batch_size, options.steps.value_or(available), "evaluate");
  const std::shared_ptr<StepRunner> test =
      parts_.programs.get(ProgramKind::kTest, batch_size, data, "evaluate");
  parts_.run_state.check_interrupted("evaluate");
  guard.keep();
  ArraySource source(std::move(data), batch_size);
  return run_test(model, source, test, steps_of_run(options.steps, available, "evaluate"), options,
                  scope.progress());
}

Logs Trainer::evaluate(Model* model, BatchSource& source, const EvaluateOptions& options) {
  const auto claimed = claim(ReentrancyGuard::Beside::kRunsAround, "evaluate");
  parts_.data_adapter.require_compiled("evaluate");
  require_at_least_one(options.steps, "steps", "evaluate");
  refuse_options_of_sources(
      {{"batch_size", options.batch_size.has_value()}, {"sample_weight", !options.sample_weight.empty()}},
      "evaluate");
  return with_memory_errors("evaluate", 0, 0, [&] {
    const RunState::Scope scope(parts_.run_state, parts_.data_adapter.options().run_eagerly);
    const InterruptScope interrupt(parts_.run_state.interrupt_flags());
    PrepareGuard guard(parts_);
    const AdaptedSource arranged(source, parts_.data_adapter, {.caller = "evaluate", .labels_name = "y"});
    const std::shared_ptr<StepRunner> test =
        parts_.programs.get(ProgramKind::kTest, source, arranged.examples(), "evaluate");
    parts_.run_state.check_interrupted("evaluate");
    guard.keep();
    return run_test(model, source, test, options.steps, options, scope.progress());
  });
}

Logs Trainer::evaluate(Model* model, const data::Dataset& dataset, const EvaluateOptions& options) {
  check_has_end(dataset, options.steps, "evaluate", "steps");
  EvaluateOptions of_source = options;
  const std::unique_ptr<BatchSource> source =
      source_of_run(dataset, network(), of_source.batch_size, "evaluate");
  return evaluate(model, *source, of_source);
}

Logs Trainer::run_test(Model* model, BatchSource& source, std::shared_ptr<StepRunner> test,
                       std::optional<std::int64_t> num_steps, const EvaluateOptions& options,
                       runtime::Progress& progress) {
  num_steps = limited_steps(num_steps, source.num_steps(), "evaluate");
  const std::int64_t known_steps = num_steps.has_value() ? *num_steps : source.num_steps().value_or(0);
  callbacks::CallbackList callbacks(options.callbacks, {.add_history = false,
                                                        .add_progress_bar = shown_level(options.verbose) != 0,
                                                        .model = model,
                                                        .params = {.verbose = shown_level(options.verbose),
                                                                   .epochs = 1,
                                                                   .steps = known_steps,
                                                                   .progress = &progress}});
  return with_callbacks(callbacks, [&] {
    Logs logs =
        EvaluationRun(parts_, std::move(test), source, num_steps, "evaluate").run(callbacks, progress);
    parts_.run_state.check_interrupted("evaluate");
    return logs;
  });
}

}  // namespace cornu::inline v0::keras
