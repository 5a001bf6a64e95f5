#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

struct Standardized {
  ir::Value y;
  ir::Value inverse_deviation;
};

/// x brought to mean 0 and variance 1 along some dimensions: what layer and group normalization begin with.
///
/// Semantics: y = (x - mean) * inverse_deviation, inverse_deviation = 1 / sqrt(variance + epsilon); mean and
///            variance along `dimensions`; the variance is the mean square of the distances from the mean.
/// Shapes:    x [d...]  ->  y [d...], inverse_deviation: d without `dimensions`
/// Types:     float, the results'. f16 and bf16 are computed in f32 and rounded once.
/// Errors:    InvalidArgument when x is no float, a dimension is outside [0, rank) or repeats, or epsilon is
///            negative.
/// Gradient:  from y: standardize_gradient; from inverse_deviation: -d * inverse_deviation^2 * y / n, n
///            elements along `dimensions`.
/// Source:    Keras, LayerNormalization; composite cornu.standardize.
Standardized standardize(ir::Builder& builder, ir::Value x, ir::Dims dimensions, double epsilon);

/// The gradient of standardize's x for the gradient dy of y.
///
/// Semantics: inverse_deviation * (dy - mean(dy) - y * mean(dy * y)), means along `dimensions`.
/// Shapes:    y and dy [d...], inverse_deviation: d without `dimensions`  ->  [d...]
/// Types:     one float dtype, the result's. f16 and bf16 are computed in f32 and rounded once.
/// Errors:    as standardize's, and when the shapes or dtypes do not fit.
/// Gradient:  through its decomposition.
/// Source:    composite cornu.standardize_gradient.
ir::Value standardize_gradient(ir::Builder& builder, ir::Value y, ir::Value inverse_deviation, ir::Value dy,
                               ir::Dims dimensions);

namespace standardize_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
