// The convolutions of the peers' workloads and their gradients, as training steps run them (channels last, weights reordered each time),
// beside this machine's multiply-add limit, measured in the same run.
//
//   convolution_benchmark [--benchmark_filter=cifar_2m] --benchmark_repetitions=5
//
// Columns: GFLOP/s of the definition, and the share of the limit at the same number of threads (Winograd's method needs fewer operations,
// so it may pass the limit); on one thread by CPU time, so that a busy machine matters less. "direct" is without that method, "products" is
// our own kernel, which serves where oneDNN does not.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "cornu/backends/cpu/convolution/kernels.h"
#include "cornu/backends/cpu/convolution/test_convolutions.h"
#include "cornu/base/machine_limits.h"

namespace cornu::inline v0 {
namespace {

struct Layer {
  const char* name;
  std::int64_t batch, extent, inputs, outputs;
  bool same;
};

constexpr Layer kLayers[] = {
    {"mnist_cnn_1", 128, 28, 1, 32, false},        {"mnist_cnn_2", 128, 26, 32, 64, false}, {"cifar10_cnn_1", 32, 32, 3, 32, true},
    {"cifar10_cnn_2", 32, 32, 32, 32, false},      {"cifar10_cnn_3", 32, 15, 32, 64, true}, {"cifar10_cnn_4", 32, 15, 64, 64, false},
    {"cifar_2m_1", 32, 32, 3, 32, true},           {"cifar_2m_2", 32, 32, 32, 32, true},    {"cifar_2m_3", 32, 16, 32, 64, true},
    {"cifar_2m_4", 32, 16, 64, 64, true},          {"cifar_10m_1", 32, 32, 3, 64, true},    {"cifar_10m_2", 32, 32, 64, 64, true},
    {"cifar_10m_3", 32, 16, 64, 128, true},        {"cifar_10m_4", 32, 16, 128, 128, true}, {"mnist_tpu_cnn_1", 200, 28, 1, 256, false},
    {"mnist_tpu_cnn_2", 200, 26, 256, 256, false},
};

std::unique_ptr<backends::cpu::ConvolutionStep> step_of(const Layer& layer) {
  const ir::Dims padding(2, layer.same ? 1 : 0);
  return std::make_unique<backends::cpu::ConvolutionStep>(ir::Dims{layer.batch, layer.extent, layer.extent, layer.inputs},
                                                          ir::Dims{3, 3, layer.inputs, layer.outputs}, ops::channels_last(2),
                                                          ops::ConvolutionOptions{.padding_low = padding, .padding_high = padding});
}

struct FreeBytes {
  void operator()(std::byte* p) const { std::free(p); }
};
using Bytes = std::unique_ptr<std::byte, FreeBytes>;

Bytes random_floats(std::size_t size_bytes) {
  Bytes bytes(static_cast<std::byte*>(std::aligned_alloc(64, (size_bytes / 64 + 1) * 64)));
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (std::size_t i = 0; i < size_bytes / sizeof(float); ++i) reinterpret_cast<float*>(bytes.get())[i] = uniform(random);
  return bytes;
}

enum class Method { kChosen, kDirect, kProducts };

void run(benchmark::State& state, const ir::Op& op, Method method, ThreadPool& pool, double limit_gflops) {
  backends::cpu::Target target = backends::cpu::make_target("");
  if (method != Method::kChosen) target.winograd = false;
  const std::unique_ptr<backends::cpu::GroupKernel> kernel = method == Method::kProducts
                                                                 ? backends::cpu::make_gemm_convolution(op, target, pool.num_threads())
                                                                 : backends::cpu::make_convolution_kernel(op, target, pool.num_threads());
  const Bytes lhs = random_floats(op.operand(0).type().size_bytes()), rhs = random_floats(op.operand(1).type().size_bytes()),
              result = random_floats(op.result().type().size_bytes()), scratch = random_floats(kernel->scratch_bytes());
  const std::byte* const operands[] = {lhs.get(), rhs.get()};
  std::byte* const results[] = {result.get()};
  for (auto step : state) {
    static_cast<void>(step);
    kernel->run({operands, results, scratch.get()}, pool);
  }
  const double gflop = backends::cpu::kernel_flops(op) / 1e9;
  state.counters["GFLOP/s"] = benchmark::Counter(gflop, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["of_limit"] = benchmark::Counter(gflop / limit_gflops, benchmark::Counter::kIsIterationInvariantRate);
  state.SetLabel(std::string(kernel->name()));
}

int run_all(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  static ThreadPool pool(default_num_threads()), alone(1);
  const MachineLimits limits = measure_machine_limits(pool);
  fmt::print("{}, {}, {} threads: {:.1f} GFLOP/s on one, {:.1f} on all; triad {:.1f} and {:.1f} GB/s\n", cpu_info().model_name,
             isa_level_name(default_isa_level()), pool.num_threads(), limits.fma_gflops_one_thread, limits.fma_gflops_all_threads,
             limits.triad_gb_s_one_thread, limits.triad_gb_s_all_threads);
  static std::vector<std::unique_ptr<backends::cpu::ConvolutionStep>> steps;
  for (const Layer& layer : kLayers) {
    steps.push_back(step_of(layer));
    for (std::size_t i = 0; i < 3; ++i) {
      if (i == 1 && layer.inputs <= 3) continue;  // nobody asks for the gradient of images
      constexpr const char* kNames[] = {"forward", "backward_data", "backward_weights"};
      const ir::Op& op = *steps.back()->convolutions[i];
      auto add = [&](const char* how, Method method, ThreadPool& team, double limit) {
        auto* const made =
            benchmark::RegisterBenchmark(fmt::format("{}/{}/{}", layer.name, kNames[i], how).c_str(), [&op, method, &team,
                                                                                                       limit](benchmark::State& state) {
              run(state, op, method, team, limit);
            })->Unit(benchmark::kMillisecond);
        if (team.num_threads() > 1) made->UseRealTime();
      };
      add("one_thread", Method::kChosen, alone, limits.fma_gflops_one_thread);
      add("one_thread/direct", Method::kDirect, alone, limits.fma_gflops_one_thread);
      add("all_threads", Method::kChosen, pool, limits.fma_gflops_all_threads);
      add("all_threads/direct", Method::kDirect, pool, limits.fma_gflops_all_threads);
      add("all_threads/products", Method::kProducts, pool, limits.fma_gflops_all_threads);
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace cornu::inline v0

int main(int argc, char** argv) { return cornu::run_all(argc, argv); }
