#pragma once

#include "cornu/backends/cpu/kernels/slices.h"

namespace cornu::inline v0::backends::cpu {

/// Makes the kernel of cholesky, triangular_solve, a custom_call of QR, or the composites cornu.lu, cornu.eigh
/// and cornu.svd: the functions of routines.h, matrices in parallel.
std::unique_ptr<GroupKernel> make_cholesky_kernel(const ir::Op& op, const Target& target, int num_threads);
std::unique_ptr<GroupKernel> make_triangular_solve_kernel(const ir::Op& op, const Target& target,
                                                          int num_threads);
std::unique_ptr<GroupKernel> make_custom_call_kernel(const ir::Op& op, const Target& target, int num_threads);
std::unique_ptr<GroupKernel> make_lu_kernel(const ir::Op& op, const Target& target, int num_threads);
std::unique_ptr<GroupKernel> make_eigh_kernel(const ir::Op& op, const Target& target, int num_threads);
std::unique_ptr<GroupKernel> make_svd_kernel(const ir::Op& op, const Target& target, int num_threads);
/// Makes the kernel of cornu.decomposition_parts: the same for complex matrices. Those of complex<f32> are
/// decomposed in complex<f64> at SSE2, and for general eigenvalues.
std::unique_ptr<GroupKernel> make_complex_decomposition_kernel(const ir::Op& op, const Target& target,
                                                               int num_threads);
/// True for matrices of f32 and f64.
bool has_matrix_kernel(const ir::Op& op);
/// The same for lu, eigh and svd, whose kernels take no matrices without elements.
bool has_matrix_decomposition(const ir::Op& op);

}  // namespace cornu::inline v0::backends::cpu
