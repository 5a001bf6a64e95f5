// Matrix products of one mnist_mlp training step (batch 128; 784-512-512-10) beside this machine's multiply-add limit, measured in the same run.
//
//   matmul_benchmark --benchmark_repetitions=5 --benchmark_report_aggregates_only=false
//
// Columns: GFLOP/s, and the share of the limit at the same number of threads. "rows" and "columns" cut the result into slices for the pool.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "cornu/backends/cpu/onednn/sgemm.h"
#include "cornu/base/cpu_info.h"
#include "cornu/base/machine_limits.h"
#include "cornu/base/thread_pool.h"

namespace cornu {
namespace {

struct Product {
  const char* name;
  bool transpose_a, transpose_b;
  std::int64_t m, n, k;
};

constexpr Product kProducts[] = {
    {"forward_1", false, false, 128, 512, 784},       {"forward_2", false, false, 128, 512, 512},       {"forward_3", false, false, 128, 10, 512},
    {"weights_gradient_1", true, false, 784, 512, 128}, {"weights_gradient_2", true, false, 512, 512, 128}, {"weights_gradient_3", true, false, 512, 10, 128},
    {"data_gradient_2", false, true, 128, 512, 512},  {"data_gradient_3", false, true, 128, 512, 10},
};

enum class Cut { kNone, kRows, kColumns };

struct Operands {
  explicit Operands(const Product& p)
      : a(static_cast<std::size_t>(p.m * p.k)), b(static_cast<std::size_t>(p.k * p.n)), c(static_cast<std::size_t>(p.m * p.n)) {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> uniform(-1, 1);
    for (float& value : a) value = uniform(random);
    for (float& value : b) value = uniform(random);
  }
  std::vector<float> a, b, c;
};

void multiply_slice(const Product& p, Operands& o, Cut cut, std::int64_t begin, std::int64_t end) {
  const std::int64_t lda = p.transpose_a ? p.m : p.k, ldb = p.transpose_b ? p.k : p.n;
  if (cut == Cut::kColumns) {
    const float* b = o.b.data() + begin * (p.transpose_b ? ldb : 1);
    backends::cpu::onednn::sgemm(p.transpose_a, p.transpose_b, p.m, end - begin, p.k, o.a.data(), lda, b, ldb, 0, o.c.data() + begin, p.n);
  } else {
    const float* a = o.a.data() + begin * (p.transpose_a ? 1 : lda);
    backends::cpu::onednn::sgemm(p.transpose_a, p.transpose_b, end - begin, p.n, p.k, a, lda, o.b.data(), ldb, 0, o.c.data() + begin * p.n, p.n);
  }
}

void run(benchmark::State& state, const Product& p, ThreadPool& pool, Cut cut, std::int64_t slice_size, double limit_gflops) {
  Operands operands(p);
  const std::int64_t extent = cut == Cut::kColumns ? p.n : p.m;
  auto body = [&](std::int64_t slice) {
    multiply_slice(p, operands, cut, slice * slice_size, std::min(extent, (slice + 1) * slice_size));
  };
  for (auto step : state) {
    static_cast<void>(step);
    if (cut == Cut::kNone) {
      multiply_slice(p, operands, cut, 0, extent);
    } else {
      pool.parallel_for((extent + slice_size - 1) / slice_size,
                        [](void* context, std::int64_t slice) { (*static_cast<decltype(body)*>(context))(slice); }, &body);
    }
    benchmark::DoNotOptimize(operands.c.data());
  }
  const double flops = 2.0 * static_cast<double>(p.m * p.n * p.k);
  state.counters["GFLOP/s"] = benchmark::Counter(flops / 1e9, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["of_limit"] = benchmark::Counter(flops / 1e9 / limit_gflops, benchmark::Counter::kIsIterationInvariantRate);
}

}  // namespace
}  // namespace cornu

int main(int argc, char** argv) {
  using namespace cornu;
  benchmark::Initialize(&argc, argv);
  static ThreadPool pool(default_num_threads());
  backends::cpu::onednn::load();
  const MachineLimits limits = measure_machine_limits(pool);
  std::printf("%s, %s, %d threads: %.1f GFLOP/s on one, %.1f on all; triad %.1f and %.1f GB/s\n", cpu_info().model_name.c_str(),
              std::string(isa_level_name(default_isa_level())).c_str(), pool.num_threads(), limits.fma_gflops_one_thread,
              limits.fma_gflops_all_threads, limits.triad_gb_s_one_thread, limits.triad_gb_s_all_threads);
  for (const Product& p : kProducts) {
    const std::string shape = std::string(p.name) + "/" + std::to_string(p.m) + "x" + std::to_string(p.n) + "x" + std::to_string(p.k);
    auto add = [&](const std::string& name, Cut cut, std::int64_t size, double limit) {
      benchmark::RegisterBenchmark((shape + name).c_str(), [=](benchmark::State& state) { run(state, p, pool, cut, size, limit); })
          ->UseRealTime()
          ->Unit(benchmark::kMicrosecond)
          ->MinTime(0.1);
    };
    add("/one_thread", Cut::kNone, 0, limits.fma_gflops_one_thread);
    for (std::int64_t size : {32, 64, 128, 256}) {
      if (size < p.m) add("/rows_" + std::to_string(size), Cut::kRows, size, limits.fma_gflops_all_threads);
    }
    for (std::int64_t size : {64, 128, 256}) {
      if (size < p.n) add("/columns_" + std::to_string(size), Cut::kColumns, size, limits.fma_gflops_all_threads);
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
