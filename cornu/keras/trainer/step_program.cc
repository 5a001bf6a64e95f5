#include "cornu/keras/trainer/step_program.h"

#include <algorithm>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/row_mask.h"
#include "cornu/tensor/ops.h"

namespace cornu::keras {
namespace {

struct StepArguments {
  Tensor x;
  Tensor y;
  SampleWeights loss_weights;
  RowMask rows;
};

// Floating-point data are trained on in f32, as Keras's floatx; integers and booleans go to the model as they are.
Tensor add_array(Trace& trace, const ProgramKey& key, std::size_t index) {
  TensorType type = key.arrays[index];
  type.dims.insert(type.dims.begin(), key.batch_size);
  const Tensor array = trace.add_rows_argument(type);
  return ir::is_float(type.dtype) ? ops::cast(array, DType::kF32) : array;
}

StepArguments add_arguments(Trace& trace, const ProgramKey& key) {
  StepArguments arguments;
  arguments.x = add_array(trace, key, 0);
  if (key.arrays.size() > 1) arguments.y = add_array(trace, key, 1);
  if (key.arrays.size() > 2) arguments.loss_weights.weight = ops::cast(add_array(trace, key, 2), DType::kF32);
  if (key.kind != ProgramKind::kPredict) {
    arguments.rows = RowMask::first_rows(trace.add_valid_rows_argument(), key.batch_size);
    arguments.loss_weights.rows = arguments.rows;
  }
  return arguments;
}

Tensor total_loss(const ModelParts& parts, const StepArguments& arguments, const Tensor& y_pred) {
  Tensor loss = (*parts.loss)(arguments.y, y_pred, arguments.loss_weights);
  for (const Tensor& extra : parts.network->losses()) loss = loss + extra;
  return loss;
}

void update_metrics(const ModelParts& parts, const StepArguments& arguments, const Tensor& y_pred, const Tensor& loss) {
  parts.loss_tracker->update(loss, SampleWeights{.weight = arguments.rows.num_valid, .rows = {}});
  for (const auto& metric : parts.metrics) metric->update_state(arguments.y, y_pred, SampleWeights{.weight = {}, .rows = arguments.rows});
}

// State keeps its value in a step that faults and in all steps after it. `updated` are the weights and slots, assigned by now.
void predicate_on_faults(Trace& trace, const ModelParts& parts, const Tensor& loss, std::span<const Tensor> gradients,
                         std::span<const Variable> updated) {
  const Tensor loss_ok = ops::is_finite(loss);
  Tensor gradients_ok = loss_ok;
  for (const Tensor& gradient : gradients) {
    if (gradient.defined()) gradients_ok = ops::logical_and(gradients_ok, ops::all(ops::is_finite(gradient)));
  }
  Tensor all_ok = gradients_ok;
  for (const Variable& variable : updated) {
    if (ir::is_float(variable.dtype())) all_ok = ops::logical_and(all_ok, ops::all(ops::is_finite(trace.read(variable))));
  }
  const auto code = [](FaultCode fault) { return Tensor(ir::Literal::scalar(DType::kI32, fault)); };
  const Tensor before = trace.read(parts.fault);
  const Tensor no_fault_before = ops::equal(before, code(kNoFault));
  const Tensor of_gradients = ops::where(loss_ok, code(kGradientNotFinite), code(kLossNotFinite));
  const Tensor here = ops::where(all_ok, code(kNoFault), ops::where(gradients_ok, code(kUpdateNotFinite), of_gradients));
  parts.fault.assign(ops::where(no_fault_before, here, before));
  trace.predicate_assignments(ops::logical_and(no_fault_before, all_ok), std::span(&parts.fault, 1));
}

void trace_train_step(Trace& trace, const ModelParts& parts, const StepArguments& arguments) {
  const Tensor y_pred = (*parts.network)(arguments.x, CallArguments{.training = true});
  const Tensor loss = total_loss(parts, arguments, y_pred);
  const std::vector<Tensor> gradients = gradient(parts.optimizer->scale_loss(loss), std::span<const Variable>(parts.trainable));
  parts.optimizer->apply(gradients, parts.trainable);
  const std::vector<Variable> updated = trace.assigned();
  update_metrics(parts, arguments, y_pred, loss);
  if (parts.fault.defined()) predicate_on_faults(trace, parts, loss, gradients, updated);
}

}  // namespace

ProgramKey ProgramKey::of(ProgramKind kind, std::int64_t batch_size, const ArrayData& data, const runtime::Client* client) {
  ProgramKey key{.kind = kind, .batch_size = batch_size, .arrays = {}, .client = client};
  for (const Tensor* array : {&data.x, &data.y, &data.sample_weight}) {
    if (!array->defined()) continue;
    TensorType row = array->type();
    row.dims.erase(row.dims.begin());
    key.arrays.push_back(std::move(row));
  }
  return key;
}

std::unique_ptr<StepRunner> make_step_runner(const ProgramKey& key, const ModelParts& parts, std::shared_ptr<runtime::Client> client) {
  static constexpr const char* kNames[] = {"train_step", "test_step", "predict_step"};
  Trace trace(kNames[static_cast<int>(key.kind)]);
  TracedProgram traced;
  {
    const Trace::Scope scope(trace);
    const StepArguments arguments = add_arguments(trace, key);
    switch (key.kind) {
      case ProgramKind::kTrain:
        trace_train_step(trace, parts, arguments);
        traced = trace.finish();
        break;
      case ProgramKind::kTest: {
        const Tensor y_pred = (*parts.network)(arguments.x, CallArguments{.training = false});
        update_metrics(parts, arguments, y_pred, total_loss(parts, arguments, y_pred));
        traced = trace.finish();
        break;
      }
      case ProgramKind::kPredict: {
        const Tensor outputs[] = {(*parts.network)(arguments.x, CallArguments{.training = false})};
        traced = trace.finish(outputs);
        break;
      }
    }
  }
  return std::make_unique<StepRunner>(key, std::move(traced), std::move(client));
}

StepRunner::StepRunner(ProgramKey key, TracedProgram traced, std::shared_ptr<runtime::Client> client)
    : key_(std::move(key)), traced_(std::move(traced)), client_(std::move(client)), executable_(client_->compile(traced_.step_program())) {}

void StepRunner::bind(const ArrayData& data) {
  state_ = traced_.state_buffers(client_);
  fixed_ = traced_.fixed_buffers(client_);
  rows_ = data.bases();
  bound_ = &data;
}

std::int64_t StepRunner::run(const BatchOrder& order, std::int64_t first, std::int64_t count, runtime::Progress& progress,
                             std::span<std::byte* const> outputs) {
  progress.steps_done.store(0, std::memory_order_relaxed);
  return executable_->execute({.state = state_,
                               .fixed = fixed_,
                               .rows = rows_,
                               .row_indices = order.step(first),
                               .num_rows = std::min(count * key_.batch_size, order.num_rows() - first * key_.batch_size),
                               .num_steps = count,
                               .outputs = outputs,
                               .progress = &progress});
}

}  // namespace cornu::keras
