#pragma once

#include <optional>
#include <vector>

#include "cornu/ir/graph.h"

/// Convolutions as a library sees them.
namespace cornu::inline v0::backends::cpu {

/// Which tensor of the forward convolution destination = source * weights is computed from the two others.
enum class ConvolutionDirection { kForward, kBackwardData, kBackwardWeights };

/// A spatial axis of the forward convolution.
struct ConvolutionAxis {
  std::int64_t input = 1, kernel = 1, output = 1, stride = 1, dilation = 1, padding_low = 0, padding_high = 0;
  bool reversed = false;  // the kernel lies backwards in memory
};

/// Extents are the forward convolution's; strides are those of plain memory, in elements.
struct ConvolutionProblem {
  ConvolutionDirection direction = ConvolutionDirection::kForward;
  bool is_mirrored = false;  // backward weights whose source is the op's rhs and whose destination is its lhs
  bool is_bf16 = false;      // all three tensors; else they are taken for float32
  std::int64_t batch = 1, groups = 1, inputs = 1, outputs = 1;  // inputs and outputs of all groups
  std::vector<ConvolutionAxis> axes;                            // one to three
  ir::Dims source_strides, destination_strides;                 // batch, channel, axes...
  ir::Dims weights_strides;                                     // group, output, input, axes...

  bool has_reversed_axes() const;
  std::int64_t num_weights() const;
  /// Multiplications and additions, those with padding too; the same for all three directions.
  double flops() const;
};

/// The problem that computes this stablehlo.convolution, if there is one.
///
/// The first case that fits decides:
///
///     batch groups                                                            -> backward weights
///     lhs's batch inside its features in memory, few positions in the result  -> backward weights
///     any other dilated lhs                                                   -> backward data
///     no strides, a kernel that runs backwards and then needs no copy         -> backward data
///     any other                                                               -> forward
///
/// Backward weights have a feature map for a "kernel". They are the mirror's, with source and destination
/// exchanged, where lhs is dilated (a transposed convolution's) and where outputs are few. The strides of
/// backward data spread what it reads. Nothing for dilation of lhs beside strides, for padding that a library
/// does not take, for more than three axes and for empty tensors.
std::optional<ConvolutionProblem> convolution_problem(const ir::Op& convolution);

}  // namespace cornu::inline v0::backends::cpu
