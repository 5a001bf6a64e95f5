#pragma once

#include <memory>

#include "cornu/backends/cpu/kernels/slices.h"

namespace cornu::inline v0::backends::cpu {

/// Kernels for convolutions of any form, chosen by cornu/ops/convolution/convolution_cpu.cc: f32 by gathered
/// windows, and any C++ type by plain loops.
std::unique_ptr<GroupKernel> make_gemm_convolution(const ir::Op& op, const Target& target, int num_threads);
std::unique_ptr<GroupKernel> make_direct_convolution(const ir::Op& op, int num_threads);

}  // namespace cornu::inline v0::backends::cpu
