#include "cornu/backends/cpu/kernels/int4_gemm.h"

#include <immintrin.h>

#include <algorithm>
#include <cstring>

// Of a group of rows and a panel of 64 columns the integers become floats in the first cache, where all rows
// of x multiply them; scales and zero points apply to the sums: sum(x * (q - zero)) * scale is (sum(x * q) -
// zero * sum(x)) * scale.
namespace cornu::inline v0::backends::cpu::kernels {
namespace int4 {
namespace {

constexpr std::int64_t kDepth = 128;  // rows of a panel
constexpr int kMostRows = 6;

struct Tile {
  const float* x = nullptr;
  std::int64_t x_stride = 0;
  const float* panel = nullptr;
  std::int64_t depth = 0;
  const float* scale = nullptr;
  const float* zero = nullptr;
  std::int64_t columns = 0;
  float* y = nullptr;
  std::int64_t y_stride = 0;
  bool is_first = false;  // y begins here
  float row_sums[kMostRows] = {};
};

namespace sse2 {

#define CORNU_TARGET
using Vector = __m128;
constexpr std::int64_t kLanes = 4;
constexpr int kVectors = 4, kRows = 2;
inline Vector load(const float* p) { return _mm_loadu_ps(p); }
inline void store(float* p, Vector x) { _mm_storeu_ps(p, x); }
inline Vector splat(float x) { return _mm_set1_ps(x); }
inline Vector add_product(Vector sum, Vector x, Vector y) { return _mm_add_ps(sum, _mm_mul_ps(x, y)); }
inline void unpack(const std::int8_t* p, Vector& even, Vector& odd) {
  int bytes = 0;
  std::memcpy(&bytes, p, sizeof(bytes));
  __m128i x = _mm_cvtsi32_si128(bytes);
  x = _mm_unpacklo_epi8(x, x);
  x = _mm_unpacklo_epi16(x, x);  // each byte four times
  even = _mm_cvtepi32_ps(_mm_srai_epi32(_mm_slli_epi32(x, 28), 28));
  odd = _mm_cvtepi32_ps(_mm_srai_epi32(x, 28));
}
inline void interleave(Vector& first, Vector& second) {
  const Vector low = _mm_unpacklo_ps(first, second);
  second = _mm_unpackhi_ps(first, second);
  first = low;
}
#include "cornu/backends/cpu/kernels/int4_gemm_level.inc"
#undef CORNU_TARGET

}  // namespace sse2

#define CORNU_TARGET __attribute__((target("avx2,fma")))
namespace avx2 {

using Vector = __m256;
constexpr std::int64_t kLanes = 8;
constexpr int kVectors = 2, kRows = 6;
CORNU_TARGET inline Vector load(const float* p) { return _mm256_loadu_ps(p); }
CORNU_TARGET inline void store(float* p, Vector x) { _mm256_storeu_ps(p, x); }
CORNU_TARGET inline Vector splat(float x) { return _mm256_set1_ps(x); }
CORNU_TARGET inline Vector add_product(Vector sum, Vector x, Vector y) { return _mm256_fmadd_ps(x, y, sum); }
CORNU_TARGET inline void unpack(const std::int8_t* p, Vector& even, Vector& odd) {
  const __m256i x = _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p)));
  even = _mm256_cvtepi32_ps(_mm256_srai_epi32(_mm256_slli_epi32(x, 28), 28));
  odd = _mm256_cvtepi32_ps(_mm256_srai_epi32(x, 4));
}
CORNU_TARGET inline void interleave(Vector& first, Vector& second) {
  const Vector low = _mm256_unpacklo_ps(first, second), high = _mm256_unpackhi_ps(first, second);
  first = _mm256_permute2f128_ps(low, high, 0x20);
  second = _mm256_permute2f128_ps(low, high, 0x31);
}
#include "cornu/backends/cpu/kernels/int4_gemm_level.inc"

}  // namespace avx2
#undef CORNU_TARGET

#define CORNU_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")))
namespace avx512 {

using Vector = __m512;
constexpr std::int64_t kLanes = 16;
constexpr int kVectors = 4, kRows = 6;
constexpr __mmask16 kAll = 0xffff;  // GCC 12 warns of its own headers where there is no mask
CORNU_TARGET inline Vector load(const float* p) { return _mm512_loadu_ps(p); }
CORNU_TARGET inline void store(float* p, Vector x) { _mm512_storeu_ps(p, x); }
CORNU_TARGET inline Vector splat(float x) { return _mm512_set1_ps(x); }
CORNU_TARGET inline Vector add_product(Vector sum, Vector x, Vector y) { return _mm512_fmadd_ps(x, y, sum); }
/// The lower four bits of a lane are the index into a table of all integers.
CORNU_TARGET inline void unpack(const std::int8_t* p, Vector& even, Vector& odd) {
  const Vector integers = _mm512_set_ps(-1, -2, -3, -4, -5, -6, -7, -8, 7, 6, 5, 4, 3, 2, 1, 0);
  const __m512i x = _mm512_maskz_cvtepu8_epi32(kAll, _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  even = _mm512_maskz_permutexvar_ps(kAll, x, integers);
  odd = _mm512_maskz_permutexvar_ps(kAll, _mm512_maskz_srli_epi32(kAll, x, 4), integers);
}
CORNU_TARGET inline void interleave(Vector& first, Vector& second) {
  const __m512i low = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0),
                high = _mm512_set_epi32(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8);
  const Vector begin = _mm512_permutex2var_ps(first, low, second);
  second = _mm512_permutex2var_ps(first, high, second);
  first = begin;
}
#include "cornu/backends/cpu/kernels/int4_gemm_level.inc"

}  // namespace avx512
#undef CORNU_TARGET

}  // namespace
}  // namespace int4

std::size_t int4_gemm_scratch_bytes() {
  return static_cast<std::size_t>(int4::kDepth * kInt4Columns) * sizeof(float);
}

void int4_gemm(IsaLevel level, const Int4Operands& p, const Int4Part& part, std::byte* scratch) {
  if (p.k == 0) {
    for (std::int64_t row = 0; row < part.num_rows; ++row)
      std::fill_n(p.y + (part.first_row + row) * p.n + part.first_column, part.num_columns, 0.0F);
    return;
  }
  auto* const panel = reinterpret_cast<float*>(scratch);
  switch (level) {
    case IsaLevel::kSse2: return int4::sse2::multiply(p, part, panel);
    case IsaLevel::kAvx2: return int4::avx2::multiply(p, part, panel);
    case IsaLevel::kAvx512: return int4::avx512::multiply(p, part, panel);
  }
}

}  // namespace cornu::inline v0::backends::cpu::kernels
