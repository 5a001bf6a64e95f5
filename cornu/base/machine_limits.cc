#include "cornu/base/machine_limits.h"

#include <immintrin.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/base/steady_clock.h"

namespace cornu::inline v0 {
namespace {

using Clock = std::chrono::steady_clock;

// Enough independent chains to hide the latency of a multiply-add (4 cycles, two a cycle), but few enough for
// sse2's 16 registers.
constexpr int kChains = 12;
constexpr std::int64_t kRounds = 1'000'000;

// These functions differ in type and instruction; each is compiled for its own level.
float run_fma_sse2(std::int64_t rounds) {
  __m128 sums[kChains];
  for (int i = 0; i < kChains; ++i) sums[i] = _mm_set1_ps(static_cast<float>(i));
  const __m128 scale = _mm_set1_ps(0.999f), offset = _mm_set1_ps(0.1f);
  for (std::int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) sums[i] = _mm_add_ps(_mm_mul_ps(sums[i], scale), offset);
  }
  __m128 total = sums[0];
  for (int i = 1; i < kChains; ++i) total = _mm_add_ps(total, sums[i]);
  return _mm_cvtss_f32(total);
}

__attribute__((target("avx2,fma"))) float run_fma_avx2(std::int64_t rounds) {
  __m256 sums[kChains];
  for (int i = 0; i < kChains; ++i) sums[i] = _mm256_set1_ps(static_cast<float>(i));
  const __m256 scale = _mm256_set1_ps(0.999f), offset = _mm256_set1_ps(0.1f);
  for (std::int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) sums[i] = _mm256_fmadd_ps(sums[i], scale, offset);
  }
  __m256 total = sums[0];
  for (int i = 1; i < kChains; ++i) total = _mm256_add_ps(total, sums[i]);
  return _mm256_cvtss_f32(total);
}

__attribute__((target("avx512f"))) float run_fma_avx512(std::int64_t rounds) {
  __m512 sums[kChains];
  for (int i = 0; i < kChains; ++i) sums[i] = _mm512_set1_ps(static_cast<float>(i));
  const __m512 scale = _mm512_set1_ps(0.999f), offset = _mm512_set1_ps(0.1f);
  for (std::int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) sums[i] = _mm512_fmadd_ps(sums[i], scale, offset);
  }
  __m512 total = sums[0];
  for (int i = 1; i < kChains; ++i) total = _mm512_add_ps(total, sums[i]);
  return _mm512_cvtss_f32(total);
}

__attribute__((target("avx512f,avx512bf16"))) float run_bf16(std::int64_t rounds) {
  __m512 sums[kChains];
  for (int i = 0; i < kChains; ++i) sums[i] = _mm512_set1_ps(static_cast<float>(i));
  // 0.75 and -0.75 times 1: sums do not change.
  const auto factors = reinterpret_cast<__m512bh>(_mm512_set1_epi32(static_cast<int>(0xbf403f40)));
  const auto ones = reinterpret_cast<__m512bh>(_mm512_set1_epi32(0x3f803f80));
  for (std::int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
    for (int i = 0; i < kChains; ++i) sums[i] = _mm512_dpbf16_ps(sums[i], factors, ones);
  }
  __m512 total = sums[0];
  for (int i = 1; i < kChains; ++i) total = _mm512_add_ps(total, sums[i]);
  return _mm512_cvtss_f32(total);
}

/// Four products of tiles in a round: 16 x 16 sums of 32 products each. Operands are ones, because the clock is
/// an eighth faster with zeros.
__attribute__((target("amx-tile,amx-bf16"))) float run_bf16_tiles(std::int64_t rounds) {
  struct alignas(64) {
    std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
    std::uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64};
    std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16};
  } shapes;
  _tile_loadconfig(&shapes);
  alignas(64) std::uint16_t ones[16 * 32];
  std::fill_n(ones, 16 * 32, std::uint16_t{0x3f80});
  _tile_loadd(4, ones, 64);
  _tile_loadd(5, ones, 64);
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  for (std::int64_t round = 0; round < rounds; ++round) {
    _tile_dpbf16ps(0, 4, 5);
    _tile_dpbf16ps(1, 4, 5);
    _tile_dpbf16ps(2, 4, 5);
    _tile_dpbf16ps(3, 4, 5);
  }
  alignas(64) float sums[16 * 16];
  _tile_stored(0, sums, 64);
  _tile_release();
  return sums[0];
}

struct FmaKernel {
  float (*run)(std::int64_t rounds);
  int num_products;  // of one round
  std::int64_t num_rounds = kRounds;
};

FmaKernel fma_kernel(IsaLevel level) {
  switch (level) {
    case IsaLevel::kSse2: return {run_fma_sse2, 4 * kChains};
    case IsaLevel::kAvx2: return {run_fma_avx2, 8 * kChains};
    case IsaLevel::kAvx512: return {run_fma_avx512, 16 * kChains};
  }
  return {run_fma_sse2, 4 * kChains};
}

template <typename F>
void for_each_slice(ThreadPool& pool, std::int64_t num_slices, F& body) {
  pool.parallel_for(
      num_slices, [](void* context, std::int64_t slice) { (*static_cast<F*>(context))(slice); }, &body);
}

// Repeats `run` for about `seconds`, at least three times; returns the shortest time.
template <typename F>
double shortest_seconds(double seconds, F run) {
  double best = 0;
  const Clock::time_point begin = Clock::now();
  for (int repetition = 0; repetition < 3 || seconds_since(begin) < seconds; ++repetition) {
    const Clock::time_point start = Clock::now();
    run();
    const double time = seconds_since(start);
    if (repetition == 0 || time < best) best = time;
  }
  return best;
}

double measure_gflops(ThreadPool& pool, const FmaKernel& kernel, double seconds) {
  const int num_threads = pool.num_threads();
  std::atomic<float> sink{0};  // keeps the compiler from dropping the work
  auto body = [&](std::int64_t) { sink.store(kernel.run(kernel.num_rounds), std::memory_order_relaxed); };
  const double time = shortest_seconds(seconds, [&] { for_each_slice(pool, num_threads, body); });
  return 2.0 * kernel.num_products * static_cast<double>(kernel.num_rounds) * num_threads / time / 1e9;
}

}  // namespace

double measure_fma_gflops(ThreadPool& pool, IsaLevel level, double seconds) {
  CORNU_CHECK(level <= cpu_isa_level());
  return measure_gflops(pool, fma_kernel(level), seconds);
}

double measure_bf16_gflops(ThreadPool& pool, Bf16Level level, double seconds) {
  CORNU_CHECK(level != Bf16Level::kNone && level <= cpu_bf16_level());
  if (level == Bf16Level::kTiles)
    return measure_gflops(pool, {run_bf16_tiles, 4 * 8192, kRounds / 4}, seconds);
  return measure_gflops(pool, {run_bf16, 32 * kChains}, seconds);
}

double measure_triad_gb_s(ThreadPool& pool, double seconds) {
  // Both arrays together are four times the last-level cache, limited if the cache is shared by a hundred
  // cores.
  const std::int64_t array_bytes = std::clamp<std::int64_t>(2 * cpu_info().l3_cache_bytes,
                                                            std::int64_t{32} << 20, std::int64_t{512} << 20);
  const std::int64_t size = array_bytes / static_cast<std::int64_t>(sizeof(float));
  const std::int64_t num_slices = pool.num_threads();
  std::vector<float> a(static_cast<std::size_t>(size), 1.0f), b(static_cast<std::size_t>(size), 2.0f);
  auto body = [&](std::int64_t slice) {
    const float* source = a.data();
    float* target = b.data();
    const std::int64_t end = size * (slice + 1) / num_slices;
    for (std::int64_t i = size * slice / num_slices; i < end; ++i) target[i] = source[i] * 1.5f + target[i];
  };
  const double time = shortest_seconds(seconds, [&] { for_each_slice(pool, num_slices, body); });
  return 3.0 * sizeof(float) * static_cast<double>(size) / time / 1e9;
}

MachineLimits measure_machine_limits(ThreadPool& pool, const MachineLimitsOptions& options) {
  const IsaLevel level = std::min(options.isa_level, cpu_isa_level());
  ThreadPool one(1);
  MachineLimits limits;
  limits.fma_gflops_one_thread = measure_fma_gflops(one, level, options.seconds);
  limits.fma_gflops_all_threads = measure_fma_gflops(pool, level, options.seconds);
  limits.triad_gb_s_one_thread = measure_triad_gb_s(one, options.seconds);
  limits.triad_gb_s_all_threads = measure_triad_gb_s(pool, options.seconds);
  return limits;
}

}  // namespace cornu::inline v0
