#include "cornu/keras/losses/functions.h"

#include <cmath>

#include "cornu/base/check.h"
#include "cornu/keras/base/align.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/ops/epsilon.h"

namespace cornu::inline v0::keras::losses {
namespace {

using cornu::detail::small_number;

AlignedPair aligned(const Tensor& y_true, const Tensor& y_pred) {
  const Tensor predictions = float_predictions(y_pred);
  return align_ranks(ops::cast(y_true, predictions.dtype()), predictions);
}

Tensor difference(const Tensor& y_true, const Tensor& y_pred) {
  const AlignedPair pair = aligned(y_true, y_pred);
  return pair.y_pred - pair.y_true;
}

Tensor mean_of_last(const Tensor& x) { return x.rank() == 0 ? x : ops::mean(x, {.axis = -1}); }

/// Maps labels 0 and 1 to -1 and 1 if a batch holds only these, NaN and infinity (which may be labels of
/// weight 0).
Tensor hinge_labels(const Tensor& y_true) {
  const Tensor is_binary =
      ops::all(ops::logical_or(ops::logical_or(ops::equal(y_true, 0), ops::equal(y_true, 1)),
                               ops::logical_not(ops::isfinite(y_true))));
  return ops::where(is_binary, y_true * 2.0 - 1.0, y_true);
}

Tensor hinge_margin(const Tensor& y_true, const Tensor& y_pred) {
  const AlignedPair pair = aligned(y_true, y_pred);
  return ops::maximum(1.0 - hinge_labels(pair.y_true) * pair.y_pred, 0);
}

Tensor probabilities_of(const Tensor& y_pred, int axis) {
  return ops::clip(y_pred / ops::sum(y_pred, {.axis = axis, .keepdims = true}), small_number(),
                   1 - small_number());
}

Tensor smoothed_classes(const Tensor& target, double label_smoothing) {
  if (label_smoothing == 0) return target;
  return target * (1 - label_smoothing) + label_smoothing / static_cast<double>(target.shape().back());
}

Tensor smoothed_binary(const Tensor& target, double label_smoothing) {
  return label_smoothing == 0 ? target : target * (1 - label_smoothing) + 0.5 * label_smoothing;
}

Tensor binary_values(const Tensor& target, const Tensor& y_pred) {
  const Tensor probability = ops::clip(y_pred, small_number(), 1 - small_number());
  return -(target * ops::log(probability) + (1 - target) * ops::log(1 - probability));
}

}  // namespace

Tensor mean_squared_error(const Tensor& y_true, const Tensor& y_pred) {
  return mean_of_last(ops::square(difference(y_true, y_pred)));
}
Tensor mean_absolute_error(const Tensor& y_true, const Tensor& y_pred) {
  return mean_of_last(ops::abs(difference(y_true, y_pred)));
}
Tensor log_cosh(const Tensor& y_true, const Tensor& y_pred) {
  return mean_of_last(ops::log_cosh(difference(y_true, y_pred)));
}

Tensor mean_absolute_percentage_error(const Tensor& y_true, const Tensor& y_pred) {
  const AlignedPair pair = aligned(y_true, y_pred);
  return mean_of_last(
             ops::abs((pair.y_true - pair.y_pred) / ops::maximum(ops::abs(pair.y_true), small_number()))) *
         100.0;
}

Tensor mean_squared_logarithmic_error(const Tensor& y_true, const Tensor& y_pred) {
  const AlignedPair pair = aligned(y_true, y_pred);
  const auto log_of = [](const Tensor& x) { return ops::log(ops::maximum(x, small_number()) + 1.0); };
  return mean_of_last(ops::square(log_of(pair.y_pred) - log_of(pair.y_true)));
}

double checked_huber_delta(double delta) {
  if (!(delta > 0 && std::isfinite(delta)))
    invalid_argument({.argument = "delta"}, "[huber] delta must be positive and finite; got delta = {}",
                     delta);
  return delta;
}

Tensor huber(const Tensor& y_true, const Tensor& y_pred, double delta) {
  checked_huber_delta(delta);
  const Tensor error = difference(y_true, y_pred);
  const Tensor size = ops::abs(error);
  return mean_of_last(
      ops::where(ops::less_equal(size, delta), ops::square(error) * 0.5, size * delta - 0.5 * delta * delta));
}

Tensor cosine_similarity(const Tensor& y_true, const Tensor& y_pred, std::int64_t axis) {
  const AlignedPair pair = aligned(y_true, y_pred);
  const int along = static_cast<int>(axis);
  return -ops::sum(
      ops::normalize(pair.y_true, {.axis = along}) * ops::normalize(pair.y_pred, {.axis = along}),
      {.axis = along});
}

Tensor hinge(const Tensor& y_true, const Tensor& y_pred) {
  return mean_of_last(hinge_margin(y_true, y_pred));
}
Tensor squared_hinge(const Tensor& y_true, const Tensor& y_pred) {
  return mean_of_last(ops::square(hinge_margin(y_true, y_pred)));
}

Tensor categorical_hinge(const Tensor& y_true, const Tensor& y_pred) {
  const AlignedPair pair = aligned(y_true, y_pred);
  const Tensor of_label = ops::sum(pair.y_true * pair.y_pred, {.axis = -1});
  const Tensor of_others = ops::max((1.0 - pair.y_true) * pair.y_pred, {.axis = -1});
  return ops::maximum(of_others - of_label + 1.0, 0);
}

Tensor kl_divergence(const Tensor& y_true, const Tensor& y_pred) {
  const AlignedPair pair = aligned(y_true, y_pred);
  const Tensor target = ops::clip(pair.y_true, small_number(), 1);
  return ops::sum(target * ops::log(target / ops::clip(pair.y_pred, small_number(), 1)), {.axis = -1});
}

Tensor poisson(const Tensor& y_true, const Tensor& y_pred) {
  const AlignedPair pair = aligned(y_true, y_pred);
  return mean_of_last(pair.y_pred - pair.y_true * ops::log(pair.y_pred + small_number()));
}

Tensor categorical_crossentropy(const Tensor& y_true, const Tensor& predictions,
                                const CrossentropyOptions& options) {
  const Tensor y_pred = float_predictions(predictions);
  const auto axis = static_cast<int>(options.axis);
  const Tensor target = smoothed_classes(ops::cast(y_true, y_pred.dtype()), options.label_smoothing);
  const Tensor log_probability =
      options.from_logits ? ops::log_softmax(y_pred, options.axis) : ops::log(probabilities_of(y_pred, axis));
  return -ops::sum(target * log_probability, {.axis = axis});
}

Tensor categorical_focal_crossentropy(const Tensor& y_true, const Tensor& predictions,
                                      const CategoricalFocalOptions& options) {
  const Tensor y_pred = float_predictions(predictions);
  const auto axis = static_cast<int>(options.axis);
  const Tensor target = smoothed_classes(ops::cast(y_true, y_pred.dtype()), options.label_smoothing);
  const Tensor probability =
      probabilities_of(options.from_logits ? ops::softmax(y_pred, options.axis) : y_pred, axis);
  const Tensor focus = ops::power(1.0 - probability, options.gamma) * options.alpha;
  return -ops::sum(focus * target * ops::log(probability), {.axis = axis});
}

// The label's probability is picked before it is normalized, clipped and its logarithm taken: the same value
// as Keras's sum over one-hot rows, with one logarithm for each sample instead of one for each class.
Tensor sparse_categorical_crossentropy(const Tensor& y_true, const Tensor& predictions,
                                       const SparseCrossentropyOptions& options) {
  const Tensor y_pred = float_predictions(predictions);
  const std::int64_t axis = options.axis < 0 ? options.axis + y_pred.rank() : options.axis;
  if (axis < 0 || axis >= y_pred.rank())
    invalid_argument({.argument = "axis"},
                     "[sparse_categorical_crossentropy] axis is outside the {} axes of y_pred; got axis = {}",
                     y_pred.rank(), options.axis);
  const std::int64_t num_classes = y_pred.shape()[static_cast<std::size_t>(axis)];
  Tensor given = y_true;
  if (given.rank() == y_pred.rank() && given.shape()[static_cast<std::size_t>(axis)] == 1)
    given = ops::squeeze(given, axis);
  Tensor labels = class_ids(given, num_classes);
  Tensor is_valid;
  Tensor output = y_pred;
  if (options.ignore_class) {
    const bool has_all_bits = ir::is_integer(given.dtype()) && ir::bit_width(given.dtype()) > 32;
    is_valid = ops::not_equal(has_all_bits ? given : ops::cast(given, DType::kI32), *options.ignore_class);
    labels = ops::where(is_valid, labels, 0);
    output = ops::where(ops::expand_dims(is_valid, axis), output,
                        1.0);  // its value reaches no gradient
  }
  Tensor classes = ops::arange(num_classes);
  if (axis != y_pred.rank() - 1) {
    Dims dims(static_cast<std::size_t>(y_pred.rank()), 1);
    dims[static_cast<std::size_t>(axis)] = num_classes;
    classes = ops::reshape(classes, dims);
  }
  const Tensor is_label = ops::equal(ops::expand_dims(labels, axis), classes);
  const int along = static_cast<int>(axis);
  const auto at_label = [&](const Tensor& x) {
    return ops::sum(ops::where(is_label, x, 0), {.axis = along});
  };
  Tensor values;
  if (options.from_logits) {
    values = -at_label(ops::log_softmax(output, axis));
  } else {
    const Tensor probability = at_label(output) / ops::sum(output, {.axis = along});
    values = -ops::log(ops::clip(probability, small_number(), 1 - small_number()));
  }
  return is_valid.defined() ? ops::where(is_valid, values, 0).with_mask(is_valid) : values;
}

Tensor categorical_generalized_cross_entropy(const Tensor& y_true, const Tensor& predictions, double q) {
  const Tensor y_pred = float_predictions(predictions);
  Tensor labels = class_ids(y_true, y_pred.shape().back());
  if (labels.rank() == y_pred.rank() && labels.shape().back() == 1) labels = ops::squeeze(labels, -1);
  const Tensor is_label = ops::equal(ops::expand_dims(labels, -1), ops::arange(y_pred.shape().back()));
  return (1.0 - ops::power(ops::sum(ops::where(is_label, y_pred, 0), {.axis = -1}), q)) / q;
}

Tensor binary_crossentropy(const Tensor& y_true, const Tensor& y_pred, const CrossentropyOptions& options) {
  const AlignedPair pair = aligned(y_true, y_pred);
  const Tensor target = smoothed_binary(pair.y_true, options.label_smoothing);
  Tensor values;
  if (options.from_logits) {
    values = target * ops::softplus(-pair.y_pred) + (1 - target) * ops::softplus(pair.y_pred);
  } else {
    values = binary_values(target, pair.y_pred);
  }
  return ops::mean(values, {.axis = static_cast<int>(options.axis)});
}

Tensor binary_focal_crossentropy(const Tensor& y_true, const Tensor& y_pred,
                                 const BinaryFocalOptions& options) {
  const AlignedPair pair = aligned(y_true, y_pred);
  const Tensor target = smoothed_binary(pair.y_true, options.label_smoothing);
  const Tensor probability = options.from_logits ? ops::sigmoid(pair.y_pred) : pair.y_pred;
  const Tensor of_target = target * probability + (1 - target) * (1 - probability);
  Tensor values = ops::power(1.0 - of_target, options.gamma) * binary_values(target, probability);
  if (options.apply_class_balancing)
    values = (target * options.alpha + (1 - target) * (1 - options.alpha)) * values;
  return ops::mean(values, {.axis = static_cast<int>(options.axis)});
}

Tensor dice(const Tensor& y_true, const Tensor& y_pred, const DiceFunctionOptions& options) {
  const Tensor predictions = float_predictions(y_pred);
  const Tensor target = ops::cast(y_true, predictions.dtype());
  const ops::ReduceOptions over = {.axis = options.axis};
  const Tensor both = ops::sum(target * predictions, over) * 2.0;
  return 1.0 - both / (ops::sum(target, over) + ops::sum(predictions, over) + small_number());
}

Tensor tversky(const Tensor& y_true, const Tensor& y_pred, const TverskyFunctionOptions& options) {
  const Tensor predictions = float_predictions(y_pred);
  const Tensor target = ops::cast(y_true, predictions.dtype());
  const ops::ReduceOptions over = {.axis = options.axis};
  const Tensor both = ops::sum(target * predictions, over);
  const Tensor missed = ops::sum(target * (1.0 - predictions), over);
  const Tensor wrong = ops::sum((1.0 - target) * predictions, over);
  return 1.0 - both / (both + missed * options.alpha + wrong * options.beta + small_number());
}

namespace {

/// Labels as a column of integers, one of which equals another one exactly if the labels do.
Tensor label_column(const Tensor& labels) {
  return ops::reshape(ir::is_integer(labels.dtype()) ? labels : ops::cast(labels, DType::kI32), {-1, 1});
}

}  // namespace

Tensor circle(const Tensor& y_true, const Tensor& y_pred, const CircleFunctionOptions& options) {
  constexpr double kAbsent = -1e30;  // a term of the sums of exponentials that does not count
  const Tensor embeddings = float_predictions(y_pred);
  const Tensor references =
      options.ref_embeddings.defined() ? ops::cast(options.ref_embeddings, embeddings.dtype()) : embeddings;
  const Tensor labels = label_column(y_true);
  const Tensor ref_labels = options.ref_labels.defined() ? label_column(options.ref_labels) : labels;
  if (embeddings.rank() != 2 || references.rank() != 2 || labels.shape()[0] != embeddings.shape()[0] ||
      ref_labels.shape()[0] != references.shape()[0])
    invalid_argument(
        "[circle] needs a label for each embedding, in [batch, features]; got labels of shape {} for {}, and "
        "{} for references of {}",
        ir::shape_str(y_true.shape()), ir::shape_str(embeddings.shape()), ir::shape_str(ref_labels.shape()),
        ir::shape_str(references.shape()));
  const Tensor distance = ops::maximum(1.0 - ops::matmul(embeddings, ops::transpose(references)), 0);
  Tensor same_class = ops::equal(labels, ops::transpose(ref_labels));
  const Tensor other_class = ops::logical_not(same_class);
  if (options.remove_diagonal) {
    const Tensor rows = ops::expand_dims(ops::arange(labels.shape()[0]), 1);
    same_class = ops::logical_and(same_class, ops::not_equal(rows, ops::arange(ref_labels.shape()[0])));
  }
  const double margin = options.margin;
  const Tensor same = ops::maximum(distance + margin, 0) * (distance - margin) * options.gamma;
  const Tensor other = ops::maximum(1 + margin - distance, 0) * (1 - margin - distance) * options.gamma;
  const auto joined = [](const Tensor& is_counted, const Tensor& x) {
    return ops::logsumexp(ops::where(is_counted, x, kAbsent), {.axis = 1});
  };
  const Tensor values = ops::softplus(joined(same_class, same) + joined(other_class, other));
  return values.with_mask(ops::greater(values, 0));
}

Tensor ctc(const Tensor& y_true, const Tensor& y_pred) {
  if (y_true.rank() != 2 || y_pred.rank() != 3)
    invalid_argument(
        "[ctc] labels must be class ids [batch, labels] and outputs logits [batch, steps, classes]; got {} "
        "and "
        "{}",
        ir::shape_str(y_true.shape()), ir::shape_str(y_pred.shape()));
  const Tensor num_labels = ops::count_nonzero(y_true, {.axis = -1});
  const Tensor num_steps = ops::full({y_pred.shape()[0]}, y_pred.shape()[1], {.dtype = DType::kI32});
  return ops::ctc_loss(y_true, float_predictions(y_pred), num_labels, num_steps);
}

}  // namespace cornu::inline v0::keras::losses
