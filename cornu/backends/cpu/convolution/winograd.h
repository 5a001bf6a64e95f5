#pragma once

#include <memory>

#include "cornu/backends/cpu/convolution/problem.h"
#include "cornu/backends/cpu/kernels/slices.h"

namespace cornu::inline v0::backends::cpu {

/// True if Winograd's method can compute it: images or lines, 3 taps along one axis or both, no strides or
/// groups, channels innermost.
bool winograd_applies(const ConvolutionProblem& problem);

/// The number of axes with more than one tap.
int winograd_axes(const ConvolutionProblem& problem);

/// The best tile size, 2 or 4 results a side; 0 if the method does not apply or would not be faster: fewer
/// than 16 channels on a side (32 if only one axis has taps), work of less than a few microseconds, or tiles
/// mostly outside the image. Depends on shapes alone.
int winograd_outputs(const ConvolutionProblem& problem);

/// Makes a convolution by Winograd's method, which must apply, with tiles of `outputs` x `outputs` (2 or 4),
/// or of `outputs` along one axis.
///
/// With 2 it needs 16 products for 4 results, with 4 it needs 36 for 16; the definition needs 9 for each
/// result. Along one axis it needs 4 for 2 or 6 for 4; the definition needs 3. Rounding errors are larger
/// than the definition's (docs/adr/0012). A value that is not finite affects all results of the tiles that
/// read it, not only its own neighbours.
std::unique_ptr<GroupKernel> make_winograd_convolution(const ConvolutionProblem& problem, int outputs,
                                                       IsaLevel level, int num_threads);

/// Makes backward weights, for a problem of two axes.
std::unique_ptr<GroupKernel> make_winograd_backward_weights(const ConvolutionProblem& problem, int outputs,
                                                            IsaLevel level, int num_threads);

}  // namespace cornu::inline v0::backends::cpu
