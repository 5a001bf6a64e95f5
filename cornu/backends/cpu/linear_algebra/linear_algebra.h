#pragma once

#include "cornu/backends/cpu/kernels/slices.h"

namespace cornu::inline v0::backends::cpu {

/// Makes the kernel of cholesky, triangular_solve or a custom_call of QR: Eigen's functions, matrices in
/// parallel.
std::unique_ptr<GroupKernel> make_cholesky_kernel(const ir::Op& op, const Target& target, int num_threads);
std::unique_ptr<GroupKernel> make_triangular_solve_kernel(const ir::Op& op, const Target& target,
                                                          int num_threads);
/// True for matrices of f32 and f64.
bool has_eigen_kernel(const ir::Op& op);
std::unique_ptr<GroupKernel> make_custom_call_kernel(const ir::Op& op, const Target& target, int num_threads);

}  // namespace cornu::inline v0::backends::cpu
