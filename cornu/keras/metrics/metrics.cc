#include "cornu/keras/metrics/metrics.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

#include "cornu/base/callable.h"
#include "cornu/base/check.h"
#include "cornu/base/memory_allowance.h"
#include "cornu/keras/base/align.h"
#include "cornu/keras/base/floatx.h"
#include "cornu/keras/base/name_table.h"
#include "cornu/keras/base/shapes.h"
#include "cornu/keras/config/described_options_support.h"
#include "cornu/keras/losses/batch_labels_support.h"
#include "cornu/keras/losses/losses.h"
#include "cornu/keras/metrics/support.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/ops/epsilon.h"
#include "cornu/tensor/trace.h"

namespace cornu::inline v0::keras {

Metric::Metric(StringArgument name, std::optional<DType> dtype)
    : name_(std::move(name)), dtype_(dtype.value_or(current_floatx())) {
  check_name("metric", name_);
  if (!ir::is_float(dtype_))
    invalid_argument({.argument = "dtype"}, "[{}] dtype must be a floating-point one; got dtype = {}", name_,
                     ir::numpy_name(dtype_));
}

Metric::Metric(StringArgument name, CountDType counts) : name_(std::move(name)), dtype_(counts.dtype) {
  check_name("metric", name_);
  if (!ir::is_float(dtype_) && !ir::is_integer(dtype_))
    invalid_argument({.argument = "dtype"}, "[{}] dtype must be one of numbers; got dtype = {}", name_,
                     ir::numpy_name(dtype_));
}

Config Metric::get_config() const {
  return described_config("keras.metrics", "metric", name_,
                          Config::dict({{"name", name_}, {"dtype", ir::numpy_name(dtype_)}}));
}

Config MetricHandle::get_config() const { return (*this)->get_config(); }

void Metric::set_name(StringArgument name) {
  check_name("metric", name);
  name_ = std::move(name);
}

Variable Metric::add_variable(const StringArgument& name, const Dims& shape) {
  const std::string path = name_ + "/" + name;
  claim_memory(CheckedSize::product(shape) * ir::size_bytes(dtype_),
               [&] { return fmt::format("the variable \"{}\" of shape {}", path, ir::shape_str(shape)); });
  variables_.emplace_back(ir::Literal(TensorType{dtype_, shape}),
                          VariableOptions{.name = name,
                                          .path = path,
                                          .trainable = false,
                                          .aggregation = VariableAggregation::kSum,
                                          .synchronization = VariableSynchronization::kOnRead});
  return variables_.back();
}

void Metric::merge_state(std::span<const std::shared_ptr<Metric>> metrics) {
  for (const std::shared_ptr<Metric>& other : metrics) {
    const auto types_match = [](const Variable& x, const Variable& y) {
      return x.type() == y.type() && x.name() == y.name();
    };
    require_defined(other, kHandleKind);
    if (!std::equal(variables_.begin(), variables_.end(), other->variables_.begin(), other->variables_.end(),
                    types_match))
      invalid_argument("[{}] the state of metric \"{}\" is another one and cannot be merged", name_,
                       other->name());
  }
  for (const std::shared_ptr<Metric>& other : metrics)
    for (std::size_t i = 0; i < variables_.size(); ++i)
      variables_[i].assign(variables_[i] + other->variables_[i]);
}

void Metric::reset_state() {
  for (const Variable& variable : variables_) variable.assign(Tensor(ir::Literal(variable.type())));
}

namespace metrics {
namespace {

/// "(None, 3)": the batch size of a step includes padding and would mislead the caller.
std::string sample_shape_str(const Tensor& x) {
  Dims shape = x.shape();
  if (!shape.empty()) shape[0] = kUnknown;
  return shape_with_none_str(shape);
}

}  // namespace

void labels_do_not_fit(const Tensor& y_true, const Tensor& y_pred) {
  invalid_argument("labels of shape {} do not fit the output of shape {}", sample_shape_str(y_true),
                   sample_shape_str(y_pred));
}

namespace {

/// A metric's arguments, for its errors.
struct Given {
  const Tensor& y_true;
  const Tensor& y_pred;
};

/// 1 where `label`, computed from the labels, equals `prediction`, computed from the output.
Tensor matches(const Tensor& label, const Tensor& prediction, const Given& given) {
  bool fits = label.rank() == prediction.rank();
  for (std::size_t i = 0; fits && i < label.shape().size(); ++i) {
    const std::int64_t x = label.shape()[i];
    const std::int64_t y = prediction.shape()[i];
    fits = x == y || (i > 0 && (x == 1 || y == 1));
  }
  if (!fits) labels_do_not_fit(given.y_true, given.y_pred);
  return ops::cast(ops::equal(label, prediction), current_floatx());
}

/// The weights times the Keras mask of `tensor`, if it has one.
SampleWeights masked_weights(const SampleWeights& weights, const Tensor& tensor) {
  if (tensor.mask() == nullptr) return weights;
  const Tensor of_mask = ops::cast(*tensor.mask(), DType::kF32);
  if (!weights.sample_weight.defined()) return {of_mask, weights.rows};
  Tensor weight = ops::cast(weights.sample_weight, DType::kF32);
  if (weight.rank() == of_mask.rank() + 1 && weight.shape().back() == 1) weight = ops::squeeze(weight, -1);
  while (weight.rank() < of_mask.rank()) weight = ops::expand_dims(weight, -1);
  return {weighted_values(weight, of_mask), weights.rows};
}

/// The sum of the weighted values of a batch, and the sum of their weights.
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

/// Computes Keras's reduce_to_samplewise_values without padding rows.
Totals batch_totals(const Tensor& raw_values, const SampleWeights& given, MetricReduceFn reduce,
                    DType dtype) {
  // A mask of the values counts only if there are weights.
  const SampleWeights weights = given.sample_weight.defined() ? masked_weights(given, raw_values) : given;
  Tensor values = ops::cast(raw_values, dtype);
  const bool is_batch = values.rank() > 0;
  if (is_batch && weights.rows.defined() && values.shape()[0] != weights.rows.valid.shape()[0])
    weights.rows.require_exact(fmt::format("a metric's values, of shape {}, have other rows than the batch",
                                           ir::shape_str(values.shape())));
  if (!weights.sample_weight.defined()) {
    values = reduce_from(values, 1, reduce);
    if (is_batch && weights.rows.defined())
      return {sum_all(weights.rows.zero_padding(values)), ops::cast(weights.rows.num_valid, dtype)};
    return {sum_all(values), is_batch ? static_cast<double>(values.num_rows()) : 1.0};
  }
  Tensor weight = ops::cast(weights.sample_weight, dtype);
  if (weight.rank() == values.rank() + 1 && weight.shape().back() == 1) weight = ops::squeeze(weight, -1);
  values = reduce_from(values, std::max<std::int64_t>(weight.rank(), 1), reduce);
  weight = ops::broadcast_to(weight, values.shape());
  values = reduce_from(weighted_values(values, weight), 1, reduce);
  weight = reduce_from(weight, 1, reduce);
  if (is_batch) {
    values = weights.rows.zero_padding(values);
    weight = weights.rows.zero_padding(weight);
  }
  return {sum_all(values), sum_all(weight)};
}

[[noreturn]] void needs_values(const std::string& name) {
  invalid_argument("[{}] gathers values, not labels and predictions: it cannot be one of a model's metrics",
                   name);
}

}  // namespace

std::string name_or(const std::string& name, const char* default_name) {
  return name.empty() ? default_name : name;
}

Tensor predictions_in(const Tensor& y_pred, DType dtype) {
  const bool is_wider = ir::is_float(y_pred.dtype()) && ir::bit_width(y_pred.dtype()) > ir::bit_width(dtype);
  return is_wider ? y_pred : ops::cast(y_pred, dtype);
}

Tensor accuracy(const Tensor& y_true, const Tensor& y_pred) {
  // Integers are compared as integers; 16-bit floats represent few of them.
  const auto widened = [](const Tensor& x) {
    const bool is_narrow = ir::is_float(x.dtype()) && ir::bit_width(x.dtype()) < 32;
    return is_narrow ? ops::cast(x, DType::kF32) : x;
  };
  const AlignedPair pair = align_ranks(widened(y_true), widened(y_pred));
  return matches(pair.y_true, pair.y_pred, {y_true, y_pred});
}

Tensor binary_accuracy(const Tensor& y_true, const Tensor& y_pred, double threshold) {
  const AlignedPair pair = align_ranks(y_true, float_predictions(y_pred));
  return matches(pair.y_true, ops::cast(ops::greater(pair.y_pred, threshold), y_true.dtype()),
                 {y_true, y_pred});
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
  return matches(ir::is_float(labels.dtype()) ? labels : class_ids(labels, y_pred.shape().back()),
                 ops::argmax(y_pred, -1), {y_true, y_pred});
}

namespace {

/// 1 for samples whose label has fewer than k classes rated above it, else 0.
Tensor label_is_among_top(const Tensor& labels, const Tensor& y_pred, std::int64_t k, const Given& given) {
  if (labels.rank() + 1 != y_pred.rank()) labels_do_not_fit(given.y_true, given.y_pred);
  for (std::size_t i = 0; i < labels.shape().size(); ++i)
    if (labels.shape()[i] != y_pred.shape()[i]) labels_do_not_fit(given.y_true, given.y_pred);
  const Tensor is_label = ops::equal(ops::expand_dims(labels, -1), ops::arange(y_pred.shape().back()));
  const Tensor rating = ops::sum(ops::where(is_label, y_pred, 0), {.axis = -1, .keepdims = true});
  const Tensor num_above = ops::sum(ops::cast(ops::greater(y_pred, rating), DType::kI32), {.axis = -1});
  // A NaN has no class above it and would count as a match.
  const Tensor is_number = ops::squeeze(ops::equal(rating, rating), -1);
  return ops::cast(ops::logical_and(is_number, ops::less(num_above, k)), current_floatx());
}

}  // namespace

Tensor top_k_categorical_accuracy(const Tensor& y_true, const Tensor& y_pred, std::int64_t k) {
  if (y_true.rank() != y_pred.rank() || y_true.rank() == 0 || y_true.shape().back() != y_pred.shape().back())
    labels_do_not_fit(y_true, y_pred);
  return label_is_among_top(ops::argmax(y_true, -1), y_pred, k, {y_true, y_pred});
}

Tensor sparse_top_k_categorical_accuracy(const Tensor& y_true, const Tensor& y_pred, std::int64_t k) {
  if (y_pred.rank() == 0) labels_do_not_fit(y_true, y_pred);
  Tensor labels = class_ids(y_true, y_pred.shape().back());
  if (labels.rank() == y_pred.rank() && labels.shape().back() == 1) labels = ops::squeeze(labels, -1);
  return label_is_among_top(labels, y_pred, k, {y_true, y_pred});
}

Tensor sorted_ids_top_k_accuracy(const Tensor& y_true, const Tensor& y_pred, std::int64_t k) {
  if (y_pred.rank() == 0) labels_do_not_fit(y_true, y_pred);
  Tensor labels = ops::cast(y_true, y_pred.dtype());
  if (labels.rank() + 1 == y_pred.rank()) labels = ops::expand_dims(labels, -1);
  bool fits = labels.rank() == y_pred.rank() && labels.shape().back() == 1;
  for (std::size_t i = 0; fits && i + 1 < labels.shape().size(); ++i)
    fits = labels.shape()[i] == y_pred.shape()[i];
  if (!fits) labels_do_not_fit(y_true, y_pred);
  std::vector<Slice> first(y_pred.shape().size());
  first.back() = Slice{0, std::min(k, y_pred.shape().back())};
  return ops::cast(ops::any(ops::equal(labels, y_pred.slice(first)), {.axis = -1}), current_floatx());
}

namespace {

/// Labels in the dtype of the predictions, of their rank and shape.
AlignedPair correlated_values(const Tensor& y_true, const Tensor& y_pred) {
  const Tensor predictions = float_predictions(y_pred);
  AlignedPair pair = align_ranks(ops::cast(y_true, predictions.dtype()), predictions);
  if (pair.y_true.shape() != pair.y_pred.shape()) labels_do_not_fit(y_true, y_pred);
  return pair;
}

}  // namespace

Tensor pearson_correlation(const Tensor& y_true, const Tensor& y_pred,
                           const CorrelationFunctionOptions& options) {
  const AlignedPair pair = correlated_values(y_true, y_pred);
  const ops::ReduceOptions along = {.axis = options.axis, .keepdims = true};
  const auto standardized = [&](const Tensor& x) { return (x - ops::mean(x, along)) / ops::std(x, along); };
  return ops::mean(standardized(pair.y_true) * standardized(pair.y_pred), {.axis = options.axis});
}

Tensor concordance_correlation(const Tensor& y_true, const Tensor& y_pred,
                               const CorrelationFunctionOptions& options) {
  const AlignedPair pair = correlated_values(y_true, y_pred);
  const ops::ReduceOptions along = {.axis = options.axis, .keepdims = true};
  const Tensor true_mean = ops::mean(pair.y_true, along), pred_mean = ops::mean(pair.y_pred, along);
  const Tensor covariance = (pair.y_true - true_mean) * (pair.y_pred - pred_mean);
  const Tensor spread =
      ops::var(pair.y_true, along) + ops::var(pair.y_pred, along) + ops::square(true_mean - pred_mean);
  return ops::mean(covariance * 2.0 / (spread + cornu::detail::small_number()), {.axis = options.axis});
}

SumMetric::SumMetric(StringArgument name, std::optional<DType> dtype)
    : Metric(std::move(name), dtype), total_(add_variable("total")) {}
void SumMetric::update(const Tensor& values, const SampleWeights& weights) {
  try {
    total_.assign(total_ + batch_totals(values, weights, &ops::sum, dtype()).total);
  } catch (const Error& error) {
    rethrow_named(error, "sum", name());
  }
}
void SumMetric::update_state(const Tensor&, const Tensor&, const SampleWeights&) { needs_values(name()); }
Tensor SumMetric::result() const { return total_; }

MeanMetric::MeanMetric(StringArgument name, std::optional<DType> dtype)
    : Metric(std::move(name), dtype), total_(add_variable("total")), count_(add_variable("count")) {}
void MeanMetric::update(const Tensor& values, const SampleWeights& weights) {
  try {
    const Totals totals = batch_totals(values, weights, &ops::mean, dtype());
    total_.assign(total_ + totals.total);
    count_.assign(count_ + totals.count);
  } catch (const Error& error) {
    rethrow_named(error, "mean", name());
  }
}
void MeanMetric::update_state(const Tensor&, const Tensor&, const SampleWeights&) { needs_values(name()); }
Tensor MeanMetric::result() const {
  if (Trace::current() != nullptr || dtype() != DType::kF32) return ops::divide_no_nan(total_, count_);
  // Both are always read: the time of a simulated device does not depend on values.
  const float total = total_.read().data<float>()[0], count = count_.read().data<float>()[0];
  return Tensor(count == 0 ? 0.0F : total / count).strong_scalar(DType::kF32);
}

void rethrow_named(const Error& error, const std::string& kind, const std::string& name) {
  throw error.with({.op = kind, .metric = name});
}

namespace {

using MetricFunction = std::function<Tensor(const Tensor& y_true, const Tensor& y_pred)>;

/// The mean over samples of function(y_true, y_pred).
class FunctionMetric : public MeanMetric {
 public:
  /// `kind` is the tag of errors ("[binary_accuracy] ..."); empty: the name. `reads_all_labels`: see
  /// losses::ReadsAllLabels.
  FunctionMetric(MetricFunction function, const std::string& name, std::string kind = {},
                 std::optional<DType> dtype = {}, bool reads_all_labels = false)
      : MeanMetric(name, dtype),
        function_(std::move(function)),
        kind_(std::move(kind)),
        reads_all_labels_(reads_all_labels) {
    if (kind_.empty()) kind_ = this->name();
    check_callable("metrics.get", "metric", function_);
  }
  using Metric::update_state;
  void update_state(const Tensor& y_true, const Tensor& y_pred, const SampleWeights& weights) override {
    try {
      const SampleWeights counted = masked_weights(weights, y_pred);
      const bool selects_labels = reads_all_labels_ && counted.sample_weight.defined();
      const Tensor values = function_(
          selects_labels ? counted_labels(y_true, counted.sample_weight, losses::kUncountedLabel) : y_true,
          y_pred);
      if (values.rank() == 0)
        weights.rows.require_exact(fmt::format("metric \"{}\" gives one number for a batch", name()));
      update(values, counted);
    } catch (const Error& error) {
      rethrow_named(error, kind_, name());
    }
  }

 private:
  MetricFunction function_;
  std::string kind_;
  bool reads_all_labels_;
};

/// The name of a function in Keras's style: "top_gap" for an object of class TopGap, "lambda", "function" for
/// a pointer.
std::string name_of(const MetricFunction& function) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> demangled(
      abi::__cxa_demangle(function.target_type().name(), nullptr, nullptr, &status), &std::free);
  std::string name = demangled == nullptr ? "" : demangled.get();
  if (name.find("{lambda(") != std::string::npos || name.find("$_") != std::string::npos) return "lambda";
  name = name.substr(0, name.find('<'));
  name.erase(0, name.rfind(':') + 1);  // without "::" nothing is erased: npos + 1 is 0
  name.erase(0, name.find_first_not_of('_'));
  const bool is_class = !name.empty() && name.find_first_of(" (*") == std::string::npos;
  return is_class ? snake_case(name) : "function";
}

}  // namespace

MeanMetricWrapper::MeanMetricWrapper(MeanMetricWrapperOptions options)
    : MetricHandle(std::make_shared<FunctionMetric>(
          options.fn, options.name.empty() ? name_of(options.fn) : options.name, "", options.dtype)) {}

Sum::Sum(MetricOptions options)
    : MetricHandle(std::make_shared<SumMetric>(name_or(options.name, "sum"), options.dtype)) {
  saving::describe(*this, "Sum", options);
}
void Sum::update_state(const Tensor& values, const SampleWeights& weights) const {
  static_cast<SumMetric&>(**this).update(values, weights);
}
Mean::Mean(MetricOptions options)
    : MetricHandle(std::make_shared<MeanMetric>(name_or(options.name, "mean"), options.dtype)) {
  saving::describe(*this, "Mean", options);
}
void Mean::update_state(const Tensor& values, const SampleWeights& weights) const {
  static_cast<MeanMetric&>(**this).update(values, weights);
}

namespace {

std::shared_ptr<Metric> wrap(MetricFunction function, const std::string& name, const char* default_name,
                             std::optional<DType> dtype = {}) {
  auto metric =
      std::make_shared<FunctionMetric>(std::move(function), name_or(name, default_name), default_name, dtype);
  metric->set_direction(Metric::Direction::kUp);
  return metric;
}

/// Refuses labels that the loss refuses, and labels for another number of rows, which would broadcast.
void check_labels_for(const LossHandle& loss, const Tensor& y_true, const Tensor& y_pred) {
  TensorType labels = y_true.type(), output = y_pred.type();
  if (labels.dims.empty() || output.dims.empty()) return;
  labels.dims[0] = output.dims[0] = kUnknown;
  loss->check_types(labels, output);
  if (y_true.shape()[0] == y_pred.shape()[0]) return;
  invalid_argument("labels of shape {} do not fit the output of shape {}: each row needs its labels",
                   shape_with_none_str(y_true.shape()), shape_with_none_str(y_pred.shape()));
}

Tensor checked_values(const LossHandle& loss, const Tensor& y_true, const Tensor& y_pred, DType computed_in) {
  check_labels_for(loss, y_true, y_pred);
  return loss->call(y_true, predictions_in(y_pred, computed_in));
}

/// The loss's values for each sample; `default_name` empty: the loss's name.
std::shared_ptr<Metric> wrap_loss(const LossHandle& loss, const std::string& name,
                                  const char* default_name = "", std::optional<DType> dtype = {}) {
  const DType computed_in = dtype.value_or(current_floatx());
  const auto function = [loss, computed_in](const Tensor& y_true, const Tensor& y_pred) {
    return checked_values(loss, y_true, y_pred, computed_in);
  };
  const bool reads_all_labels = dynamic_cast<const losses::ReadsAllLabels*>(loss.shared().get()) != nullptr;
  const std::string kind = *default_name != 0 ? default_name : loss->name();
  auto metric =
      std::make_shared<FunctionMetric>(function, name.empty() ? kind : name, kind, dtype, reads_all_labels);
  metric->set_direction(Metric::Direction::kDown);
  return metric;
}

/// The mean of a loss over batches.
class LossMetric : public MeanMetric {
 public:
  explicit LossMetric(const LossHandle& loss) : MeanMetric(loss->name()), loss_(loss.shared()) {
    set_direction(Direction::kDown);
  }
  using Metric::update_state;
  void update_state(const Tensor& y_true, const Tensor& y_pred, const SampleWeights& weights) override {
    if (weights.sample_weight.defined())
      invalid_argument(
          "[{}] a loss as a metric takes no weights: give them to the loss, or use the metric of that name",
          name());
    try {
      update((*loss_)(y_true, y_pred, SampleWeights{.rows = weights.rows}), SampleWeights{});
    } catch (const Error& error) {
      rethrow_named(error, loss_->name(), name());
    }
  }

 private:
  std::shared_ptr<Loss> loss_;
};

/// The root of the mean of the squares.
class RootMeanSquaredErrorMetric : public MeanMetric {
 public:
  explicit RootMeanSquaredErrorMetric(const MetricOptions& options)
      : MeanMetric(name_or(options.name, "root_mean_squared_error"), options.dtype) {
    set_direction(Direction::kDown);
  }
  using Metric::update_state;
  void update_state(const Tensor& y_true, const Tensor& y_pred, const SampleWeights& weights) override {
    try {
      check_labels_for(loss_, y_true, y_pred);
      const AlignedPair pair = align_labels(ops::cast(y_true, dtype()), ops::cast(y_pred, dtype()));
      update(ops::square(pair.y_pred - pair.y_true), weights);
    } catch (const Error& error) {
      rethrow_named(error, "root_mean_squared_error", name());
    }
  }
  Tensor result() const override { return ops::sqrt(MeanMetric::result()); }

 private:
  LossHandle loss_ = losses::MeanSquaredError({.name = "root_mean_squared_error"});  // checks labels
};

std::int64_t checked_k(const char* caller, std::int64_t k) {
  if (k <= 0) invalid_argument({.argument = "k"}, "[{}] k must be positive; got k = {}", caller, k);
  return k;
}

constexpr std::array<NamedMaker<Metric>, 37> kMetrics = {{
    {"accuracy", &make_default<Metric, Accuracy>},
    {"acc", &make_default<Metric, Accuracy>},
    {"binary_accuracy", &make_default<Metric, BinaryAccuracy>},
    {"categorical_accuracy", &make_default<Metric, CategoricalAccuracy>},
    {"sparse_categorical_accuracy", &make_default<Metric, SparseCategoricalAccuracy>},
    {"top_k_categorical_accuracy", &make_default<Metric, TopKCategoricalAccuracy>},
    {"sparse_top_k_categorical_accuracy", &make_default<Metric, SparseTopKCategoricalAccuracy>},
    {"mean", &make_default<Metric, Mean>},
    {"sum", &make_default<Metric, Sum>},
    {"mean_squared_error", &make_default<Metric, MeanSquaredError>},
    {"root_mean_squared_error", &make_default<Metric, RootMeanSquaredError>},
    {"mean_absolute_error", &make_default<Metric, MeanAbsoluteError>},
    {"mean_absolute_percentage_error", &make_default<Metric, MeanAbsolutePercentageError>},
    {"mean_squared_logarithmic_error", &make_default<Metric, MeanSquaredLogarithmicError>},
    {"cosine_similarity", &make_default<Metric, CosineSimilarity>},
    {"log_cosh_error", &make_default<Metric, LogCoshError>},
    {"kl_divergence", &make_default<Metric, KLDivergence>},
    {"poisson", &make_default<Metric, Poisson>},
    {"hinge", &make_default<Metric, Hinge>},
    {"squared_hinge", &make_default<Metric, SquaredHinge>},
    {"categorical_hinge", &make_default<Metric, CategoricalHinge>},
    {"binary_crossentropy", &make_default<Metric, BinaryCrossentropy>},
    {"categorical_crossentropy", &make_default<Metric, CategoricalCrossentropy>},
    {"sparse_categorical_crossentropy", &make_default<Metric, SparseCategoricalCrossentropy>},
    {"true_positives", &make_default<Metric, TruePositives>},
    {"true_negatives", &make_default<Metric, TrueNegatives>},
    {"false_positives", &make_default<Metric, FalsePositives>},
    {"false_negatives", &make_default<Metric, FalseNegatives>},
    {"precision", &make_default<Metric, Precision>},
    {"recall", &make_default<Metric, Recall>},
    {"auc", &make_default<Metric, AUC>},
    {"f1_score", &make_default<Metric, F1Score>},
    {"fbeta_score", &make_default<Metric, FBetaScore>},
    {"r2_score", &make_default<Metric, R2Score>},
    {"binary_io_u", &make_default<Metric, BinaryIoU>},
    {"pearson_correlation", &make_default<Metric, PearsonCorrelation>},
    {"concordance_correlation", &make_default<Metric, ConcordanceCorrelation>},
}};

}  // namespace

Accuracy::Accuracy(MetricOptions options)
    : MetricHandle(wrap(&accuracy, options.name, "accuracy", options.dtype)) {
  saving::describe(*this, "Accuracy", options);
}
BinaryAccuracy::BinaryAccuracy(BinaryAccuracyOptions options)
    : MetricHandle(wrap(
          [threshold = options.threshold](const Tensor& y_true, const Tensor& y_pred) {
            return binary_accuracy(y_true, y_pred, threshold);
          },
          options.name, "binary_accuracy", options.dtype)) {
  saving::describe(*this, "BinaryAccuracy", options);
}
CategoricalAccuracy::CategoricalAccuracy(MetricOptions options)
    : MetricHandle(wrap(&categorical_accuracy, options.name, "categorical_accuracy", options.dtype)) {
  saving::describe(*this, "CategoricalAccuracy", options);
}
SparseCategoricalAccuracy::SparseCategoricalAccuracy(MetricOptions options)
    : MetricHandle(
          wrap(&sparse_categorical_accuracy, options.name, "sparse_categorical_accuracy", options.dtype)) {
  saving::describe(*this, "SparseCategoricalAccuracy", options);
}
TopKCategoricalAccuracy::TopKCategoricalAccuracy(TopKOptions options)
    : MetricHandle(wrap([k = checked_k("top_k_categorical_accuracy", options.k)](
                            const Tensor& y_true,
                            const Tensor& y_pred) { return top_k_categorical_accuracy(y_true, y_pred, k); },
                        options.name, "top_k_categorical_accuracy", options.dtype)) {
  saving::describe(*this, "TopKCategoricalAccuracy", options);
}
SparseTopKCategoricalAccuracy::SparseTopKCategoricalAccuracy(SparseTopKOptions options)
    : MetricHandle(wrap(
          [k = checked_k("sparse_top_k_categorical_accuracy", options.k),
           from_sorted_ids = options.from_sorted_ids](const Tensor& y_true, const Tensor& y_pred) {
            return sparse_top_k_categorical_accuracy(y_true, y_pred,
                                                     {.k = k, .from_sorted_ids = from_sorted_ids});
          },
          options.name, "sparse_top_k_categorical_accuracy", options.dtype)) {
  saving::describe(*this, "SparseTopKCategoricalAccuracy", options);
}
RootMeanSquaredError::RootMeanSquaredError(MetricOptions options)
    : MetricHandle(std::make_shared<RootMeanSquaredErrorMetric>(options)) {
  saving::describe(*this, "RootMeanSquaredError", options);
}
MeanSquaredError::MeanSquaredError(MetricOptions options)
    : MetricHandle(wrap_loss(losses::MeanSquaredError(), options.name, "", options.dtype)) {
  saving::describe(*this, "MeanSquaredError", options);
}
MeanAbsoluteError::MeanAbsoluteError(MetricOptions options)
    : MetricHandle(wrap_loss(losses::MeanAbsoluteError(), options.name, "", options.dtype)) {
  saving::describe(*this, "MeanAbsoluteError", options);
}
MeanAbsolutePercentageError::MeanAbsolutePercentageError(MetricOptions options)
    : MetricHandle(wrap_loss(losses::MeanAbsolutePercentageError(), options.name, "", options.dtype)) {
  saving::describe(*this, "MeanAbsolutePercentageError", options);
}
MeanSquaredLogarithmicError::MeanSquaredLogarithmicError(MetricOptions options)
    : MetricHandle(wrap_loss(losses::MeanSquaredLogarithmicError(), options.name, "", options.dtype)) {
  saving::describe(*this, "MeanSquaredLogarithmicError", options);
}
KLDivergence::KLDivergence(MetricOptions options)
    : MetricHandle(wrap_loss(losses::KLDivergence(), options.name, "", options.dtype)) {
  saving::describe(*this, "KLDivergence", options);
}
Poisson::Poisson(MetricOptions options)
    : MetricHandle(wrap_loss(losses::Poisson(), options.name, "", options.dtype)) {
  saving::describe(*this, "Poisson", options);
}
Hinge::Hinge(MetricOptions options)
    : MetricHandle(wrap_loss(losses::Hinge(), options.name, "", options.dtype)) {
  saving::describe(*this, "Hinge", options);
}
SquaredHinge::SquaredHinge(MetricOptions options)
    : MetricHandle(wrap_loss(losses::SquaredHinge(), options.name, "", options.dtype)) {
  saving::describe(*this, "SquaredHinge", options);
}
CategoricalHinge::CategoricalHinge(MetricOptions options)
    : MetricHandle(wrap_loss(losses::CategoricalHinge(), options.name, "", options.dtype)) {
  saving::describe(*this, "CategoricalHinge", options);
}
LogCoshError::LogCoshError(MetricOptions options)
    : MetricHandle(wrap_loss(losses::LogCosh(), options.name, "logcosh", options.dtype)) {
  saving::describe(*this, "LogCoshError", options);
}
CosineSimilarity::CosineSimilarity(CosineSimilarityOptions options)
    : MetricHandle(wrap(
          [loss = losses::CosineSimilarity({.axis = options.axis}),
           dtype = options.dtype.value_or(current_floatx())](const Tensor& y_true, const Tensor& y_pred) {
            return -checked_values(loss, y_true, y_pred, dtype);
          },
          options.name, "cosine_similarity", options.dtype)) {
  saving::describe(*this, "CosineSimilarity", options);
}
BinaryCrossentropy::BinaryCrossentropy(CrossentropyMetricOptions options)
    : MetricHandle(wrap_loss(losses::BinaryCrossentropy({.from_logits = options.from_logits,
                                                         .label_smoothing = options.label_smoothing,
                                                         .axis = options.axis}),
                             options.name, "", options.dtype)) {
  saving::describe(*this, "BinaryCrossentropy", options);
}
CategoricalCrossentropy::CategoricalCrossentropy(CrossentropyMetricOptions options)
    : MetricHandle(wrap_loss(losses::CategoricalCrossentropy({.from_logits = options.from_logits,
                                                              .label_smoothing = options.label_smoothing,
                                                              .axis = options.axis}),
                             options.name, "", options.dtype)) {
  saving::describe(*this, "CategoricalCrossentropy", options);
}
SparseCategoricalCrossentropy::SparseCategoricalCrossentropy(SparseCategoricalCrossentropyOptions options)
    : MetricHandle(wrap_loss(losses::SparseCategoricalCrossentropy({.from_logits = options.from_logits,
                                                                    .ignore_class = options.ignore_class,
                                                                    .axis = options.axis}),
                             options.name, "", options.dtype)) {
  saving::describe(*this, "SparseCategoricalCrossentropy", options);
}
PearsonCorrelation::PearsonCorrelation(CorrelationOptions options)
    : MetricHandle(wrap(
          [axis = options.axis](const Tensor& y_true, const Tensor& y_pred) {
            return pearson_correlation(y_true, y_pred, {.axis = axis});
          },
          options.name, "pearson_correlation", options.dtype)) {
  saving::describe(*this, "PearsonCorrelation", options);
}
ConcordanceCorrelation::ConcordanceCorrelation(CorrelationOptions options)
    : MetricHandle(wrap(
          [axis = options.axis](const Tensor& y_true, const Tensor& y_pred) {
            return concordance_correlation(y_true, y_pred, {.axis = axis});
          },
          options.name, "concordance_correlation", options.dtype)) {
  saving::describe(*this, "ConcordanceCorrelation", options);
}

namespace {

/// The binary, sparse or categorical kind, as in Keras.
template <typename Binary, typename Sparse, typename Categorical>
std::shared_ptr<Metric> kind_by_shapes(const Dims& y_true_shape, const Dims& y_pred_shape) {
  const bool has_one_output = !y_pred_shape.empty() && y_pred_shape.back() == 1;
  const bool labels_have_one = !y_true_shape.empty() && y_true_shape.back() == 1;
  if (has_one_output) return Binary().shared();
  if (y_true_shape.size() < y_pred_shape.size() || labels_have_one) return Sparse().shared();
  return Categorical().shared();
}

}  // namespace

std::shared_ptr<Metric> make_metric(const MetricSpec& spec, const Dims& y_true_shape,
                                    const Dims& y_pred_shape, const ArgumentName& argument) {
  if (!spec.is_name()) return spec.get();
  const std::string wanted = canonical_name(spec.text());
  std::shared_ptr<Metric> metric;
  if (wanted == "accuracy" || wanted == "acc") {
    metric = kind_by_shapes<BinaryAccuracy, SparseCategoricalAccuracy, CategoricalAccuracy>(y_true_shape,
                                                                                            y_pred_shape);
  } else if (wanted == "crossentropy" || wanted == "ce") {
    metric = kind_by_shapes<BinaryCrossentropy, SparseCategoricalCrossentropy, CategoricalCrossentropy>(
        y_true_shape, y_pred_shape);
  } else {
    metric = spec.get(argument);
  }
  metric->set_name(spec.text());
  return metric;
}

}  // namespace metrics

std::shared_ptr<Metric> Metric::from_name(const StringArgument& name, const ArgumentName& argument) {
  if (std::shared_ptr<Metric> metric = make_named<Metric>(metrics::kMetrics, name)) return metric;
  std::vector<std::string> known = table_names<Metric>(metrics::kMetrics);
  for (const std::string& loss : Loss::names()) {
    if (canonical_name(name) == canonical_name(loss)) return metrics::wrap_loss(Loss::from_name(loss), "");
    known.push_back(loss);
  }
  unknown_name(argument, name, known);
}

std::shared_ptr<Metric> Metric::from_function(const LossHandle& loss) {
  return std::make_shared<metrics::LossMetric>(loss);
}

std::shared_ptr<Metric> Metric::from_function(std::function<Tensor(const Tensor&, const Tensor&)> function) {
  return metrics::MeanMetricWrapper({.fn = std::move(function)}).shared();
}

}  // namespace cornu::inline v0::keras
