#include "cornu/keras/trainer/step_program.h"

#include <algorithm>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/keras/row_mask.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras {
namespace {

Tensor add_array(Trace& trace, TensorType type, std::int64_t batch_size) {
  type.dims.insert(type.dims.begin(), batch_size);
  const Tensor array = trace.add_rows_argument(type);
  const DType dtype = model_type(type).dtype;
  return type.dtype == dtype ? array : ops::cast(array, dtype);
}

Tensors add_arrays(Trace& trace, const std::vector<std::optional<TensorType>>& types, std::int64_t batch_size) {
  std::vector<Tensor> arrays;
  for (const std::optional<TensorType>& type : types) arrays.push_back(type.has_value() ? add_array(trace, *type, batch_size) : Tensor());
  return Tensors(std::move(arrays));
}

StepData add_arguments(Trace& trace, const ProgramKey& key) {
  StepData data;
  data.x = add_arrays(trace, key.x, key.batch_size);
  data.y = add_arrays(trace, key.y, key.batch_size);
  std::vector<Tensor> weights;
  for (const Tensor& weight : add_arrays(trace, key.sample_weight, key.batch_size))
    weights.push_back(weight.defined() ? ops::cast(weight, DType::kF32) : weight);
  data.sample_weight = Tensors(std::move(weights));
  if (key.kind != ProgramKind::kPredict) data.rows = RowMask::first_rows(trace.add_valid_rows_argument(), key.batch_size);
  return data;
}

bool is_of_metrics(const ModelParts& parts, const Variable& variable) {
  const auto has = [&](const NamedMetric& named) {
    const std::span<const Variable> variables = named.metric->variables();
    return std::find(variables.begin(), variables.end(), variable) != variables.end();
  };
  return std::any_of(parts.metrics.begin(), parts.metrics.end(), has);
}

/// What the update changed: all that is assigned but the sums of metrics.
std::vector<Variable> updated_variables(const Trace& trace, const ModelParts& parts) {
  std::vector<Variable> updated;
  for (const Variable& variable : trace.assigned())
    if (!is_of_metrics(parts, variable)) updated.push_back(variable);
  return updated;
}

std::vector<LogSource> trace_train_step(Trace& trace, const ModelParts& parts, const StepData& data,
                                        const std::vector<LogSource>& known_logs) {
  CompiledStepTools tools(parts);
  auto* network = dynamic_cast<Network*>(parts.network.get());
  const StepLogs logs = network != nullptr ? network->train_step(tools, data) : default_train_step(*parts.network, tools, data);
  const std::vector<Variable> updated = updated_variables(trace, parts);
  for (const Variable& variable : updated)
    report_non_finite(FaultKind::kUpdateNotFinite, trace.read(variable), fmt::format("the update of \"{}\"", variable.path()));
  return tools.log_sources(logs, known_logs);
}

std::vector<LogSource> trace_test_step(const ModelParts& parts, const StepData& data, const std::vector<LogSource>& known_logs) {
  CompiledStepTools tools(parts);
  auto* network = dynamic_cast<Network*>(parts.network.get());
  const StepLogs logs = network != nullptr ? network->test_step(tools, data) : default_test_step(*parts.network, tools, data);
  return tools.log_sources(logs, known_logs);
}

/// A step that looks at a value while it is traced cannot be compiled; the error says what can be done.
template <typename F>
auto with_eager_hint(F&& trace_step) {
  try {
    return trace_step();
  } catch (const Error& error) {
    const std::string message = error.what();
    if (error.code() != ErrorCode::kFailedPrecondition || message.find("symbolic") == std::string::npos) throw;
    fail(error.code(), "{}; a step is compiled and cannot look at values on the host: report them as logs, or look at them in a callback",
         message);
  }
}

}  // namespace

TensorType model_type(TensorType type) {
  if (ir::is_float(type.dtype)) type.dtype = DType::kF32;
  return type;
}

ProgramKey ProgramKey::of(ProgramKind kind, std::int64_t batch_size, const ArrayData& data, const runtime::Client* client) {
  ProgramKey key;
  key.kind = kind;
  key.batch_size = batch_size;
  key.client = client;
  const auto add = [](const Tensors& arrays, std::vector<std::optional<TensorType>>& types) {
    for (const Tensor& array : arrays) {
      types.emplace_back();
      if (!array.defined()) continue;
      types.back() = TensorType{array.dtype(), Dims(array.shape().begin() + 1, array.shape().end())};
    }
  };
  add(data.x, key.x);
  add(data.y, key.y);
  add(data.sample_weight, key.sample_weight);
  return key;
}

bool ProgramKey::same_arrays(const ProgramKey& other) const {
  return kind == other.kind && client == other.client && x == other.x && y == other.y && sample_weight == other.sample_weight;
}

std::unique_ptr<StepRunner> make_step_runner(const ProgramKey& key, const ModelParts& parts, const std::vector<LogSource>& known_logs,
                                             std::shared_ptr<runtime::Client> client) {
  static constexpr const char* kNames[] = {"train_step", "test_step", "predict_step"};
  Trace trace(kNames[static_cast<int>(key.kind)]);
  TracedProgram traced;
  std::vector<LogSource> logs;
  const FaultOptions looks_for{.ids = parts.faults.ids, .non_finite = parts.faults.non_finite && key.kind == ProgramKind::kTrain};
  const auto faults = looks_for.any() ? std::make_shared<StepFaults>(looks_for) : nullptr;
  with_eager_hint([&] {
    const Trace::Scope scope(trace);
    const FaultReceiver::Scope receiver(faults.get());
    const StepData data = add_arguments(trace, key);
    if (key.kind == ProgramKind::kPredict) {
      auto* network = dynamic_cast<Network*>(parts.network.get());
      const Tensors outputs = network != nullptr ? network->predict_step(data) : default_predict_step(*parts.network, data);
      if (faults != nullptr) faults->finish(trace);
      traced = trace.finish(outputs);
      return;
    }
    logs = key.kind == ProgramKind::kTrain ? trace_train_step(trace, parts, data, known_logs) : trace_test_step(parts, data, known_logs);
    if (faults != nullptr) faults->finish(trace);
    traced = trace.finish();
  });
  return std::make_unique<StepRunner>(key, std::move(traced), std::move(logs), faults, std::move(client));
}

StepRunner::StepRunner(ProgramKey key, TracedProgram traced, std::vector<LogSource> logs, std::shared_ptr<const StepFaults> faults,
                       std::shared_ptr<runtime::Client> client)
    : key_(std::move(key)),
      traced_(std::move(traced)),
      logs_(std::move(logs)),
      faults_(std::move(faults)),
      client_(std::move(client)),
      executable_(client_->compile(traced_.step_program())) {}

void StepRunner::read_logs(Logs& logs) const {
  logs.clear();
  for (const LogSource& source : logs_)
    logs.set(source.name, source.metric != nullptr ? source.metric->result().item<double>() : source.value.read().at(0));
}

void StepRunner::bind(const ArrayData& data) {
  buffers_ = buffers(data);
  bound_ = &data;
}

StepBuffers StepRunner::buffers(const ArrayData& data) const {
  return {traced_.state_buffers(client_), traced_.fixed_buffers(client_), data.bases()};
}

std::int64_t StepRunner::run_on(const StepBuffers& buffers, const BatchOrder& order, std::int64_t first, std::int64_t count,
                                runtime::Progress& progress, std::span<std::byte* const> outputs) const {
  progress.steps_done.store(0, std::memory_order_relaxed);
  if (faults_ != nullptr) faults_->reset();
  return executable_->execute({.state = buffers.state,
                               .fixed = buffers.fixed,
                               .rows = buffers.rows,
                               .row_indices = order.step(first),
                               .num_rows = std::min(count * key_.batch_size, order.num_rows() - first * key_.batch_size),
                               .num_steps = count,
                               .outputs = outputs,
                               .progress = &progress});
}

}  // namespace cornu::inline v0::keras
