#pragma once

#include <vector>

#include "cornu/ir/op_def.h"
#include "cornu/ops/convolution/convolution.h"

namespace cornu::inline v0::ops {

/// See convolution.h.
std::vector<ir::Value> convolution_gradient(const ir::GradientContext& context);

/// Its parts, of tensors that have elements.
ir::Value convolution_lhs_gradient(ir::Builder& builder, ir::Value lhs, ir::Value rhs, ir::Value dy,
                                   const ConvolutionDimensions& d, const ConvolutionOptions& o);
ir::Value convolution_rhs_gradient(ir::Builder& builder, ir::Value lhs, ir::Value rhs, ir::Value dy,
                                   const ConvolutionDimensions& d, const ConvolutionOptions& o);

}  // namespace cornu::inline v0::ops
