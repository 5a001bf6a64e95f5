#pragma once

#include "cornu/backends/cpu/emit/target.h"
#include "cornu/backends/cpu/plan/dot_shape.h"
#include "cornu/base/thread_pool.h"

namespace cornu::inline v0::backends::cpu {

/// How a large matrix product runs: by which kernel and in which slices. Both follow from shape and instruction set level alone, because
/// oneDNN's bits depend on the slices.
struct MatrixDot {
  MatrixProduct product;
  bool library = false;  // oneDNN; else our own kernel
  bool by_rows = true;   // slices of rows of c, else of columns
  std::int64_t chunk = 1;
  std::int64_t num_slices = 1;
};

/// The measured choice (docs/performance.md): oneDNN for large products at AVX-512 unless b is transposed, our kernel elsewhere.
MatrixDot choose_matrix_dot(const MatrixProduct& product, const Target& target);

/// c = op(a) op(b), in parallel slices.
void run_matrix_dot(const MatrixDot& dot, const Target& target, const float* a, const float* b, float* c, ThreadPool& pool);

}  // namespace cornu::inline v0::backends::cpu
