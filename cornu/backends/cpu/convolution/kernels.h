#pragma once

#include <memory>

#include "cornu/backends/cpu/group_kernel.h"

namespace cornu::inline v0::backends::cpu {

/// Convolution of any form: f32 by Winograd's method or by dots where those are faster, else by oneDNN or, where that does not serve, by
/// matrix products of gathered windows; f64 and integers by plain loops; f16 and bf16 by f32.
std::unique_ptr<GroupKernel> make_convolution_kernel(const ir::Op& op, const Target& target, int num_threads);

/// The parts: f32 by gathered windows, and any C++ type by plain loops.
std::unique_ptr<GroupKernel> make_gemm_convolution(const ir::Op& op, const Target& target, int num_threads);
std::unique_ptr<GroupKernel> make_direct_convolution(const ir::Op& op, int num_threads);

}  // namespace cornu::inline v0::backends::cpu
