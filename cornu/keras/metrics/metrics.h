#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cornu/base/one_or_more.h"
#include "cornu/base/string_argument.h"
#include "cornu/keras/config/fields.h"
#include "cornu/keras/metrics/iou_metrics.h"
#include "cornu/keras/metrics/metric.h"
#include "cornu/tensor/ops/types.h"

namespace cornu::inline v0::keras::metrics {

// A value for each sample, f32: 1 if label and prediction agree, else 0. Errors: InvalidArgument if the
// shapes do not fit; an extent of 1 broadcasts, the batch does not.
Tensor accuracy(const Tensor& y_true, const Tensor& y_pred);
Tensor binary_accuracy(const Tensor& y_true, const Tensor& y_pred, double threshold = 0.5);
Tensor categorical_accuracy(const Tensor& y_true, const Tensor& y_pred);
Tensor sparse_categorical_accuracy(const Tensor& y_true, const Tensor& y_pred);
/// 1 if fewer than k classes are rated above the label's, else 0.
Tensor top_k_categorical_accuracy(const Tensor& y_true, const Tensor& y_pred, std::int64_t k);
Tensor sparse_top_k_categorical_accuracy(const Tensor& y_true, const Tensor& y_pred, std::int64_t k);
struct TopKFunctionOptions {  // options/metrics.toml
  /// Number of largest outputs among which the label's must be; must be positive.
  std::int64_t k = 5;
};
CORNU_FIELDS(TopKFunctionOptions, k)
inline Tensor top_k_categorical_accuracy(const Tensor& y_true, const Tensor& y_pred,
                                         const TopKFunctionOptions& options = {}) {
  return top_k_categorical_accuracy(y_true, y_pred, options.k);
}
struct SparseTopKFunctionOptions {  // options/metrics.toml
  /// Number of largest outputs among which the label's must be; must be positive.
  std::int64_t k = 5;
  /// True: predictions are class ids, the best first; false: a number for each class.
  bool from_sorted_ids = false;
};
CORNU_FIELDS(SparseTopKFunctionOptions, k, from_sorted_ids)
/// 1 if the label is one of the first k class ids of y_pred, [batch, ..., ids], else 0.
Tensor sorted_ids_top_k_accuracy(const Tensor& y_true, const Tensor& y_pred, std::int64_t k);
inline Tensor sparse_top_k_categorical_accuracy(const Tensor& y_true, const Tensor& y_pred,
                                                const SparseTopKFunctionOptions& options = {}) {
  return options.from_sorted_ids ? sorted_ids_top_k_accuracy(y_true, y_pred, options.k)
                                 : sparse_top_k_categorical_accuracy(y_true, y_pred, options.k);
}

/// The sum of values, which are passed to `update`; update_state throws.
class SumMetric : public Metric {
 public:
  explicit SumMetric(StringArgument name = "sum", std::optional<DType> dtype = {});
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
  explicit MeanMetric(StringArgument name = "mean", std::optional<DType> dtype = {});
  /// `values` may be a scalar with a scalar weight (a batch's mean loss weighted by its number of rows).
  void update(const Tensor& values, const SampleWeights& weights = {});
  using Metric::update_state;
  void update_state(const Tensor& y_true, const Tensor& y_pred, const SampleWeights& weights) override;
  Tensor result() const override;

 private:
  Variable total_;
  Variable count_;
};

struct MeanMetricWrapperOptions {  // options/metrics.toml
  /// Function that returns a value for each sample; required.
  std::function<Tensor(const Tensor& y_true, const Tensor& y_pred)> fn;
  /// Name in logs; empty: as that of a function in `metrics` (Metric::from_function).
  std::string name = {};
  /// Dtype of variables and computation; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
};
/// The mean over samples of fn(y_true, y_pred), with a given name in logs. Errors of the function name the
/// metric.
class MeanMetricWrapper : public MetricHandle {
 public:
  explicit MeanMetricWrapper(MeanMetricWrapperOptions options);
};

struct MetricOptions {  // options/metrics.toml
  /// Name in logs; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// Dtype of variables and computation; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(MetricOptions, name, dtype)
/// The weighted sum of the values that update_state gets.
class Sum : public MetricHandle {
 public:
  explicit Sum(MetricOptions options = {});
  explicit Sum(NoOptions) : Sum() {}
  void update_state(const Tensor& values, const Tensor& sample_weight = {}) const {
    update_state(values, SampleWeights{sample_weight});
  }
  void update_state(const Tensor& values, const SampleWeights& weights) const;
  void update_state(const Tensor& values, std::initializer_list<double> sample_weight) const {
    update_state(values, literal_weights(sample_weight));
  }
};
/// The weighted mean of the values that update_state gets; 0 before the first.
class Mean : public MetricHandle {
 public:
  explicit Mean(MetricOptions options = {});
  explicit Mean(NoOptions) : Mean() {}
  void update_state(const Tensor& values, const Tensor& sample_weight = {}) const {
    update_state(values, SampleWeights{sample_weight});
  }
  void update_state(const Tensor& values, const SampleWeights& weights) const;
  void update_state(const Tensor& values, std::initializer_list<double> sample_weight) const {
    update_state(values, literal_weights(sample_weight));
  }
};

/// Fraction of predictions that equal the label.
class Accuracy : public MetricHandle {
 public:
  explicit Accuracy(MetricOptions options = {});
  explicit Accuracy(NoOptions) : Accuracy() {}
};
struct BinaryAccuracyOptions {  // options/metrics.toml
  /// Outputs above it count as 1.
  double threshold = 0.5;
  /// Name in logs; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// Dtype of variables and computation; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(BinaryAccuracyOptions, threshold, name, dtype)
/// Fraction of predictions whose thresholded value equals the binary label.
class BinaryAccuracy : public MetricHandle {
 public:
  explicit BinaryAccuracy(BinaryAccuracyOptions options = {});
  explicit BinaryAccuracy(NoOptions) : BinaryAccuracy() {}
};
/// Fraction of samples whose largest output is the label's; labels are one-hot.
class CategoricalAccuracy : public MetricHandle {
 public:
  explicit CategoricalAccuracy(MetricOptions options = {});
  explicit CategoricalAccuracy(NoOptions) : CategoricalAccuracy() {}
};
/// Fraction of samples whose largest output is the label's; labels are class ids.
class SparseCategoricalAccuracy : public MetricHandle {
 public:
  explicit SparseCategoricalAccuracy(MetricOptions options = {});
  explicit SparseCategoricalAccuracy(NoOptions) : SparseCategoricalAccuracy() {}
};
struct TopKOptions {  // options/metrics.toml
  /// Number of largest outputs among which the label's must be; must be positive.
  std::int64_t k = 5;
  /// Name in logs; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// Dtype of variables and computation; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(TopKOptions, k, name, dtype)
/// Fraction of samples whose label is among the k largest outputs; labels are one-hot.
/// Errors: InvalidArgument unless k is positive.
class TopKCategoricalAccuracy : public MetricHandle {
 public:
  explicit TopKCategoricalAccuracy(TopKOptions options = {});
  explicit TopKCategoricalAccuracy(NoOptions) : TopKCategoricalAccuracy() {}
};
struct SparseTopKOptions {  // options/metrics.toml
  /// Number of largest outputs among which the label's must be; must be positive.
  std::int64_t k = 5;
  /// Name in logs; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// Dtype of variables and computation; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
  /// True: predictions are class ids, the best first; false: a number for each class.
  bool from_sorted_ids = false;
};
CORNU_FIELDS(SparseTopKOptions, k, name, dtype, from_sorted_ids)
/// Fraction of samples whose label is among the k largest outputs; labels are class ids.
class SparseTopKCategoricalAccuracy : public MetricHandle {
 public:
  explicit SparseTopKCategoricalAccuracy(SparseTopKOptions options = {});
  explicit SparseTopKCategoricalAccuracy(NoOptions) : SparseTopKCategoricalAccuracy() {}
};

/// The mean of (y_pred - y_true)^2.
class MeanSquaredError : public MetricHandle {
 public:
  explicit MeanSquaredError(MetricOptions options = {});
  explicit MeanSquaredError(NoOptions) : MeanSquaredError() {}
};
/// The square root of the mean of (y_pred - y_true)^2.
class RootMeanSquaredError : public MetricHandle {
 public:
  explicit RootMeanSquaredError(MetricOptions options = {});
  explicit RootMeanSquaredError(NoOptions) : RootMeanSquaredError() {}
};
/// The mean of |y_pred - y_true|.
class MeanAbsoluteError : public MetricHandle {
 public:
  explicit MeanAbsoluteError(MetricOptions options = {});
  explicit MeanAbsoluteError(NoOptions) : MeanAbsoluteError() {}
};
/// 100 times the mean of |y_true - y_pred| / |y_true|.
class MeanAbsolutePercentageError : public MetricHandle {
 public:
  explicit MeanAbsolutePercentageError(MetricOptions options = {});
  explicit MeanAbsolutePercentageError(NoOptions) : MeanAbsolutePercentageError() {}
};
/// The mean of (log(1 + y_pred) - log(1 + y_true))^2; negative values count as 0.
class MeanSquaredLogarithmicError : public MetricHandle {
 public:
  explicit MeanSquaredLogarithmicError(MetricOptions options = {});
  explicit MeanSquaredLogarithmicError(NoOptions) : MeanSquaredLogarithmicError() {}
};
/// The mean of log(cosh(y_pred - y_true)).
class LogCoshError : public MetricHandle {
 public:
  explicit LogCoshError(MetricOptions options = {});
  explicit LogCoshError(NoOptions) : LogCoshError() {}
};
/// The mean over samples of the sum of y_true * log(y_true / y_pred).
class KLDivergence : public MetricHandle {
 public:
  explicit KLDivergence(MetricOptions options = {});
  explicit KLDivergence(NoOptions) : KLDivergence() {}
};
/// The mean of y_pred - y_true * log(y_pred).
class Poisson : public MetricHandle {
 public:
  explicit Poisson(MetricOptions options = {});
  explicit Poisson(NoOptions) : Poisson() {}
};
/// The mean of max(1 - y_true * y_pred, 0); labels are -1 and 1, or 0 and 1.
class Hinge : public MetricHandle {
 public:
  explicit Hinge(MetricOptions options = {});
  explicit Hinge(NoOptions) : Hinge() {}
};
/// The mean of max(1 - y_true * y_pred, 0)^2; labels are -1 and 1, or 0 and 1.
class SquaredHinge : public MetricHandle {
 public:
  explicit SquaredHinge(MetricOptions options = {});
  explicit SquaredHinge(NoOptions) : SquaredHinge() {}
};
/// The mean of max(1 + the largest output of the other classes - the label's, 0); labels are one-hot.
class CategoricalHinge : public MetricHandle {
 public:
  explicit CategoricalHinge(MetricOptions options = {});
  explicit CategoricalHinge(NoOptions) : CategoricalHinge() {}
};
struct CosineSimilarityOptions {  // options/metrics.toml
  /// Name in logs; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// Dtype of variables and computation; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
  /// Axis of the vectors; negative: from the end.
  std::int64_t axis = -1;
};
CORNU_FIELDS(CosineSimilarityOptions, name, dtype, axis)
/// The cosine similarity of labels and predictions along `axis`: 1 for equal directions, -1 for opposite ones
/// (the loss has the other sign).
class CosineSimilarity : public MetricHandle {
 public:
  explicit CosineSimilarity(CosineSimilarityOptions options = {});
  explicit CosineSimilarity(NoOptions) : CosineSimilarity() {}
};
struct CrossentropyMetricOptions {  // options/metrics.toml
  /// Name in logs; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// Dtype of variables and computation; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
  /// True: outputs are logits; false: probabilities.
  bool from_logits = false;
  /// Share in [0, 1] of each label that is spread evenly over the classes (binary: moved towards 0.5); 0:
  /// labels as given.
  double label_smoothing = 0.0;
  /// Axis of the classes, or for BinaryCrossentropy of the mean; negative: from the end.
  std::int64_t axis = -1;
};
CORNU_FIELDS(CrossentropyMetricOptions, name, dtype, from_logits, label_smoothing, axis)
/// The mean of -log(the label's probability); labels are 0 and 1.
class BinaryCrossentropy : public MetricHandle {
 public:
  explicit BinaryCrossentropy(CrossentropyMetricOptions options = {});
  explicit BinaryCrossentropy(NoOptions) : BinaryCrossentropy() {}
};
/// The mean over samples of the sum of -y_true * log(y_pred); labels are one-hot.
class CategoricalCrossentropy : public MetricHandle {
 public:
  explicit CategoricalCrossentropy(CrossentropyMetricOptions options = {});
  explicit CategoricalCrossentropy(NoOptions) : CategoricalCrossentropy() {}
};
struct SparseCategoricalCrossentropyOptions {  // options/metrics.toml
  /// Name in logs; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// Dtype of variables and computation; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
  /// True: outputs are logits; false: probabilities.
  bool from_logits = false;
  /// Label whose samples have the value 0 and, if there are sample weights, the weight 0; unset: all count.
  std::optional<std::int64_t> ignore_class = {};
  /// Axis of the classes; negative: from the end.
  std::int64_t axis = -1;
};
CORNU_FIELDS(SparseCategoricalCrossentropyOptions, name, dtype, from_logits, ignore_class, axis)
/// The mean of -log(the label's probability); labels are class ids.
class SparseCategoricalCrossentropy : public MetricHandle {
 public:
  explicit SparseCategoricalCrossentropy(SparseCategoricalCrossentropyOptions options = {});
  explicit SparseCategoricalCrossentropy(NoOptions) : SparseCategoricalCrossentropy() {}
};

// Counts of predictions above thresholds. Results are scalars, [thresholds] when several are given.
// Errors of all: InvalidArgument for thresholds outside [0, 1]; when updated, for shapes that do not fit.
struct ConfusionCountOptions {  // options/metrics.toml
  /// One threshold in [0, 1], or several and a result for each; empty: 0.5.
  OneOrMore<double> thresholds = {};
  /// Name in logs; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// Dtype of variables and computation; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(ConfusionCountOptions, thresholds, name, dtype)
/// The number of labels 1 with a prediction above the threshold.
class TruePositives : public MetricHandle {
 public:
  explicit TruePositives(ConfusionCountOptions options = {});
  explicit TruePositives(NoOptions) : TruePositives() {}
};
/// The number of labels 0 with a prediction at most equal to the threshold.
class TrueNegatives : public MetricHandle {
 public:
  explicit TrueNegatives(ConfusionCountOptions options = {});
  explicit TrueNegatives(NoOptions) : TrueNegatives() {}
};
/// The number of labels 0 with a prediction above the threshold.
class FalsePositives : public MetricHandle {
 public:
  explicit FalsePositives(ConfusionCountOptions options = {});
  explicit FalsePositives(NoOptions) : FalsePositives() {}
};
/// The number of labels 1 with a prediction at most equal to the threshold.
class FalseNegatives : public MetricHandle {
 public:
  explicit FalseNegatives(ConfusionCountOptions options = {});
  explicit FalseNegatives(NoOptions) : FalseNegatives() {}
};
struct PrecisionOptions {  // options/metrics.toml
  /// One threshold in [0, 1], or several and a result for each; empty: 0.5, or with top_k none.
  OneOrMore<double> thresholds = {};
  /// Number of largest outputs of a row that can count as 1; must be positive. Unset: all.
  std::optional<std::int64_t> top_k = {};
  /// Class whose outputs are counted; unset: all.
  std::optional<std::int64_t> class_id = {};
  /// Name in logs; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// Dtype of variables and computation; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(PrecisionOptions, thresholds, top_k, class_id, name, dtype)
using RecallOptions = PrecisionOptions;
/// Fraction of predictions above the threshold whose label is 1.
/// Errors: those of the counts; InvalidArgument unless top_k > 0 and class_id >= 0.
class Precision : public MetricHandle {
 public:
  explicit Precision(PrecisionOptions options = {});
  explicit Precision(NoOptions) : Precision() {}
};
/// Fraction of labels 1 whose prediction is above the threshold. Errors: those of Precision.
class Recall : public MetricHandle {
 public:
  explicit Recall(RecallOptions options = {});
  explicit Recall(NoOptions) : Recall() {}
};
struct SensitivityAtSpecificityOptions {  // options/metrics.toml
  /// Smallest specificity, in [0, 1].
  double specificity = 0;
  /// Number of thresholds, spaced evenly in [0, 1]; at least 1.
  std::int64_t num_thresholds = 200;
  /// Class whose outputs are counted; unset: all.
  std::optional<std::int64_t> class_id = {};
  /// Name in logs; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// Dtype of variables and computation; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(SensitivityAtSpecificityOptions, specificity, num_thresholds, class_id, name, dtype)
/// The largest sensitivity (recall) over all thresholds at which the specificity is at least `specificity`.
/// Errors: InvalidArgument for specificity outside [0, 1] and for a negative class_id.
class SensitivityAtSpecificity : public MetricHandle {
 public:
  explicit SensitivityAtSpecificity(SensitivityAtSpecificityOptions options);
};
struct SpecificityAtSensitivityOptions {  // options/metrics.toml
  /// Smallest sensitivity (recall), in [0, 1].
  double sensitivity = 0;
  /// Number of thresholds, spaced evenly in [0, 1]; at least 1.
  std::int64_t num_thresholds = 200;
  /// Class whose outputs are counted; unset: all.
  std::optional<std::int64_t> class_id = {};
  /// Name in logs; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// Dtype of variables and computation; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(SpecificityAtSensitivityOptions, sensitivity, num_thresholds, class_id, name, dtype)
/// The largest specificity over all thresholds at which the sensitivity (recall) is at least `sensitivity`.
/// Errors: InvalidArgument for sensitivity outside [0, 1] and for a negative class_id.
class SpecificityAtSensitivity : public MetricHandle {
 public:
  explicit SpecificityAtSensitivity(SpecificityAtSensitivityOptions options);
};
struct PrecisionAtRecallOptions {  // options/metrics.toml
  /// Smallest recall, in [0, 1].
  double recall = 0;
  /// Number of thresholds, spaced evenly in [0, 1]; at least 1.
  std::int64_t num_thresholds = 200;
  /// Class whose outputs are counted; unset: all.
  std::optional<std::int64_t> class_id = {};
  /// Name in logs; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// Dtype of variables and computation; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(PrecisionAtRecallOptions, recall, num_thresholds, class_id, name, dtype)
/// The largest precision over all thresholds at which the recall is at least `recall`.
/// Errors: InvalidArgument for recall outside [0, 1] and for a negative class_id.
class PrecisionAtRecall : public MetricHandle {
 public:
  explicit PrecisionAtRecall(PrecisionAtRecallOptions options);
};
struct RecallAtPrecisionOptions {  // options/metrics.toml
  /// Smallest precision, in [0, 1].
  double precision = 0;
  /// Number of thresholds, spaced evenly in [0, 1]; at least 1.
  std::int64_t num_thresholds = 200;
  /// Class whose outputs are counted; unset: all.
  std::optional<std::int64_t> class_id = {};
  /// Name in logs; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// Dtype of variables and computation; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(RecallAtPrecisionOptions, precision, num_thresholds, class_id, name, dtype)
/// The largest recall over all thresholds at which the precision is at least `precision`.
/// Errors: InvalidArgument for precision outside [0, 1] and for a negative class_id.
class RecallAtPrecision : public MetricHandle {
 public:
  explicit RecallAtPrecision(RecallAtPrecisionOptions options);
};
struct AUCOptions {  // options/metrics.toml
  /// Number of thresholds, spaced evenly in [0, 1]; at least 2. Not used with thresholds.
  std::int64_t num_thresholds = 200;
  /// Curve: "ROC", "PR" (precision and recall) or "PRGAIN"; also in lower case.
  std::string curve = "ROC";
  /// Height of the area between two points: "interpolation", "minoring" (the lower) or "majoring" (the
  /// higher).
  std::string summation_method = "interpolation";
  /// Name in logs; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// Dtype of variables and computation; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
  /// Thresholds in [0, 1], in place of num_thresholds; empty: num_thresholds.
  OneOrMore<double> thresholds = {};
  /// True: the mean of one area for each label; false: one curve for all.
  bool multi_label = false;
  /// Number of labels with multi_label, to make the variables at once; unset: the first update decides.
  std::optional<std::int64_t> num_labels = {};
  /// Weights of the labels: with multi_label they weight the labels' curves, otherwise their counts; empty:
  /// equal.
  std::vector<double> label_weights = {};
  /// True: outputs are logits; false: probabilities.
  bool from_logits = false;
};
CORNU_FIELDS(AUCOptions, num_thresholds, curve, summation_method, name, dtype, thresholds, multi_label,
             num_labels, label_weights, from_logits)
/// The area under a curve, computed from its points at some thresholds.
class AUC : public MetricHandle {
 public:
  explicit AUC(AUCOptions options = {});
  explicit AUC(NoOptions) : AUC() {}
};

struct FBetaScoreOptions {  // options/metrics.toml
  /// "micro", "macro" or "weighted" mean over the classes; empty: a result for each class.
  std::string average = {};
  /// Weight of recall against precision; must be positive.
  double beta = 1.0;
  /// Outputs above it, in (0, 1], count as 1; unset: the largest output of a row.
  std::optional<double> threshold = {};
  /// Name in logs; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// Dtype of variables and computation; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(FBetaScoreOptions, average, beta, threshold, name, dtype)
/// (1 + beta^2) * precision * recall / (beta^2 * precision + recall) of each class.
/// Shapes: labels and outputs are [batch, classes].
/// Errors: InvalidArgument unless beta > 0 and 0 < threshold <= 1.
class FBetaScore : public MetricHandle {
 public:
  explicit FBetaScore(FBetaScoreOptions options = {});
  explicit FBetaScore(NoOptions) : FBetaScore() {}
};
struct F1ScoreOptions {  // options/metrics.toml
  /// "micro", "macro" or "weighted" mean over the classes; empty: a result for each class.
  std::string average = {};
  /// Outputs above it, in (0, 1], count as 1; unset: the largest output of a row.
  std::optional<double> threshold = {};
  /// Name in logs; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// Dtype of variables and computation; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(F1ScoreOptions, average, threshold, name, dtype)
/// FBetaScore with beta = 1: the harmonic mean of precision and recall.
class F1Score : public MetricHandle {
 public:
  explicit F1Score(F1ScoreOptions options = {});
  explicit F1Score(NoOptions) : F1Score() {}
};
struct R2ScoreOptions {  // options/metrics.toml
  /// "uniform_average" or "variance_weighted_average" of the outputs; unset or "none": a result for each.
  std::optional<std::string> class_aggregation = "uniform_average";
  /// Number of regressors for the adjusted coefficient; 0: not adjusted.
  std::int64_t num_regressors = 0;
  /// Name in logs; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// Dtype of variables and computation; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(R2ScoreOptions, class_aggregation, num_regressors, name, dtype)
/// The coefficient of determination: 1 - the sum of squared errors over that of squared deviations.
/// Shapes: labels and outputs are [batch, outputs].
/// Errors: InvalidArgument unless num_regressors >= 0.
class R2Score : public MetricHandle {
 public:
  explicit R2Score(R2ScoreOptions options = {});
  explicit R2Score(NoOptions) : R2Score() {}
};

struct CorrelationFunctionOptions {  // options/metrics.toml
  /// Axis or axes along which values are correlated; negative: from the end.
  ops::Axes axis = -1;
};
CORNU_FIELDS(CorrelationFunctionOptions, axis)
/// The Pearson correlation of labels and predictions along `axis`: 1 for a rising linear relation, -1 for a
/// falling one; NaN if one of them is constant.
Tensor pearson_correlation(const Tensor& y_true, const Tensor& y_pred,
                           const CorrelationFunctionOptions& options = {});
/// The concordance correlation of labels and predictions along `axis`: twice the covariance over the sum of
/// both variances and of the squared difference of the means. It is 1 only for equal values.
Tensor concordance_correlation(const Tensor& y_true, const Tensor& y_pred,
                               const CorrelationFunctionOptions& options = {});
struct CorrelationOptions {  // options/metrics.toml
  /// Name in logs; empty: the class in snake_case, with a number if it is taken.
  std::string name = {};
  /// Dtype of variables and computation; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
  /// Axis or axes along which values are correlated; negative: from the end.
  ops::Axes axis = -1;
};
CORNU_FIELDS(CorrelationOptions, name, dtype, axis)
/// The mean over samples of the Pearson correlation of labels and predictions along `axis`, which is that of
/// the values of a sample, such as its outputs.
class PearsonCorrelation : public MetricHandle {
 public:
  explicit PearsonCorrelation(CorrelationOptions options = {});
  explicit PearsonCorrelation(NoOptions) : PearsonCorrelation() {}
};
/// The mean over samples of the concordance correlation of labels and predictions along `axis`.
class ConcordanceCorrelation : public MetricHandle {
 public:
  explicit ConcordanceCorrelation(CorrelationOptions options = {});
  explicit ConcordanceCorrelation(NoOptions) : ConcordanceCorrelation() {}
};

/// Makes the metric of a spec for these shapes: "accuracy" and "acc", "crossentropy" and "ce" become the
/// binary, sparse or categorical one, as in Keras, and a name keeps the user's spelling. Errors name
/// `argument`.
std::shared_ptr<Metric> make_metric(const MetricSpec& spec, const Dims& y_true_shape,
                                    const Dims& y_pred_shape,
                                    const ArgumentName& argument = {"compile", "metrics"});

}  // namespace cornu::inline v0::keras::metrics
