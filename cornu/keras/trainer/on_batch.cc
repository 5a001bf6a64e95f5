#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/trainer/array_source.h"
#include "cornu/keras/trainer/run_guard.h"
#include "cornu/keras/trainer/step_variables.h"
#include "cornu/keras/trainer/trainer.h"
#include "cornu/runtime/pass_listener.h"

namespace cornu::inline v0::keras {

Logs Trainer::run_batch(ProgramKind kind, const Tensors& x, const Tensors& y, const Tensors& sample_weight,
                        const ClassWeight& class_weight, const char* caller) {
  DataAdapter& data_adapter = parts_.data_adapter;
  data_adapter.require_compiled(caller);
  ArrayData data = data_adapter.arranged(x, y, sample_weight, caller);
  return with_memory_errors(caller, data.size_bytes(), 0, [&] {
    const RunState::Scope scope(parts_.run_state, data_adapter.options().run_eagerly);
    PrepareGuard guard(parts_);
    data_adapter.prepare(data, caller, "y", class_weight, RowsGiven::kBatch);
    const std::shared_ptr<StepRunner> step =
        parts_.programs.get(kind, parts_.programs.size_for_rows(kind, data), data, caller);
    guard.keep();
    const bool trains = kind == ProgramKind::kTrain;
    const StepVariables variables = variables_of(*step, data_adapter.parts());
    // A step that runs op by op runs user code, which may wait for threads that would wait here.
    detail::VariableClaim claim(
        variables.all(),
        step->compiled() != nullptr ? detail::OtherThreads::kWait : detail::OtherThreads::kAreRefused,
        holder_of(caller, parts_.network()));
    parts_.reset_metrics();
    ArraySource source(std::move(data), step->key().batch_size);
    source.begin_epoch({});
    const Batches batch = source.next(1);
    const HeldValues held(trains ? nullptr : step.get());
    if (!trains) claim.stop_reading();
    step->bind();
    runtime::begin_pass(*step->key().placement.client());
    step->run(batch, scope.progress());
    if (const auto fault = step->fault())
      throw_fault(*fault, {.caller = caller, .step = {}, .source = source, .batches = batch});
    if (trains) ++parts_.steps_trained;
    if (trains) stopped_state_.clear();
    Logs logs;
    step->read_logs(logs);
    return logs;
  });
}

Logs Trainer::train_on_batch(const Tensors& x, const Tensors& y, const TrainOnBatchOptions& options) {
  const auto claimed = claim(ReentrancyGuard::Beside::kNothing, "train_on_batch");
  if (!options.class_weight.empty() && !options.sample_weight.empty())
    invalid_argument("[train_on_batch] class_weight and sample_weight exclude each other");
  return run_batch(ProgramKind::kTrain, x, y, options.sample_weight, options.class_weight, "train_on_batch");
}

Logs Trainer::test_on_batch(const Tensors& x, const Tensors& y, const TestOnBatchOptions& options) {
  const auto claimed = claim(ReentrancyGuard::Beside::kRunsAround, "test_on_batch");
  return run_batch(ProgramKind::kTest, x, y, options.sample_weight, {}, "test_on_batch");
}

}  // namespace cornu::inline v0::keras
