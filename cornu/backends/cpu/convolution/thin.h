#pragma once

#include <memory>

#include "cornu/backends/cpu/convolution/problem.h"
#include "cornu/backends/cpu/kernels/slices.h"

namespace cornu::inline v0::backends::cpu {

/// Whether a result of few channels is better made by dots along the other tensor's channels: kernels that
/// keep result channels in the lanes of a register leave most of them empty. Forward with one to four
/// outputs, or backward data with so many inputs; by shapes alone.
bool is_thin_convolution(const ConvolutionProblem& problem);

/// A convolution that is thin; of any strides, dilation and padding, whose taps outside are left out.
std::unique_ptr<GroupKernel> make_thin_convolution(const ConvolutionProblem& problem, IsaLevel level,
                                                   int num_threads);

}  // namespace cornu::inline v0::backends::cpu
