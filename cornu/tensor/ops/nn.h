#pragma once

#include <concepts>
#include <optional>

#include "cornu/tensor/ops/positional.h"
#include "cornu/tensor/ops/types.h"

/// Parts of neural networks, under their names in keras.ops: activations, probabilities, crossentropies,
/// normalization.
///
/// Types:     floats; integers and booleans are converted to f32.
namespace cornu::inline v0::ops {

/// max(x, 0); integers stay integers, booleans become i32.
Tensor relu(const Tensor& x);
/// min(max(x, 0), 6).
Tensor relu6(const Tensor& x);
struct LeakyReluOptions {  // options/ops.toml
  /// Slope below 0.
  double negative_slope = 0.2;
};
inline Tensor leaky_relu(const Tensor& x, const LeakyReluOptions& options = {}) {
  return leaky_relu(x, options.negative_slope);
}
struct EluOptions {  // options/ops.toml
  /// Factor of the exponential part below 0.
  double alpha = 1.0;
};
inline Tensor elu(const Tensor& x, const EluOptions& options = {}) { return elu(x, options.alpha); }
inline Tensor celu(const Tensor& x, const EluOptions& options = {}) { return celu(x, options.alpha); }
Tensor selu(const Tensor& x);
struct GeluOptions {  // options/ops.toml
  /// True: an approximation by tanh.
  bool approximate = true;
};
/// x times the normal distribution function at x.
inline Tensor gelu(const Tensor& x, const GeluOptions& options = {}) { return gelu(x, options.approximate); }
Tensor sigmoid(const Tensor& x);
Tensor log_sigmoid(const Tensor& x);
Tensor hard_sigmoid(const Tensor& x);
Tensor sparse_sigmoid(const Tensor& x);
Tensor silu(const Tensor& x);
Tensor swish(const Tensor& x);
Tensor hard_silu(const Tensor& x);
Tensor hard_swish(const Tensor& x);
Tensor softplus(const Tensor& x);
Tensor softsign(const Tensor& x);
struct ShrinkOptions {  // options/ops.toml
  /// Absolute value up to which the result is 0.
  double threshold = 0.5;
};
inline Tensor soft_shrink(const Tensor& x, const ShrinkOptions& options = {}) {
  return soft_shrink(x, options.threshold);
}
inline Tensor hard_shrink(const Tensor& x, const ShrinkOptions& options = {}) {
  return hard_shrink(x, options.threshold);
}
Tensor tanh_shrink(const Tensor& x);
Tensor hard_tanh(const Tensor& x);
Tensor sparse_plus(const Tensor& x);
struct SquareplusOptions {  // options/ops.toml
  /// Number that smooths the bend at 0, in (x + sqrt(x * x + b)) / 2.
  double b = 4;
};
inline Tensor squareplus(const Tensor& x, const SquareplusOptions& options = {}) {
  return squareplus(x, options.b);
}
/// x if it is above the threshold, else default_value.
Tensor threshold(const Tensor& x, double threshold, double default_value);
/// The first half along an axis times the sigmoid of the second half. Errors: InvalidArgument for an odd
/// extent.
inline Tensor glu(const Tensor& x, const LastAxisOptions& options = {}) { return glu(x, options.axis); }

struct SoftmaxOptions {  // options/ops.toml
  /// Axes along which the results sum to 1; negative: from the end.
  Axes axis = -1;
};
Tensor softmax(const Tensor& x, const SoftmaxOptions& options = {});
Tensor log_softmax(const Tensor& x, const SoftmaxOptions& options = {});
/// The nearest point of the simplex: like softmax, with zeros. (Keras's version sums the running sums, so its
/// result is off the simplex when two elements are positive.)
inline Tensor sparsemax(const Tensor& x, const LastAxisOptions& options = {}) {
  return sparsemax(x, options.axis);
}

struct CrossentropyOptions {  // options/ops.toml
  /// True: the output has logits, to which softmax is applied; false: probabilities.
  bool from_logits = false;
  /// Axis of the classes; negative: from the end.
  std::int64_t axis = -1;
};
/// -sum(target * log(output)) along the axis of classes. Probabilities are normalized and limited to [1e-7, 1
/// - 1e-7].
Tensor categorical_crossentropy(const Tensor& target, const Tensor& output,
                                const CrossentropyOptions& options = {});
/// Categorical crossentropy with integer labels of the output's shape without the class axis (or with extent
/// 1).
Tensor sparse_categorical_crossentropy(const Tensor& target, const Tensor& output,
                                       const CrossentropyOptions& options = {});
struct BinaryCrossentropyOptions {  // options/ops.toml
  /// True: the output has logits, to which sigmoid is applied; false: probabilities.
  bool from_logits = false;
};
Tensor binary_crossentropy(const Tensor& target, const Tensor& output,
                           const BinaryCrossentropyOptions& options = {});

/// The peak signal-to-noise ratio of two tensors of one shape, in decibels: 20 log10(max_val) - 10
/// log10(mean((x1 - x2)^2)). `max_val` is the largest possible difference.
/// Errors: InvalidArgument if the shapes differ.
Tensor psnr(const Tensor& x1, const Tensor& x2, double max_val);

struct Moments {
  Tensor mean;
  Tensor variance;
};
struct MomentsOptions {  // options/ops.toml
  /// True: keeps the reduced axes, with extent 1.
  bool keepdims = false;
};
/// The mean and the variance over the axes; in f16 a variance is at most 65504, the largest number.
Moments moments(const Tensor& x, const Axes& axes, const MomentsOptions& options = {});

struct NormalizeOptions {  // options/ops.toml
  /// Axes along which the norm is computed; negative: from the end.
  Axes axis = -1;
  /// Order of the norm; at least 1.
  std::int64_t order = 2;
  /// Lower bound of the norm; unset: that of set_epsilon, 1e-7 at first.
  std::optional<double> epsilon = {};
};
/// x / max(norm, epsilon). A zero vector stays zero; its gradient is the incoming one divided by epsilon, as
/// in Keras on TensorFlow (NaN on JAX). f16 and bf16 are computed in f32.
Tensor normalize(const Tensor& x, const NormalizeOptions& options = {});

struct BatchNormalizationOptions {  // options/ops.toml
  /// Axis along which mean, variance, offset and scale are vectors; negative: from the end.
  std::int64_t axis = -1;
  /// Vector that is added; undefined: 0.
  Tensor offset = {};
  /// Factor of the normalized x; undefined: 1.
  Tensor scale = {};
  /// Number that is added to the variance.
  double epsilon = 1e-3;
};
/// (x - mean) / sqrt(variance + epsilon) * scale + offset.
Tensor batch_normalization(const Tensor& x, const Tensor& mean, const Tensor& variance,
                           const BatchNormalizationOptions& options = {});
struct LayerNormalizationOptions {  // options/ops.toml
  /// Factor of the normalized x; undefined: 1.
  Tensor gamma = {};
  /// Summand after the factor; undefined: 0.
  Tensor beta = {};
  /// Axes along which mean and variance are computed; negative: from the end.
  Axes axis = -1;
  /// Number that is added to the variance; unset: that of set_epsilon, 1e-7 at first.
  std::optional<double> epsilon = {};
};
/// (x - mean) / sqrt(variance + epsilon) * gamma + beta, with the mean and variance along the axes.
Tensor layer_normalization(const Tensor& x, const LayerNormalizationOptions& options = {});
struct RmsNormalizationOptions {  // options/ops.toml
  /// Factor of the normalized x; undefined: 1.
  Tensor scale = {};
  /// Axes along which the mean square is computed; negative: from the end.
  Axes axis = -1;
  /// Number that is added to the mean square; unset: that of set_epsilon, 1e-7 at first.
  std::optional<double> epsilon = {};
};
/// x / sqrt(mean(x * x) + epsilon) * scale.
Tensor rms_normalization(const Tensor& x, const RmsNormalizationOptions& options = {});

// Axes by position, as in positional.h. Templates, because GCC 12 takes {.axis = {0, 1}} for {{0, 1}}: so
// options are preferred.
template <std::convertible_to<Axes> A>
Tensor softmax(const Tensor& x, const A& axis) {
  return softmax(x, SoftmaxOptions{.axis = axis});
}
template <typename = void>
Tensor softmax(const Tensor& x, std::initializer_list<std::int64_t> axis) {
  return axis.size() == 0 ? softmax(x) : softmax(x, SoftmaxOptions{.axis = axis});
}
template <std::convertible_to<Axes> A>
Tensor log_softmax(const Tensor& x, const A& axis) {
  return log_softmax(x, SoftmaxOptions{.axis = axis});
}
template <typename = void>
Tensor log_softmax(const Tensor& x, std::initializer_list<std::int64_t> axis) {
  return axis.size() == 0 ? log_softmax(x) : log_softmax(x, SoftmaxOptions{.axis = axis});
}

}  // namespace cornu::inline v0::ops
