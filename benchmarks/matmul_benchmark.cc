// Matrix products of one mnist_mlp training step (batch 128; 784-512-512-10), of a layer of 1024 units (batch
// 256), the weights' gradient of mnist_cnn's dense layer, products of few rows as in serving, and a large
// square beside this machine's multiply-add limit, measured in the same run.
//
//   matmul_benchmark --benchmark_repetitions=5
//
// By our own kernel and by oneDNN, the peer; "bf16x6", "bf16x3" and "bf16x1" are products of f32 by tiles, in
// as many products of bf16 parts, beside the limit of f32's vectors; "vectors" and "tiles" by our own kernels
// of bf16 where the CPU has instructions for them. Columns: GFLOP/s, and the share of the limit of the type
// at the same number of threads, and GB/s of f32 operands and results, the limit of products of few rows.
// "rows" and "columns" cut the result into slices of that size for the pool, "engine" as the engine does.
// "cold": operands and results are in no cache of the core, as in a training step.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <oneapi/dnnl/dnnl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cornu/backends/cpu/kernels/bf16_gemm.h"
#include "cornu/backends/cpu/kernels/bf16_tile_gemm.h"
#include "cornu/backends/cpu/kernels/f32_tile_gemm.h"
#include "cornu/backends/cpu/kernels/gemm.h"
#include "cornu/backends/cpu/kernels/matrix_dot.h"
#include "cornu/base/cpu_info.h"
#include "cornu/base/machine_limits.h"
#include "cornu/base/thread_pool.h"

namespace cornu::inline v0 {
namespace {

struct Product {
  const char* name;
  bool transpose_a, transpose_b;
  std::int64_t m, n, k;
};

constexpr Product kProducts[] = {
    {"forward_1", false, false, 128, 512, 784},
    {"forward_2", false, false, 128, 512, 512},
    {"forward_3", false, false, 128, 10, 512},
    {"weights_gradient_1", true, false, 784, 512, 128},
    {"weights_gradient_2", true, false, 512, 512, 128},
    {"weights_gradient_3", true, false, 512, 10, 128},
    {"data_gradient_2", false, true, 128, 512, 512},
    {"data_gradient_3", false, true, 128, 512, 10},
    {"wide_forward", false, false, 256, 1024, 1024},
    {"wide_weights_gradient", true, false, 1024, 1024, 256},
    {"wide_data_gradient", false, true, 256, 1024, 1024},
    {"flat_weights_gradient", true, false, 9216, 128, 128},
    {"projection", false, false, 1024, 512, 512},
    {"square_512", false, false, 512, 512, 512},
    {"square_1024", false, false, 1024, 1024, 1024},
    {"one_row", false, false, 1, 512, 784},
    {"four_rows", false, false, 4, 512, 784},
    {"one_row_large", false, false, 1, 2048, 2048},
    {"square", false, false, 2048, 2048, 2048},
};

enum class Cut { kNone, kRows, kColumns, kEngine };

struct Operands {
  explicit Operands(const Product& p)
      : a(static_cast<std::size_t>(p.m * p.k)),
        b(static_cast<std::size_t>(p.k * p.n)),
        c(static_cast<std::size_t>(p.m * p.n)),
        half_a(a.size(), kHalf),
        half_b(b.size(), kHalf),
        half_c(c.size()) {
    std::mt19937 random(1);
    std::uniform_real_distribution<float> uniform(-1, 1);
    for (float& value : a) value = uniform(random);
    for (float& value : b) value = uniform(random);
  }
  static constexpr std::uint16_t kHalf = 0x3f00;  // 0.5
  std::vector<float> a, b, c;                     // c: the sums of bf16 too
  std::vector<std::uint16_t> half_a, half_b, half_c;
};

enum class Library { kOwn, kOneDnn, kBf16x1, kBf16x3, kBf16x6, kBf16Vectors, kBf16Tiles };

void multiply(Library library, const backends::cpu::kernels::GemmOperands& p) {
  using backends::cpu::F32Products;
  using backends::cpu::kernels::f32_tile_gemm;
  switch (library) {
    case Library::kOwn: return backends::cpu::kernels::gemm(default_isa_level(), p);
    case Library::kBf16x1: return f32_tile_gemm(F32Products::kBf16x1, p);
    case Library::kBf16x3: return f32_tile_gemm(F32Products::kBf16x3, p);
    case Library::kBf16x6: return f32_tile_gemm(F32Products::kBf16x6, p);
    default:
      static_cast<void>(dnnl_sgemm(p.transpose_a ? 'T' : 'N', p.transpose_b ? 'T' : 'N', p.m, p.n, p.k, 1.0F,
                                   p.a, p.lda, p.b, p.ldb, 0, p.c, p.ldc));
  }
}

/// The slice of f32 in the same places of bf16.
void multiply_bf16(Library library, Operands& o, const backends::cpu::kernels::GemmOperands& p) {
  using namespace backends::cpu::kernels;
  (library == Library::kBf16Tiles ? &bf16_tile_gemm : &bf16_gemm)({.transpose_a = p.transpose_a,
                                                                   .transpose_b = p.transpose_b,
                                                                   .m = p.m,
                                                                   .n = p.n,
                                                                   .k = p.k,
                                                                   .a = o.half_a.data() + (p.a - o.a.data()),
                                                                   .lda = p.lda,
                                                                   .b = o.half_b.data() + (p.b - o.b.data()),
                                                                   .ldb = p.ldb,
                                                                   .c = o.half_c.data() + (p.c - o.c.data()),
                                                                   .ldc = p.ldc,
                                                                   .sums = p.c});
}

void multiply_slice(Library library, const Product& p, Operands& o, Cut cut, std::int64_t begin,
                    std::int64_t end) {
  backends::cpu::kernels::GemmOperands part = {
      .transpose_a = p.transpose_a, .transpose_b = p.transpose_b, .m = p.m, .n = p.n, .k = p.k};
  part.lda = p.transpose_a ? p.m : p.k;
  part.ldb = p.transpose_b ? p.k : p.n;
  part.ldc = p.n;
  part.a = o.a.data();
  part.b = o.b.data();
  part.c = o.c.data();
  if (cut == Cut::kColumns) {
    part.n = end - begin;
    part.b += begin * (p.transpose_b ? part.ldb : 1);
    part.c += begin;
  } else {
    part.m = end - begin;
    part.a += begin * (p.transpose_a ? 1 : part.lda);
    part.c += begin * part.ldc;
  }
  const bool is_bf16 = library == Library::kBf16Vectors || library == Library::kBf16Tiles;
  is_bf16 ? multiply_bf16(library, o, part) : multiply(library, part);
}

/// The number of sets of operands that are used in turn: one, or so many that a set has left the second cache when
/// its turn comes.
std::size_t num_sets(const Product& p, bool is_cold) {
  constexpr std::int64_t kColdBytes = std::int64_t{96} << 20, kMostSets = 200;
  const std::int64_t bytes = 4 * (p.m * p.k + p.k * p.n + p.m * p.n);
  return is_cold ? static_cast<std::size_t>(std::clamp<std::int64_t>(kColdBytes / bytes, 2, kMostSets)) : 1;
}

/// The product as the engine cuts it.
backends::cpu::MatrixDot engine_product(const Product& p, const ThreadPool& pool) {
  return backends::cpu::slice_matrix_product({.transpose_a = p.transpose_a,
                                              .transpose_b = p.transpose_b,
                                              .m = p.m,
                                              .n = p.n,
                                              .k = p.k,
                                              .lda = p.transpose_a ? p.m : p.k,
                                              .ldb = p.transpose_b ? p.k : p.n,
                                              .ldc = p.n},
                                             {.isa = default_isa_level()}, pool.num_threads());
}

struct Work {
  Cut cut = Cut::kNone;
  std::int64_t slice_size = 0;
  bool is_cold = false;
};

void run(benchmark::State& state, Library library, const Product& p, ThreadPool& pool, const Work& work,
         double limit_gflops) {
  std::vector<Operands> sets(num_sets(p, work.is_cold), Operands(p));
  std::size_t set = 0;
  const std::int64_t extent = work.cut == Cut::kColumns ? p.n : p.m, size = work.slice_size;
  const backends::cpu::MatrixDot dot = engine_product(p, pool);
  backends::cpu::Target target;
  target.isa = default_isa_level();
  auto body = [&](std::int64_t slice) {
    multiply_slice(library, p, sets[set], work.cut, slice * size, std::min(extent, (slice + 1) * size));
  };
  for (auto step : state) {
    static_cast<void>(step);
    Operands& operands = sets[set];
    if (work.cut == Cut::kNone) {
      multiply_slice(library, p, operands, work.cut, 0, extent);
    } else if (work.cut == Cut::kEngine) {
      run_matrix_dot(dot, target, operands.a.data(), operands.b.data(), operands.c.data(), nullptr, pool);
    } else {
      pool.parallel_for(
          (extent + size - 1) / size,
          [](void* context, std::int64_t slice) { (*static_cast<decltype(body)*>(context))(slice); }, &body);
    }
    benchmark::DoNotOptimize(operands.c.data());
    set = (set + 1) % sets.size();
  }
  const double flops = 2.0 * static_cast<double>(p.m * p.n * p.k);
  state.counters["GFLOP/s"] = benchmark::Counter(flops / 1e9, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["of_limit"] =
      benchmark::Counter(flops / 1e9 / limit_gflops, benchmark::Counter::kIsIterationInvariantRate);
  const double bytes = 4.0 * static_cast<double>(p.m * p.k + p.k * p.n + p.m * p.n);
  state.counters["GB/s"] = benchmark::Counter(bytes / 1e9, benchmark::Counter::kIsIterationInvariantRate);
}

void add_product(const Product& p, Library library, const std::string& prefix, ThreadPool& pool,
                 double one_thread, double all_threads) {
  auto add = [&](const std::string& name, const Work& work, double limit) {
    benchmark::RegisterBenchmark(
        (prefix + name).c_str(),
        [=, &p, &pool](benchmark::State& state) { run(state, library, p, pool, work, limit); })
        ->UseRealTime()
        ->Unit(benchmark::kMicrosecond)
        ->MinTime(0.1);
  };
  add("/one_thread", {}, one_thread);
  add("/one_thread_cold", {.is_cold = true}, one_thread);
  if (library == Library::kOwn) {
    add("/engine", {.cut = Cut::kEngine}, all_threads);
    add("/engine_cold", {.cut = Cut::kEngine, .is_cold = true}, all_threads);
  }
  for (std::int64_t size : {32, 64, 128, 256})
    if (size < p.m) add(fmt::format("/rows_{}", size), {Cut::kRows, size}, all_threads);
  for (std::int64_t size : {32, 64, 128, 256})
    if (size < p.n) add(fmt::format("/columns_{}", size), {Cut::kColumns, size}, all_threads);
}

int run_all(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  static ThreadPool pool(default_num_threads());
  const MachineLimits limits = measure_machine_limits(pool);
  fmt::print("{}, {}, {} threads: {:.1f} GFLOP/s on one, {:.1f} on all; triad {:.1f} and {:.1f} GB/s\n",
             cpu_info().model_name, isa_level_name(default_isa_level()), pool.num_threads(),
             limits.fma_gflops_one_thread, limits.fma_gflops_all_threads, limits.triad_gb_s_one_thread,
             limits.triad_gb_s_all_threads);
  ThreadPool alone(1);
  struct Limits {
    Library library;
    const char* name;
    double one_thread, all_threads;
  };
  std::vector<Limits> libraries = {
      {Library::kOneDnn, "onednn", limits.fma_gflops_one_thread, limits.fma_gflops_all_threads},
      {Library::kOwn, "own", limits.fma_gflops_one_thread, limits.fma_gflops_all_threads}};
  if (cpu_bf16_level() == Bf16Level::kTiles)
    for (const auto& [library, name] :
         {std::pair{Library::kBf16x6, "bf16x6"}, {Library::kBf16x3, "bf16x3"}, {Library::kBf16x1, "bf16x1"}})
      libraries.push_back({library, name, limits.fma_gflops_one_thread, limits.fma_gflops_all_threads});
  for (const Bf16Level level : {Bf16Level::kVectors, Bf16Level::kTiles}) {
    if (level > cpu_bf16_level()) break;
    libraries.push_back({level == Bf16Level::kTiles ? Library::kBf16Tiles : Library::kBf16Vectors,
                         bf16_level_name(level).data(), measure_bf16_gflops(alone, level, 0.5),
                         measure_bf16_gflops(pool, level, 0.5)});
    fmt::print("bf16 by {}: {:.1f} GFLOP/s on one, {:.1f} on all\n", libraries.back().name,
               libraries.back().one_thread, libraries.back().all_threads);
  }
  for (const Product& p : kProducts)
    for (const Limits& its : libraries)
      add_product(p, its.library, fmt::format("{}/{}x{}x{}/{}", p.name, p.m, p.n, p.k, its.name), pool,
                  its.one_thread, its.all_threads);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace cornu::inline v0

int main(int argc, char** argv) {
  // oneDNN runs on the calling thread: the slices are ours. OpenMP reads its environment when it is loaded,
  // so the program starts itself again.
  static char name[] = "matmul_benchmark with one OpenMP thread";
  if (std::strcmp(argv[0], name) != 0) {
    setenv("OMP_NUM_THREADS", "1", 1);
    argv[0] = name;
    execv("/proc/self/exe", argv);
  }
  return cornu::run_all(argc, argv);
}
