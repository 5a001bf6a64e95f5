#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/keras/network.h"
#include "cornu/keras/row_states.h"
#include "cornu/keras/trainer/eager_step.h"
#include "cornu/keras/trainer/interrupt.h"
#include "cornu/keras/trainer/run_guard.h"
#include "cornu/keras/trainer/trainer.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras {
namespace {

[[noreturn]] void throw_not_rows(const Dims& output) {
  invalid_argument("[predict] an output of the model has the shape {}: its first extent is not the batch", ir::shape_str(output));
}

/// The memory that a prediction writes: one array an output, and one step of each for a last batch that is not full.
class Predictions {
 public:
  Predictions(const std::vector<TensorType>& step_types, std::int64_t batch_size, std::int64_t num_rows)
      : batch_size_(batch_size), num_rows_(num_rows) {
    for (const TensorType& step : step_types) {
      if (step.dims.empty() || step.dims[0] != batch_size) throw_not_rows(step.dims);
      step_bytes_.push_back(step.size_bytes());
      TensorType type = step;
      type.dims[0] = num_rows;
      const CheckedSize bytes = CheckedSize(step.size_bytes() / static_cast<std::size_t>(batch_size)) * num_rows;
      results_.push_back(with_host_memory(bytes, "the predictions", [&] { return ir::Literal(type); }));
      tails_.emplace_back(num_rows % batch_size != 0 ? step.size_bytes() : 0);
      places_.push_back(nullptr);
    }
  }

  std::span<std::byte* const> at_step(std::int64_t step) {
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const bool is_tail = step == num_rows_ / batch_size_;
      places_[i] = is_tail ? tails_[i].data() : results_[i].mutable_bytes().data() + static_cast<std::size_t>(step) * step_bytes_[i];
    }
    return places_;
  }

  std::vector<Tensor> take() {
    const std::int64_t full_steps = num_rows_ / batch_size_;
    std::vector<Tensor> tensors;
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const std::size_t full_bytes = static_cast<std::size_t>(full_steps) * step_bytes_[i];
      if (!tails_[i].empty())
        std::memcpy(results_[i].mutable_bytes().data() + full_bytes, tails_[i].data(), results_[i].bytes().size() - full_bytes);
      tensors.emplace_back(results_[i]);
    }
    return tensors;
  }

 private:
  std::int64_t batch_size_;
  std::int64_t num_rows_;
  std::vector<std::size_t> step_bytes_;
  std::vector<ir::Literal> results_;
  std::vector<std::vector<std::byte>> tails_;  // a partial batch writes its padding too
  std::vector<std::byte*> places_;
};

/// The outputs of steps one after the other.
std::vector<Tensor> joined(const std::vector<Tensors>& steps, std::int64_t batch_size, std::int64_t num_rows) {
  std::vector<Tensor> results;
  for (std::size_t i = 0; i < steps.at(0).size(); ++i) {
    std::vector<Tensor> parts;
    std::int64_t rows_left = num_rows;
    for (const Tensors& step : steps) {
      const Dims& dims = step[i].shape();
      if (dims.empty() || dims[0] != std::min(batch_size, rows_left)) throw_not_rows(dims);
      rows_left -= dims[0];
      parts.push_back(step[i]);
    }
    results.push_back(parts.size() == 1 ? parts[0] : ops::concatenate(parts, 0));
  }
  return results;
}

/// A first prediction may find out that it needs batches without padding.
template <typename F>
Tensors tried_twice(F&& attempt) {
  for (;;)
    if (std::optional<Tensors> result = attempt()) return *std::move(result);
}

/// Outputs of one layer have one name, which then tells none of them: they come by position, as in Keras.
Tensors with_output_names(const Layer& network, std::vector<Tensor> outputs) {
  const auto* with_names = dynamic_cast<const Network*>(&network);
  const std::vector<std::string> names = with_names == nullptr ? std::vector<std::string>() : with_names->output_names();
  const bool are_distinct = std::set<std::string>(names.begin(), names.end()).size() == names.size();
  if (names.size() != outputs.size() || !are_distinct) return Tensors(std::move(outputs));
  std::vector<Tensors::Named> named;
  for (std::size_t i = 0; i < names.size(); ++i) named.emplace_back(names[i], std::move(outputs[i]));
  return Tensors(named);
}

}  // namespace

std::int64_t Trainer::predict_step_rows(std::int64_t batch_size, std::int64_t num_rows) const {
  const bool without_padding = predicts_exactly_ || keeps_row_states(*network_);
  return without_padding ? std::min(batch_size, num_rows) : predict_batch_size(batch_size, num_rows);
}

std::shared_ptr<StepRunner> Trainer::prepare_predict_rows(const ArrayData& data, std::int64_t batch_size) {
  PrepareGuard guard(*this);
  build_for_inputs(data, "predict");
  std::shared_ptr<StepRunner> made = runner(ProgramKind::kPredict, batch_size, data, "predict");
  guard.keep();
  return made;
}

std::shared_ptr<StepRunner> Trainer::prepare_predict(const Tensors& x, const PredictOptions& options) {
  const auto claimed = claim(RunClaims::Beside::kPredictions, "predict_executable");
  require_at_least_one(options.batch_size, "batch_size", "predict");
  require_at_least_one(options.steps, "steps", "predict");
  if (options_.run_eagerly)
    fail(ErrorCode::kFailedPrecondition,
         "[predict_executable] model \"{}\" was compiled with run_eagerly = true: its steps are not programs", network_->name());
  const ArrayData data = arranged(x, {}, {}, "predict");
  const std::int64_t batch_size = resolve_batch_size(options.batch_size, options.steps, data.num_rows());
  const std::lock_guard lock(predict_mutex_);
  if (auto made = prepare_predict_rows(data, predict_step_rows(batch_size, data.num_rows()))) return made;
  return prepare_predict_rows(data, predict_step_rows(batch_size, data.num_rows()));
}

Tensors Trainer::predict(Model* model, const Tensors& x, const PredictOptions& options) {
  const auto claimed = claim(RunClaims::Beside::kPredictions, "predict");
  require_at_least_one(options.batch_size, "batch_size", "predict");
  require_at_least_one(options.steps, "steps", "predict");
  const ArrayData data = arranged(x, {}, {}, "predict");
  return with_memory_errors("predict", data.size_bytes(), 0, [&] {
    const RunScope scope(*this);
    const InterruptScope interrupt(interrupt_flags());
    const std::int64_t wanted = resolve_batch_size(options.batch_size, options.steps, data.num_rows());
    const auto attempt = [&] {
      BatchOrder order(predict_step_rows(wanted, data.num_rows()));
      order.set_sequential(data.num_rows());
      const std::int64_t num_steps = steps_of_run(options.steps, order.num_steps(), "predict");
      const std::int64_t num_rows = std::min(data.num_rows(), num_steps * order.batch_size());
      check_batches_of_states(*network_, num_rows, order.batch_size(), num_steps, "predict");
      return predict_rows(model, data, order, num_rows, options, scope.progress());
    };
    return tried_twice(attempt);
  });
}

Tensors Trainer::predict_on_batch(const Tensors& x) {
  const auto claimed = claim(RunClaims::Beside::kPredictions, "predict_on_batch");
  const ArrayData data = arranged(x, {}, {}, "predict_on_batch");
  return with_memory_errors("predict_on_batch", data.size_bytes(), 0, [&] {
    const RunScope scope(*this);
    const auto attempt = [&] {
      std::int64_t batch_size = 0;
      {
        const std::lock_guard lock(predict_mutex_);
        batch_size = batch_program_size(ProgramKind::kPredict, data);
      }
      BatchOrder order(batch_size);
      order.set_sequential(data.num_rows());
      return predict_rows(nullptr, data, order, data.num_rows(), {.verbose = 0}, scope.progress());
    };
    return tried_twice(attempt);
  });
}

// Several threads may be here at once: what they share is looked up under the lock, each has buffers of its own.
std::optional<Tensors> Trainer::predict_rows(Model* model, const ArrayData& data, BatchOrder& order, std::int64_t num_rows,
                                             const PredictOptions& options, runtime::Progress& progress) {
  std::unique_lock lock(predict_mutex_);
  if (predicts_exactly_ && order.batch_size() > num_rows) return std::nullopt;  // another thread has found out
  const std::shared_ptr<StepRunner> runner = prepare_predict_rows(data, order.batch_size());
  const std::int64_t tail_rows = num_rows % order.batch_size();
  std::shared_ptr<StepRunner> tail = runner;
  if (runner != nullptr && tail_rows != 0 && predicts_exactly_) tail = prepare_predict_rows(data, tail_rows);
  if (runner == nullptr || tail == nullptr) return std::nullopt;
  const ProgramStep* program = runner->compiled();
  const StepBuffers buffers = program == nullptr ? StepBuffers() : program->buffers(data);
  const StepBuffers tail_buffers = program == nullptr || tail == runner ? buffers : tail->compiled()->buffers(data);
  if (program == nullptr) runner->bind(data);
  ExecutionTuner tuner = predict_tuner_;
  if (program != nullptr && program->traced().state.empty()) lock.unlock();  // a step that changes something runs alone

  const std::int64_t num_steps = ceil_divide(num_rows, order.batch_size());
  const std::int64_t full_steps = num_rows / order.batch_size();
  Predictions predictions(program == nullptr ? std::vector<TensorType>() : program->traced().outputs, order.batch_size(), num_rows);
  std::vector<Tensors> pieces;  // of steps that run op by op
  const auto run = [&](std::int64_t step, std::int64_t count) {
    if (program != nullptr && step == full_steps)
      return tail->compiled()->run_on(tail_buffers, order, step, count, progress, predictions.at_step(step));
    if (program != nullptr) return program->run_on(buffers, order, step, count, progress, predictions.at_step(step));
    const std::int64_t done = runner->run(order, step, count, progress);
    if (done > 0) pieces.push_back(dynamic_cast<const EagerStep&>(*runner).outputs());
    return done;
  };
  callbacks::CallbackList callbacks(
      options.callbacks, {.add_history = false,
                          .add_progress_bar = options.verbose.level() != 0,
                          .model = model,
                          .params = {.verbose = options.verbose.level(), .epochs = 1, .steps = num_steps, .progress = &progress}});
  with_callbacks(callbacks, [&] {
    callbacks.call([](callbacks::Callback& callback) { callback.on_predict_begin(); });
    tuner.set_limit(std::min(num_steps, callbacks.max_batches_per_call()));
    std::int64_t step = 0;
    while (step < num_steps && !progress.stop.load(std::memory_order_relaxed)) {
      const std::int64_t count = step == full_steps ? 1 : std::min(tuner.steps(), full_steps - step);
      const callbacks::BatchRange planned{step, step + count - 1, count};
      callbacks.call([&](callbacks::Callback& callback) { callback.on_predict_batch_begin(planned); });
      const double start = tuner.is_auto() ? seconds_now() : 0;
      const std::int64_t done = run(step, count);
      if (tuner.is_auto()) tuner.record(done, seconds_now() - start);
      if (const auto fault = (step == full_steps ? tail : runner)->fault())
        throw_fault(*fault, {.caller = "predict",
                             .step = fmt::format(" in step {} of {}", step + fault->step + 1, num_steps),
                             .data = data,
                             .rows = order.rows_of(step + fault->step)});
      if (done > 0) {
        const callbacks::BatchRange ran{step, step + done - 1, done};
        callbacks.call([&](callbacks::Callback& callback) { callback.on_predict_batch_end(ran); });
      }
      step += done;
      if (done < count) break;  // stopped
    }
    check_interrupted("predict");
    if (step < num_steps) fail(ErrorCode::kCancelled, "[predict] stopped after {} of {} steps", step, num_steps);
    callbacks.call([](callbacks::Callback& callback) { callback.on_predict_end(); });
  });
  check_interrupted("predict");
  if (tuner.is_auto()) {
    if (!lock.owns_lock()) lock.lock();
    predict_tuner_ = std::move(tuner);
  }
  return with_output_names(*network_, program != nullptr ? predictions.take() : joined(pieces, order.batch_size(), num_rows));
}

}  // namespace cornu::inline v0::keras
