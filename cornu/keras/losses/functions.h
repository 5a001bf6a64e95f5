#pragma once

#include <cstdint>
#include <optional>

#include "cornu/keras/config/fields.h"
#include "cornu/tensor/ops/types.h"
#include "cornu/tensor/tensor.h"

/// Keras's losses as functions that return a value for each sample: [batch, ..., n] -> [batch, ...]. Integer
/// and boolean predictions are converted to f32 (Keras computes in their type, which wraps around); labels
/// take the predictions' dtype. If the ranks differ by one, a last extent of 1 is dropped or added.
namespace cornu::inline v0::keras::losses {

// Optional arguments by position, from before there were options.
Tensor huber(const Tensor& y_true, const Tensor& y_pred, double delta);
Tensor cosine_similarity(const Tensor& y_true, const Tensor& y_pred, std::int64_t axis);
Tensor categorical_generalized_cross_entropy(const Tensor& y_true, const Tensor& y_pred, double q);

struct CrossentropyOptions {  // options/losses.toml
  /// True: outputs are logits; false: probabilities.
  bool from_logits = false;
  /// Share in [0, 1] of each label that is spread evenly over the classes (binary: moved towards 0.5); 0:
  /// labels as given.
  double label_smoothing = 0.0;
  /// Axis of the classes, or for the binary loss of the mean; negative: from the end.
  std::int64_t axis = -1;
};
CORNU_FIELDS(CrossentropyOptions, from_logits, label_smoothing, axis)
struct SparseCrossentropyOptions {  // options/losses.toml
  /// True: outputs are logits; false: probabilities.
  bool from_logits = false;
  /// Label whose samples do not count; unset: all count.
  std::optional<std::int64_t> ignore_class = {};
  /// Axis of the classes; negative: from the end.
  std::int64_t axis = -1;
};
CORNU_FIELDS(SparseCrossentropyOptions, from_logits, ignore_class, axis)
struct BinaryFocalOptions {  // options/losses.toml
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
};
CORNU_FIELDS(BinaryFocalOptions, apply_class_balancing, alpha, gamma, from_logits, label_smoothing, axis)
struct CategoricalFocalOptions {  // options/losses.toml
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
};
CORNU_FIELDS(CategoricalFocalOptions, alpha, gamma, from_logits, label_smoothing, axis)

Tensor mean_squared_error(const Tensor& y_true, const Tensor& y_pred);
Tensor mean_absolute_error(const Tensor& y_true, const Tensor& y_pred);
Tensor mean_absolute_percentage_error(const Tensor& y_true, const Tensor& y_pred);
/// The mean squared error of log(1 + x); negative values count as 0.
Tensor mean_squared_logarithmic_error(const Tensor& y_true, const Tensor& y_pred);
/// log(cosh(y_pred - y_true)), stable for large differences.
Tensor log_cosh(const Tensor& y_true, const Tensor& y_pred);
struct HuberFunctionOptions {  // options/losses.toml
  /// Largest error with a quadratic loss; beyond, the loss is linear. Must be positive.
  double delta = 1.0;
};
CORNU_FIELDS(HuberFunctionOptions, delta)
/// Errors: InvalidArgument unless delta is positive and finite.
inline Tensor huber(const Tensor& y_true, const Tensor& y_pred, const HuberFunctionOptions& options = {}) {
  return huber(y_true, y_pred, options.delta);
}
double checked_huber_delta(double delta);
struct CosineSimilarityFunctionOptions {  // options/losses.toml
  /// Axis of the vectors; negative: from the end.
  std::int64_t axis = -1;
};
CORNU_FIELDS(CosineSimilarityFunctionOptions, axis)
/// -1 for vectors along `axis` with the same direction, 1 for opposite ones, 0 if one is zero; gradients stay
/// finite there (ops::normalize).
inline Tensor cosine_similarity(const Tensor& y_true, const Tensor& y_pred,
                                const CosineSimilarityFunctionOptions& options = {}) {
  return cosine_similarity(y_true, y_pred, options.axis);
}
/// Labels are -1 and 1; if all labels of a batch are 0 or 1, they are converted.
Tensor hinge(const Tensor& y_true, const Tensor& y_pred);
Tensor squared_hinge(const Tensor& y_true, const Tensor& y_pred);
/// Labels are one-hot.
Tensor categorical_hinge(const Tensor& y_true, const Tensor& y_pred);
Tensor kl_divergence(const Tensor& y_true, const Tensor& y_pred);
Tensor poisson(const Tensor& y_true, const Tensor& y_pred);
Tensor binary_crossentropy(const Tensor& y_true, const Tensor& y_pred,
                           const CrossentropyOptions& options = {});
Tensor binary_focal_crossentropy(const Tensor& y_true, const Tensor& y_pred,
                                 const BinaryFocalOptions& options = {});
Tensor categorical_crossentropy(const Tensor& y_true, const Tensor& y_pred,
                                const CrossentropyOptions& options = {});
Tensor categorical_focal_crossentropy(const Tensor& y_true, const Tensor& y_pred,
                                      const CategoricalFocalOptions& options = {});
/// Labels are class ids [batch, ...] or [batch, ..., 1] in [0, classes), which a trainer checks before.
/// Results for other ids are unspecified, except for ignore_class, whose samples have the value 0 and are
/// masked.
Tensor sparse_categorical_crossentropy(const Tensor& y_true, const Tensor& y_pred,
                                       const SparseCrossentropyOptions& options = {});
struct GeneralizedCrossEntropyFunctionOptions {  // options/losses.toml
  /// Exponent in (0, 1) of (1 - p^q) / q: towards 0 the loss resembles crossentropy, towards 1 the mean
  /// absolute error, which tolerates wrong labels.
  double q = 0.5;
};
CORNU_FIELDS(GeneralizedCrossEntropyFunctionOptions, q)
/// (1 - p^q) / q of the label's probability p; labels are class ids.
inline Tensor categorical_generalized_cross_entropy(
    const Tensor& y_true, const Tensor& y_pred, const GeneralizedCrossEntropyFunctionOptions& options = {}) {
  return categorical_generalized_cross_entropy(y_true, y_pred, options.q);
}

struct DiceFunctionOptions {  // options/losses.toml
  /// Axes over which overlaps are summed; empty: all, which gives one number.
  ops::Axes axis = {};
};
CORNU_FIELDS(DiceFunctionOptions, axis)
/// 1 - 2 * sum(y_true * y_pred) / (sum(y_true) + sum(y_pred)), the sums over `axis`: 0 if labels and outputs
/// of 0 and 1 are equal, 1 if they do not overlap.
Tensor dice(const Tensor& y_true, const Tensor& y_pred, const DiceFunctionOptions& options = {});
struct TverskyFunctionOptions {  // options/losses.toml
  /// Weight of labels that the outputs miss; must not be negative.
  double alpha = 0.5;
  /// Weight of outputs that the labels do not have; must not be negative.
  double beta = 0.5;
  /// Axes over which overlaps are summed; empty: all, which gives one number.
  ops::Axes axis = {};
};
CORNU_FIELDS(TverskyFunctionOptions, alpha, beta, axis)
/// 1 - both / (both + alpha * missed + beta * wrong) for both = sum(y_true * y_pred), missed = sum(y_true * (1
/// - y_pred)) and wrong = sum((1 - y_true) * y_pred) over `axis`. With alpha = beta = 0.5 the same as dice.
Tensor tversky(const Tensor& y_true, const Tensor& y_pred, const TverskyFunctionOptions& options = {});
struct CircleFunctionOptions {  // options/losses.toml
  /// Labels of ref_embeddings; undefined: y_true.
  Tensor ref_labels = {};
  /// Embeddings of unit norm, [references, features], to which those of y_pred are compared; undefined:
  /// y_pred.
  Tensor ref_embeddings = {};
  /// True: no row is compared with the reference of the same number, which is itself.
  bool remove_diagonal = true;
  /// Scale of the similarities.
  double gamma = 80;
  /// Relaxation of the optimum: distance below which pairs of one class, and above which pairs of two, weigh
  /// less.
  double margin = 0.4;
};
/// The circle loss of each row: softplus of the sum of two logsumexp, over weighted cosine distances to the
/// references of the same class and to those of other classes. Rows without such references have the value 0
/// and are masked, as in Keras.
///
/// Labels are class ids, [batch] or [batch, 1]; `y_pred` has embeddings of unit norm, [batch, features].
/// Errors: InvalidArgument for other shapes.
Tensor circle(const Tensor& y_true, const Tensor& y_pred, const CircleFunctionOptions& options = {});
/// The connectionist temporal classification loss of each row: -log of the probability of all alignments that
/// give the labels. Labels are class ids, [batch, labels], in which 0 is padding and the blank; `y_pred` has
/// logits, [batch, steps, classes].
/// Errors: InvalidArgument for other ranks.
Tensor ctc(const Tensor& y_true, const Tensor& y_pred);

}  // namespace cornu::inline v0::keras::losses
