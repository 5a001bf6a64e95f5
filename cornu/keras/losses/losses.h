#pragma once

#include "cornu/keras/config/fields.h"
#include "cornu/keras/losses/functions.h"
#include "cornu/keras/losses/loss.h"

/// Keras's losses as objects, with its arguments and defaults. Errors of all: InvalidArgument for an unknown
/// reduction, a label_smoothing outside [0, 1], and a dtype that is not floating-point.
namespace cornu::inline v0::keras::losses {

struct LossOptions {  // options/losses.toml
  /// "sum_over_batch_size" (also "mean"), "sum", "mean_with_sample_weight", which divides by the sum of
  /// weights, or "none".
  std::string reduction = "sum_over_batch_size";
  /// Name in logs and messages; empty: the class in snake_case.
  std::string name = {};
  /// Dtype to which labels and outputs are cast; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(LossOptions, reduction, name, dtype)
/// The mean of (y_pred - y_true)^2.
class MeanSquaredError : public LossHandle {
 public:
  explicit MeanSquaredError(LossOptions options = {});
  explicit MeanSquaredError(NoOptions) : MeanSquaredError() {}
};
/// The mean of |y_pred - y_true|.
class MeanAbsoluteError : public LossHandle {
 public:
  explicit MeanAbsoluteError(LossOptions options = {});
  explicit MeanAbsoluteError(NoOptions) : MeanAbsoluteError() {}
};
/// 100 times the mean of |y_true - y_pred| / |y_true|.
class MeanAbsolutePercentageError : public LossHandle {
 public:
  explicit MeanAbsolutePercentageError(LossOptions options = {});
  explicit MeanAbsolutePercentageError(NoOptions) : MeanAbsolutePercentageError() {}
};
/// The mean of (log(1 + y_pred) - log(1 + y_true))^2; negative values count as 0.
class MeanSquaredLogarithmicError : public LossHandle {
 public:
  explicit MeanSquaredLogarithmicError(LossOptions options = {});
  explicit MeanSquaredLogarithmicError(NoOptions) : MeanSquaredLogarithmicError() {}
};
/// The mean of log(cosh(y_pred - y_true)): as the squared error near 0, as the absolute one far away.
class LogCosh : public LossHandle {
 public:
  explicit LogCosh(LossOptions options = {});
  explicit LogCosh(NoOptions) : LogCosh() {}
};
/// The Kullback-Leibler divergence of two distributions: the sum of y_true * log(y_true / y_pred).
class KLDivergence : public LossHandle {
 public:
  explicit KLDivergence(LossOptions options = {});
  explicit KLDivergence(NoOptions) : KLDivergence() {}
};
/// The mean of y_pred - y_true * log(y_pred), for labels that are counts.
class Poisson : public LossHandle {
 public:
  explicit Poisson(LossOptions options = {});
  explicit Poisson(NoOptions) : Poisson() {}
};
/// The mean of max(1 - y_true * y_pred, 0); labels are -1 and 1, or 0 and 1.
class Hinge : public LossHandle {
 public:
  explicit Hinge(LossOptions options = {});
  explicit Hinge(NoOptions) : Hinge() {}
};
/// The mean of max(1 - y_true * y_pred, 0)^2; labels are -1 and 1, or 0 and 1.
class SquaredHinge : public LossHandle {
 public:
  explicit SquaredHinge(LossOptions options = {});
  explicit SquaredHinge(NoOptions) : SquaredHinge() {}
};
/// max(1 + the largest output of the other classes - the label's output, 0); labels are one-hot.
class CategoricalHinge : public LossHandle {
 public:
  explicit CategoricalHinge(LossOptions options = {});
  explicit CategoricalHinge(NoOptions) : CategoricalHinge() {}
};

struct CosineSimilarityOptions {  // options/losses.toml
  /// Axis of the vectors; negative: from the end.
  std::int64_t axis = -1;
  /// "sum_over_batch_size" (also "mean"), "sum", "mean_with_sample_weight", which divides by the sum of
  /// weights, or "none".
  std::string reduction = "sum_over_batch_size";
  /// Name in logs and messages; empty: the class in snake_case.
  std::string name = {};
  /// Dtype to which labels and outputs are cast; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(CosineSimilarityOptions, axis, reduction, name, dtype)
/// Minus the cosine of the angle between labels and predictions as vectors along `axis`.
class CosineSimilarity : public LossHandle {
 public:
  explicit CosineSimilarity(CosineSimilarityOptions options = {});
  explicit CosineSimilarity(NoOptions) : CosineSimilarity() {}
};

struct HuberOptions {  // options/losses.toml
  /// Largest error with a quadratic loss; beyond, the loss is linear. Must be positive.
  double delta = 1.0;
  /// "sum_over_batch_size" (also "mean"), "sum", "mean_with_sample_weight", which divides by the sum of
  /// weights, or "none".
  std::string reduction = "sum_over_batch_size";
  /// Name in logs and messages; empty: the class in snake_case.
  std::string name = {};
  /// Dtype to which labels and outputs are cast; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(HuberOptions, delta, reduction, name, dtype)
/// With e = |y_pred - y_true|, the mean of e^2 / 2 up to delta, and of delta * e - delta^2 / 2 beyond.
class Huber : public LossHandle {
 public:
  explicit Huber(HuberOptions options = {});
  explicit Huber(NoOptions) : Huber() {}
};

struct CategoricalCrossentropyOptions {  // options/losses.toml
  /// True: outputs are logits; false: probabilities.
  bool from_logits = false;
  /// Share in [0, 1] of each label that is spread evenly over the classes (binary: moved towards 0.5); 0:
  /// labels as given.
  double label_smoothing = 0.0;
  /// Axis of the classes, or for BinaryCrossentropy of the mean; negative: from the end.
  std::int64_t axis = -1;
  /// "sum_over_batch_size" (also "mean"), "sum", "mean_with_sample_weight", which divides by the sum of
  /// weights, or "none".
  std::string reduction = "sum_over_batch_size";
  /// Name in logs and messages; empty: the class in snake_case.
  std::string name = {};
  /// Dtype to which labels and outputs are cast; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(CategoricalCrossentropyOptions, from_logits, label_smoothing, axis, reduction, name, dtype)
/// The sum of -y_true * log(y_pred) over the classes; labels are one-hot.
class CategoricalCrossentropy : public LossHandle {
 public:
  explicit CategoricalCrossentropy(CategoricalCrossentropyOptions options = {});
  explicit CategoricalCrossentropy(NoOptions) : CategoricalCrossentropy() {}
};
using BinaryCrossentropyOptions = CategoricalCrossentropyOptions;
/// The mean of -log(the label's probability) where the label is 0 or 1; y_pred is the probability of 1.
class BinaryCrossentropy : public LossHandle {
 public:
  explicit BinaryCrossentropy(BinaryCrossentropyOptions options = {});
  explicit BinaryCrossentropy(NoOptions) : BinaryCrossentropy() {}
};

struct BinaryFocalCrossentropyOptions {  // options/losses.toml
  /// True: weighs the labels by alpha and 1 - alpha.
  bool apply_class_balancing = false;
  /// Weight of label 1 in [0, 1] with apply_class_balancing; label 0 has 1 - alpha.
  double alpha = 0.25;
  /// Exponent of the factor (1 - p)^gamma for the label's probability p; 0: no focus on hard examples.
  double gamma = 2.0;
  /// True: outputs are logits; false: probabilities.
  bool from_logits = false;
  /// Share in [0, 1] by which labels move towards 0.5; 0: labels as given.
  double label_smoothing = 0.0;
  /// Axis of the mean; negative: from the end.
  std::int64_t axis = -1;
  /// "sum_over_batch_size" (also "mean"), "sum", "mean_with_sample_weight", which divides by the sum of
  /// weights, or "none".
  std::string reduction = "sum_over_batch_size";
  /// Name in logs and messages; empty: the class in snake_case.
  std::string name = {};
  /// Dtype to which labels and outputs are cast; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(BinaryFocalCrossentropyOptions, apply_class_balancing, alpha, gamma, from_logits,
             label_smoothing, axis, reduction, name, dtype)
/// BinaryCrossentropy with each value times (1 - p)^gamma, where p is the label's probability.
class BinaryFocalCrossentropy : public LossHandle {
 public:
  explicit BinaryFocalCrossentropy(BinaryFocalCrossentropyOptions options = {});
  explicit BinaryFocalCrossentropy(NoOptions) : BinaryFocalCrossentropy() {}
};

struct CategoricalFocalCrossentropyOptions {  // options/losses.toml
  /// Factor of all terms.
  double alpha = 0.25;
  /// Exponent of the factor (1 - y_pred)^gamma of each term; 0: no focus on hard examples.
  double gamma = 2.0;
  /// True: outputs are logits; false: probabilities.
  bool from_logits = false;
  /// Share in [0, 1] of each label that is spread evenly over the classes; 0: labels as given.
  double label_smoothing = 0.0;
  /// Axis of the classes; negative: from the end.
  std::int64_t axis = -1;
  /// "sum_over_batch_size" (also "mean"), "sum", "mean_with_sample_weight", which divides by the sum of
  /// weights, or "none".
  std::string reduction = "sum_over_batch_size";
  /// Name in logs and messages; empty: the class in snake_case.
  std::string name = {};
  /// Dtype to which labels and outputs are cast; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(CategoricalFocalCrossentropyOptions, alpha, gamma, from_logits, label_smoothing, axis, reduction,
             name, dtype)
/// CategoricalCrossentropy with each term times alpha * (1 - y_pred)^gamma.
class CategoricalFocalCrossentropy : public LossHandle {
 public:
  explicit CategoricalFocalCrossentropy(CategoricalFocalCrossentropyOptions options = {});
  explicit CategoricalFocalCrossentropy(NoOptions) : CategoricalFocalCrossentropy() {}
};

struct SparseCategoricalCrossentropyOptions {  // options/losses.toml
  /// True: outputs are logits; false: probabilities.
  bool from_logits = false;
  /// Label whose samples do not count; unset: all count.
  std::optional<std::int64_t> ignore_class = {};
  /// "sum_over_batch_size" (also "mean"), "sum", "mean_with_sample_weight", which divides by the sum of
  /// weights, or "none".
  std::string reduction = "sum_over_batch_size";
  /// Axis of the classes; negative: from the end.
  std::int64_t axis = -1;
  /// Name in logs and messages; empty: the class in snake_case.
  std::string name = {};
  /// Dtype to which labels and outputs are cast; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(SparseCategoricalCrossentropyOptions, from_logits, ignore_class, reduction, axis, name, dtype)
/// -log(the label's probability); labels are class ids.
/// Errors: InvalidArgument, when there are data, for an `axis` that the output does not have.
class SparseCategoricalCrossentropy : public LossHandle {
 public:
  explicit SparseCategoricalCrossentropy(SparseCategoricalCrossentropyOptions options = {});
  explicit SparseCategoricalCrossentropy(NoOptions) : SparseCategoricalCrossentropy() {}
};

struct CategoricalGeneralizedCrossEntropyOptions {  // options/losses.toml
  /// Exponent in (0, 1) of (1 - p^q) / q: towards 0 the loss resembles crossentropy, towards 1 the mean
  /// absolute error, which tolerates wrong labels.
  double q = 0.5;
  /// "sum_over_batch_size" (also "mean"), "sum", "mean_with_sample_weight", which divides by the sum of
  /// weights, or "none".
  std::string reduction = "sum_over_batch_size";
  /// Name in logs and messages; empty: the class in snake_case.
  std::string name = {};
  /// Dtype to which labels and outputs are cast; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(CategoricalGeneralizedCrossEntropyOptions, q, reduction, name, dtype)
/// (1 - p^q) / q of the label's probability p, for labels some of which are wrong; labels are class ids.
/// Errors: InvalidArgument unless 0 < q < 1.
class CategoricalGeneralizedCrossEntropy : public LossHandle {
 public:
  explicit CategoricalGeneralizedCrossEntropy(CategoricalGeneralizedCrossEntropyOptions options = {});
  explicit CategoricalGeneralizedCrossEntropy(NoOptions) : CategoricalGeneralizedCrossEntropy() {}
};

struct DiceOptions {  // options/losses.toml
  /// "sum_over_batch_size" (also "mean"), "sum", "mean_with_sample_weight", which divides by the sum of
  /// weights, or "none".
  std::string reduction = "sum_over_batch_size";
  /// Name in logs and messages; empty: the class in snake_case.
  std::string name = {};
  /// Axes over which overlaps are summed, such as {1, 2, 3} for a number for each image; empty: all, which
  /// gives one number for a batch.
  ops::Axes axis = {};
  /// Dtype to which labels and outputs are cast; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(DiceOptions, reduction, name, axis, dtype)
/// 1 - twice the overlap of labels and outputs over their sum, for segmentation; without `axis` a batch has
/// one number, so sample weights and other sizes of a batch change what is averaged.
class Dice : public LossHandle {
 public:
  explicit Dice(DiceOptions options = {});
  explicit Dice(NoOptions) : Dice() {}
};

struct TverskyOptions {  // options/losses.toml
  /// Weight of labels that the outputs miss; must not be negative.
  double alpha = 0.5;
  /// Weight of outputs that the labels do not have; must not be negative.
  double beta = 0.5;
  /// "sum_over_batch_size" (also "mean"), "sum", "mean_with_sample_weight", which divides by the sum of
  /// weights, or "none".
  std::string reduction = "sum_over_batch_size";
  /// Name in logs and messages; empty: the class in snake_case.
  std::string name = {};
  /// Axes over which overlaps are summed, such as {1, 2, 3} for a number for each image; empty: all, which
  /// gives one number for a batch.
  ops::Axes axis = {};
  /// Dtype to which labels and outputs are cast; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(TverskyOptions, alpha, beta, reduction, name, axis, dtype)
/// Dice with weights of missed labels (alpha) and of wrong outputs (beta).
/// Errors: InvalidArgument for a negative alpha or beta.
class Tversky : public LossHandle {
 public:
  explicit Tversky(TverskyOptions options = {});
  explicit Tversky(NoOptions) : Tversky() {}
};

struct CircleOptions {  // options/losses.toml
  /// Scale of the similarities.
  double gamma = 80.0;
  /// Relaxation of the optimum: distance below which pairs of one class, and above which pairs of two, weigh
  /// less.
  double margin = 0.4;
  /// True: no row is compared with the reference of the same number, which is itself.
  bool remove_diagonal = true;
  /// "sum_over_batch_size" (also "mean"), "sum", "mean_with_sample_weight", which divides by the sum of
  /// weights, or "none".
  std::string reduction = "sum_over_batch_size";
  /// Name in logs and messages; empty: the class in snake_case.
  std::string name = {};
  /// Dtype to which labels and outputs are cast; unset: config::floatx(), float32.
  std::optional<DType> dtype = {};
};
CORNU_FIELDS(CircleOptions, gamma, margin, remove_diagonal, reduction, name, dtype)
/// Distances of embeddings within a batch: small for rows of one class, large for rows of two classes.
/// Shapes: labels are class ids [batch] or [batch, 1]; outputs are [batch, features], with unit norm.
class Circle : public LossHandle {
 public:
  explicit Circle(CircleOptions options = {});
  explicit Circle(NoOptions) : Circle() {}
};

/// Connectionist temporal classification: labels of sequences whose positions in the outputs are not known.
/// Shapes: labels are class ids [batch, labels], 0 is padding; outputs are logits [batch, steps, classes],
///         where class 0 is the blank.
class CTC : public LossHandle {
 public:
  explicit CTC(LossOptions options = {});
  explicit CTC(NoOptions) : CTC() {}
};

}  // namespace cornu::inline v0::keras::losses
