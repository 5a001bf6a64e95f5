#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cornu/base/cpu_info.h"

namespace cornu::inline v0::backends::cpu::kernels {

/// Instructions that multiply integers of eight bits and add in 32. All levels give the same bits.
enum class Int8Level {
  kSse2,        // pairs, widened to 16 bits
  kAvx2,        // the same in vectors of 256 bits
  kAvxVnni,     // four products at once, in vectors of 256 bits
  kAvx512Vnni,  // in vectors of 512 bits
};

/// The best level of this CPU that an instruction set level includes.
Int8Level int8_level(IsaLevel isa);
/// All levels that this CPU has, in ascending order.
std::vector<Int8Level> cpu_int8_levels();

/// One product c = a op(b) of int8 with sums in int32, which wrap around; a, b and c are row-major.
///
/// a is m x k; op(b) is k x n, stored as it is, or as n x k with `transpose_b`. lda, ldb, ldc: elements from
/// one stored row to the next.
struct Int8Operands {
  bool transpose_b = false;
  std::int64_t m = 0, n = 0, k = 0;
  const std::int8_t* a = nullptr;
  std::int64_t lda = 0;
  const std::int8_t* b = nullptr;
  std::int64_t ldb = 0;
  std::int32_t* c = nullptr;
  std::int64_t ldc = 0;
};

/// Columns of c that one pass works on; slices of columns at multiples of it do no work twice.
inline constexpr std::int64_t kInt8Columns = 64;

/// The bytes of scratch memory for products of n columns and depth k.
std::size_t int8_gemm_scratch_bytes(Int8Level level, std::int64_t n, std::int64_t k);

/// Computes the product on the calling thread.
/// Threads: safe on different scratch memory, which begins on a cache line; allocates nothing.
void int8_gemm(Int8Level level, const Int8Operands& operands, std::byte* scratch);

}  // namespace cornu::inline v0::backends::cpu::kernels
