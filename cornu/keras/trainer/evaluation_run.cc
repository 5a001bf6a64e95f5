#include "cornu/keras/trainer/evaluation_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "cornu/base/log_formatted.h"
#include "cornu/keras/trainer/executions_ahead.h"
#include "cornu/keras/trainer/run_guard.h"
#include "cornu/keras/trainer/step_variables.h"
#include "cornu/keras/trainer/tuned_executions.h"
#include "cornu/runtime/pass_listener.h"

namespace cornu::inline v0::keras {

std::optional<std::int64_t> EvaluationRun::num_steps() const {
  const std::optional<std::int64_t> left = source_.num_steps_left();
  if (!left.has_value() || !wanted_steps_.has_value()) return left.has_value() ? left : wanted_steps_;
  return std::min(*left, *wanted_steps_);
}

void EvaluationRun::expect() {
  source_.begin_epoch({});
  parts_.programs.expect(*test_, source_.sizes_ahead(num_steps().value_or(kUntilTheEnd)));
}

void EvaluationRun::check_fault(const Batches& batches, std::int64_t first_step) const {
  const std::optional<StepFault> fault = test_->fault();
  if (!fault.has_value()) return;
  throw_fault(*fault, {.caller = caller_,
                       .step = " in " + step_str(first_step + fault->step, num_steps()),
                       .source = source_,
                       .batches = batches.part(fault->step, 1)});
}

void EvaluationRun::warn_of_no_batch() {
  if (std::exchange(warned_, true)) return;
  log_warning(
      "[{}] the data give no batch, so there are no results: a stream that is over needs a restart function",
      caller_);
}

std::int64_t EvaluationRun::execute(callbacks::CallbackList& callbacks, const runtime::Progress& progress,
                                    std::int64_t runs_after, ExecutionsAhead& ahead, LazyLogs& lazy) {
  test_->bind();
  runtime::begin_pass(*test_->key().placement.client());
  expect();
  const std::int64_t limit = num_steps().value_or(kUntilTheEnd);
  const double steps_of_all = static_cast<double>(runs_after + 1) * steps_of_run_over(source_, num_steps());
  TunedExecutions executions(parts_.tuners.test, *test_, std::min(limit, callbacks.max_batches_per_call()));
  std::int64_t step = 0;
  while (step < limit && !progress.stop.load(std::memory_order_relaxed)) {
    const Batches batches = source_.next(std::min(executions.num_steps(), limit - step));
    if (batches.num_steps == 0) break;
    executions.make_ready(parts_.programs, *test_, batches);
    const callbacks::BatchRange planned{step, step + batches.num_steps - 1, batches.num_steps};
    callbacks.call([&](callbacks::Callback& callback) { callback.on_test_batch_begin(planned); });
    executions.begin();
    const std::int64_t done = ahead.run(batches, step, executions.is_timed());
    executions.end(done, steps_of_all - static_cast<double>(step + done));
    check_fault(batches, step);
    source_.advance(done);
    lazy.invalidate();
    if (done > 0) {
      const callbacks::BatchRange ran{step, step + done - 1, done};
      callbacks.call([&](callbacks::Callback& callback) { callback.on_test_batch_end(ran, lazy); });
    }
    step += done;
    if (done < batches.num_steps) break;  // stopped
  }
  return step;
}

Logs EvaluationRun::run(callbacks::CallbackList& callbacks, runtime::Progress& progress,
                        std::int64_t runs_after) {
  const StepVariables variables = variables_of(*test_, parts_.data_adapter.parts());
  const detail::VariableClaim claim({.written = variables.written}, detail::OtherThreads::kAreRefused,
                                    holder_of(caller_, parts_.network()));
  parts_.reset_metrics();
  callbacks.call([](callbacks::Callback& callback) { callback.on_test_begin(); });
  HeldValues held(test_.get());
  LazyLogs lazy(*test_);
  ExecutionsAhead ahead(*test_, progress);
  const std::int64_t step = execute(callbacks, progress, runs_after, ahead, lazy);
  ahead.finish();
  held.let_go();
  const bool has_nothing = step == 0 && !progress.stop.load(std::memory_order_relaxed);
  if (has_nothing) warn_of_no_batch();
  Logs logs = has_nothing ? Logs() : lazy.get();  // without data, metrics have no meaningful results
  callbacks.call([&](callbacks::Callback& callback) { callback.on_test_end(logs); });
  return logs;
}

std::unique_ptr<LateEvaluation> EvaluationRun::begin(runtime::Progress& progress) {
  const StepVariables variables = variables_of(*test_, parts_.data_adapter.parts());
  const detail::VariableClaim claim({.written = variables.written}, detail::OtherThreads::kAreRefused,
                                    holder_of(caller_, parts_.network()));
  parts_.reset_metrics();
  callbacks::CallbackList none({});
  LazyLogs unread;
  auto late = std::make_unique<LateEvaluation>(*test_, progress);
  const HeldValues held(test_.get());
  const std::int64_t step = execute(none, progress, 0, late->ahead_, unread);
  if (step == 0 && !progress.stop.load(std::memory_order_relaxed)) {
    warn_of_no_batch();
    return nullptr;
  }
  late->logs_ = test_->begin_logs();
  if (late->logs_ != nullptr) return late;
  late->ahead_.finish();
  test_->read_logs(late->known_);
  return late;
}

}  // namespace cornu::inline v0::keras
