#pragma once

#include <cstdint>

namespace cornu::inline v0::backends::cpu::kernels {

/// Products that are summed one after another in registers; sums of more are added up in `sums`.
inline constexpr std::int64_t kBf16Depth = 1024;

/// One product c = op(a) op(b) of bf16, row-major; an element is the upper half of a float32.
///
/// op(a) is m x k and op(b) is k x n; a transposed operand is stored the other way round (a: k x m, b: n x
/// k). lda, ldb, ldc: elements from one stored row to the next.
struct Bf16Operands {
  bool transpose_a = false, transpose_b = false;
  std::int64_t m = 0, n = 0, k = 0;
  const std::uint16_t* a = nullptr;
  std::int64_t lda = 0;
  const std::uint16_t* b = nullptr;
  std::int64_t ldb = 0;
  std::uint16_t* c = nullptr;
  std::int64_t ldc = 0;
  float* sums = nullptr;  // m x n with c's distance of rows: sums before the last kBf16Depth
                          // products. Read and written only where k is larger
};

/// Computes the product on the calling thread, on a CPU whose cpu_bf16_level() is kVectors or higher.
///
/// Every element is a sum in float32, rounded to bf16 once, at its end. Sums are those of vdpbf16ps, which
/// adds two products at a time, the later one first: sum = fma(a[i][2 l], b[2 l][j], fma(a[i][2 l + 1],
/// b[2 l + 1][j], sum)), in rising l, from 0; an odd k ends with a product of zeros. The instruction always
/// rounds to nearest even and takes subnormal numbers, of operands and of sums, for zeros; no mode of the
/// thread changes that. A chain has kBf16Depth products; chains are added in rising order. So an element's
/// bits depend neither on how rows and columns are cut into slices nor on alignment.
///
/// Threads: safe; allocates nothing, uses up to 576 KiB of stack.
void bf16_gemm(const Bf16Operands& operands);

}  // namespace cornu::inline v0::backends::cpu::kernels
