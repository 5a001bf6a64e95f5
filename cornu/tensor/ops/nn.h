#pragma once

#include <optional>

#include "cornu/tensor/ops/types.h"

/// What networks are made of, by their names in keras.ops: activations, probabilities, crossentropies, normalization.
///
/// Types:     floats; integers and booleans are taken as f32.
namespace cornu::inline v0::ops {

/// max(x, 0); integers stay integers.
Tensor relu(const Tensor& x);
Tensor relu6(const Tensor& x);
Tensor leaky_relu(const Tensor& x, double negative_slope = 0.2);
Tensor elu(const Tensor& x, double alpha = 1.0);
Tensor celu(const Tensor& x, double alpha = 1.0);
Tensor selu(const Tensor& x);
/// x times the normal distribution function of x; `approximate`: by tanh.
Tensor gelu(const Tensor& x, bool approximate = true);
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
Tensor soft_shrink(const Tensor& x, double threshold = 0.5);
Tensor hard_shrink(const Tensor& x, double threshold = 0.5);
Tensor tanh_shrink(const Tensor& x);
Tensor hard_tanh(const Tensor& x);
Tensor sparse_plus(const Tensor& x);
Tensor squareplus(const Tensor& x, double b = 4);
/// x where it is above the threshold, else default_value.
Tensor threshold(const Tensor& x, double threshold, double default_value);
/// The first half along an axis, times the sigmoid of the second. Errors: InvalidArgument for an odd extent.
Tensor glu(const Tensor& x, std::int64_t axis = -1);

Tensor softmax(const Tensor& x, const Axes& axis = -1);
Tensor log_softmax(const Tensor& x, const Axes& axis = -1);
/// The nearest point of the simplex: like softmax, with zeros. (Keras's own sums its running sums and misses the simplex as soon as two
/// elements are positive.)
Tensor sparsemax(const Tensor& x, std::int64_t axis = -1);

struct CrossentropyOptions {
  bool from_logits = false;
  std::int64_t axis = -1;
};
/// -sum(target * log(output)) along the axis of classes. Probabilities are normalized and kept 1e-7 off 0 and 1.
Tensor categorical_crossentropy(const Tensor& target, const Tensor& output, const CrossentropyOptions& options = {});
/// The same with integer labels of the output's shape without its classes (or with 1).
Tensor sparse_categorical_crossentropy(const Tensor& target, const Tensor& output, const CrossentropyOptions& options = {});
struct BinaryCrossentropyOptions {
  bool from_logits = false;
};
Tensor binary_crossentropy(const Tensor& target, const Tensor& output, const BinaryCrossentropyOptions& options = {});

struct Moments {
  Tensor mean;
  Tensor variance;
};
struct MomentsOptions {
  bool keepdims = false;
};
Moments moments(const Tensor& x, const Axes& axes, const MomentsOptions& options = {});

struct NormalizeOptions {
  Axes axis = -1;
  std::int64_t order = 2;
  std::optional<double> epsilon = {};  // none: 1e-7
};
/// x / max(norm, epsilon).
Tensor normalize(const Tensor& x, const NormalizeOptions& options = {});

struct BatchNormalizationOptions {
  std::int64_t axis = -1;  // the axis that mean, variance, offset and scale are vectors along
  Tensor offset = {};
  Tensor scale = {};
  double epsilon = 1e-3;
};
/// (x - mean) / sqrt(variance + epsilon) * scale + offset.
Tensor batch_normalization(const Tensor& x, const Tensor& mean, const Tensor& variance, const BatchNormalizationOptions& options = {});
struct LayerNormalizationOptions {
  Tensor gamma = {};
  Tensor beta = {};
  Axes axis = -1;
  std::optional<double> epsilon = {};  // none: 1e-7
};
/// (x - mean) / sqrt(variance + epsilon) * gamma + beta, with the mean and variance along the axes.
Tensor layer_normalization(const Tensor& x, const LayerNormalizationOptions& options = {});
struct RmsNormalizationOptions {
  Tensor scale = {};
  Axes axis = -1;
  std::optional<double> epsilon = {};  // none: 1e-7
};
/// x / sqrt(mean(x * x) + epsilon) * scale.
Tensor rms_normalization(const Tensor& x, const RmsNormalizationOptions& options = {});

}  // namespace cornu::inline v0::ops
