#include "cornu/keras/metrics/metrics.h"

#include <array>

#include "cornu/base/check.h"
#include "cornu/keras/align.h"
#include "cornu/keras/layer.h"
#include "cornu/keras/losses/loss.h"
#include "cornu/keras/name_table.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/trace.h"

namespace cornu::keras {

Metric::Metric(std::string name) : name_(std::move(name)) {}

Variable Metric::add_variable(const std::string& name) {
  const std::string path = name_ + "/" + name;
  variables_.emplace_back(ir::Literal(TensorType{DType::kF32, {}}), VariableOptions{.name = name, .path = path, .trainable = false});
  return variables_.back();
}

void Metric::reset_state() {
  for (const Variable& variable : variables_) variable.assign(Tensor(ir::Literal(variable.type())));
}

namespace metrics {
namespace {

/// "(None, 3)": the batch that a step sees is padded, and its size says nothing to the caller.
std::string sample_shape_str(const Tensor& x) {
  Dims shape = x.shape();
  if (!shape.empty()) shape[0] = kUnknown;
  return shape_with_none_str(shape);
}

[[noreturn]] void labels_do_not_fit(const Tensor& y_true, const Tensor& y_pred) {
  invalid_argument("labels of shape {} do not fit the output of shape {}", sample_shape_str(y_true), sample_shape_str(y_pred));
}

/// What a metric was given, for its errors.
struct Given {
  const Tensor& y_true;
  const Tensor& y_pred;
};

/// 1 where `label`, made from the labels, equals `prediction`, made from the output.
Tensor matches(const Tensor& label, const Tensor& prediction, const Given& given) {
  bool fits = label.rank() == prediction.rank();
  for (std::size_t i = 0; fits && i < label.shape().size(); ++i) {
    const std::int64_t x = label.shape()[i];
    const std::int64_t y = prediction.shape()[i];
    fits = x == y || (i > 0 && (x == 1 || y == 1));
  }
  if (!fits) labels_do_not_fit(given.y_true, given.y_pred);
  return ops::cast(ops::equal(label, prediction), DType::kF32);
}

/// The sum of the weighted values of a batch, and what they count.
struct Totals {
  Tensor total;
  Tensor count;
};

using MetricReduceFn = Tensor (*)(const Tensor&, const ops::ReduceOptions&);

Tensor reduce_from(const Tensor& x, std::int64_t first_axis, MetricReduceFn reduce) {
  std::vector<std::int64_t> axes;
  for (std::int64_t axis = first_axis; axis < x.rank(); ++axis) axes.push_back(axis);
  return axes.empty() ? x : reduce(x, {.axis = axes});
}

Tensor sum_all(const Tensor& x) { return x.rank() == 0 ? x : ops::sum(x); }

/// What Keras's reduce_to_samplewise_values does, with padding rows left out.
Totals batch_totals(const Tensor& raw_values, const SampleWeights& weights, MetricReduceFn reduce) {
  Tensor values = ops::cast(raw_values, DType::kF32);
  const bool is_batch = values.rank() > 0;
  if (!weights.weight.defined()) {
    values = reduce_from(values, 1, reduce);
    if (is_batch && weights.rows.defined()) return {sum_all(weights.rows.zero_padding(values)), weights.rows.num_valid};
    return {sum_all(values), is_batch ? static_cast<float>(values.num_rows()) : 1.0F};
  }
  Tensor weight = ops::cast(weights.weight, DType::kF32);
  if (weight.rank() == values.rank() + 1 && weight.shape().back() == 1) weight = ops::squeeze(weight, -1);
  values = reduce_from(values, std::max<std::int64_t>(weight.rank(), 1), reduce);
  weight = ops::broadcast_to(weight, values.shape());
  values = reduce_from(values * weight, 1, reduce);
  weight = reduce_from(weight, 1, reduce);
  if (is_batch) {
    values = weights.rows.zero_padding(values);
    weight = weights.rows.zero_padding(weight);
  }
  return {sum_all(values), sum_all(weight)};
}

[[noreturn]] void needs_values(const std::string& name) {
  invalid_argument("[{}] gathers values, not labels and predictions: it cannot be one of a model's metrics", name);
}

std::string name_or(const std::string& name, const char* default_name) { return name.empty() ? default_name : name; }

}  // namespace

Tensor accuracy(const Tensor& y_true, const Tensor& y_pred) {
  const AlignedPair pair = align_ranks(ops::cast(y_true, y_pred.dtype()), y_pred);
  return matches(pair.y_true, pair.y_pred, {y_true, y_pred});
}

Tensor binary_accuracy(const Tensor& y_true, const Tensor& y_pred, double threshold) {
  const AlignedPair pair = align_ranks(ops::cast(y_true, y_pred.dtype()), y_pred);
  return matches(pair.y_true, ops::cast(ops::greater(pair.y_pred, threshold), y_pred.dtype()), {y_true, y_pred});
}

Tensor categorical_accuracy(const Tensor& y_true, const Tensor& y_pred) {
  if (y_true.rank() != y_pred.rank() || y_true.rank() == 0 || y_true.shape().back() != y_pred.shape().back())
    labels_do_not_fit(y_true, y_pred);
  return matches(ops::argmax(y_true, -1), ops::argmax(y_pred, -1), {y_true, y_pred});
}

Tensor sparse_categorical_accuracy(const Tensor& y_true, const Tensor& y_pred) {
  if (y_pred.rank() == 0) labels_do_not_fit(y_true, y_pred);
  Tensor labels = y_true;
  if (labels.rank() == y_pred.rank() && labels.shape().back() == 1) labels = ops::squeeze(labels, -1);
  return matches(ir::is_float(labels.dtype()) ? labels : ops::cast(labels, DType::kI32), ops::argmax(y_pred, -1), {y_true, y_pred});
}

SumMetric::SumMetric(std::string name) : Metric(std::move(name)), total_(add_variable("total")) {}
void SumMetric::update(const Tensor& values, const SampleWeights& weights) {
  total_.assign(total_ + batch_totals(values, weights, &ops::sum).total);
}
void SumMetric::update_state(const Tensor&, const Tensor&, const SampleWeights&) { needs_values(name()); }
Tensor SumMetric::result() const { return total_; }

MeanMetric::MeanMetric(std::string name) : Metric(std::move(name)), total_(add_variable("total")), count_(add_variable("count")) {}
void MeanMetric::update(const Tensor& values, const SampleWeights& weights) {
  const Totals totals = batch_totals(values, weights, &ops::mean);
  total_.assign(total_ + totals.total);
  count_.assign(count_ + totals.count);
}
void MeanMetric::update_state(const Tensor&, const Tensor&, const SampleWeights&) { needs_values(name()); }
Tensor MeanMetric::result() const {
  if (Trace::current() != nullptr) return ops::divide_no_nan(total_, count_);
  const float count = count_.read().data<float>()[0];
  return Tensor(count == 0 ? 0.0F : total_.read().data<float>()[0] / count);
}

MeanMetricWrapper::MeanMetricWrapper(Function function, std::string name, std::string kind)
    : MeanMetric(std::move(name)), function_(std::move(function)), kind_(kind.empty() ? this->name() : std::move(kind)) {}
void MeanMetricWrapper::update_state(const Tensor& y_true, const Tensor& y_pred, const SampleWeights& weights) {
  try {
    update(function_(y_true, y_pred), weights);
  } catch (const Error& error) {
    const std::string_view message = error.what();
    const std::string tag = message.starts_with("[") ? "" : fmt::format("[{}] ", kind_);
    throw Error(error.code(), fmt::format("{}{}; in metric \"{}\"", tag, message, name()));
  }
}

Sum::Sum(MetricOptions options) : MetricHandle(std::make_shared<SumMetric>(name_or(options.name, "sum"))) {}
void Sum::update_state(const Tensor& values, const SampleWeights& weights) const {
  static_cast<SumMetric&>(**this).update(values, weights);
}
Mean::Mean(MetricOptions options) : MetricHandle(std::make_shared<MeanMetric>(name_or(options.name, "mean"))) {}
void Mean::update_state(const Tensor& values, const SampleWeights& weights) const {
  static_cast<MeanMetric&>(**this).update(values, weights);
}

namespace {

std::shared_ptr<Metric> wrap(MeanMetricWrapper::Function function, const std::string& name, const char* default_name) {
  return std::make_shared<MeanMetricWrapper>(std::move(function), name_or(name, default_name), default_name);
}

std::shared_ptr<Metric> wrap_loss(const std::string& loss_name, const std::string& name) {
  const std::shared_ptr<Loss> loss = Loss::from_name(loss_name);
  const auto function = [loss](const Tensor& y_true, const Tensor& y_pred) {
    TensorType labels = y_true.type();
    TensorType output = y_pred.type();
    if (!labels.dims.empty() && !output.dims.empty()) {
      labels.dims[0] = output.dims[0] = kUnknown;
      loss->check_types(labels, output);
    }
    return loss->call(y_true, y_pred);
  };
  return wrap(function, name, loss->name().c_str());
}

constexpr std::array<NamedMaker<Metric>, 7> kMetrics = {{
    {"accuracy", &make_default<Metric, Accuracy>},
    {"acc", &make_default<Metric, Accuracy>},
    {"binary_accuracy", &make_default<Metric, BinaryAccuracy>},
    {"categorical_accuracy", &make_default<Metric, CategoricalAccuracy>},
    {"sparse_categorical_accuracy", &make_default<Metric, SparseCategoricalAccuracy>},
    {"mean", &make_default<Metric, Mean>},
    {"sum", &make_default<Metric, Sum>},
}};

}  // namespace

Accuracy::Accuracy(MetricOptions options) : MetricHandle(wrap(&accuracy, options.name, "accuracy")) {}
BinaryAccuracy::BinaryAccuracy(BinaryAccuracyOptions options)
    : MetricHandle(wrap([threshold = options.threshold](const Tensor& y_true,
                                                        const Tensor& y_pred) { return binary_accuracy(y_true, y_pred, threshold); },
                        options.name, "binary_accuracy")) {}
CategoricalAccuracy::CategoricalAccuracy(MetricOptions options)
    : MetricHandle(wrap(&categorical_accuracy, options.name, "categorical_accuracy")) {}
SparseCategoricalAccuracy::SparseCategoricalAccuracy(MetricOptions options)
    : MetricHandle(wrap(&sparse_categorical_accuracy, options.name, "sparse_categorical_accuracy")) {}
MeanSquaredError::MeanSquaredError(MetricOptions options) : MetricHandle(wrap_loss("mean_squared_error", options.name)) {}
MeanAbsoluteError::MeanAbsoluteError(MetricOptions options) : MetricHandle(wrap_loss("mean_absolute_error", options.name)) {}

std::shared_ptr<Metric> make_metric(const MetricSpec& spec, const Dims& y_true_shape, const Dims& y_pred_shape) {
  if (!spec.is_name()) return spec.get();
  const std::string wanted = canonical_name(spec.text());
  std::shared_ptr<Metric> metric;
  if (wanted == "accuracy" || wanted == "acc") {
    const bool has_one_output = !y_pred_shape.empty() && y_pred_shape.back() == 1;
    const bool labels_have_one = !y_true_shape.empty() && y_true_shape.back() == 1;
    if (has_one_output) {
      metric = BinaryAccuracy().shared();
    } else if (y_true_shape.size() < y_pred_shape.size() || labels_have_one) {
      metric = SparseCategoricalAccuracy().shared();
    } else {
      metric = CategoricalAccuracy().shared();
    }
  } else {
    metric = spec.get();
  }
  metric->set_name(spec.text());
  return metric;
}

}  // namespace metrics

std::shared_ptr<Metric> Metric::from_name(const std::string& name) {
  if (std::shared_ptr<Metric> metric = make_named<Metric>(metrics::kMetrics, name)) return metric;
  std::vector<std::string> known = table_names<Metric>(metrics::kMetrics);
  for (const std::string& loss : Loss::names()) {
    if (canonical_name(name) == canonical_name(loss)) return metrics::wrap_loss(loss, "");
    known.push_back(loss);
  }
  unknown_name("metric", name, known);
}

}  // namespace cornu::keras
