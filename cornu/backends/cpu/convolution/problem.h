#pragma once

#include <optional>
#include <vector>

#include "cornu/ir/graph.h"

/// Convolutions in the form of a library.
namespace cornu::inline v0::backends::cpu {

/// The tensor of the forward convolution destination = source * weights that is computed from the other two.
enum class ConvolutionDirection { kForward, kBackwardData, kBackwardWeights };

/// A spatial axis of the forward convolution.
struct ConvolutionAxis {
  std::int64_t input = 1, kernel = 1, output = 1, stride = 1, dilation = 1, padding_low = 0, padding_high = 0;
  bool reversed = false;  // the kernel is reversed in memory
};

/// Extents are the forward convolution's; strides are those of plain memory, in elements.
struct ConvolutionProblem {
  ConvolutionDirection direction = ConvolutionDirection::kForward;
  bool is_mirrored = false;  // backward weights with the op's rhs as source and its lhs as destination
  bool is_bf16 = false;      // all three tensors; else float32
  std::int64_t batch = 1, groups = 1, inputs = 1, outputs = 1;  // numbers for all groups together
  std::vector<ConvolutionAxis> axes;                            // one to three
  ir::Dims source_strides, destination_strides;                 // batch, channel, axes...
  ir::Dims weights_strides;                                     // group, output, input, axes...

  bool has_reversed_axes() const;
  std::int64_t num_weights() const;
  /// Multiplications and additions, including those with padding; the same for all three directions.
  double flops() const;
};

/// The problem that computes this stablehlo.convolution, if there is one.
///
/// The first matching case counts:
///
///     batch groups                                                            -> backward weights
///     lhs's batch inside its features in memory, few positions in the result  -> backward weights
///     any other dilated lhs                                                   -> backward data
///     no strides, a reversed kernel that then needs no copy                   -> backward data
///     any other                                                               -> forward
///
/// In backward weights the "kernel" is a feature map. If lhs is dilated (a transposed convolution) or there
/// are few outputs, the problem is mirrored: source and destination are exchanged. The strides of backward
/// data dilate its input. Empty for dilation of lhs together with strides, for padding that a library does
/// not support, for more than three axes and for empty tensors.
std::optional<ConvolutionProblem> convolution_problem(const ir::Op& convolution);

}  // namespace cornu::inline v0::backends::cpu
