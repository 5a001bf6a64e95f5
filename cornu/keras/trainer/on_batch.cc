#include <algorithm>
#include <bit>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/row_states.h"
#include "cornu/keras/trainer/run_guard.h"
#include "cornu/keras/trainer/trainer.h"
#include "cornu/tensor/device.h"

namespace cornu::inline v0::keras {

// A program for more rows serves fewer by padding. Batches that vary get sizes of powers of two, so that few programs serve them all.
std::int64_t Trainer::batch_program_size(ProgramKind kind, const ArrayData& data) const {
  const std::int64_t num_rows = data.num_rows();
  if (keeps_row_states(*network_) || (kind == ProgramKind::kPredict && predicts_exactly_)) return num_rows;
  const ProgramKey key = ProgramKey::of(kind, num_rows, data, default_client().get());
  std::int64_t best = 0;
  bool varies = false;
  for (const auto& known : runners_) {
    if (!known->key().same_arrays(key)) continue;
    varies = true;
    const std::int64_t size = known->key().batch_size;
    if (size >= num_rows && size <= 2 * num_rows && (best == 0 || size < best)) best = size;
  }
  if (best > 0) return best;
  return varies ? static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(num_rows))) : num_rows;
}

Logs Trainer::run_batch(ProgramKind kind, const Tensors& x, const Tensors& y, const Tensors& sample_weight, const ClassWeight& class_weight,
                        const char* caller) {
  require_compiled(caller);
  ArrayData data = arranged(x, y, sample_weight, caller);
  return with_memory_errors(caller, data.size_bytes(), 0, [&] {
    const RunScope scope(*this);
    PrepareGuard guard(*this);
    prepare(data, caller, "y");
    apply_class_weight(data, class_weight, caller);
    const std::shared_ptr<StepRunner> program = runner(kind, batch_program_size(kind, data), data, caller);
    guard.keep();
    reset_metrics();
    BatchOrder order(program->key().batch_size);
    order.set_sequential(data.num_rows());
    program->bind(data);
    program->run(order, 0, 1, scope.progress());
    if (const auto fault = program->fault()) throw_fault(*fault, {.caller = caller, .step = {}, .data = data, .rows = order.rows_of(0)});
    if (kind == ProgramKind::kTrain) ++steps_trained_;
    Logs logs;
    program->read_logs(logs);
    return logs;
  });
}

Logs Trainer::train_on_batch(const Tensors& x, const Tensors& y, const TrainOnBatchOptions& options) {
  const auto claimed = claim(RunClaims::Beside::kNothing, "train_on_batch");
  if (!options.class_weight.empty() && !options.sample_weight.empty())
    invalid_argument("[train_on_batch] class_weight and sample_weight exclude each other");
  return run_batch(ProgramKind::kTrain, x, y, options.sample_weight, options.class_weight, "train_on_batch");
}

Logs Trainer::test_on_batch(const Tensors& x, const Tensors& y, const TestOnBatchOptions& options) {
  const auto claimed = claim(RunClaims::Beside::kRunsAround, "test_on_batch");
  return run_batch(ProgramKind::kTest, x, y, options.sample_weight, {}, "test_on_batch");
}

}  // namespace cornu::inline v0::keras
