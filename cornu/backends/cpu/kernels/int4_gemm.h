#pragma once

#include <cstddef>
#include <cstdint>

#include "cornu/base/cpu_info.h"

namespace cornu::inline v0::backends::cpu::kernels {

/// A product y = x . w of cornu.int4_dot; all matrices are row-major and without gaps.
struct Int4Operands {
  std::int64_t m = 0, n = 0, k = 0;
  std::int64_t group = 0;  // rows of w that share scales and zero points
  const float* x = nullptr;
  const std::int8_t* packed = nullptr;  // [k, ceil(n / 2)]
  const float* scale = nullptr;         // [ceil(k / group), n]
  const float* zero = nullptr;
  float* y = nullptr;
};

/// Part of a product's result.
struct Int4Part {
  std::int64_t first_row = 0, num_rows = 0;
  std::int64_t first_column = 0, num_columns = 0;  // the first is a multiple of kInt4Columns
};

/// Columns that are unpacked at a time; slices of columns at multiples of it do no work twice.
inline constexpr std::int64_t kInt4Columns = 64;

/// The bytes of scratch memory.
std::size_t int4_gemm_scratch_bytes();

/// Computes a part of the product on the calling thread.
/// Threads: safe on different parts and scratch memory, which begins on a cache line; allocates nothing.
void int4_gemm(IsaLevel level, const Int4Operands& operands, const Int4Part& part, std::byte* scratch);

}  // namespace cornu::inline v0::backends::cpu::kernels
