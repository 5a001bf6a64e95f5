#pragma once

#include <memory>

#include "cornu/backends/cpu/convolution/problem.h"
#include "cornu/backends/cpu/kernels/slices.h"

namespace cornu::inline v0::backends::cpu::onednn {

/// Convolution of float32, or of bf16 that is summed in float32, by oneDNN, on slices of the batch that the
/// pool hands out, each on one thread. Backward weights gives a partial sum a slice, in float32;
/// they are added in slice order. Null when the module is missing or oneDNN has no kernel worth using.
std::unique_ptr<GroupKernel> make_convolution(const ConvolutionProblem& problem, int num_threads);

/// Whether oneDNN's kernels of bf16 are ahead of those of float32 with conversions around them: by tiles,
/// with as many channels on both sides as half of a tile's rows. By the target and shapes alone.
bool multiplies_bf16(const ConvolutionProblem& problem, const Target& target);

}  // namespace cornu::inline v0::backends::cpu::onednn
