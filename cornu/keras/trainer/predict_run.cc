#include "cornu/keras/trainer/predict_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/keras/trainer/eager_step.h"
#include "cornu/keras/trainer/executions_ahead.h"
#include "cornu/keras/trainer/process_run.h"
#include "cornu/keras/trainer/run_guard.h"
#include "cornu/keras/trainer/step_variables.h"
#include "cornu/keras/trainer/tuned_executions.h"
#include "cornu/runtime/pass_listener.h"

namespace cornu::inline v0::keras {

PredictRun::PredictRun(TrainerParts& parts, const ArrayData& examples, BatchSource& source,
                       std::optional<std::int64_t> num_steps, std::span<const OutputMemory> into)
    : parts_(parts),
      examples_(examples),
      source_(source),
      num_steps_(num_steps),
      into_(into),
      lock_(parts.predict_mutex, std::defer_lock) {
  source_.begin_epoch({});
  const std::optional<std::int64_t> left = source_.num_steps_left();
  if (left.has_value()) num_steps_ = std::min(*left, num_steps.value_or(*left));
}

std::optional<PredictRun::Step> PredictRun::make_step(std::int64_t batch_size, const ArrayData& rows) {
  PrepareGuard guard(parts_);
  parts_.data_adapter.build_for_inputs(rows, "predict");
  Step step{.runner = parts_.programs.get(ProgramKind::kPredict, batch_size, rows, "predict"),
            .weights = {},
            .has_weights = false};
  guard.keep();
  if (step.runner == nullptr) return std::nullopt;
  if (step.program() == nullptr) step.runner->bind();
  return step;
}

bool PredictRun::make_steps() {
  const std::int64_t batch_size = source_.batch_size();
  const BatchSizes sizes = source_.sizes_ahead(num_steps_.value_or(kUntilTheEnd));
  if (parts_.programs.predicts_exactly() && sizes.full == 0) return false;  // another thread has found out
  full_ = make_step(batch_size, examples_);
  if (!full_.has_value()) return false;
  if (sizes.partial == 0) return true;
  partial_ = parts_.programs.predicts_exactly() ? make_step(sizes.partial, examples_) : full_;
  return partial_.has_value();
}

PredictRun::Step& PredictRun::step_for_shape(const Batches& batches) {
  const auto size = [&] {
    return parts_.programs.predicts_exactly() ? BatchSizes::of(batches).first() : batches.batch_size;
  };
  if (full_->runner->key().takes(*batches.arrays, size())) return *full_;
  const std::lock_guard lock(parts_.predict_mutex);
  const ArrayData rows = batches.arrays->rows(0, BatchSizes::of(batches).first());
  try {
    if (full_->program() == nullptr) {  // op by op: it runs rows of any shape, with its held weights
      parts_.data_adapter.build_for_inputs(rows, "predict");
      return *full_;
    }
    std::optional<Step> step = make_step(size(), rows);
    if (!step.has_value()) step = make_step(size(), rows);  // without padding, as the first one found out
    full_.reset();                                          // release its weights before its program
    full_ = std::move(step);
  } catch (const Error& error) {
    throw error.with({.notes = fmt::format("in batch {}", step_ + 1)});
  }
  return *full_;
}

PredictRun::Step& PredictRun::step_for(const Batches& batches) {
  if (!source_.has_one_shape()) return step_for_shape(batches);
  if (!batches.ends_partial()) return *full_;
  const bool is_exact = parts_.programs.predicts_exactly();
  if (!partial_.has_value() || (is_exact && partial_->runner->key().batch_size != batches.num_rows)) {
    const bool was_free = !lock_.owns_lock();
    if (was_free) lock_.lock();
    partial_.reset();
    partial_ = is_exact ? make_step(batches.num_rows, examples_) : full_;
    if (was_free) lock_.unlock();
    check_tail();
  }
  return *partial_;
}

void PredictRun::check_tail() const {
  if (!predictions_.has_value() || !partial_.has_value() || partial_->program() == nullptr) return;
  predictions_->check_tail(partial_->program()->traced().outputs, partial_->runner->key().batch_size);
}

Batches PredictRun::next(std::int64_t max_steps) {
  const Batches batches = source_.next(max_steps);
  return batches.num_steps > 1 && batches.ends_partial() ? batches.part(0, batches.num_steps - 1) : batches;
}

// Threads that predict share the program. On a device that the host addresses, it serves any number of steps.
void PredictRun::make_ready(TunedExecutions& executions, Step& step, const Batches& batches) {
  if (step.runner->key().placement.client()->is_addressable()) return;
  const std::lock_guard lock(parts_.predict_mutex);
  executions.make_ready(parts_.programs, *step.runner, batches);
}

void PredictRun::take_weights(Step& step) {
  if (step.has_weights || step.program() == nullptr) return;
  step.weights = step.runner == first_->runner
                     ? first_->weights
                     : step.program()->version_as(*first_->program(), first_->weights);
  step.has_weights = true;
}

std::int64_t PredictRun::run_program(Step& step, const Batches& batches, runtime::Progress& progress,
                                     std::span<std::byte* const> outputs) {
  const CompiledStep& program = *step.program();
  const std::vector<Variable>& state = program.traced().state;
  std::optional<detail::VariableClaim> claim;
  if (!state.empty())
    claim.emplace(detail::VariableClaim::Variables{.written = state}, detail::OtherThreads::kWait);
  program.begin();
  // Looked up each time: another thread may have read them meanwhile and hold the values.
  std::vector<runtime::Buffer*> buffers;
  if (!state.empty()) buffers = program.traced().state_buffers(program.key().placement);
  return program.run_on(buffers, step.weights.buffers(), batches, progress, outputs);
}

void PredictRun::add_piece(Tensors piece, std::int64_t num_rows) {
  if (!pieces_.empty()) check_joins(pieces_.front(), piece, step_ + 1);
  pieces_.push_back(std::move(piece));
  rows_of_pieces_.push_back(num_rows);
}

std::int64_t PredictRun::execute(Step& step, const Batches& batches, runtime::Progress& progress) {
  std::int64_t done = 0;
  take_weights(step);
  if (step.program() == nullptr) {
    done = step.runner->run(batches, progress);
    if (done > 0) add_piece(dynamic_cast<const EagerStep&>(*step.runner).outputs(), batches.num_rows);
  } else if (predictions_.has_value()) {
    done = run_program(step, batches, progress, predictions_->at_step(step_));
  } else {
    Predictions piece(step.program()->traced().outputs, step.runner->key().batch_size, batches.num_rows);
    done = run_program(step, batches, progress, piece.at_step(0));
    if (done > 0) add_piece(Tensors(piece.take()), batches.num_rows);
  }
  check_fault(step, batches);
  return done;
}

bool PredictRun::is_submittable(const Step& step, const Batches& batches) const {
  const bool may_be = predictions_.has_value() && source_.has_one_shape() && step.program() != nullptr &&
                      step.program()->traced().state.empty() && !step.program()->waits_for_each();
  if (!may_be) return false;
  std::size_t num_bytes = 0;
  for (const TensorType& output : step.program()->traced().outputs) num_bytes += output.size_bytes();
  constexpr std::size_t kMostBytes = ExecutionsAhead::kMostBytes / ExecutionsAhead::kMostExecutions;
  return num_bytes * static_cast<std::size_t>(batches.num_steps) <= kMostBytes;
}

/// The executions of a run on a device that works by itself, as ExecutionsAhead submits them.
class PredictRun::DeviceStep final : public StepRunner {
 public:
  DeviceStep(PredictRun& run, ProgramKey key) : StepRunner(std::move(key)), run_(run) {}
  void set_step(Step& step) { step_ = &step; }

  const std::vector<LogSource>& logs() const override { return logs_; }
  std::optional<StepFault> fault() const override { return std::nullopt; }
  std::int64_t run(const Batches& batches, runtime::Progress& progress) override {
    return run_.execute(*step_, batches, progress);
  }
  bool is_submitted_ahead(const Batches& batches) override {
    return run_.is_submittable(*step_, batches) && step_->runner->is_submitted_ahead(batches);
  }
  runtime::Submission submit(const Batches& batches, runtime::Progress& progress) override {
    if (!run_.is_submittable(*step_, batches)) return StepRunner::submit(batches, progress);
    run_.take_weights(*step_);
    step_->program()->begin();
    const std::span<std::byte* const> outputs = run_.predictions_->at_step(run_.step_);
    outputs_.emplace_back(outputs.begin(), outputs.end());
    return step_->program()->submit_on(step_->weights.buffers(), batches, progress, outputs_.back());
  }

 private:
  PredictRun& run_;
  Step* step_ = nullptr;
  std::vector<LogSource> logs_;
  std::deque<std::vector<std::byte*>> outputs_;  // of each execution, which uses the list until it is done
};

void PredictRun::check_fault(const Step& step, const Batches& batches) const {
  const std::optional<StepFault> fault = step.runner->fault();
  if (!fault.has_value()) return;
  throw_fault(*fault, {.caller = "predict",
                       .step = " in " + step_str(step_ + fault->step, num_steps_),
                       .source = source_,
                       .batches = batches.part(fault->step, 1)});
}

void PredictRun::run_steps(callbacks::CallbackList& callbacks, ExecutionTuner& tuner,
                           runtime::Progress& progress) {
  const std::int64_t limit = num_steps_.value_or(kUntilTheEnd);
  const double num_steps = steps_of_run_over(source_, num_steps_);
  const CompiledStep* const program = full_->program();
  const HeldValues held(program == nullptr ? full_->runner.get() : nullptr);
  if (program != nullptr) {
    full_->weights = program->version();
    full_->has_weights = true;
  }
  first_ = full_;
  TunedExecutions executions(tuner, *first_->runner, std::min(limit, callbacks.max_batches_per_call()));
  const ProgramKey& key = first_->runner->key();
  std::optional<DeviceStep> device_step;
  std::optional<ExecutionsAhead> ahead;  // on a device that works by itself
  if (!key.placement.client()->is_addressable()) ahead.emplace(device_step.emplace(*this, key), progress);
  while (step_ < limit && !progress.stop.load(std::memory_order_relaxed)) {
    const Batches batches = next(std::min(executions.num_steps(), limit - step_));
    const std::int64_t count = batches.num_steps;
    if (count == 0) return;
    if (ahead.has_value() && batches.ends_partial()) ahead->finish();  // the partial step may be replaced
    Step& step = step_for(batches);
    make_ready(executions, step, batches);
    const callbacks::BatchRange planned{step_, step_ + count - 1, count};
    callbacks.call([&](callbacks::Callback& callback) { callback.on_predict_batch_begin(planned); });
    executions.begin();
    if (ahead.has_value()) device_step->set_step(step);
    const std::int64_t done = ahead.has_value() ? ahead->run(batches, step_, executions.is_timed())
                                                : execute(step, batches, progress);
    executions.end(done, num_steps - static_cast<double>(step_ + done));
    if (done > 0) {
      const callbacks::BatchRange ran{step_, step_ + done - 1, done};
      callbacks.call([&](callbacks::Callback& callback) { callback.on_predict_batch_end(ran); });
    }
    source_.advance(done);
    step_ += done;
    if (done < count) break;
  }
  if (ahead.has_value()) ahead->finish();
  parts_.run_state.check_interrupted("predict");
  if (step_ < limit)
    fail(ErrorCode::kCancelled, "[predict] stopped after {}{} steps", step_,
         num_steps_.has_value() ? fmt::format(" of {}", *num_steps_) : std::string());
}

std::optional<std::vector<Tensor>> PredictRun::run(Model* model, const PredictOptions& options,
                                                   runtime::Progress& progress) {
  lock_.lock();
  if (!make_steps()) {
    lock_.unlock();
    return std::nullopt;
  }
  const CompiledStep* program = full_->program();
  ExecutionTuner tuner = parts_.tuners.predict;
  if (program != nullptr && program->traced().state.empty())
    lock_.unlock();  // only a step that changes variables needs to run alone
  if (program != nullptr && source_.num_steps_left().has_value()) {
    const std::int64_t num_rows = source_.num_rows_ahead(*num_steps_);
    predictions_.emplace(program->traced().outputs, source_.batch_size(), num_rows, into_);
    check_tail();
  }
  callbacks::CallbackList callbacks(options.callbacks, {.add_history = false,
                                                        .add_progress_bar = shown_level(options.verbose) != 0,
                                                        .model = model,
                                                        .params = {.verbose = shown_level(options.verbose),
                                                                   .epochs = 1,
                                                                   .steps = num_steps_.value_or(0),
                                                                   .progress = &progress}});
  runtime::begin_pass(*full_->runner->key().placement.client());
  with_callbacks(callbacks, [&] {
    callbacks.call([](callbacks::Callback& callback) { callback.on_predict_begin(); });
    run_steps(callbacks, tuner, progress);
    full_->weights = {};
    first_.reset();
    if (partial_.has_value()) partial_->weights = {};
    callbacks.call([](callbacks::Callback& callback) { callback.on_predict_end(); });
  });
  parts_.run_state.check_interrupted("predict");
  if (tuner.is_auto()) {
    if (!lock_.owns_lock()) lock_.lock();
    parts_.tuners.predict = std::move(tuner);
  }
  if (lock_.owns_lock()) lock_.unlock();
  if (predictions_.has_value()) return predictions_->take();
  std::vector<Tensor> outputs = joined(pieces_, rows_of_pieces_);
  if (into_.empty()) return outputs;
  copy_into(outputs, into_);
  return std::vector<Tensor>();
}

}  // namespace cornu::inline v0::keras
