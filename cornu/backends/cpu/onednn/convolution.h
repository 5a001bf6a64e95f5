#pragma once

#include <memory>

#include "cornu/backends/cpu/convolution/problem.h"
#include "cornu/backends/cpu/kernels/slices.h"

namespace cornu::inline v0::backends::cpu::onednn {

/// Makes a convolution of float32, or of bf16 with sums in float32, by oneDNN, on slices of the batch that
/// run on the pool, each on one thread. Backward weights makes a partial sum in float32 for each slice; they
/// are added in slice order. Null if the module is missing or oneDNN has no fast kernel.
std::unique_ptr<GroupKernel> make_convolution(const ConvolutionProblem& problem, int num_threads);

/// True if oneDNN's bf16 kernels are faster than float32 with conversions: with tiles, and at least half of a
/// tile's rows of channels on both sides. Depends on the target and shapes alone.
bool multiplies_bf16(const ConvolutionProblem& problem, const Target& target);

}  // namespace cornu::inline v0::backends::cpu::onednn
