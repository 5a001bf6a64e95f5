#include "cornu/keras/trainer/step_tools.h"

#include <algorithm>
#include <optional>

#include "cornu/base/check.h"
#include "cornu/ir/builder.h"
#include "cornu/keras/base/align.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/trace/replicas.h"

namespace cornu::inline v0::keras {
namespace {

/// The number of data rows in the batch.
Tensor num_rows_of(const StepData& data) {
  if (data.rows.defined()) return data.rows.num_valid;
  return static_cast<float>(data.x[0].num_rows());
}

SampleWeights weights_of(const StepData& data, std::size_t output) {
  return {.sample_weight = output < data.sample_weight.size() ? data.sample_weight[output] : Tensor(),
          .rows = data.rows};
}

/// The class ids of labels, with 0 where a weight or the output's mask is 0: such labels may be any number.
Tensor counted_ids(const Tensor& labels, const Tensor& y_pred, const Tensor& sample_weight) {
  Tensor ids = labels;
  for (const Tensor* weight : {&sample_weight, y_pred.mask()})
    if (weight != nullptr && weight->defined()) ids = counted_labels(ids, *weight, 0);
  return ids;
}

/// True if both are the same value, not merely equal.
bool is_same(const Tensor& a, const Tensor& b) {
  return a.is_symbolic() == b.is_symbolic() && (a.is_symbolic() ? a.value() == b.value() : a.id() == b.id());
}

/// Sets the location of the ops traced while it lives to this part of the step; ops of layers inside have
/// their layer as location.
class StepPart {
 public:
  explicit StepPart(const char* name) {
    if (Trace* const trace = Trace::current()) location_.emplace(trace->builder(), name);
  }

 private:
  std::optional<ir::LocationScope> location_;
};

bool is_of_metrics(const ModelParts& parts, const Variable& variable) {
  const auto has = [&](const NamedMetric& named) {
    const std::span<const Variable> variables = named.metric->variables();
    return std::find(variables.begin(), variables.end(), variable) != variables.end();
  };
  return std::any_of(parts.metrics.begin(), parts.metrics.end(), has);
}

}  // namespace

std::span<const Variable> ModelStepTools::trainable_variables() {
  if (!parts_.outputs.empty()) return parts_.trainable;
  std::vector<Variable> now = parts_.network->trainable_weights();
  if (trainable_.empty() || trainable_.back() != now) trainable_.push_back(std::move(now));
  return trainable_.back();
}

void ModelStepTools::apply(std::span<const Tensor> gradients, std::span<const Variable> variables) {
  for (std::size_t i = 0;
       !parts_.optimizer->skips_non_finite() && i < std::min(gradients.size(), variables.size()); ++i)
    report_non_finite(FaultKind::kGradientNotFinite, gradients[i],
                      fmt::format("the gradient of \"{}\"", variables[i].path()));
  const StepPart part("optimizer");
  parts_.optimizer->apply(gradients, variables);
}

Tensor ModelStepTools::compute_loss(const StepData& data, const Tensors& y_pred) {
  const StepPart part("loss");
  Tensor total;
  const auto add = [&](const Tensor& loss) { total = total.defined() ? total + loss : loss; };
  for (std::size_t i = 0; i < parts_.outputs.size() && i < y_pred.size(); ++i) {
    const OutputParts& output = parts_.outputs[i];
    if (output.loss == nullptr) continue;
    if (i >= data.y.size() || !data.y[i].defined())
      invalid_argument("y is missing: the loss compares the model's output with it");
    const SampleWeights weights = weights_of(data, i);
    const auto classes = output.loss->num_label_classes(y_pred[i].shape());
    if (classes.has_value() && (!data.y[i].is_symbolic() || looks_for_faults(FaultKind::kIdOutOfRange)))
      check_ids(counted_ids(data.y[i], y_pred[i], weights.sample_weight),
                {.num_ids = *classes, .ignored_id = output.loss->ignored_class(), .subject = "label"});
    const Tensor loss = (*output.loss)(data.y[i], y_pred[i], weights);
    if (output.loss_tracker != nullptr)
      output.loss_tracker->update(detail::all_reduce(loss, detail::ReplicaReduction::kSum),
                                  SampleWeights{.sample_weight = num_rows_of(data), .rows = {}});
    add(output.loss_weight == 1 ? loss : loss * output.loss_weight);
  }
  // The loss of a replica is its part of the sum over all replicas.
  const detail::ReplicaTrace* const replica = detail::current_replica_trace();
  for (const Tensor& extra : parts_.network->losses()) {
    const Tensor loss = extra.rank() == 0 ? extra : ops::sum(extra);
    add(replica == nullptr ? loss : loss / static_cast<double>(replica->num_replicas));
  }
  if (!total.defined()) {
    fail(ErrorCode::kFailedPrecondition,
         "model \"{}\" was compiled without a loss, and its layers add none: give compile() a loss, or the "
         "model a train_step of its own",
         parts_.network->name());
  }
  report_non_finite(FaultKind::kLossNotFinite, total, "the loss");
  losses_.push_back(total);
  return total;
}

StepLogs ModelStepTools::compute_metrics(const StepData& data, const Tensors& y_pred, const Tensor& loss) {
  const StepPart part("metrics");
  if (loss.defined())
    parts_.loss_tracker->update(detail::all_reduce(loss, detail::ReplicaReduction::kSum),
                                SampleWeights{.sample_weight = num_rows_of(data), .rows = {}});
  for (std::size_t i = 0; i < parts_.outputs.size() && i < y_pred.size() && i < data.y.size(); ++i) {
    if (!data.y[i].defined()) continue;
    const SampleWeights weights = weights_of(data, i);
    for (const auto& metric : parts_.outputs[i].metrics)
      metric->update_state(data.y[i], y_pred[i], {.sample_weight = {}, .rows = data.rows});
    for (const auto& metric : parts_.outputs[i].weighted_metrics)
      metric->update_state(data.y[i], y_pred[i], weights);
  }
  results_.clear();
  for (const NamedMetric& named : parts_.metrics) results_.emplace_back(named.name, named.metric->result());
  return results_;
}

std::vector<LogSource> ModelStepTools::log_sources(const StepLogs& logs,
                                                   const std::vector<LogSource>& known) const {
  std::vector<LogSource> sources;
  for (const auto& [name, value] : logs) {
    const auto same_name = [&, &wanted = name](const auto& other) { return other.name == wanted; };
    if (std::any_of(sources.begin(), sources.end(), same_name))
      invalid_argument("the step reports \"{}\" twice", name);
    if (!value.defined()) invalid_argument("the step reports \"{}\", but no value", name);
    const auto result = std::find_if(results_.begin(), results_.end(),
                                     [&, &wanted = name](const auto& own) { return own.first == wanted; });
    const bool is_result = result != results_.end() && is_same(result->second, value);
    if (is_result) {
      sources.push_back(
          {name, parts_.metrics[static_cast<std::size_t>(result - results_.begin())].metric, {}});
      continue;
    }
    const auto before = std::find_if(known.begin(), known.end(), same_name);
    Variable variable = before != known.end() ? before->value : Variable();
    const TensorType type{DType::kF32, value.shape()};
    if (!variable.defined() || variable.type() != type)
      variable = Variable(ir::Literal(type), {.name = "log", .path = name, .trainable = false});
    const bool is_loss = std::any_of(losses_.begin(), losses_.end(),
                                     [&, &own = value](const Tensor& loss) { return is_same(loss, own); });
    variable.assign(detail::all_reduce(ops::cast(value, DType::kF32), is_loss
                                                                          ? detail::ReplicaReduction::kSum
                                                                          : detail::ReplicaReduction::kMean));
    sources.push_back({name, nullptr, variable});
  }
  std::sort(sources.begin(), sources.end(),
            [](const LogSource& a, const LogSource& b) { return a.name < b.name; });
  return sources;
}

TensorType model_type(TensorType type) {
  if (ir::is_float(type.dtype)) type.dtype = DType::kF32;
  return type;
}

StepData step_data(const ArrayData& batch, const RowMask& rows) {
  const auto mapped = [](const Tensors& arrays, auto&& dtype_of) {
    std::vector<Tensor> tensors;
    for (const Tensor& array : arrays)
      tensors.push_back(array.defined() ? ops::cast(array, dtype_of(array)) : array);
    return Tensors(std::move(tensors));
  };
  const auto of_model = [](const Tensor& array) { return model_type(array.type()).dtype; };
  const auto of_weights = [](const Tensor&) { return DType::kF32; };
  return {mapped(batch.x, of_model), mapped(batch.y, of_model), mapped(batch.sample_weight, of_weights),
          rows};
}

std::vector<LogSource> train_step(const ModelParts& parts, const StepData& data,
                                  const std::vector<LogSource>& known,
                                  const std::function<std::vector<Variable>()>& assigned) {
  ModelStepTools tools(parts);
  const StepLogs logs = parts.network->train_step(tools, data);
  if (looks_for_faults(FaultKind::kUpdateNotFinite)) {
    for (const Variable& variable : assigned())
      if (!is_of_metrics(parts, variable))
        report_non_finite(FaultKind::kUpdateNotFinite, variable.value(),
                          fmt::format("the update of \"{}\"", variable.path()));
  }
  return tools.log_sources(logs, known);
}

void refuse_untracked(const Layer& network, std::span<const Variable> only_read) {
  const std::vector<Variable> tracked = network.weights();
  for (const Variable& variable : only_read) {
    if (!variable.trainable() || std::find(tracked.begin(), tracked.end(), variable) != tracked.end())
      continue;
    const std::string& path = variable.path();
    const std::size_t end = path.rfind('/');
    if (end == std::string::npos)
      fail(ErrorCode::kFailedPrecondition,
           "[track] a training step of model \"{}\" reads variable \"{}\", which is trainable but no weight "
           "of the model: nothing would ever train it. Give it to track(), make it by add_weight(), or with "
           "trainable = false",
           network.name(), path);
    const std::size_t before = path.rfind('/', end - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    fail(ErrorCode::kFailedPrecondition,
         "[track] a training step of model \"{}\" reads \"{}\", but layer \"{}\" is not inside the model: "
         "nothing would ever train it. Give it to track(), or freeze it by set_trainable(false)",
         network.name(), path, path.substr(begin, end - begin));
  }
}

std::vector<LogSource> test_step(const ModelParts& parts, const StepData& data,
                                 const std::vector<LogSource>& known) {
  ModelStepTools tools(parts);
  const StepLogs logs = parts.network->test_step(tools, data);
  return tools.log_sources(logs, known);
}

Tensors predict_step(const ModelParts& parts, const StepData& data) {
  return parts.network->predict_step(data);
}

}  // namespace cornu::inline v0::keras
