#pragma once

#include "cornu/backends/cpu/emit/target.h"
#include "cornu/backends/cpu/plan/dot_shape.h"
#include "cornu/base/thread_pool.h"

namespace cornu::inline v0::backends::cpu {

/// The slices in which large matrix products run: some of the matrices, or a piece of one matrix's c each. They follow from the shape,
/// the level and the number of threads; an element's bits depend on none of these slices (see kernels/gemm.h).
struct MatrixDot {
  MatrixProduct product;
  std::int64_t matrices = 1;  // of one slice; if more than one, they are whole
  std::int64_t rows = 1, columns = 1;
  std::int64_t num_slices = 1;
};

MatrixDot slice_matrix_product(const MatrixProduct& product, IsaLevel level, int num_threads);

/// c = op(a) op(b) for every matrix, in parallel slices.
void run_matrix_dot(const MatrixDot& dot, const Target& target, const float* a, const float* b, float* c, ThreadPool& pool);

}  // namespace cornu::inline v0::backends::cpu
