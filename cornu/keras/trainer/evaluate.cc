#include <algorithm>
#include <cstring>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/trainer/host_memory.h"
#include "cornu/keras/trainer/interrupt.h"
#include "cornu/keras/trainer/run_guard.h"
#include "cornu/keras/trainer/trainer.h"
#include "cornu/tensor/device.h"

namespace cornu::keras {
namespace {

void require_at_least_one(const std::optional<std::int64_t>& value, const char* name, const char* caller) {
  if (value.has_value() && *value < 1) invalid_argument("[{}] {} must be at least 1; got {}", caller, name, *value);
}

}  // namespace

Logs Trainer::run_test(StepRunner& test, const ArrayData& data, const BatchOrder& order, std::int64_t num_steps,
                       callbacks::CallbackList& callbacks, runtime::Progress& progress) {
  reset_metrics();
  callbacks.call([](callbacks::Callback& callback) { callback.on_test_begin(); });
  test.bind(data);
  LazyLogs lazy(&Trainer::read_metrics_of, this);
  test_tuner_.set_limit(std::min(num_steps, callbacks.max_batches_per_call()));
  std::int64_t step = 0;
  while (step < num_steps && !progress.stop.load(std::memory_order_relaxed)) {
    const std::int64_t count = std::min(test_tuner_.steps(), num_steps - step);
    const callbacks::BatchRange planned{step, step + count - 1, count};
    callbacks.call([&](callbacks::Callback& callback) { callback.on_test_batch_begin(planned); });
    const double start = test_tuner_.is_auto() ? seconds_now() : 0;
    test.keep_bound(data);
    const std::int64_t done = test.run(order, step, count, progress);
    if (test_tuner_.is_auto()) test_tuner_.record(done, seconds_now() - start);
    lazy.invalidate();
    if (done > 0) {
      const callbacks::BatchRange ran{step, step + done - 1, done};
      callbacks.call([&](callbacks::Callback& callback) { callback.on_test_batch_end(ran, lazy); });
    }
    step += done;
    if (done < count) break;  // stopped
  }
  Logs logs = lazy.get();
  callbacks.call([&](callbacks::Callback& callback) { callback.on_test_end(logs); });
  return logs;
}

Logs Trainer::evaluate(Model* model, const Tensor& x, const Tensor& y, const EvaluateOptions& options) {
  require_compiled("evaluate");
  require_at_least_one(options.batch_size, "batch_size", "evaluate");
  require_at_least_one(options.steps, "steps", "evaluate");
  const ArrayData data{x, y, options.sample_weight};
  check_arrays(data, "evaluate", true);
  return with_memory_errors("evaluate", data.size_bytes(), 0, [&] {
    const RunScope scope(*this);
    PrepareGuard guard(*this);
    prepare(data, "evaluate", "y");
    const std::int64_t batch_size =
        program_batch_size(resolve_batch_size(options.batch_size, options.steps, data.num_rows()), data.num_rows());
    const std::shared_ptr<StepRunner> test = runner(ProgramKind::kTest, batch_size, data, "evaluate");
    guard.keep();
    BatchOrder order(batch_size);
    order.set_sequential(data.num_rows());
    const std::int64_t num_steps = std::min(options.steps.value_or(order.num_steps()), order.num_steps());
    callbacks::CallbackList callbacks(
        options.callbacks,
        {.add_history = false,
         .add_progress_bar = options.verbose.level() != 0,
         .model = model,
         .params = {.verbose = options.verbose.level(), .epochs = 1, .steps = num_steps, .progress = &scope.progress()}});
    return with_callbacks(callbacks, [&] {
      const InterruptScope interrupt(interrupt_flags());
      Logs logs = run_test(*test, data, order, num_steps, callbacks, scope.progress());
      check_interrupted("evaluate");
      return logs;
    });
  });
}

std::shared_ptr<StepRunner> Trainer::prepare_predict(const Tensor& x, const PredictOptions& options) {
  require_at_least_one(options.batch_size, "batch_size", "predict");
  require_at_least_one(options.steps, "steps", "predict");
  const ArrayData data{x, {}, {}};
  check_arrays(data, "predict", false);
  Dims input = x.shape();
  input[0] = kUnknown;
  PrepareGuard guard(*this);
  network_->build_once(input);
  const std::int64_t batch_size = resolve_batch_size(options.batch_size, options.steps, data.num_rows());
  std::shared_ptr<StepRunner> made = runner(ProgramKind::kPredict, program_batch_size(batch_size, data.num_rows()), data, "predict");
  guard.keep();
  return made;
}

Tensor Trainer::predict(Model* model, const Tensor& x, const PredictOptions& options) {
  const ArrayData data{x, {}, {}};
  return with_memory_errors("predict", data.size_bytes(), 0, [&] {
    const RunScope scope(*this);
    const std::shared_ptr<StepRunner> program = prepare_predict(x, options);
    BatchOrder order(program->key().batch_size);
    order.set_sequential(data.num_rows());
    const std::int64_t num_steps = std::min(options.steps.value_or(order.num_steps()), order.num_steps());
    const std::int64_t num_rows = std::min(data.num_rows(), num_steps * order.batch_size());
    return predict_rows(model, *program, data, order, num_rows, options, scope.progress());
  });
}

Tensor Trainer::predict_rows(Model* model, StepRunner& program, const ArrayData& data, const BatchOrder& order, std::int64_t num_rows,
                             const PredictOptions& options, runtime::Progress& progress) {
  const std::int64_t batch_size = order.batch_size();
  const std::int64_t num_steps = ceil_divide(num_rows, batch_size);
  const std::int64_t full_steps = num_rows / batch_size;
  TensorType type = program.traced().outputs.front();
  const std::size_t step_bytes = type.size_bytes();
  const std::size_t row_bytes = step_bytes / static_cast<std::size_t>(batch_size);
  type.dims[0] = num_rows;
  ir::Literal result =
      with_host_memory(static_cast<std::size_t>(num_rows) * row_bytes, "the predictions", [&] { return ir::Literal(type); });
  std::vector<std::byte> tail(full_steps < num_steps ? step_bytes : 0);  // a partial batch writes its padding too

  callbacks::CallbackList callbacks(
      options.callbacks, {.add_history = false,
                          .add_progress_bar = options.verbose.level() != 0,
                          .model = model,
                          .params = {.verbose = options.verbose.level(), .epochs = 1, .steps = num_steps, .progress = &progress}});
  with_callbacks(callbacks, [&] {
    const InterruptScope interrupt(interrupt_flags());
    callbacks.call([](callbacks::Callback& callback) { callback.on_predict_begin(); });
    program.bind(data);
    predict_tuner_.set_limit(std::min(num_steps, callbacks.max_batches_per_call()));
    std::int64_t step = 0;
    while (step < num_steps && !progress.stop.load(std::memory_order_relaxed)) {
      const bool is_tail = step == full_steps;
      const std::int64_t count = is_tail ? 1 : std::min(predict_tuner_.steps(), full_steps - step);
      const callbacks::BatchRange planned{step, step + count - 1, count};
      callbacks.call([&](callbacks::Callback& callback) { callback.on_predict_batch_begin(planned); });
      std::byte* const outputs[] = {is_tail ? tail.data() : result.mutable_bytes().data() + static_cast<std::size_t>(step) * step_bytes};
      const double start = predict_tuner_.is_auto() ? seconds_now() : 0;
      program.keep_bound(data);
      const std::int64_t done = program.run(order, step, count, progress, outputs);
      if (predict_tuner_.is_auto()) predict_tuner_.record(done, seconds_now() - start);
      if (done > 0) {
        const callbacks::BatchRange ran{step, step + done - 1, done};
        callbacks.call([&](callbacks::Callback& callback) { callback.on_predict_batch_end(ran); });
      }
      step += done;
      if (done < count) break;  // stopped
    }
    check_interrupted("predict");
    if (step < num_steps) fail(ErrorCode::kCancelled, "[predict] stopped after {} of {} steps", step, num_steps);
    if (!tail.empty()) {
      std::memcpy(result.mutable_bytes().data() + static_cast<std::size_t>(full_steps) * step_bytes, tail.data(),
                  static_cast<std::size_t>(num_rows - full_steps * batch_size) * row_bytes);
    }
    callbacks.call([](callbacks::Callback& callback) { callback.on_predict_end(); });
  });
  return Tensor(result);
}

}  // namespace cornu::keras
