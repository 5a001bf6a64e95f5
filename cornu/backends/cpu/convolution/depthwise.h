#pragma once

#include <memory>

#include "cornu/backends/cpu/convolution/problem.h"
#include "cornu/backends/cpu/kernels/slices.h"

namespace cornu::inline v0::backends::cpu {

/// True for one or two axes with one output for each input channel, channels adjacent in memory in all three
/// tensors; depends on shapes alone.
bool is_depthwise_convolution(const ConvolutionProblem& problem);

/// True for one axis, for kernels of more than 7 elements along an axis, and for the weights' gradient of those
/// of more than 3, which oneDNN computes 5 to 30 times slower. It is faster in the other cases.
bool is_slow_in_libraries(const ConvolutionProblem& depthwise);

/// Makes a depthwise convolution with any strides, dilation and padding. A part of an image, for some
/// channels, is copied with its padding to memory in the cache, a register of channels a pixel; so each
/// product needs one load. The bits of results do not depend on the number of threads.
std::unique_ptr<GroupKernel> make_depthwise_convolution(const ConvolutionProblem& problem, IsaLevel level,
                                                        int num_threads);

}  // namespace cornu::inline v0::backends::cpu
