#pragma once

#include <cstdint>
#include <vector>

#include "cornu/backends/cpu/target/target.h"
#include "cornu/base/thread_pool.h"

namespace cornu::inline v0::backends::cpu {

/// One loop of a dot with its strides in the three tensors, in elements.
struct DotAxis {
  std::int64_t extent = 1, a = 0, b = 0, c = 0;
};

/// A dot as products c[m, n] = op(a) op(b) of matrices, with c row-major: one, or one for each element of
/// `batch`.
struct MatrixProduct {
  bool transpose_a = false, transpose_b = false;
  std::int64_t m = 1, n = 1, k = 1, lda = 1, ldb = 1, ldc = 1;
  std::vector<DotAxis> batch;
  int a_buffer = 0, b_buffer = 0, c_buffer = 0;
  std::int64_t a_offset = 0, b_offset = 0;

  std::int64_t num_matrices() const;
  double flops() const;  // of all
};

/// The slices in which large matrix products run: some of the matrices, or a piece of one matrix's c each.
/// They follow from the shape, the kernel and the number of threads; an element's bits depend on none of
/// these slices (see kernels/gemm.h, kernels/f32_tile_gemm.h, kernels/bf16_gemm.h and kernels/bf16_tile_gemm.h).
///
/// A product of float32 with a small c and a very large depth (a large depth if a is transposed) is made in parts of
/// the depth, by the shape alone: slices then read operands once, and their partial products are added in order.
struct MatrixDot {
  MatrixProduct product;
  std::int64_t depth_parts = 1;
  bool is_exchanged = false;  // the partial products are those of c's transpose
  std::int64_t matrices = 1;  // of one slice; if more than one, they are whole
  std::int64_t rows = 1, columns = 1;
  std::int64_t num_slices = 1;
  F32Products f32 = F32Products::kVectors;  // of a product of float32
};

/// The kernel that multiplies the matrices of a target: one of float32, or one of bf16.
struct MatrixKernel {
  IsaLevel isa = IsaLevel::kAvx2;
  Bf16Level bf16 = Bf16Level::kNone;
  F32Products f32 = F32Products::kVectors;  // of products that are large enough for it
};

/// The kernel of a target for products of bf16, or of float32.
MatrixKernel matrix_kernel(const Target& target, bool is_bf16);

MatrixDot slice_matrix_product(const MatrixProduct& product, const MatrixKernel& kernel, int num_threads);

/// The floats of working memory of a product of float32, for its partial products.
std::int64_t partial_product_floats(const MatrixProduct& product);

/// c = op(a) op(b) for every matrix, in parallel slices. `partial`: partial_product_floats of the product.
void run_matrix_dot(const MatrixDot& dot, const Target& target, const float* a, const float* b, float* c,
                    float* partial, ThreadPool& pool);

/// The same of bf16, on a target with bf16 products. `sums`: as many floats as c has elements, where k is
/// more than kernels::kBf16Depth.
void run_bf16_matrix_dot(const MatrixDot& dot, const Target& target, const std::uint16_t* a,
                         const std::uint16_t* b, std::uint16_t* c, float* sums, ThreadPool& pool);

}  // namespace cornu::inline v0::backends::cpu
