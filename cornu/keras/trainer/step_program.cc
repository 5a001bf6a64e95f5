#include "cornu/keras/trainer/step_program.h"

#include <algorithm>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/row_mask.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras {
namespace {

Tensors add_arrays(Trace& trace, const std::vector<std::optional<TensorType>>& types, std::int64_t batch_size) {
  std::vector<Tensor> arrays;
  for (std::optional<TensorType> type : types) {
    arrays.emplace_back();
    if (!type.has_value()) continue;
    type->dims.insert(type->dims.begin(), batch_size);
    arrays.back() = trace.add_rows_argument(*type);
  }
  return Tensors(std::move(arrays));
}

StepData add_arguments(Trace& trace, const ProgramKey& key, bool is_exact) {
  const Tensors x = add_arrays(trace, key.x, key.batch_size), y = add_arrays(trace, key.y, key.batch_size);
  const Tensors sample_weight = add_arrays(trace, key.sample_weight, key.batch_size);
  RowMask rows;
  if (key.kind != ProgramKind::kPredict && !is_exact) rows = RowMask::first_rows(trace.add_valid_rows_argument(), key.batch_size);
  return step_data({x, y, sample_weight}, rows);
}

/// A step that looks at a value while it is traced cannot be compiled; the error says what can be done.
template <typename F>
auto with_eager_hint(F&& trace_step) {
  try {
    return trace_step();
  } catch (const Error& error) {
    const std::string message = error.what();
    if (error.code() != ErrorCode::kFailedPrecondition || message.find("symbolic") == std::string::npos) throw;
    fail(error.code(),
         "{}; a step is compiled and cannot look at values on the host: report them as logs, look at them in a callback, or compile the "
         "model with run_eagerly",
         message);
  }
}

}  // namespace

std::unique_ptr<CompiledStep> make_compiled_step(const ProgramKey& key, const ModelParts& parts, const CompiledStepOptions& options,
                                                 std::shared_ptr<runtime::Client> client, std::string* exact_because) {
  static constexpr const char* kNames[] = {"train_step", "test_step", "predict_step"};
  Trace trace(kNames[static_cast<int>(key.kind)]);
  TracedProgram traced;
  std::vector<LogSource> logs;
  const FaultOptions looks_for{.ids = parts.faults.ids, .non_finite = parts.faults.non_finite && key.kind == ProgramKind::kTrain};
  const auto faults = looks_for.any() ? std::make_shared<StepFaults>(looks_for) : nullptr;
  const auto reason = std::make_shared<std::string>();
  with_eager_hint([&] {
    const Trace::Scope scope(trace);
    const FaultReceiver::Scope receiver(faults.get());
    StepData data = add_arguments(trace, key, options.is_exact);
    data.rows.exact_because = reason;
    Tensors outputs;
    switch (key.kind) {
      case ProgramKind::kTrain: logs = train_step(parts, data, options.known_logs, [&] { return trace.assigned(); }); break;
      case ProgramKind::kTest: logs = test_step(parts, data, options.known_logs); break;
      case ProgramKind::kPredict: outputs = predict_step(parts, data); break;
    }
    if (faults != nullptr) faults->finish(trace);
    traced = trace.finish(outputs);
  });
  if (!reason->empty()) {
    CORNU_CHECK(exact_because != nullptr, "a step without padding asks for one without padding: {}", *reason);
    *exact_because = *reason;
    return nullptr;
  }
  return std::make_unique<CompiledStep>(key, std::move(traced), std::move(logs), faults, std::move(client));
}

CompiledStep::CompiledStep(ProgramKey key, TracedProgram traced, std::vector<LogSource> logs, std::shared_ptr<const StepFaults> faults,
                           std::shared_ptr<runtime::Client> client)
    : StepRunner(std::move(key)),
      traced_(std::move(traced)),
      logs_(std::move(logs)),
      faults_(std::move(faults)),
      client_(std::move(client)),
      executable_(client_->compile(traced_.step_program())) {}

StepBuffers CompiledStep::buffers(const ArrayData& data) const {
  return {traced_.state_buffers(client_), traced_.fixed_buffers(client_), data.bases()};
}

std::int64_t CompiledStep::run_on(const StepBuffers& buffers, const BatchOrder& order, std::int64_t first, std::int64_t count,
                                  runtime::Progress& progress, std::span<std::byte* const> outputs) const {
  progress.steps_done.store(0, std::memory_order_relaxed);
  if (faults_ != nullptr) faults_->reset();
  const std::int64_t batch_size = key().batch_size;
  return executable_->execute({.state = buffers.state,
                               .fixed = buffers.fixed,
                               .rows = buffers.rows,
                               .row_indices = order.step(first),
                               .num_rows = std::min(count * batch_size, order.num_rows() - first * order.batch_size()),
                               .num_steps = count,
                               .outputs = outputs,
                               .progress = &progress});
}

}  // namespace cornu::inline v0::keras
