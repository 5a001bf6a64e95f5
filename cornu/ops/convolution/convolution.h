#pragma once

#include <span>
#include <vector>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// The roles of dimensions; the names are the specification's.
struct ConvolutionDimensions {
  std::int64_t input_batch_dimension = 0;
  std::int64_t input_feature_dimension = 1;
  ir::Dims input_spatial_dimensions;
  std::int64_t kernel_input_feature_dimension = 1;
  std::int64_t kernel_output_feature_dimension = 0;
  ir::Dims kernel_spatial_dimensions;
  std::int64_t output_batch_dimension = 0;
  std::int64_t output_feature_dimension = 1;
  ir::Dims output_spatial_dimensions;
};

/// One entry a spatial dimension. Empty lists stand for 1 (strides, dilations), 0 (padding) and false
/// (reversal).
struct ConvolutionOptions {  // options/ops.toml
  /// Distance of neighbouring windows in elements, for each spatial dimension; empty: 1.
  ir::Dims window_strides = {};
  /// Zeros before the first element of each spatial dimension, negative to cut; empty: 0.
  ir::Dims padding_low = {};
  /// Zeros after the last element of each spatial dimension, negative to cut; empty: 0.
  ir::Dims padding_high = {};
  /// Distance of the input's elements in the dilated input, for each spatial dimension; empty: 1, without
  /// gaps.
  ir::Dims lhs_dilation = {};
  /// Distance of the kernel's elements in input elements, for each spatial dimension; empty: 1, without gaps.
  ir::Dims rhs_dilation = {};
  /// 1 for each spatial dimension along which the kernel is reversed, else 0; empty: 0.
  ir::Dims window_reversal = {};
  /// Number of groups of input features, each with its own part of the kernel; 1: no groups.
  std::int64_t feature_group_count = 1;
  /// Number of groups of the batch, each with its own part of the output features; 1: no groups.
  std::int64_t batch_group_count = 1;
};

/// Dots of a kernel with the windows of a tensor.
///
/// Semantics: result[b, s, f] = sum over k, c of lhs[b, s * strides + k * rhs_dilation - padding_low, c] *
///            rhs[k, c, f] on the dilated lhs; feature groups read their share of the input features, batch
///            groups their share of the batch; see the specification.
/// Shapes:    lhs [batch, spatial..., features] and rhs [spatial..., input features, output features], in any
///            order of dimensions.
/// Types:     numbers; lhs, rhs and result share a dtype. In programs that are read they may differ as those of
///            dot_general may.
/// Errors:    InvalidArgument when a constraint (C1)..(C27) of the specification does not hold; the message
///            carries its label.
/// Gradient:  lhs: a convolution of the gradient with the reversed kernel; rhs: one of lhs with the gradient,
///            batch and features swapped.
/// Source:    StableHLO specification, convolution.
ir::Value convolution(ir::Builder& builder, ir::Value lhs, ir::Value rhs,
                      const ConvolutionDimensions& dimensions, const ConvolutionOptions& options = {});

/// Batch first, features last, kernel [spatial..., input, output]: how Keras lays out images and kernels.
ConvolutionDimensions channels_last(std::int64_t num_spatial_dimensions);

ConvolutionDimensions convolution_dimensions(const ir::Op& convolution);
/// Every list filled.
ConvolutionOptions convolution_options(const ir::Op& convolution);

/// Products of an element of lhs and one of rhs that a convolution adds up: those with padding and with the
/// gaps of dilation are none.
double convolution_multiply_adds(const ir::Op& convolution);

namespace convolution_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
