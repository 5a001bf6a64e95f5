#pragma once

#include "cornu/ops/convolution/convolution.h"

/// Attributes of a convolution, for this op and for composites that hold one.
namespace cornu::inline v0::ops {

/// The attributes of a convolution of `lhs`. Empty lists are filled.
ir::Attributes convolution_attributes(ir::Value lhs, const ConvolutionDimensions& dimensions,
                                      const ConvolutionOptions& options);
/// The same of full lists.
ir::Attributes convolution_attributes(const ConvolutionDimensions& dimensions,
                                      const ConvolutionOptions& options);
ConvolutionDimensions convolution_dimensions(const ir::Attributes& attributes);
ConvolutionOptions convolution_options(const ir::Attributes& attributes);

/// Throws InvalidArgument with the specification's label; returns the result's type.
ir::TensorType convolution_type(const ir::TensorType& lhs, const ir::TensorType& rhs,
                                const ConvolutionDimensions& dimensions, const ConvolutionOptions& options);

/// batch, spatial..., feature; the same for output. kernel: input feature, spatial..., output feature.
ir::Dims input_dimensions(const ConvolutionDimensions& dimensions);
ir::Dims kernel_dimensions(const ConvolutionDimensions& dimensions);
ir::Dims output_dimensions(const ConvolutionDimensions& dimensions);

}  // namespace cornu::inline v0::ops
