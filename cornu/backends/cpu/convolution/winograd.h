#pragma once

#include <memory>

#include "cornu/backends/cpu/convolution/problem.h"
#include "cornu/backends/cpu/kernels/slices.h"

namespace cornu::inline v0::backends::cpu {

/// Whether Winograd's method can compute it: images or lines, 3 taps along one axis or both, no strides or
/// groups, channels innermost.
bool winograd_applies(const ConvolutionProblem& problem);

/// Axes of more than one tap.
int winograd_axes(const ConvolutionProblem& problem);

/// Results a side of the tiles that it is best cut into, 2 or 4; 0 where the method does not apply or would
/// not be faster: fewer than 16 channels on a side (32 where one axis only has taps), less work than a few
/// microseconds, or tiles that are mostly beyond the edge. By shapes alone.
int winograd_outputs(const ConvolutionProblem& problem);

/// A convolution that Winograd's method applies to, by tiles of `outputs` x `outputs` (2 or 4), or of
/// `outputs` along one axis.
///
/// With 2 it needs 16 products for 4 results, with 4 it needs 36 for 16, where the definition has 9 a result;
/// along one axis 4 for 2 or 6 for 4, where the definition has 3. Rounding errors are larger than the
/// definition's (docs/adr/0012). A value that is not finite reaches all results of the tiles that read it,
/// not only its own neighbours.
std::unique_ptr<GroupKernel> make_winograd_convolution(const ConvolutionProblem& problem, int outputs,
                                                       IsaLevel level, int num_threads);

/// Its part for backward weights, of a problem of two axes.
std::unique_ptr<GroupKernel> make_winograd_backward_weights(const ConvolutionProblem& problem, int outputs,
                                                            IsaLevel level, int num_threads);

}  // namespace cornu::inline v0::backends::cpu
