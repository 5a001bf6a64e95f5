// The convolutions of the peers' workloads and of common networks, and their gradients, as training steps run
// them (channels last, weights reordered each time), beside this machine's multiply-add limit, measured in
// the same run.
//
//   convolution_benchmark [--benchmark_filter=cifar_2m] --benchmark_repetitions=5
//
// Columns: GFLOP/s of the definition, and the share of the limit at the same number of threads (Winograd's
// method needs fewer operations, so it may pass the limit); on one thread by CPU time, so that a busy machine
// matters less. "direct" is oneDNN's kernel, "products" and "depthwise" are our own.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "cornu/backends/cpu/convolution/convolution_test_support.h"
#include "cornu/backends/cpu/convolution/depthwise.h"
#include "cornu/backends/cpu/convolution/kernels.h"
#include "cornu/backends/cpu/convolution/problem.h"
#include "cornu/backends/cpu/onednn/convolution.h"
#include "cornu/base/machine_limits.h"

namespace cornu::inline v0 {
namespace {

/// A layer on square images, or on lines where axes is 1.
struct Layer {
  const char* name;
  std::int64_t batch, extent, inputs, outputs;
  bool same;
  std::int64_t kernel = 3, stride = 1, dilation = 1;
  std::int64_t axes = 2;
  bool transposed = false, depthwise = false;
};

constexpr Layer kLayers[] = {
    {"mnist_cnn_1", 128, 28, 1, 32, false},
    {"mnist_cnn_2", 128, 26, 32, 64, false},
    {"cifar10_cnn_1", 32, 32, 3, 32, true},
    {"cifar10_cnn_2", 32, 32, 32, 32, false},
    {"cifar10_cnn_3", 32, 15, 32, 64, true},
    {"cifar10_cnn_4", 32, 15, 64, 64, false},
    {"cifar_2m_1", 32, 32, 3, 32, true},
    {"cifar_2m_2", 32, 32, 32, 32, true},
    {"cifar_2m_3", 32, 16, 32, 64, true},
    {"cifar_2m_4", 32, 16, 64, 64, true},
    {"cifar_10m_1", 32, 32, 3, 64, true},
    {"cifar_10m_2", 32, 32, 64, 64, true},
    {"cifar_10m_3", 32, 16, 64, 128, true},
    {"cifar_10m_4", 32, 16, 128, 128, true},
    {"mnist_tpu_cnn_1", 200, 28, 1, 256, false},
    {"mnist_tpu_cnn_2", 200, 26, 256, 256, false},
    {.name = "up_32",
     .batch = 128,
     .extent = 14,
     .inputs = 32,
     .outputs = 32,
     .same = true,
     .stride = 2,
     .transposed = true},
    {.name = "up_64",
     .batch = 128,
     .extent = 7,
     .inputs = 64,
     .outputs = 64,
     .same = true,
     .stride = 2,
     .transposed = true},
    {.name = "up_by_two",
     .batch = 16,
     .extent = 32,
     .inputs = 64,
     .outputs = 32,
     .same = true,
     .kernel = 2,
     .stride = 2,
     .transposed = true},
    {.name = "up_to_one",
     .batch = 128,
     .extent = 14,
     .inputs = 32,
     .outputs = 1,
     .same = true,
     .stride = 2,
     .transposed = true},
    {.name = "from_1", .batch = 128, .extent = 28, .inputs = 1, .outputs = 32, .same = true},
    {.name = "from_3_wide",
     .batch = 16,
     .extent = 64,
     .inputs = 3,
     .outputs = 32,
     .same = true,
     .kernel = 7,
     .stride = 2},
    {.name = "to_1", .batch = 128, .extent = 28, .inputs = 32, .outputs = 1, .same = true},
    {.name = "to_3", .batch = 32, .extent = 32, .inputs = 64, .outputs = 3, .same = true},
    {.name = "to_1_pointwise",
     .batch = 16,
     .extent = 128,
     .inputs = 16,
     .outputs = 1,
     .same = true,
     .kernel = 1},
    {.name = "line_from_1",
     .batch = 32,
     .extent = 1024,
     .inputs = 1,
     .outputs = 64,
     .same = true,
     .kernel = 5,
     .axes = 1},
    {.name = "line", .batch = 32, .extent = 512, .inputs = 64, .outputs = 64, .same = true, .axes = 1},
    {.name = "line_16", .batch = 32, .extent = 512, .inputs = 16, .outputs = 16, .same = true, .axes = 1},
    {.name = "line_32", .batch = 32, .extent = 512, .inputs = 32, .outputs = 32, .same = true, .axes = 1},
    {.name = "line_short", .batch = 64, .extent = 16, .inputs = 128, .outputs = 128, .same = true, .axes = 1},
    {.name = "line_dilated_2",
     .batch = 32,
     .extent = 512,
     .inputs = 64,
     .outputs = 64,
     .same = true,
     .dilation = 2,
     .axes = 1},
    {.name = "line_dilated_16",
     .batch = 32,
     .extent = 512,
     .inputs = 64,
     .outputs = 64,
     .same = true,
     .dilation = 16,
     .axes = 1},
    {.name = "depthwise_32",
     .batch = 64,
     .extent = 32,
     .inputs = 32,
     .outputs = 32,
     .same = true,
     .depthwise = true},
    {.name = "depthwise_128",
     .batch = 64,
     .extent = 16,
     .inputs = 128,
     .outputs = 128,
     .same = true,
     .depthwise = true},
    {.name = "depthwise_strided",
     .batch = 64,
     .extent = 32,
     .inputs = 64,
     .outputs = 64,
     .same = true,
     .stride = 2,
     .depthwise = true},
    {.name = "efficientnet_1",
     .batch = 16,
     .extent = 112,
     .inputs = 32,
     .outputs = 32,
     .same = true,
     .kernel = 3,
     .stride = 1,
     .depthwise = true},
    {.name = "efficientnet_2a",
     .batch = 16,
     .extent = 112,
     .inputs = 96,
     .outputs = 96,
     .same = true,
     .kernel = 3,
     .stride = 2,
     .depthwise = true},
    {.name = "efficientnet_3b",
     .batch = 16,
     .extent = 28,
     .inputs = 240,
     .outputs = 240,
     .same = true,
     .kernel = 5,
     .stride = 1,
     .depthwise = true},
    {.name = "efficientnet_4a",
     .batch = 16,
     .extent = 28,
     .inputs = 240,
     .outputs = 240,
     .same = true,
     .kernel = 3,
     .stride = 2,
     .depthwise = true},
    {.name = "efficientnet_5b",
     .batch = 16,
     .extent = 14,
     .inputs = 672,
     .outputs = 672,
     .same = true,
     .kernel = 5,
     .stride = 1,
     .depthwise = true},
    {.name = "efficientnet_6b",
     .batch = 16,
     .extent = 7,
     .inputs = 1152,
     .outputs = 1152,
     .same = true,
     .kernel = 5,
     .stride = 1,
     .depthwise = true},
    {.name = "resnet_2_out",
     .batch = 16,
     .extent = 56,
     .inputs = 64,
     .outputs = 256,
     .same = true,
     .kernel = 1,
     .stride = 1},
    {.name = "resnet_3_in",
     .batch = 16,
     .extent = 28,
     .inputs = 512,
     .outputs = 128,
     .same = true,
     .kernel = 1,
     .stride = 1},
    {.name = "resnet_4_out",
     .batch = 16,
     .extent = 14,
     .inputs = 256,
     .outputs = 1024,
     .same = true,
     .kernel = 1,
     .stride = 1},
    {.name = "resnet_5_in",
     .batch = 16,
     .extent = 7,
     .inputs = 2048,
     .outputs = 512,
     .same = true,
     .kernel = 1,
     .stride = 1},
    {.name = "resnet_3_shortcut",
     .batch = 16,
     .extent = 56,
     .inputs = 256,
     .outputs = 512,
     .same = true,
     .kernel = 1,
     .stride = 2},
    {.name = "resnet_2_square", .batch = 16, .extent = 56, .inputs = 64, .outputs = 64, .same = true},
    {.name = "resnet_3_square", .batch = 16, .extent = 28, .inputs = 128, .outputs = 128, .same = true},
    {.name = "resnet_4_square", .batch = 16, .extent = 14, .inputs = 256, .outputs = 256, .same = true},
    {.name = "resnet_5_square", .batch = 16, .extent = 7, .inputs = 512, .outputs = 512, .same = true},
    {.name = "line_depthwise_5",
     .batch = 8,
     .extent = 224,
     .inputs = 448,
     .outputs = 448,
     .same = true,
     .kernel = 5,
     .axes = 1,
     .depthwise = true},
    {.name = "line_depthwise_31",
     .batch = 8,
     .extent = 224,
     .inputs = 448,
     .outputs = 448,
     .same = true,
     .kernel = 31,
     .axes = 1,
     .depthwise = true},
    {.name = "depthwise_7x7",
     .batch = 16,
     .extent = 14,
     .inputs = 96,
     .outputs = 96,
     .same = true,
     .kernel = 7,
     .depthwise = true},
    {.name = "dilated", .batch = 16, .extent = 32, .inputs = 32, .outputs = 32, .same = true, .dilation = 4},
    {.name = "pointwise_256",
     .batch = 64,
     .extent = 8,
     .inputs = 256,
     .outputs = 256,
     .same = true,
     .kernel = 1},
    {.name = "pointwise", .batch = 64, .extent = 32, .inputs = 32, .outputs = 64, .same = true, .kernel = 1},
};

std::unique_ptr<backends::cpu::ConvolutionStep> step_of(const Layer& layer) {
  const auto axes = static_cast<std::size_t>(layer.axes);
  ops::ConvolutionDimensions dimensions = ops::channels_last(layer.axes);
  ir::Dims lhs(axes + 2, layer.extent), rhs(axes + 2, layer.kernel);
  lhs.front() = layer.batch;
  lhs.back() = layer.inputs;
  rhs[axes] = layer.depthwise ? 1 : layer.inputs;
  rhs[axes + 1] = layer.outputs;
  const std::int64_t reach = (layer.kernel - 1) * layer.dilation,
                     total = layer.same ? std::max<std::int64_t>(0, reach + 1 - layer.stride) : 0;
  ops::ConvolutionOptions options = {.rhs_dilation = ir::Dims(axes, layer.dilation),
                                     .feature_group_count = layer.depthwise ? layer.inputs : 1};
  if (layer.transposed) {
    std::swap(rhs[axes], rhs[axes + 1]);
    std::swap(dimensions.kernel_input_feature_dimension, dimensions.kernel_output_feature_dimension);
    options.lhs_dilation = ir::Dims(axes, layer.stride);
    options.window_reversal = ir::Dims(axes, 1);
    options.padding_low = ir::Dims(axes, reach - total / 2);
    options.padding_high =
        ir::Dims(axes, reach - (total - total / 2) + std::max<std::int64_t>(0, layer.stride - 1 - reach));
  } else {
    options.window_strides = ir::Dims(axes, layer.stride);
    const std::int64_t needed =
        layer.same ? (layer.extent - 1) / layer.stride * layer.stride + reach + 1 - layer.extent : 0;
    options.padding_low = ir::Dims(axes, std::max<std::int64_t>(0, needed) / 2);
    options.padding_high = ir::Dims(axes, std::max<std::int64_t>(0, needed) - options.padding_low[0]);
  }
  return std::make_unique<backends::cpu::ConvolutionStep>(lhs, rhs, dimensions, options);
}

struct FreeBytes {
  void operator()(std::byte* p) const { std::free(p); }
};
using Bytes = std::unique_ptr<std::byte, FreeBytes>;

Bytes random_floats(std::size_t size_bytes) {
  Bytes bytes(static_cast<std::byte*>(std::aligned_alloc(64, (size_bytes / 64 + 1) * 64)));
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (std::size_t i = 0; i < size_bytes / sizeof(float); ++i)
    reinterpret_cast<float*>(bytes.get())[i] = uniform(random);
  return bytes;
}

enum class Method { kChosen, kDirect, kProducts, kDepthwise };

std::unique_ptr<backends::cpu::GroupKernel> make_kernel(const ir::Op& op, Method method, int num_threads) {
  const backends::cpu::Target target = backends::cpu::make_target("");
  if (method == Method::kProducts) return backends::cpu::make_gemm_convolution(op, target, num_threads);
  if (method == Method::kChosen) return backends::cpu::make_group_kernel(op, target, num_threads);
  const std::optional<backends::cpu::ConvolutionProblem> problem = backends::cpu::convolution_problem(op);
  if (problem && method == Method::kDepthwise)
    return backends::cpu::make_depthwise_convolution(*problem, target.isa, num_threads);
  return problem ? backends::cpu::onednn::make_convolution(*problem, num_threads) : nullptr;
}

void run(benchmark::State& state, const ir::Op& op, Method method, ThreadPool& pool, double limit_gflops) {
  const std::unique_ptr<backends::cpu::GroupKernel> kernel = make_kernel(op, method, pool.num_threads());
  if (kernel == nullptr) return state.SkipWithError("oneDNN has no kernel");
  kernel->build();
  const Bytes lhs = random_floats(op.operand(0).type().size_bytes()),
              rhs = random_floats(op.operand(1).type().size_bytes()),
              result = random_floats(op.result().type().size_bytes()),
              scratch = random_floats(kernel->scratch_bytes());
  const std::byte* const operands[] = {lhs.get(), rhs.get()};
  std::byte* const results[] = {result.get()};
  for (auto step : state) {
    static_cast<void>(step);
    kernel->run({operands, results, scratch.get()}, pool);
  }
  const double gflop = backends::cpu::kernel_flops(op) / 1e9;
  state.counters["GFLOP/s"] = benchmark::Counter(gflop, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["of_limit"] =
      benchmark::Counter(gflop / limit_gflops, benchmark::Counter::kIsIterationInvariantRate);
  state.SetLabel(std::string(kernel->name()));
}

int run_all(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  static ThreadPool pool(default_num_threads()), alone(1);
  const MachineLimits limits = measure_machine_limits(pool);
  fmt::print("{}, {}, {} threads: {:.1f} GFLOP/s on one, {:.1f} on all; triad {:.1f} and {:.1f} GB/s\n",
             cpu_info().model_name, isa_level_name(default_isa_level()), pool.num_threads(),
             limits.fma_gflops_one_thread, limits.fma_gflops_all_threads, limits.triad_gb_s_one_thread,
             limits.triad_gb_s_all_threads);
  static std::vector<std::unique_ptr<backends::cpu::ConvolutionStep>> steps;
  for (const Layer& layer : kLayers) {
    steps.push_back(step_of(layer));
    for (std::size_t i = 0; i < 3; ++i) {
      if (i == 1 && layer.inputs <= 3 && layer.outputs > 3 && !layer.transposed)
        continue;  // nobody asks for the gradient of images
      constexpr const char* kNames[] = {"forward", "backward_data", "backward_weights"};
      const ir::Op& op = *steps.back()->convolutions[i];
      auto add = [&](const char* how, Method method, ThreadPool& team, double limit) {
        auto* const made =
            benchmark::RegisterBenchmark(
                fmt::format("{}/{}/{}", layer.name, kNames[i], how).c_str(),
                [&op, method, &team, limit](benchmark::State& state) { run(state, op, method, team, limit); })
                ->Unit(benchmark::kMillisecond);
        if (team.num_threads() > 1) made->UseRealTime();
      };
      add("one_thread", Method::kChosen, alone, limits.fma_gflops_one_thread);
      add("one_thread/direct", Method::kDirect, alone, limits.fma_gflops_one_thread);
      add("all_threads", Method::kChosen, pool, limits.fma_gflops_all_threads);
      add("all_threads/direct", Method::kDirect, pool, limits.fma_gflops_all_threads);
      if (layer.depthwise)
        add("all_threads/depthwise", Method::kDepthwise, pool, limits.fma_gflops_all_threads);
      add("all_threads/products", Method::kProducts, pool, limits.fma_gflops_all_threads);
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace cornu::inline v0

int main(int argc, char** argv) { return cornu::run_all(argc, argv); }
