#pragma once

#include <functional>

#include "cornu/keras/metrics/metric.h"

namespace cornu::keras::metrics {

// Values a sample, f32: 1 where label and prediction agree, else 0. Errors: InvalidArgument when the shapes do not fit; an extent of 1
// broadcasts, the batch does not.
Tensor accuracy(const Tensor& y_true, const Tensor& y_pred);
Tensor binary_accuracy(const Tensor& y_true, const Tensor& y_pred, double threshold = 0.5);
Tensor categorical_accuracy(const Tensor& y_true, const Tensor& y_pred);
Tensor sparse_categorical_accuracy(const Tensor& y_true, const Tensor& y_pred);

/// The sum of values; `update` takes them, update_state throws.
class SumMetric : public Metric {
 public:
  explicit SumMetric(std::string name = "sum");
  void update(const Tensor& values, const SampleWeights& weights = {});
  using Metric::update_state;
  void update_state(const Tensor& y_true, const Tensor& y_pred, const SampleWeights& weights) override;
  Tensor result() const override;

 private:
  Variable total_;
};

/// The weighted mean of values: total / count, 0 before the first.
class MeanMetric : public Metric {
 public:
  explicit MeanMetric(std::string name = "mean");
  /// `values` may be a scalar with a scalar weight (a batch's mean loss weighted by its number of rows).
  void update(const Tensor& values, const SampleWeights& weights = {});
  using Metric::update_state;
  void update_state(const Tensor& y_true, const Tensor& y_pred, const SampleWeights& weights) override;
  Tensor result() const override;

 private:
  Variable total_;
  Variable count_;
};

/// The mean over samples of function(y_true, y_pred). An error of the function's names the metric.
class MeanMetricWrapper : public MeanMetric {
 public:
  using Function = std::function<Tensor(const Tensor& y_true, const Tensor& y_pred)>;
  /// `kind` stands in front of errors ("[binary_accuracy] ..."); empty: the name.
  MeanMetricWrapper(Function function, std::string name, std::string kind = {});
  using Metric::update_state;
  void update_state(const Tensor& y_true, const Tensor& y_pred, const SampleWeights& weights) override;

 private:
  Function function_;
  std::string kind_;
};

struct MetricOptions {
  std::string name = {};
};
class Sum : public MetricHandle {
 public:
  explicit Sum(MetricOptions options = {});
  void update_state(const Tensor& values, const SampleWeights& weights = {}) const;
};
class Mean : public MetricHandle {
 public:
  explicit Mean(MetricOptions options = {});
  void update_state(const Tensor& values, const SampleWeights& weights = {}) const;
};
class Accuracy : public MetricHandle {
 public:
  explicit Accuracy(MetricOptions options = {});
};
struct BinaryAccuracyOptions {
  double threshold = 0.5;
  std::string name = {};
};
class BinaryAccuracy : public MetricHandle {
 public:
  explicit BinaryAccuracy(BinaryAccuracyOptions options = {});
};
class CategoricalAccuracy : public MetricHandle {
 public:
  explicit CategoricalAccuracy(MetricOptions options = {});
};
class SparseCategoricalAccuracy : public MetricHandle {
 public:
  explicit SparseCategoricalAccuracy(MetricOptions options = {});
};
class MeanSquaredError : public MetricHandle {
 public:
  explicit MeanSquaredError(MetricOptions options = {});
};
class MeanAbsoluteError : public MetricHandle {
 public:
  explicit MeanAbsoluteError(MetricOptions options = {});
};

/// The metric of a spec for these shapes: "accuracy" and "acc" become the binary, sparse or categorical one, as in Keras, and a name is
/// kept as the user spelled it.
std::shared_ptr<Metric> make_metric(const MetricSpec& spec, const Dims& y_true_shape, const Dims& y_pred_shape);

}  // namespace cornu::keras::metrics
