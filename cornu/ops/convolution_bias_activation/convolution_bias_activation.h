#pragma once

#include <span>
#include <string>

#include "cornu/ir/builder.h"
#include "cornu/ops/convolution/convolution.h"

namespace cornu::inline v0::ops {

/// The function after the convolution and its bias. Its gradient follows from the result.
enum class ConvolutionActivation { kLinear, kRelu };

/// activation(convolution(lhs, rhs) + bias), the bias along the output's features.
///
/// Semantics: the ops one after the other.
/// Shapes:    lhs, rhs and result: as convolution; bias [output features].
/// Types:     float, one dtype.
/// Errors:    InvalidArgument as convolution, with its labels; for other dtypes; and when the bias has
///            another type.
/// Gradient:  cornu.convolution_bias_activation_gradient, for the operands whose gradient is wanted.
/// Source:    Keras, Conv2D and similar layers; composite cornu.convolution_bias_activation.
ir::Value convolution_bias_activation(ir::Builder& builder, ir::Value lhs, ir::Value rhs, ir::Value bias,
                                      const ConvolutionDimensions& dimensions,
                                      const ConvolutionOptions& options, ConvolutionActivation activation);

/// The gradients that an op returns; at least one.
struct ConvolutionGradients {
  bool lhs = false;
  bool rhs = false;
  bool bias = false;
};

/// The gradients of convolution_bias_activation for its operands, from the gradient and the value of its
/// result.
///
/// Semantics: dz = dy where y > 0 and 0 elsewhere (relu), or dy (linear);
///            lhs and rhs: the convolution's gradients of dz;
///            bias: the sum of dz over all dimensions but the features.
/// Shapes:    lhs, rhs, dy and y as there; the results, in the order lhs, rhs, bias, as those.
/// Types:     float, one dtype.
/// Errors:    as there, and InvalidArgument when dy or y has not the result's type or nothing is wanted.
/// Gradient:  through the decomposition.
/// Source:    composite cornu.convolution_bias_activation_gradient; y is an operand only where the activation
///            needs it.
std::vector<ir::Value> convolution_bias_activation_gradient(ir::Builder& builder, ir::Value lhs,
                                                            ir::Value rhs, ir::Value dy, ir::Value y,
                                                            const ConvolutionDimensions& dimensions,
                                                            const ConvolutionOptions& options,
                                                            ConvolutionActivation activation,
                                                            const ConvolutionGradients& wanted);

/// The activation of either op.
ConvolutionActivation convolution_activation(const ir::Op& op);
/// The gradients that a gradient op returns.
ConvolutionGradients wanted_convolution_gradients(const ir::Op& op);

namespace convolution_bias_activation_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
