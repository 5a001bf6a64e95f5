#pragma once

#include <span>
#include <vector>

#include "cornu/ir/builder.h"

/// The batch normalizations of StableHLO. Cornu's own, with a mask, is batch_norm_training.h.
namespace cornu::inline v0::ops {

/// Normalizes by given statistics.
///
/// Semantics: scale * (operand - mean) / sqrt(variance + epsilon) + offset, the vectors along feature_index;
///            f16 and bf16 are computed in f32 and rounded once.
/// Shapes:    operand [d...], the others [d_feature_index]  ->  [d...]
/// Types:     one float dtype.
/// Errors:    InvalidArgument when (C1) feature_index is outside [0, rank), (C2) dtypes differ or are no floats,
///            (C3..C6) a vector is none or does not have d_feature_index elements.
/// Gradient:  through its decomposition.
/// Source:    StableHLO specification, batch_norm_inference.
ir::Value batch_norm_inference(ir::Builder& builder, ir::Value operand, ir::Value scale, ir::Value offset,
                               ir::Value mean, ir::Value variance, double epsilon,
                               std::int64_t feature_index);

/// Normalizes by the operand's own statistics; returns the result, the mean and the variance.
///
/// Semantics: batch_norm_inference with the mean and the biased variance of each feature.
/// Shapes:    operand [d...], scale and offset [d_feature_index]  ->  [d...], [d_feature_index],
///            [d_feature_index]
/// Types:     one float dtype.
/// Errors:    InvalidArgument when (C1) feature_index is outside [0, rank), (C2) dtypes differ or are no floats,
///            (C3, C4) a vector is none or does not have d_feature_index elements.
/// Gradient:  through its decomposition, cornu.batch_norm_training.
/// Source:    StableHLO specification, batch_norm_training.
std::vector<ir::Value> batch_norm_training_along(ir::Builder& builder, ir::Value operand, ir::Value scale,
                                                 ir::Value offset, double epsilon,
                                                 std::int64_t feature_index);

/// Gradients of batch_norm_training's operand, scale and offset for the gradient of its result.
///
/// Semantics: the specification's; mean and variance are those of the operand.
/// Shapes:    operand and grad_output [d...], the others [d_feature_index]  ->  [d...], [d_feature_index],
///            [d_feature_index]
/// Types:     one float dtype.
/// Errors:    InvalidArgument when (C1) feature_index is outside [0, rank), (C2) dtypes differ or are no floats,
///            (C3) grad_output has another shape than the operand, (C4, C5) a vector is none or does not have
///            d_feature_index elements.
/// Gradient:  through its decomposition, cornu.batch_norm_gradient.
/// Source:    StableHLO specification, batch_norm_grad.
std::vector<ir::Value> batch_norm_grad(ir::Builder& builder, ir::Value operand, ir::Value scale,
                                       ir::Value mean, ir::Value variance, ir::Value grad_output,
                                       double epsilon, std::int64_t feature_index);

namespace batch_norm_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
