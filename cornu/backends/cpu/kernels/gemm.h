#pragma once

#include <cstdint>

#include "cornu/base/cpu_info.h"

namespace cornu::inline v0::backends::cpu::kernels {

/// Columns of c that one pass works on; slices of columns at multiples of it do no work twice.
inline constexpr std::int64_t kGemmColumns = 32;

/// The number of columns whose b is packed at once, for all rows of c; slices of this width read a no more
/// often than wider ones. A packed block takes half of the second cache of the level's CPUs.
std::int64_t gemm_block_columns(IsaLevel level);

/// True if this CPU's first cache is so small (below 48 KiB: eight ways a set, a tile has up to 14 rows) that
/// rows of few sets evict each other. Then it pays to copy them.
bool first_cache_is_small();

/// One product c = op(a) op(b) + (accumulate or add ? c : 0), row-major float32.
///
/// op(a) is m x k and op(b) is k x n; a transposed operand is stored the other way round (a: k x m, b: n x
/// k). lda, ldb, ldc: elements from one stored row to the next.
struct GemmOperands {
  bool transpose_a = false, transpose_b = false;
  bool accumulate = false;
  bool add = false;  // c's elements are added to sums that start at 0: so several short chains make a sum
                     // with less rounding
  std::int64_t m = 0, n = 0, k = 0;
  const float* a = nullptr;
  std::int64_t lda = 0;
  const float* b = nullptr;
  std::int64_t ldb = 0;
  float* c = nullptr;
  std::int64_t ldc = 0;
  bool may_copy_rows = first_cache_is_small();  // of a, a tile at a time; no bit depends on it
  // Operands of the product of this shape that the thread probably computes next. Their first parts are
  // fetched into the second cache meanwhile; null: nothing to fetch. No bit depends on them.
  const float* next_a = nullptr;
  const float* next_b = nullptr;
};

/// Computes the product on the calling thread.
///
/// Every element is c[i][j] = fma(a[i][k-1], b[k-1][j], ... fma(a[i][0], b[0][j], start)): one chain in
/// rising order, whose start is 0 or, when it accumulates, c[i][j]; an `add` adds c[i][j] to a chain's end
/// (every 512 products). So an element's bits depend neither on how rows and columns are cut into slices nor
/// on alignment, and are the same at avx2 and avx512 (sse2 rounds products and sums apart).
///
/// Threads: safe; allocates nothing, uses up to 544 KiB of stack.
void gemm(IsaLevel level, const GemmOperands& operands);

/// The same in two steps, for a b that many products share. Of b's members packed products read none.
/// The level must be the same in all three; the bits are gemm's.
std::int64_t packed_b_floats(IsaLevel level, std::int64_t k, std::int64_t n);
void pack_b(IsaLevel level, const GemmOperands& operands, float* packed);
void gemm_packed(IsaLevel level, const GemmOperands& operands, const float* packed);

/// Layout of a packed b: columns are in panels of packed_b_panel columns, the last of which may be
/// narrower; row l of the panel that starts at column j (a multiple of packed_b_panel) is packed_b_width(its
/// columns) floats from packed_b_offset. Numbers after b's columns reach no result.
std::int64_t packed_b_panel(IsaLevel level);
std::int64_t packed_b_width(IsaLevel level, std::int64_t columns);
std::int64_t packed_b_offset(IsaLevel level, std::int64_t k, std::int64_t n, std::int64_t l, std::int64_t j);

}  // namespace cornu::inline v0::backends::cpu::kernels
