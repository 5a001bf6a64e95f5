#pragma once

#include <optional>

#include "cornu/backends/cpu/convolution/problem.h"
#include "cornu/backends/cpu/kernels/slices.h"

namespace cornu::inline v0::backends::cpu::onednn {

/// Single-precision convolution by oneDNN, on slices of the batch that the pool hands out, each on one
/// thread. Backward weights gives a partial sum a slice; they are added in slice order. Null when the module
/// is missing or oneDNN has no kernel worth using.
std::unique_ptr<GroupKernel> make_convolution(const ConvolutionProblem& problem, int num_threads);

}  // namespace cornu::inline v0::backends::cpu::onednn
