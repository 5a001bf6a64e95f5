#include "cornu/backends/cpu/kernels/gemm.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "cornu/backends/cpu/kernels/float_vectors.h"
#include "cornu/backends/cpu/kernels/transpose_avx512.h"
#include "cornu/base/check.h"
#include "cornu/base/cpu_info.h"

namespace cornu::inline v0::backends::cpu::kernels {
namespace {

// Rows of b that are packed at a time; with the columns of a block they are 512 KiB at AVX-512, else 128 KiB.
constexpr std::int64_t kMaxDepth = 512;
constexpr std::int64_t kFewRows = 64, kFewRowsColumns = 64;
constexpr std::int64_t kMediumRows = 256;

namespace sse2 {

using namespace vectors::sse2;
#define CORNU_TARGET CORNU_TARGET_SSE2
constexpr int kRows = 6;
constexpr int kThinRows = 4;
constexpr std::int64_t kBlockColumns = 64, kMediumRowsColumns = 64;
inline void transpose(Vector (&rows)[kLanes]) { _MM_TRANSPOSE4_PS(rows[0], rows[1], rows[2], rows[3]); }
#include "cornu/backends/cpu/kernels/gemm_level.inc"
#undef CORNU_TARGET

}  // namespace sse2

#define CORNU_TARGET CORNU_TARGET_AVX2
namespace avx2 {

using namespace vectors::avx2;
constexpr int kRows = 6;
constexpr int kThinRows = 8;
constexpr std::int64_t kBlockColumns = 64, kMediumRowsColumns = 64;
// 24 shuffles for 64 floats.
CORNU_TARGET inline void transpose(Vector (&rows)[kLanes]) {
  Vector pairs[8], quads[8];
#pragma GCC unroll 4
  for (int i = 0; i < 8; i += 2) {
    pairs[i] = _mm256_unpacklo_ps(rows[i], rows[i + 1]);
    pairs[i + 1] = _mm256_unpackhi_ps(rows[i], rows[i + 1]);
  }
#pragma GCC unroll 2
  for (int i = 0; i < 8; i += 4) {
    quads[i] = _mm256_shuffle_ps(pairs[i], pairs[i + 2], 0x44);
    quads[i + 1] = _mm256_shuffle_ps(pairs[i], pairs[i + 2], 0xee);
    quads[i + 2] = _mm256_shuffle_ps(pairs[i + 1], pairs[i + 3], 0x44);
    quads[i + 3] = _mm256_shuffle_ps(pairs[i + 1], pairs[i + 3], 0xee);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    rows[i] = _mm256_permute2f128_ps(quads[i], quads[i + 4], 0x20);
    rows[i + 4] = _mm256_permute2f128_ps(quads[i], quads[i + 4], 0x31);
  }
}
#include "cornu/backends/cpu/kernels/gemm_level.inc"

}  // namespace avx2
#undef CORNU_TARGET

namespace avx512 {

using namespace vectors::avx512;
#define CORNU_TARGET CORNU_TARGET_AVX512
constexpr int kRows = 14;
constexpr int kThinRows = 5;
constexpr std::int64_t kBlockColumns = 256, kMediumRowsColumns = 128;
CORNU_TARGET inline void transpose(Vector (&rows)[kLanes]) { transpose_avx512(rows); }
#include "cornu/backends/cpu/kernels/gemm_level.inc"
#undef CORNU_TARGET

}  // namespace avx512

}  // namespace

namespace {

/// False when nothing is left to be multiplied.
bool begin_product(const GemmOperands& p) {
  CORNU_CHECK(p.m >= 0 && p.n >= 0 && p.k >= 0, "m = {}, n = {}, k = {}", p.m, p.n, p.k);
  if (p.k == 0 && !p.accumulate && !p.add) {
    for (std::int64_t i = 0; i < p.m; ++i) {
      for (std::int64_t j = 0; j < p.n; ++j) p.c[i * p.ldc + j] = 0;
    }
  }
  return p.m > 0 && p.n > 0;
}

}  // namespace

bool first_cache_is_small() {
  static const bool is_small = cpu_info().l1_data_cache_bytes < 48 * 1024;
  return is_small;
}

void gemm(IsaLevel level, const GemmOperands& p) {
  if (!begin_product(p)) return;
  switch (level) {
    case IsaLevel::kSse2: return sse2::multiply(p);
    case IsaLevel::kAvx2: return avx2::multiply(p);
    case IsaLevel::kAvx512: return avx512::multiply(p);
  }
}

std::int64_t gemm_block_columns(IsaLevel level) {
  switch (level) {
    case IsaLevel::kSse2: return sse2::kBlockColumns;
    case IsaLevel::kAvx2: return avx2::kBlockColumns;
    case IsaLevel::kAvx512: break;
  }
  return avx512::kBlockColumns;
}

std::int64_t packed_b_floats(IsaLevel level, std::int64_t k, std::int64_t n) {
  const GemmOperands p{.n = n, .k = k};
  switch (level) {
    case IsaLevel::kSse2: return sse2::packed_floats(p);
    case IsaLevel::kAvx2: return avx2::packed_floats(p);
    case IsaLevel::kAvx512: return avx512::packed_floats(p);
  }
  return 0;
}

void pack_b(IsaLevel level, const GemmOperands& p, float* packed) {
  switch (level) {
    case IsaLevel::kSse2: return sse2::pack_all(p, packed);
    case IsaLevel::kAvx2: return avx2::pack_all(p, packed);
    case IsaLevel::kAvx512: return avx512::pack_all(p, packed);
  }
}

std::int64_t packed_b_panel(IsaLevel level) {
  switch (level) {
    case IsaLevel::kSse2: return 2 * sse2::kLanes;
    case IsaLevel::kAvx2: return 2 * avx2::kLanes;
    case IsaLevel::kAvx512: break;
  }
  return 2 * avx512::kLanes;
}

std::int64_t packed_b_width(IsaLevel level, std::int64_t columns) {
  const std::int64_t lanes = packed_b_panel(level) / 2;
  return columns <= lanes ? lanes : 2 * lanes;
}

std::int64_t packed_b_offset(IsaLevel level, std::int64_t k, std::int64_t n, std::int64_t l, std::int64_t j) {
  const std::int64_t panel = packed_b_panel(level), rest = n % panel;
  const std::int64_t row_floats = n - rest + (rest == 0 ? 0 : packed_b_width(level, rest));
  const std::int64_t first_depth = l / kMaxDepth * kMaxDepth, depth = std::min(kMaxDepth, k - first_depth);
  return first_depth * row_floats + j * depth +
         (l - first_depth) * packed_b_width(level, std::min(panel, n - j));
}

void gemm_packed(IsaLevel level, const GemmOperands& p, const float* packed) {
  if (!begin_product(p)) return;
  switch (level) {
    case IsaLevel::kSse2: return sse2::multiply_packed(p, packed);
    case IsaLevel::kAvx2: return avx2::multiply_packed(p, packed);
    case IsaLevel::kAvx512: return avx512::multiply_packed(p, packed);
  }
}

}  // namespace cornu::inline v0::backends::cpu::kernels
