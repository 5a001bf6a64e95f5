#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "cornu/base/check.h"
#include "cornu/keras/base/align.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/config/described_options_support.h"
#include "cornu/keras/metrics/metrics.h"
#include "cornu/keras/metrics/support.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/ops/epsilon.h"

namespace cornu::inline v0::keras::metrics {
namespace {

/// Metrics over the columns of [batch, columns]; their variables are made when the number of columns is
/// known.
class ColumnMetric : public Metric {
 public:
  ColumnMetric(std::string kind, const std::string& name, std::optional<DType> dtype)
      : Metric(name.empty() ? kind : name, dtype), kind_(std::move(kind)) {
    set_direction(Direction::kUp);
  }

  using Metric::update_state;
  void update_state(const Tensor& y_true, const Tensor& y_pred, const SampleWeights& weights) override {
    try {
      const AlignedPair pair = align_ranks(ops::cast(y_true, dtype()), ops::cast(y_pred, dtype()));
      if (pair.y_pred.rank() != 2)
        invalid_argument("needs labels and outputs of [batch, columns]; got an output of rank {}",
                         y_pred.rank());
      if (pair.y_true.shape() != pair.y_pred.shape()) labels_do_not_fit(y_true, y_pred);
      const std::int64_t columns = pair.y_pred.shape()[1];
      if (columns_ != 0 && columns != columns_)
        invalid_argument("the output has {} columns; before it had {}", columns, columns_);
      if (columns_ == 0) make_variables(columns);
      columns_ = columns;
      Tensor weight = Tensor(ir::Literal::scalar(dtype(), 1.0));
      if (weights.sample_weight.defined()) weight = ops::cast(weights.sample_weight, dtype());
      if (weight.rank() == 1) weight = ops::expand_dims(weight, 1);
      update_columns(pair.y_true, pair.y_pred,
                     {ops::broadcast_to(weight, pair.y_pred.shape()), weights.rows});
    } catch (const Error& error) {
      rethrow_named(error, kind_, this->name());
    }
  }

 protected:
  virtual void make_variables(std::int64_t columns) = 0;
  /// `weights.sample_weight` has a weight for each value.
  virtual void update_columns(const Tensor& y_true, const Tensor& y_pred, const SampleWeights& weights) = 0;
  std::int64_t columns_ = 0;

 private:
  std::string kind_;
};

class FBetaMetric : public ColumnMetric {
 public:
  FBetaMetric(const char* kind, const FBetaScoreOptions& options)
      : ColumnMetric(kind, options.name, options.dtype), options_(options) {
    const std::array<std::string, 4> averages = {"", "micro", "macro", "weighted"};
    if (std::find(averages.begin(), averages.end(), options.average) == averages.end())
      unknown_name({kind, "average"}, options.average, averages);
    if (!(options.beta > 0))
      invalid_argument({.argument = "beta"}, "[{}] beta must be positive; got beta = {}", kind, options.beta);
    if (options.threshold && !(*options.threshold > 0 && *options.threshold <= 1))
      invalid_argument({.argument = "threshold"}, "[{}] threshold must be in (0, 1]; got threshold = {}",
                       kind, *options.threshold);
  }

  Tensor result() const override {
    if (columns_ == 0) return Tensor(ir::Literal::scalar(dtype(), 0));
    const Tensor precision =
        true_positives_ / (true_positives_ + false_positives_ + cornu::detail::small_number());
    const Tensor recall =
        true_positives_ / (true_positives_ + false_negatives_ + cornu::detail::small_number());
    const double beta_squared = options_.beta * options_.beta;
    const Tensor score = precision * recall /
                         (precision * beta_squared + recall + cornu::detail::small_number()) *
                         (1 + beta_squared);
    if (options_.average == "weighted") {
      const Tensor weights =
          intermediate_weights_ / (ops::sum(intermediate_weights_) + cornu::detail::small_number());
      return ops::sum(score * weights);
    }
    return options_.average.empty() || score.rank() == 0 ? score : ops::mean(score);
  }

 protected:
  void make_variables(std::int64_t columns) override {
    const Dims shape = options_.average == "micro" ? Dims{} : Dims{columns};
    true_positives_ = add_variable("true_positives", shape);
    false_positives_ = add_variable("false_positives", shape);
    false_negatives_ = add_variable("false_negatives", shape);
    intermediate_weights_ = add_variable("intermediate_weights", shape);
  }

  void update_columns(const Tensor& y_true, const Tensor& y_pred, const SampleWeights& weights) override {
    Tensor is_predicted;
    if (options_.threshold) {
      is_predicted = ops::greater(y_pred, *options_.threshold);
    } else {
      // A row of zeros has no predicted class.
      is_predicted =
          ops::logical_and(ops::greater_equal(y_pred, ops::max(y_pred, {.axis = -1, .keepdims = true})),
                           ops::greater(ops::abs(y_pred), 1e-9));
    }
    const Tensor predicted = ops::cast(is_predicted, dtype());
    const auto add = [&](const Variable& variable, const Tensor& values) {
      const Tensor counted = weights.rows.zero_padding(weighted_values(values, weights.sample_weight));
      variable.assign(variable +
                      (options_.average == "micro" ? ops::sum(counted) : ops::sum(counted, {.axis = 0})));
    };
    add(true_positives_, predicted * y_true);
    add(false_positives_, predicted * (1 - y_true));
    add(false_negatives_, (1 - predicted) * y_true);
    add(intermediate_weights_, y_true);
  }

 private:
  FBetaScoreOptions options_;
  Variable true_positives_, false_positives_, false_negatives_, intermediate_weights_;
};

class R2Metric : public ColumnMetric {
 public:
  explicit R2Metric(const R2ScoreOptions& options)
      : ColumnMetric("r2_score", options.name, options.dtype),
        options_(options),
        num_samples_(add_variable("num_samples")) {
    const std::array<std::string, 3> known = {"uniform_average", "variance_weighted_average", "none"};
    const std::string aggregation = options.class_aggregation.value_or("none");
    if (std::find(known.begin(), known.end(), aggregation) == known.end())
      unknown_name({"r2_score", "class_aggregation"}, aggregation, known);
    if (options.num_regressors < 0)
      invalid_argument({.argument = "num_regressors"},
                       "[r2_score] num_regressors must not be negative; got num_regressors = {}",
                       options.num_regressors);
  }

  Tensor result() const override {
    if (columns_ == 0) return Tensor(ir::Literal::scalar(dtype(), 0));
    const Tensor total = squared_sum_ - sum_ * (sum_ / count_);
    Tensor score = 1 - residual_ / total;
    score = ops::where(ops::equal(ops::abs(score), std::numeric_limits<double>::infinity()), 0.0, score);
    if (options_.class_aggregation == "uniform_average") score = ops::mean(score);
    if (options_.class_aggregation == "variance_weighted_average")
      score = ops::sum(total * score) / ops::sum(total);
    if (options_.num_regressors == 0) return score;
    // Adjusted for the number of regressors, unless they are too many for the samples.
    const auto regressors = static_cast<double>(options_.num_regressors);
    const Tensor left = num_samples_ - (regressors + 1);
    return ops::where(ops::greater(left, 0), 1 - (1 - score) * (num_samples_ - 1.0) / left, score);
  }

 protected:
  void make_variables(std::int64_t columns) override {
    squared_sum_ = add_variable("squared_sum", {columns});
    sum_ = add_variable("sum", {columns});
    residual_ = add_variable("residual", {columns});
    count_ = add_variable("count", {columns});
  }

  void update_columns(const Tensor& y_true, const Tensor& y_pred, const SampleWeights& weights) override {
    const auto add = [&](const Variable& variable, const Tensor& values) {
      variable.assign(variable + ops::sum(weights.rows.zero_padding(values), {.axis = 0}));
    };
    const auto weighted = [&](const Tensor& values) {
      return weighted_values(values, weights.sample_weight);
    };
    add(sum_, weighted(y_true));
    add(squared_sum_, weighted(y_true * y_true));
    add(residual_, weighted(ops::square(y_true - y_pred)));
    add(count_, weights.sample_weight);
    const auto columns = static_cast<double>(columns_);
    num_samples_.assign(num_samples_ + (weights.rows.defined()
                                            ? ops::cast(weights.rows.num_valid, dtype()) * columns
                                            : Tensor(static_cast<double>(y_true.num_rows()) * columns)));
  }

 private:
  R2ScoreOptions options_;
  Variable num_samples_;
  Variable squared_sum_, sum_, residual_, count_;
};

}  // namespace

FBetaScore::FBetaScore(FBetaScoreOptions options)
    : MetricHandle(std::make_shared<FBetaMetric>("fbeta_score", options)) {
  saving::describe(*this, "FBetaScore", options);
}
F1Score::F1Score(F1ScoreOptions options)
    : MetricHandle(std::make_shared<FBetaMetric>("f1_score", FBetaScoreOptions{.average = options.average,
                                                                               .threshold = options.threshold,
                                                                               .name = options.name,
                                                                               .dtype = options.dtype})) {
  saving::describe(*this, "F1Score", options);
}
R2Score::R2Score(R2ScoreOptions options) : MetricHandle(std::make_shared<R2Metric>(options)) {
  if (options.class_aggregation == "none") options.class_aggregation.reset();  // as Keras writes it
  saving::describe(*this, "R2Score", options);
}

}  // namespace cornu::inline v0::keras::metrics
