#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

struct BatchNormTrainingOptions {  // options/ops.toml
  /// Axis of the channels; negative: from the end.
  std::int64_t axis = -1;
  /// Number that is added to the variance; must not be negative.
  double epsilon = 1e-3;
};

struct BatchNormTraining {
  ir::Value y;
  ir::Value mean;
  ir::Value variance;
};

/// x normalized by the mean and variance of a batch, a pair a channel along `axis`.
///
/// Semantics: mean and variance over all elements of a channel that `mask` lets count (an empty Value: all);
///            y = (x - mean) / sqrt(variance + epsilon) * gamma + beta, also where the mask does not hold. A
///            channel where nothing counts has mean and variance 0. The variance is the mean square of the
///            distances from the mean.
/// Shapes:    x [d...], gamma and beta [d_axis], mask: x's rank, each extent x's or 1  ->  y [d...], mean and
///            variance [d_axis]
/// Types:     x, gamma, beta: one float dtype, y's; mask: i1. f16 and bf16 are computed in f32 and rounded
///            once; their mean and variance stay f32, because the variance of halves need not be one.
/// Errors:    InvalidArgument when x is no float, axis is outside [-rank, rank), gamma or beta is no such
///            vector, mask is not i1 or does not broadcast, or epsilon is negative.
/// Gradient:  batch_norm_gradient; those of mean and variance go to the elements that count.
/// Source:    Keras, BatchNormalization; composite cornu.batch_norm_training.
BatchNormTraining batch_norm_training(ir::Builder& builder, ir::Value x, ir::Value gamma, ir::Value beta,
                                      ir::Value mask, const BatchNormTrainingOptions& options);

struct BatchNormGradient {
  ir::Value x;
  ir::Value gamma;
  ir::Value beta;
};

/// Gradients of batch_norm_training's operands for the gradient dy of y.
///
/// Semantics: h = (x - mean) / sqrt(variance + epsilon); beta: sum(dy); gamma: sum(dy * h); x: gamma /
///            sqrt(variance + epsilon) * (dy - (sum(dy) + h * sum(dy * h)) / n), where n elements count; the
///            quotient is left out where x does not count.
/// Shapes:    as batch_norm_training's.
/// Types:     as batch_norm_training's.
/// Errors:    as batch_norm_training's.
/// Gradient:  through its decomposition.
/// Source:    composite cornu.batch_norm_gradient.
BatchNormGradient batch_norm_gradient(ir::Builder& builder, ir::Value x, ir::Value gamma, ir::Value mean,
                                      ir::Value variance, ir::Value dy, ir::Value mask,
                                      const BatchNormTrainingOptions& options);

namespace batch_norm_training_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
