#pragma once

#include "cornu/base/cpu_info.h"
#include "cornu/base/thread_pool.h"

namespace cornu::inline v0 {

/// Measured limits of this machine: the best rates that any kernel can reach.
struct MachineLimits {
  double fma_gflops_one_thread = 0;   // float32 multiply-adds, two operations each, 1e9 a second
  double fma_gflops_all_threads = 0;  // the same on all threads of the pool at once
  /// b = scalar * a + b on arrays larger than the last cache: 12 bytes an element, 1e9 bytes a second.
  double triad_gb_s_one_thread = 0;
  double triad_gb_s_all_threads = 0;
};

struct MachineLimitsOptions {
  double seconds = 0.5;  // about how long each of the four figures is measured; the best repetition counts
  IsaLevel isa_level = default_isa_level();
};

/// The best rate of float32 multiply-adds in GFLOP/s on all threads of `pool` at once, with instructions of
/// `level`.
///
/// Without FMA instructions (sse2) a multiplication and an addition also count as two operations.
double measure_fma_gflops(ThreadPool& pool, IsaLevel level, double seconds);

/// The best rate of bf16 products with sums in float32, by vectors or tiles, on a CPU that supports them
/// (cpu_bf16_level()).
double measure_bf16_gflops(ThreadPool& pool, Bf16Level level, double seconds);

/// The best bandwidth in GB/s of b = scalar * a + b on all threads of `pool`, 12 bytes an element.
double measure_triad_gb_s(ThreadPool& pool, double seconds);

MachineLimits measure_machine_limits(ThreadPool& pool, const MachineLimitsOptions& options = {});

}  // namespace cornu::inline v0
