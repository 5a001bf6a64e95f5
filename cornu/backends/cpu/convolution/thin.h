#pragma once

#include <memory>

#include "cornu/backends/cpu/convolution/problem.h"
#include "cornu/backends/cpu/kernels/slices.h"

namespace cornu::inline v0::backends::cpu {

/// True if a result of few channels is better computed by dots along the other tensor's channels: kernels
/// with result channels in the lanes of a register leave most lanes empty. Forward with one to four outputs,
/// or backward data with one to four inputs; depends on shapes alone.
bool is_thin_convolution(const ConvolutionProblem& problem);

/// Makes a thin convolution with any strides, dilation and padding; taps outside are skipped.
std::unique_ptr<GroupKernel> make_thin_convolution(const ConvolutionProblem& problem, IsaLevel level,
                                                   int num_threads);

}  // namespace cornu::inline v0::backends::cpu
