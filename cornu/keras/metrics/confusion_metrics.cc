#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

#include "cornu/base/check.h"
#include "cornu/base/checked_size.h"
#include "cornu/base/memory_allowance.h"
#include "cornu/keras/base/align.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/config/described_options_support.h"
#include "cornu/keras/metrics/metrics.h"
#include "cornu/keras/metrics/support.h"
#include "cornu/ops/slice/slice.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/ops/epsilon.h"
#include "cornu/tensor/run/run_op.h"

namespace cornu::inline v0::keras::metrics {
namespace {

struct ConfusionOptions {
  std::vector<double> thresholds;
  std::optional<std::int64_t> top_k = {};
  std::optional<std::int64_t> class_id = {};
  bool multi_label = false;
  std::vector<double> label_weights = {};  // of each label, where they count together
};

/// Evenly spaced thresholds: 0, 1 / (count - 1), ..., 1.
std::vector<double> even_thresholds(const std::string& kind, std::int64_t count) {
  const auto list = [&] { return fmt::format("[{}] a list of {} thresholds", kind, count); };
  claim_memory(CheckedSize(count) * sizeof(double), list);
  std::vector<double> thresholds = host_vector<double>(count, list);
  for (std::size_t i = 0; i < thresholds.size(); ++i)
    thresholds[i] = static_cast<double>(i) / static_cast<double>(count - 1);
  return thresholds;
}

/// True for evenly spaced thresholds, for which Keras clips predictions to [0, 1].
bool are_even(const std::vector<double>& thresholds) {
  if (thresholds.size() < 3) return false;
  const double step = 1.0 / static_cast<double>(thresholds.size() - 1);
  for (std::size_t i = 0; i < thresholds.size(); ++i)
    if (std::fabs(static_cast<double>(i) * step - std::clamp(thresholds[i], 0.0, 1.0)) >
        cornu::detail::small_number())
      return false;
  return true;
}

std::vector<double> checked_thresholds(const char* caller, const std::vector<double>& thresholds,
                                       double default_threshold) {
  for (const double threshold : thresholds)
    if (!(threshold >= 0 && threshold <= 1))
      invalid_argument({.argument = "thresholds"}, "[{}] thresholds must be in [0, 1]; got thresholds = [{}]",
                       caller, fmt::join(thresholds, ", "));
  return thresholds.empty() ? std::vector<double>{default_threshold} : thresholds;
}

const std::optional<std::int64_t>& checked_class_id(const std::string& caller,
                                                    const std::optional<std::int64_t>& class_id) {
  if (class_id && *class_id < 0)
    invalid_argument({.argument = "class_id"}, "[{}] class_id must not be negative; got class_id = {}",
                     caller, *class_id);
  return class_id;
}

Tensor vector_of(const std::vector<double>& values, DType dtype) {
  const auto count = static_cast<std::int64_t>(values.size());
  return ops::cast(Tensor::adopt({count}, values), dtype);
}

/// Replaces all but the k largest values of the last axis by -infinity; of equal values the first are kept.
Tensor with_top_k_only(const Tensor& y_pred, std::int64_t k) {
  if (k >= y_pred.shape().back()) return y_pred;
  const Tensor least = ops::expand_dims(ops::take(ops::top_k(y_pred, k).values, k - 1, {.axis = -1}), -1);
  const Tensor is_above = ops::greater(y_pred, least), is_least = ops::equal(y_pred, least);
  const auto count = [](const Tensor& which) { return ops::cast(which, DType::kI32); };
  const Tensor num_left = k - ops::sum(count(is_above), {.axis = -1, .keepdims = true});
  const Tensor is_early = ops::less_equal(ops::cumsum(count(is_least), {.axis = -1}), num_left);
  const Tensor is_kept = ops::logical_or(is_above, ops::logical_and(is_least, is_early));
  return ops::where(is_kept, y_pred, -std::numeric_limits<float>::infinity());
}

/// x[..., index], kept as an axis of extent 1.
Tensor at_class(const Tensor& x, std::int64_t index) {
  return ops::sum(ops::where(ops::equal(ops::arange(x.shape().back()), index), x, 0),
                  {.axis = -1, .keepdims = true});
}

/// Rows [begin, end) of the first axis.
Tensor first_axis_slice(const Tensor& x, std::int64_t begin, std::int64_t end) {
  Dims start(x.shape().size(), 0), limit = x.shape(), strides(x.shape().size(), 1);
  start[0] = begin;
  limit[0] = end;
  return detail::run_op(
      detail::OpKey("slice", std::span<const std::int64_t>(start), std::span<const std::int64_t>(limit)),
      std::span(&x, 1), [&](ir::Builder& b, std::span<const ir::Value> v) {
        return ops::slice(b, v[0], start, limit, strides);
      });
}

/// The variable of a count, at each threshold and weighted, for one combination of label and prediction.
struct CountedVariable {
  const Variable& variable;
  bool label_is_positive;
  bool prediction_is_positive;
};

void update_counts(std::span<const CountedVariable> counted, Tensor y_true, Tensor y_pred,
                   const SampleWeights& weights, const ConfusionOptions& options) {
  const DType dtype = counted[0].variable.dtype();
  const AlignedPair pair = align_ranks(ops::cast(y_true, dtype), ops::cast(y_pred, dtype));
  if (pair.y_true.shape() != pair.y_pred.shape() || pair.y_pred.rank() == 0)
    labels_do_not_fit(y_true, y_pred);
  y_true = pair.y_true;
  y_pred = pair.y_pred;
  if (options.top_k) y_pred = with_top_k_only(y_pred, *options.top_k);
  if (options.class_id) {
    if (y_pred.rank() < 2 || *options.class_id >= y_pred.shape().back())
      invalid_argument({.argument = "class_id"},
                       "class_id is outside the classes of the output; got class_id = {} for {} classes",
                       *options.class_id, y_pred.rank() < 2 ? 1 : y_pred.shape().back());
    y_true = at_class(y_true, *options.class_id);
    y_pred = at_class(y_pred, *options.class_id);
  }
  if (are_even(options.thresholds)) y_pred = ops::clip(y_pred, 0, 1);
  Tensor weight = Tensor(ir::Literal::scalar(dtype, 1.0));
  if (weights.sample_weight.defined()) {
    weight = ops::cast(weights.sample_weight, dtype);
    if (weight.rank() == y_pred.rank() + 1 && weight.shape().back() == 1) weight = ops::squeeze(weight, -1);
    while (weight.rank() < y_pred.rank()) weight = ops::expand_dims(weight, -1);
  }
  if (!options.label_weights.empty()) weight = weight * vector_of(options.label_weights, dtype);
  weight = weights.rows.zero_padding(ops::broadcast_to(weight, y_pred.shape()));
  Tensor thresholds = vector_of(options.thresholds, dtype);
  const auto beside_thresholds = [&](const Tensor& x) {
    return options.multi_label ? ops::expand_dims(x, 0) : ops::reshape(x, {1, -1});
  };
  for (int i = options.multi_label ? 2 : 1; i > 0; --i) thresholds = ops::expand_dims(thresholds, -1);
  const Tensor is_label = beside_thresholds(ops::not_equal(y_true, 0));
  const Tensor is_predicted = ops::greater(beside_thresholds(y_pred), thresholds);
  weight = beside_thresholds(weight);
  for (const CountedVariable& each : counted) {
    const Tensor label = each.label_is_positive ? is_label : ops::logical_not(is_label);
    const Tensor prediction = each.prediction_is_positive ? is_predicted : ops::logical_not(is_predicted);
    const Tensor count = ops::sum(ops::where(ops::logical_and(label, prediction), weight, 0), {.axis = 1});
    each.variable.assign(each.variable + count);
  }
}

/// A result for a single threshold becomes a scalar.
Tensor scalar_if_single(const Tensor& x) { return x.num_elements() == 1 ? ops::reshape(x, {}) : x; }

class ConfusionCount : public Metric {
 public:
  ConfusionCount(const char* class_name, bool label_is_positive, bool prediction_is_positive,
                 const ConfusionCountOptions& options)
      : Metric(options.name.empty() ? unique_name(snake_case(class_name)) : options.name, options.dtype),
        kind_(snake_case(class_name)),
        label_is_positive_(label_is_positive),
        prediction_is_positive_(prediction_is_positive),
        options_{.thresholds = checked_thresholds(kind_.c_str(), options.thresholds, 0.5)},
        accumulator_(add_variable("accumulator", {static_cast<std::int64_t>(options_.thresholds.size())})) {}

  using Metric::update_state;
  void update_state(const Tensor& y_true, const Tensor& y_pred, const SampleWeights& weights) override {
    try {
      const CountedVariable counted[] = {{accumulator_, label_is_positive_, prediction_is_positive_}};
      update_counts(counted, y_true, y_pred, weights, options_);
    } catch (const Error& error) {
      rethrow_named(error, kind_, name());
    }
  }
  Tensor result() const override { return scalar_if_single(accumulator_); }

 private:
  std::string kind_;
  bool label_is_positive_;
  bool prediction_is_positive_;
  ConfusionOptions options_;
  Variable accumulator_;
};

/// Precision and Recall: true positives divided by predicted or by labelled positives.
class PositivesRatio : public Metric {
 public:
  PositivesRatio(const char* class_name, bool of_predicted, const PrecisionOptions& options)
      : Metric(options.name.empty() ? unique_name(snake_case(class_name)) : options.name, options.dtype),
        kind_(snake_case(class_name)),
        of_predicted_(of_predicted) {
    set_direction(Direction::kUp);
    if (options.top_k && *options.top_k <= 0)
      invalid_argument({.argument = "top_k"}, "[{}] top_k must be positive; got top_k = {}", kind_,
                       *options.top_k);
    const double lowest = -1e10;  // below any value among the top k
    options_ = {
        .thresholds = checked_thresholds(kind_.c_str(), options.thresholds, options.top_k ? lowest : 0.5),
        .top_k = options.top_k,
        .class_id = checked_class_id(kind_, options.class_id)};
    const Dims shape = {static_cast<std::int64_t>(options_.thresholds.size())};
    true_positives_ = add_variable("true_positives", shape);
    others_ = add_variable(of_predicted ? "false_positives" : "false_negatives", shape);
  }

  using Metric::update_state;
  void update_state(const Tensor& y_true, const Tensor& y_pred, const SampleWeights& weights) override {
    try {
      const CountedVariable counted[] = {{true_positives_, true, true},
                                         {others_, !of_predicted_, of_predicted_}};
      update_counts(counted, y_true, y_pred, weights, options_);
    } catch (const Error& error) {
      rethrow_named(error, kind_, name());
    }
  }
  Tensor result() const override {
    const Tensor positives = true_positives_.value();
    return scalar_if_single(ops::divide_no_nan(positives, positives + others_));
  }

 private:
  std::string kind_;
  bool of_predicted_;
  ConfusionOptions options_;
  Variable true_positives_;
  Variable others_;
};

/// All four counts at many thresholds.
class ThresholdCurve : public Metric {
 public:
  ThresholdCurve(std::string kind, const std::string& name, std::optional<DType> dtype)
      : Metric(name.empty() ? unique_name(kind) : name, dtype), kind_(std::move(kind)) {
    set_direction(Direction::kUp);
  }

  using Metric::update_state;
  void update_state(const Tensor& y_true, const Tensor& y_pred, const SampleWeights& weights) override {
    try {
      if (!true_positives_.defined()) make_variables(y_pred);
      const CountedVariable counted[] = {{true_positives_, true, true},
                                         {true_negatives_, false, false},
                                         {false_positives_, false, true},
                                         {false_negatives_, true, false}};
      update_counts(counted, y_true, prediction_of(y_pred), weights, options_);
    } catch (const Error& error) {
      rethrow_named(error, kind_, this->name());
    }
  }

 protected:
  virtual Tensor prediction_of(const Tensor& y_pred) const { return y_pred; }
  virtual void make_variables(const Tensor&) { make_variables_of({num_thresholds()}); }
  void make_variables_of(const Dims& shape) {
    true_positives_ = add_variable("true_positives", shape);
    false_positives_ = add_variable("false_positives", shape);
    true_negatives_ = add_variable("true_negatives", shape);
    false_negatives_ = add_variable("false_negatives", shape);
  }
  std::int64_t num_thresholds() const { return static_cast<std::int64_t>(options_.thresholds.size()); }
  Tensor recall() const { return ops::divide_no_nan(true_positives_, true_positives_ + false_negatives_); }
  Tensor precision() const { return ops::divide_no_nan(true_positives_, true_positives_ + false_positives_); }
  Tensor specificity() const {
    return ops::divide_no_nan(true_negatives_, true_negatives_ + false_positives_);
  }
  Tensor false_positive_rate() const {
    return ops::divide_no_nan(false_positives_, false_positives_ + true_negatives_);
  }

  std::string kind_;
  ConfusionOptions options_;
  Variable true_positives_, false_positives_, true_negatives_, false_negatives_;
};

class BestAtConstraint : public ThresholdCurve {
 public:
  enum class Kind {
    kSensitivityAtSpecificity,
    kSpecificityAtSensitivity,
    kPrecisionAtRecall,
    kRecallAtPrecision
  };
  template <typename Options>
  BestAtConstraint(Kind kind, const char* class_name, const char* argument, double value,
                   const Options& options)
      : ThresholdCurve(snake_case(class_name), options.name, options.dtype), what_(kind), value_(value) {
    if (!(value >= 0 && value <= 1))
      invalid_argument({.argument = argument}, "[{}] {} must be in [0, 1]; got {} = {}", kind_, argument,
                       argument, value);
    if (options.num_thresholds <= 0)
      invalid_argument({.argument = "num_thresholds"},
                       "[{}] num_thresholds must be positive; got num_thresholds = {}", kind_,
                       options.num_thresholds);
    options_.thresholds = options.num_thresholds == 1 ? std::vector<double>{0.5}
                                                      : even_thresholds(kind_, options.num_thresholds);
    options_.class_id = checked_class_id(kind_, options.class_id);
    make_variables_of({num_thresholds()});
  }
  Tensor result() const override {
    switch (what_) {
      case Kind::kSensitivityAtSpecificity: return best(recall(), specificity());
      case Kind::kSpecificityAtSensitivity: return best(specificity(), recall());
      case Kind::kPrecisionAtRecall: return best(precision(), recall());
      case Kind::kRecallAtPrecision: return best(recall(), precision());
    }
    return {};
  }

 private:
  Tensor best(const Tensor& dependent, const Tensor& constrained) const {
    return ops::max(ops::where(ops::greater_equal(constrained, value_), dependent, 0));
  }
  Kind what_;
  double value_;
};

/// The options with names in Keras's spelling; other spellings are accepted too.
AUCOptions canonical(AUCOptions options) {
  constexpr std::pair<const char*, const char*> kCurves[] = {
      {"roc", "ROC"}, {"pr", "PR"}, {"prgain", "PRGAIN"}};
  constexpr std::pair<const char*, const char*> kMethods[] = {
      {"Interpolation", "interpolation"}, {"Minoring", "minoring"}, {"Majoring", "majoring"}};
  for (const auto& [spelling, name] : kCurves)
    if (options.curve == spelling) options.curve = name;
  for (const auto& [spelling, name] : kMethods)
    if (options.summation_method == spelling) options.summation_method = name;
  return options;
}

class AUCMetric : public ThresholdCurve {
 public:
  explicit AUCMetric(const AUCOptions& options)
      : ThresholdCurve("auc", options.name, options.dtype), auc_(options) {
    const std::array<std::string, 3> curves = {"ROC", "PR", "PRGAIN"};
    const std::array<std::string, 3> methods = {"interpolation", "minoring", "majoring"};
    if (std::find(curves.begin(), curves.end(), options.curve) == curves.end())
      unknown_name({"auc", "curve"}, options.curve, curves);
    if (std::find(methods.begin(), methods.end(), options.summation_method) == methods.end())
      unknown_name({"auc", "summation_method"}, options.summation_method, methods);
    if (options.thresholds.empty() && options.num_thresholds <= 1)
      invalid_argument({.argument = "num_thresholds"},
                       "[auc] num_thresholds must be more than 1; got num_thresholds = {}",
                       options.num_thresholds);
    if (options.num_labels && !options.multi_label)
      invalid_argument({.argument = "num_labels"},
                       "[auc] num_labels needs multi_label = true; got num_labels = {}", *options.num_labels);
    for (const double weight : options.label_weights)
      if (!(weight >= 0 && std::isfinite(weight)))
        invalid_argument({.argument = "label_weights"},
                         "[auc] label_weights must be finite and not negative; got label_weights = [{}]",
                         fmt::join(options.label_weights, ", "));
    if (options.num_labels) check_label_weights("[auc] ", *options.num_labels);
    // Keras's epsilon: every prediction is above the first threshold and none above the last.
    const double beyond = cornu::detail::small_number();
    std::vector<double>& all = options_.thresholds;
    if (options.thresholds.empty()) {
      all = even_thresholds(kind_, options.num_thresholds);
    } else {
      all = checked_thresholds("auc", options.thresholds, 0);
      std::sort(all.begin(), all.end());
      all.insert(all.begin(), 0.0);
      all.push_back(1.0);
    }
    all.front() = -beyond;
    all.back() = 1 + beyond;
    options_.multi_label = options.multi_label;
    if (!options.multi_label) options_.label_weights = options.label_weights;
    if (!options.multi_label) make_variables_of({num_thresholds()});
    if (options.num_labels) make_variables_of({num_thresholds(), *options.num_labels});
  }

  Tensor result() const override {
    if (!true_positives_.defined()) return Tensor(ir::Literal::scalar(dtype(), 0));
    if (auc_.curve == "PR" && auc_.summation_method == "interpolation")
      return over_labels(ops::sum(interpolated_pr(), {.axis = 0}));
    Tensor x, y;
    if (auc_.curve == "ROC") {
      x = false_positive_rate();
      y = recall();
    } else if (auc_.curve == "PR") {
      x = recall();
      y = precision();
    } else {
      std::tie(x, y) = gains();
    }
    Tensor heights;
    if (auc_.summation_method == "interpolation") {
      heights = (before(y) + behind(y)) / 2.0;
    } else {
      heights = auc_.summation_method == "minoring" ? ops::minimum(before(y), behind(y))
                                                    : ops::maximum(before(y), behind(y));
    }
    return over_labels(ops::sum((before(x) - behind(x)) * heights, {.axis = 0}));
  }

 protected:
  Tensor prediction_of(const Tensor& y_pred) const override {
    if (auc_.multi_label && y_pred.rank() != 2)
      invalid_argument("multi_label needs an output of [batch, labels]; got one of rank {}", y_pred.rank());
    if (auc_.multi_label && y_pred.shape()[1] != true_positives_.shape()[1])
      invalid_argument("the output has {} labels; before it had {}", y_pred.shape()[1],
                       true_positives_.shape()[1]);
    check_label_weights("", y_pred.rank() < 2 ? 1 : y_pred.shape().back());
    return auc_.from_logits ? ops::sigmoid(y_pred) : y_pred;
  }
  void make_variables(const Tensor& y_pred) override {
    if (y_pred.rank() != 2)
      invalid_argument("multi_label needs an output of [batch, labels]; got one of rank {}", y_pred.rank());
    make_variables_of({num_thresholds(), y_pred.shape()[1]});
  }

 private:
  void check_label_weights(const char* tag, std::int64_t num_labels) const {
    if (!auc_.label_weights.empty() && static_cast<std::int64_t>(auc_.label_weights.size()) != num_labels)
      invalid_argument({.argument = "label_weights"},
                       "{}label_weights must be one for each of {} labels; got label_weights = [{}]", tag,
                       num_labels, fmt::join(auc_.label_weights, ", "));
  }

  /// The values at each threshold but the last, and at each but the first.
  Tensor before(const Tensor& x) const { return first_axis_slice(x, 0, num_thresholds() - 1); }
  Tensor behind(const Tensor& x) const { return first_axis_slice(x, 1, num_thresholds()); }

  Tensor over_labels(const Tensor& areas) const {
    if (!auc_.multi_label) return areas;
    if (auc_.label_weights.empty()) return ops::mean(areas);
    const Tensor weights = vector_of(auc_.label_weights, dtype());
    return ops::divide_no_nan(ops::sum(areas * weights), ops::sum(weights));
  }

  // Between two thresholds, true positives are linear in all positives (Davis and Goadrich, 2006); this is
  // the precision's integral in closed form.
  Tensor interpolated_pr() const {
    const Tensor positives = true_positives_ + false_positives_;
    const Tensor step = before(true_positives_) - behind(true_positives_);
    const Tensor all_step = before(positives) - behind(positives);
    const Tensor slope = ops::divide_no_nan(step, ops::maximum(all_step, 0));
    const Tensor intercept = behind(true_positives_) - slope * behind(positives);
    const Tensor both =
        ops::logical_and(ops::greater(before(positives), 0), ops::greater(behind(positives), 0));
    const Tensor ratio =
        ops::where(both, ops::divide_no_nan(before(positives), ops::maximum(behind(positives), 0)), 1.0);
    const Tensor labelled = ops::maximum(behind(true_positives_) + behind(false_negatives_), 0);
    return ops::divide_no_nan(slope * (step + intercept * ops::log(ratio)), labelled);
  }

  std::pair<Tensor, Tensor> gains() const {
    const Tensor none = ops::equal(true_positives_, 0);
    const Tensor scale =
        ops::divide_no_nan(true_positives_ + false_negatives_, true_negatives_ + false_positives_);
    const auto gain = [&](const Variable& wrong) {
      return 1.0 - scale * ops::divide_no_nan(wrong, true_positives_);
    };
    return {ops::maximum(ops::where(none, 0.0, gain(false_negatives_)), 0),
            ops::where(none, 1.0, gain(false_positives_))};
  }

  AUCOptions auc_;
};

}  // namespace

TruePositives::TruePositives(ConfusionCountOptions options)
    : MetricHandle(std::make_shared<ConfusionCount>("TruePositives", true, true, options)) {
  saving::describe(*this, "TruePositives", options);
}
TrueNegatives::TrueNegatives(ConfusionCountOptions options)
    : MetricHandle(std::make_shared<ConfusionCount>("TrueNegatives", false, false, options)) {
  saving::describe(*this, "TrueNegatives", options);
}
FalsePositives::FalsePositives(ConfusionCountOptions options)
    : MetricHandle(std::make_shared<ConfusionCount>("FalsePositives", false, true, options)) {
  saving::describe(*this, "FalsePositives", options);
}
FalseNegatives::FalseNegatives(ConfusionCountOptions options)
    : MetricHandle(std::make_shared<ConfusionCount>("FalseNegatives", true, false, options)) {
  saving::describe(*this, "FalseNegatives", options);
}
Precision::Precision(PrecisionOptions options)
    : MetricHandle(std::make_shared<PositivesRatio>("Precision", true, options)) {
  saving::describe(*this, "Precision", options);
}
Recall::Recall(RecallOptions options)
    : MetricHandle(std::make_shared<PositivesRatio>("Recall", false, options)) {
  saving::describe(*this, "Recall", options);
}
using Kind = BestAtConstraint::Kind;
SensitivityAtSpecificity::SensitivityAtSpecificity(SensitivityAtSpecificityOptions options)
    : MetricHandle(std::make_shared<BestAtConstraint>(Kind::kSensitivityAtSpecificity,
                                                      "SensitivityAtSpecificity", "specificity",
                                                      options.specificity, options)) {
  saving::describe(*this, "SensitivityAtSpecificity", options);
}
SpecificityAtSensitivity::SpecificityAtSensitivity(SpecificityAtSensitivityOptions options)
    : MetricHandle(std::make_shared<BestAtConstraint>(Kind::kSpecificityAtSensitivity,
                                                      "SpecificityAtSensitivity", "sensitivity",
                                                      options.sensitivity, options)) {
  saving::describe(*this, "SpecificityAtSensitivity", options);
}
PrecisionAtRecall::PrecisionAtRecall(PrecisionAtRecallOptions options)
    : MetricHandle(std::make_shared<BestAtConstraint>(Kind::kPrecisionAtRecall, "PrecisionAtRecall", "recall",
                                                      options.recall, options)) {
  saving::describe(*this, "PrecisionAtRecall", options);
}
RecallAtPrecision::RecallAtPrecision(RecallAtPrecisionOptions options)
    : MetricHandle(std::make_shared<BestAtConstraint>(Kind::kRecallAtPrecision, "RecallAtPrecision",
                                                      "precision", options.precision, options)) {
  saving::describe(*this, "RecallAtPrecision", options);
}
AUC::AUC(AUCOptions options) : MetricHandle(std::make_shared<AUCMetric>(canonical(options))) {
  saving::describe(*this, "AUC", canonical(options));
}

}  // namespace cornu::inline v0::keras::metrics
