#pragma once

#include "cornu/backends/cpu/kernels/slices.h"

namespace cornu::inline v0::backends::cpu {

/// Makes the transform of a cornu.fft_parts op: along one dimension after the other, several lines at a time
/// and groups of lines in parallel. Real lines of an even number of elements are complex lines of half as many.
std::unique_ptr<GroupKernel> make_fft_kernel(const ir::Op& fft_parts, const Target& target, int num_threads);

/// Multiplications and additions.
double fft_flops(const ir::Op& fft_parts);

}  // namespace cornu::inline v0::backends::cpu
