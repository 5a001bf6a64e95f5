#include <algorithm>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/trainer/interrupt.h"
#include "cornu/keras/trainer/run_guard.h"
#include "cornu/keras/trainer/trainer.h"
#include "cornu/tensor/device.h"

namespace cornu::inline v0::keras {

Logs Trainer::run_test(StepRunner& test, const ArrayData& data, BatchOrder& order, std::int64_t num_steps,
                       callbacks::CallbackList& callbacks, runtime::Progress& progress, const char* caller) {
  reset_metrics();
  callbacks.call([](callbacks::Callback& callback) { callback.on_test_begin(); });
  test.bind(data);
  expect_steps(test, order, 0, num_steps);
  LazyLogs lazy([](void* runner, Logs& logs) { static_cast<const StepRunner*>(runner)->read_logs(logs); }, &test);
  test_tuner_.set_limit(std::min(num_steps, callbacks.max_batches_per_call()));
  std::int64_t step = 0;
  while (step < num_steps && !progress.stop.load(std::memory_order_relaxed)) {
    const std::int64_t count = std::min(test_tuner_.steps(), num_steps - step);
    make_steps_ready(test, order, step, count);
    const callbacks::BatchRange planned{step, step + count - 1, count};
    callbacks.call([&](callbacks::Callback& callback) { callback.on_test_batch_begin(planned); });
    const double start = test_tuner_.is_auto() ? seconds_now() : 0;
    test.keep_bound(data);
    const std::int64_t done = test.run(order, step, count, progress);
    if (test_tuner_.is_auto()) test_tuner_.record(done, seconds_now() - start);
    if (const auto fault = test.fault())
      throw_fault(*fault, {.caller = caller,
                           .step = fmt::format(" in step {} of {}", step + fault->step + 1, num_steps),
                           .data = data,
                           .rows = order.rows_of(step + fault->step)});
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

Logs Trainer::evaluate(Model* model, const Tensors& x, const Tensors& y, const EvaluateOptions& options) {
  const auto claimed = claim(RunClaims::Beside::kRunsAround, "evaluate");
  require_compiled("evaluate");
  require_at_least_one(options.batch_size, "batch_size", "evaluate");
  require_at_least_one(options.steps, "steps", "evaluate");
  ArrayData data = arranged(x, y, options.sample_weight, "evaluate");
  return with_memory_errors("evaluate", data.size_bytes(), 0, [&] {
    const RunScope scope(*this);
    const InterruptScope interrupt(interrupt_flags());
    PrepareGuard guard(*this);
    prepare(data, "evaluate", "y");
    const std::int64_t batch_size =
        program_batch_size(resolve_batch_size(options.batch_size, options.steps, data.num_rows()), data.num_rows());
    check_batches_of_states(*network_, data.num_rows(), batch_size, options.steps.value_or(ceil_divide(data.num_rows(), batch_size)),
                            "evaluate");
    const std::shared_ptr<StepRunner> test = runner(ProgramKind::kTest, batch_size, data, "evaluate");
    check_interrupted("evaluate");
    guard.keep();
    BatchOrder order(batch_size);
    order.set_sequential(data.num_rows());
    const std::int64_t num_steps = steps_of_run(options.steps, order.num_steps(), "evaluate");
    callbacks::CallbackList callbacks(
        options.callbacks,
        {.add_history = false,
         .add_progress_bar = options.verbose.level() != 0,
         .model = model,
         .params = {.verbose = options.verbose.level(), .epochs = 1, .steps = num_steps, .progress = &scope.progress()}});
    return with_callbacks(callbacks, [&] {
      Logs logs = run_test(*test, data, order, num_steps, callbacks, scope.progress(), "evaluate");
      check_interrupted("evaluate");
      return logs;
    });
  });
}

}  // namespace cornu::inline v0::keras
