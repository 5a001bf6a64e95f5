#include "cornu/backends/cpu/kernels/int8_gemm.h"

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "cornu/backends/cpu/kernels/transpose_avx512.h"
#include "cornu/base/check.h"
#include "cornu/base/divide_up.h"

// A panel is 64 columns of b: for each group of 4 rows (with VNNI) or 2 rows (widened to 16 bits), 64 times
// the four bytes that a lane multiplies at once. VNNI multiplies unsigned by signed bytes: b's are raised by
// 128, and sums begin with -128 * sum(a), all modulo 2^32.
namespace cornu::inline v0::backends::cpu::kernels {
namespace int8 {
namespace {

constexpr std::int64_t kGroupBytes = kInt8Columns * 4;
constexpr std::int64_t kBlockBytes = 256 * 1024;  // of packed columns: a part of the second cache

struct TileResult {
  std::int32_t* first = nullptr;
  std::int64_t stride = 0, columns = 0;
};

std::int64_t whole_lines_of(std::int64_t size_bytes) { return (size_bytes + 63) / 64 * 64; }

/// The number of columns that are packed at a time.
std::int64_t block_columns(std::int64_t k, std::int64_t depth) {
  const std::int64_t panel_bytes = std::max<std::int64_t>(divide_up(k, depth) * kGroupBytes, 1);
  return std::max<std::int64_t>(kBlockBytes / panel_bytes, 1) * kInt8Columns;
}

std::int32_t minus_128_times_sum(const std::int8_t* a, std::int64_t k) {
  std::uint32_t sum = 0;
  for (std::int64_t i = 0; i < k; ++i) sum += static_cast<std::uint32_t>(std::int32_t{a[i]});
  return static_cast<std::int32_t>(0U - 128U * sum);
}

/// The elements after the last whole group, followed by zeros: four of 8 bits or two of 16.
template <std::int64_t kDepth>
std::int32_t last_group(const std::int8_t* a, std::int64_t k) {
  std::conditional_t<kDepth == 4, std::int8_t, std::int16_t> elements[kDepth] = {};
  const std::int64_t first = k / kDepth * kDepth;
  for (std::int64_t i = first; i < k; ++i) elements[i - first] = a[i];
  std::int32_t group = 0;
  std::memcpy(&group, elements, sizeof(group));
  return group;
}

/// Packs kDepth lines of 64 bytes.
using PackLines = void (*)(const std::int8_t* const* lines, std::byte* to);

std::int32_t four_bytes(const void* from) {
  std::int32_t bytes = 0;
  std::memcpy(&bytes, from, sizeof(bytes));
  return bytes;
}

/// The same of a transposed b, whose columns have the four elements side by side.
void pack_columns(const Int8Operands& p, std::int64_t column, std::int64_t columns, std::int64_t k,
                  std::byte* to) {
  constexpr std::uint32_t kSigns = 0x80808080;
  const std::int8_t* from = p.b + column * p.ldb + k;
  for (std::int64_t j = 0; j < columns; ++j, from += p.ldb, to += 4) {
    const std::uint32_t raised = static_cast<std::uint32_t>(four_bytes(from)) ^ kSigns;
    std::memcpy(to, &raised, sizeof(raised));
  }
  std::memset(to, 0, static_cast<std::size_t>(4 * (kInt8Columns - columns)));
}

template <std::int64_t kDepth>
void pack(const Int8Operands& p, std::int64_t column, std::int64_t columns, std::byte* to,
          PackLines pack_lines) {
  alignas(64) std::int8_t copies[kDepth][kInt8Columns];
  for (std::int64_t k = 0; k < p.k; k += kDepth, to += kGroupBytes) {
    const std::int64_t depth = std::min(kDepth, p.k - k);
    if (kDepth == 4 && p.transpose_b && depth == kDepth) {
      pack_columns(p, column, columns, k, to);
      continue;
    }
    const std::int8_t* lines[kDepth];
    const bool is_whole = !p.transpose_b && depth == kDepth && columns == kInt8Columns;
    for (std::int64_t i = 0; i < kDepth; ++i)
      lines[i] = is_whole ? p.b + (k + i) * p.ldb + column : copies[i];
    if (!is_whole) {
      std::memset(copies, 0, sizeof(copies));
      for (std::int64_t i = 0; i < depth; ++i) {
        if (!p.transpose_b)
          std::memcpy(copies[i], p.b + (k + i) * p.ldb + column, static_cast<std::size_t>(columns));
        else
          for (std::int64_t j = 0; j < columns; ++j) copies[i][j] = p.b[(column + j) * p.ldb + k + i];
      }
    }
    pack_lines(lines, to);
  }
}

__m128i load_16(const std::int8_t* from) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); }
void store_16(std::byte* to, __m128i x) { _mm_storeu_si128(reinterpret_cast<__m128i*>(to), x); }

/// Columns of four unsigned bytes, raised by 128.
void pack_four_lines(const std::int8_t* const* lines, std::byte* to) {
  const __m128i sign = _mm_set1_epi8(static_cast<char>(0x80));
  for (std::int64_t column = 0; column < kInt8Columns; column += 16, to += 64) {
    __m128i x[4];
    for (int i = 0; i < 4; ++i) x[i] = _mm_xor_si128(load_16(lines[i] + column), sign);
    const __m128i low01 = _mm_unpacklo_epi8(x[0], x[1]), low23 = _mm_unpacklo_epi8(x[2], x[3]),
                  high01 = _mm_unpackhi_epi8(x[0], x[1]), high23 = _mm_unpackhi_epi8(x[2], x[3]);
    store_16(to, _mm_unpacklo_epi16(low01, low23));
    store_16(to + 16, _mm_unpackhi_epi16(low01, low23));
    store_16(to + 32, _mm_unpacklo_epi16(high01, high23));
    store_16(to + 48, _mm_unpackhi_epi16(high01, high23));
  }
}

/// Columns of two elements of 16 bits.
void pack_two_lines(const std::int8_t* const* lines, std::byte* to) {
  const __m128i zero = _mm_setzero_si128();
  for (std::int64_t column = 0; column < kInt8Columns; column += 16, to += 64) {
    const __m128i x = load_16(lines[0] + column), y = load_16(lines[1] + column);
    const __m128i x_low = _mm_srai_epi16(_mm_unpacklo_epi8(zero, x), 8),
                  x_high = _mm_srai_epi16(_mm_unpackhi_epi8(zero, x), 8),
                  y_low = _mm_srai_epi16(_mm_unpacklo_epi8(zero, y), 8),
                  y_high = _mm_srai_epi16(_mm_unpackhi_epi8(zero, y), 8);
    store_16(to, _mm_unpacklo_epi16(x_low, y_low));
    store_16(to + 16, _mm_unpackhi_epi16(x_low, y_low));
    store_16(to + 32, _mm_unpacklo_epi16(x_high, y_high));
    store_16(to + 48, _mm_unpackhi_epi16(x_high, y_high));
  }
}

namespace sse2 {

#define CORNU_TARGET
using Vector = __m128i;
constexpr std::int64_t kLanes = 4, kDepth = 2;
constexpr int kVectors = 4, kRows = 2;
constexpr bool kWidensRows = true;
constexpr PackLines pack_lines = &pack_two_lines;
inline Vector load(const std::byte* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); }
inline Vector splat(const std::byte* p) { return _mm_set1_epi32(four_bytes(p)); }
inline Vector dot(Vector sum, Vector b, Vector a) { return _mm_add_epi32(sum, _mm_madd_epi16(b, a)); }
inline void store(std::int32_t* p, Vector x) { _mm_storeu_si128(reinterpret_cast<__m128i*>(p), x); }
#include "cornu/backends/cpu/kernels/int8_gemm_level.inc"
#undef CORNU_TARGET

}  // namespace sse2

#define CORNU_TARGET __attribute__((target("avx2")))
namespace avx2 {

using Vector = __m256i;
constexpr std::int64_t kLanes = 8, kDepth = 2;
constexpr int kVectors = 2, kRows = 5;
constexpr bool kWidensRows = true;
constexpr PackLines pack_lines = &pack_two_lines;
CORNU_TARGET inline Vector load(const std::byte* p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}
CORNU_TARGET inline Vector splat(const std::byte* p) { return _mm256_set1_epi32(four_bytes(p)); }
CORNU_TARGET inline Vector dot(Vector sum, Vector b, Vector a) {
  return _mm256_add_epi32(sum, _mm256_madd_epi16(b, a));
}
CORNU_TARGET inline void store(std::int32_t* p, Vector x) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), x);
}
#include "cornu/backends/cpu/kernels/int8_gemm_level.inc"

}  // namespace avx2
#undef CORNU_TARGET

#define CORNU_TARGET __attribute__((target("avx2,avxvnni")))
namespace avx_vnni {

using Vector = __m256i;
constexpr std::int64_t kLanes = 8, kDepth = 4;
constexpr int kVectors = 2, kRows = 6;
constexpr bool kWidensRows = false;
constexpr PackLines pack_lines = &pack_four_lines;
CORNU_TARGET inline Vector load(const std::byte* p) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}
CORNU_TARGET inline Vector splat(const std::byte* p) { return _mm256_set1_epi32(four_bytes(p)); }
CORNU_TARGET inline Vector dot(Vector sum, Vector b, Vector a) { return _mm256_dpbusd_avx_epi32(sum, b, a); }
CORNU_TARGET inline void store(std::int32_t* p, Vector x) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), x);
}
#include "cornu/backends/cpu/kernels/int8_gemm_level.inc"

}  // namespace avx_vnni
#undef CORNU_TARGET

#define CORNU_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,avx2")))
namespace avx512_vnni {

using Vector = __m512i;
constexpr std::int64_t kLanes = 16, kDepth = 4;
constexpr int kVectors = 4, kRows = 6;
constexpr bool kWidensRows = false;
CORNU_TARGET inline Vector load(const std::byte* p) { return _mm512_loadu_si512(p); }
CORNU_TARGET inline Vector splat(const std::byte* p) { return _mm512_set1_epi32(four_bytes(p)); }
CORNU_TARGET inline Vector dot(Vector sum, Vector b, Vector a) { return _mm512_dpbusd_epi32(sum, b, a); }
CORNU_TARGET inline void store(std::int32_t* p, Vector x) { _mm512_storeu_si512(p, x); }
/// The first elements, all of them if `count` is kLanes or more.
CORNU_TARGET inline void store_first(std::int32_t* p, std::int64_t count, Vector x) {
  if (count >= kLanes) return store(p, x);
  _mm512_mask_storeu_epi32(p, static_cast<__mmask16>((1U << count) - 1), x);
}

constexpr __mmask16 kAll = 0xffff;  // GCC 12 warns of its own headers where there is no mask

/// Exchanges quarters: quarter q of vector j becomes quarter j of vector q.
CORNU_TARGET inline void exchange_quarters(Vector (&x)[4]) {
  const Vector low01 = _mm512_maskz_shuffle_i32x4(kAll, x[0], x[1], 0x44),
               high01 = _mm512_maskz_shuffle_i32x4(kAll, x[0], x[1], 0xee),
               low23 = _mm512_maskz_shuffle_i32x4(kAll, x[2], x[3], 0x44),
               high23 = _mm512_maskz_shuffle_i32x4(kAll, x[2], x[3], 0xee);
  x[0] = _mm512_maskz_shuffle_i32x4(kAll, low01, low23, 0x88);
  x[1] = _mm512_maskz_shuffle_i32x4(kAll, low01, low23, 0xdd);
  x[2] = _mm512_maskz_shuffle_i32x4(kAll, high01, high23, 0x88);
  x[3] = _mm512_maskz_shuffle_i32x4(kAll, high01, high23, 0xdd);
}

/// Columns of four unsigned bytes; vector j has columns 4 j to 4 j + 3 of each 16.
CORNU_TARGET inline void interleave(const Vector (&lines)[4], Vector (&columns)[4]) {
  const Vector sign = _mm512_set1_epi8(static_cast<char>(0x80));
  Vector x[4];
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) x[i] = _mm512_xor_si512(lines[i], sign);
  const Vector low01 = _mm512_unpacklo_epi8(x[0], x[1]), low23 = _mm512_unpacklo_epi8(x[2], x[3]),
               high01 = _mm512_unpackhi_epi8(x[0], x[1]), high23 = _mm512_unpackhi_epi8(x[2], x[3]);
  columns[0] = _mm512_unpacklo_epi16(low01, low23);
  columns[1] = _mm512_unpackhi_epi16(low01, low23);
  columns[2] = _mm512_unpacklo_epi16(high01, high23);
  columns[3] = _mm512_unpackhi_epi16(high01, high23);
}

CORNU_TARGET void pack_lines(const std::int8_t* const* lines, std::byte* to) {
  Vector x[4], columns[4];
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) x[i] = _mm512_loadu_si512(lines[i]);
  interleave(x, columns);
  exchange_quarters(columns);
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) _mm512_storeu_si512(to + i * 64, columns[i]);
}
#include "cornu/backends/cpu/kernels/int8_gemm_level.inc"

// Few rows: b is read once, as it is.

/// Columns [0, P * 64) of R rows; `mask` of the bytes of lines, if P is 1.
template <int R, int P>
CORNU_TARGET void thin(const Int8Operands& p, const TileRows& rows, std::int64_t column, __mmask64 mask) {
  Vector sums[R][P * 4];
#pragma GCC unroll 4
  for (int r = 0; r < R; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < P * 4; ++v) sums[r][v] = splat(reinterpret_cast<const std::byte*>(&rows.start[r]));
  }
  constexpr std::int64_t kAhead = 32;  // lines
  const std::int8_t* b = p.b + column;
  for (std::int64_t g = 0; g < rows.groups + (rows.has_tail ? 1 : 0); ++g, b += 4 * p.ldb) {
    const bool is_tail = g == rows.groups;
    const int count = is_tail ? static_cast<int>(p.k - 4 * g) : 4;
#pragma GCC unroll 4
    for (int part = 0; part < P; ++part) {
      Vector lines[4], columns[4];
#pragma GCC unroll 4
      for (int i = 0; i < 4; ++i) {
        __builtin_prefetch(b + (kAhead + i) * p.ldb + part * 64, 0, 3);
        lines[i] =
            i < count ? _mm512_maskz_loadu_epi8(mask, b + i * p.ldb + part * 64) : _mm512_setzero_si512();
      }
      interleave(lines, columns);
#pragma GCC unroll 4
      for (int r = 0; r < R; ++r) {
        const std::byte* const a = is_tail ? reinterpret_cast<const std::byte*>(&rows.tail[r])
                                           : rows.first + r * rows.stride + 4 * g;
        const Vector factor = splat(a);
#pragma GCC unroll 4
        for (int v = 0; v < 4; ++v) sums[r][part * 4 + v] = dot(sums[r][part * 4 + v], columns[v], factor);
      }
    }
  }
#pragma GCC unroll 4
  for (int r = 0; r < R; ++r) {
#pragma GCC unroll 4
    for (int part = 0; part < P; ++part) {
      Vector quarters[4];
      for (int v = 0; v < 4; ++v) quarters[v] = sums[r][part * 4 + v];
      exchange_quarters(quarters);
      for (int v = 0; v < 4; ++v) {
        const std::int64_t at = column + part * 64 + v * kLanes;
        if (at < p.n) store_first(p.c + r * p.ldc + at, p.n - at, quarters[v]);
      }
    }
  }
}

template <int R>
CORNU_TARGET void thin_rows(const Int8Operands& p) {
  constexpr int kPanels = R == 1 ? 4 : R == 2 ? 2 : 1;
  constexpr __mmask64 kWhole = ~__mmask64{0};
  const TileRows rows = rows_of(p, 0, R, nullptr);
  std::int64_t column = 0;
  for (; column + kPanels * 64 <= p.n; column += kPanels * 64) thin<R, kPanels>(p, rows, column, kWhole);
  for (; column < p.n; column += 64) {
    const std::int64_t left = p.n - column;
    thin<R, 1>(p, rows, column, left >= 64 ? kWhole : (__mmask64{1} << left) - 1);
  }
}

CORNU_TARGET inline std::uint32_t sum_of_lanes(Vector x) {
  std::uint32_t lanes[kLanes], sum = 0;
  _mm512_storeu_si512(lanes, x);
  for (const std::uint32_t lane : lanes) sum += lane;
  return sum;
}

/// The same with a transposed b: sums of whole vectors of four columns at a time.
template <int R>
CORNU_TARGET void thin_rows_of_columns(const Int8Operands& p) {
  constexpr int kColumns = 4;
  const Vector sign = _mm512_set1_epi8(static_cast<char>(0x80));
  std::int32_t start[R];
  for (int r = 0; r < R; ++r) start[r] = minus_128_times_sum(p.a + r * p.lda, p.k);
  for (std::int64_t column = 0; column < p.n; column += kColumns) {
    const std::int8_t* b[kColumns];
    for (int j = 0; j < kColumns; ++j) b[j] = p.b + std::min(column + j, p.n - 1) * p.ldb;
    Vector sums[R][kColumns];
#pragma GCC unroll 4
    for (int r = 0; r < R; ++r) {
#pragma GCC unroll 4
      for (int j = 0; j < kColumns; ++j) sums[r][j] = _mm512_setzero_si512();
    }
    for (std::int64_t k = 0; k < p.k; k += 64) {
      const __mmask64 mask = p.k - k >= 64 ? ~__mmask64{0} : (__mmask64{1} << (p.k - k)) - 1;
      Vector lines[kColumns];
#pragma GCC unroll 4
      for (int j = 0; j < kColumns; ++j)
        lines[j] = _mm512_xor_si512(_mm512_maskz_loadu_epi8(mask, b[j] + k), sign);
#pragma GCC unroll 4
      for (int r = 0; r < R; ++r) {
        const Vector a = _mm512_maskz_loadu_epi8(mask, p.a + r * p.lda + k);
#pragma GCC unroll 4
        for (int j = 0; j < kColumns; ++j) sums[r][j] = dot(sums[r][j], lines[j], a);
      }
    }
    for (int r = 0; r < R; ++r)
      for (int j = 0; j < std::min<std::int64_t>(kColumns, p.n - column); ++j)
        p.c[r * p.ldc + column + j] =
            static_cast<std::int32_t>(static_cast<std::uint32_t>(start[r]) + sum_of_lanes(sums[r][j]));
  }
}

template <int R>
CORNU_TARGET void multiply_few_rows(const Int8Operands& p) {
  return p.transpose_b ? thin_rows_of_columns<R>(p) : thin_rows<R>(p);
}

CORNU_TARGET void multiply_any(const Int8Operands& p, std::byte* scratch) {
  switch (p.m) {
    case 1: return multiply_few_rows<1>(p);
    case 2: return multiply_few_rows<2>(p);
    case 3: return multiply_few_rows<3>(p);
    case 4: return multiply_few_rows<4>(p);
    default: return multiply(p, scratch);
  }
}

}  // namespace avx512_vnni
#undef CORNU_TARGET

}  // namespace
}  // namespace int8

Int8Level int8_level(IsaLevel isa) {
  __builtin_cpu_init();
  if (isa == IsaLevel::kSse2) return Int8Level::kSse2;
  if (isa == IsaLevel::kAvx512 && __builtin_cpu_supports("avx512vnni")) return Int8Level::kAvx512Vnni;
  return __builtin_cpu_supports("avxvnni") ? Int8Level::kAvxVnni : Int8Level::kAvx2;
}

std::vector<Int8Level> cpu_int8_levels() {
  std::vector<Int8Level> levels = {Int8Level::kSse2};
  const IsaLevel best = cpu_isa_level();
  if (best >= IsaLevel::kAvx2) levels.push_back(Int8Level::kAvx2);
  if (best >= IsaLevel::kAvx2 && __builtin_cpu_supports("avxvnni")) levels.push_back(Int8Level::kAvxVnni);
  if (int8_level(best) == Int8Level::kAvx512Vnni) levels.push_back(Int8Level::kAvx512Vnni);
  return levels;
}

std::size_t int8_gemm_scratch_bytes(Int8Level level, std::int64_t n, std::int64_t k) {
  const bool widens = level == Int8Level::kSse2 || level == Int8Level::kAvx2;
  const std::int64_t depth = widens ? 2 : 4;
  const std::int64_t columns =
      std::min(int8::block_columns(k, depth), divide_up(n, kInt8Columns) * kInt8Columns);
  const std::int64_t packed = divide_up(k, depth) * int8::kGroupBytes * (columns / kInt8Columns);
  const std::int64_t copies = widens ? int8::avx2::kRows * int8::whole_lines_of(2 * k) : 0;
  return static_cast<std::size_t>(packed + copies);
}

void int8_gemm(Int8Level level, const Int8Operands& p, std::byte* scratch) {
  CORNU_CHECK(p.m >= 0 && p.n >= 0 && p.k >= 0, "m = {}, n = {}, k = {}", p.m, p.n, p.k);
  if (p.m == 0 || p.n == 0) return;
  switch (level) {
    case Int8Level::kSse2: return int8::sse2::multiply(p, scratch);
    case Int8Level::kAvx2: return int8::avx2::multiply(p, scratch);
    case Int8Level::kAvxVnni: return int8::avx_vnni::multiply(p, scratch);
    case Int8Level::kAvx512Vnni: return int8::avx512_vnni::multiply_any(p, scratch);
  }
}

}  // namespace cornu::inline v0::backends::cpu::kernels
