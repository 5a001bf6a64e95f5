// Eager operations: what one costs from C++. Beside the peers: benchmarks/eager_compare.py.
//
//   eager_benchmark --benchmark_min_time=0.2
#include <benchmark/benchmark.h>

#include "cornu/tensor/ops.h"
#include "cornu/tensor/tensor.h"
#include "cornu/tensor/variable.h"

namespace cornu::inline v0 {
namespace {

Tensor counted(const Dims& shape) {
  return ops::reshape(ops::cast(ops::arange(ir::TensorType{DType::kF32, shape}.num_elements()), DType::kF32),
                      shape) /
         1000.0;
}

template <typename F>
void repeat(benchmark::State& state, const F& operation) {
  for (auto _ : state) benchmark::DoNotOptimize(operation());
}

void scalar_add(benchmark::State& state) {
  const Tensor x = counted({}), y = counted({});
  repeat(state, [&] { return x + y; });
}
void add_32x32(benchmark::State& state) {
  const Tensor x = counted({32, 32}), y = counted({32, 32});
  repeat(state, [&] { return x + y; });
}
void times_number_32x32(benchmark::State& state) {
  const Tensor x = counted({32, 32});
  repeat(state, [&] { return x * 2.0; });
}
void add_row_32x32(benchmark::State& state) {
  const Tensor x = counted({32, 32}), y = counted({32});
  repeat(state, [&] { return x + y; });
}
void matmul_8x8(benchmark::State& state) {
  const Tensor x = counted({8, 8});
  repeat(state, [&] { return ops::matmul(x, x); });
}
void sum_32x32(benchmark::State& state) {
  const Tensor x = counted({32, 32});
  repeat(state, [&] { return ops::sum(x); });
}
void softmax_32x10(benchmark::State& state) {
  const Tensor x = counted({32, 10});
  repeat(state, [&] { return ops::softmax(x); });
}
void exp_32x32(benchmark::State& state) {
  const Tensor x = counted({32, 32});
  repeat(state, [&] { return ops::exp(x); });
}
void argmax_32x10(benchmark::State& state) {
  const Tensor x = counted({32, 10});
  repeat(state, [&] { return ops::argmax(x); });
}
void variable_read_512x512(benchmark::State& state) {
  const Variable x(counted({512, 512}).literal());
  (void)x.buffer();
  repeat(state, [&] { return x.value(); });
}
void add_1000x1000(benchmark::State& state) {
  const Tensor x = counted({1000, 1000}), y = counted({1000, 1000});
  repeat(state, [&] { return x + y; });
}
void matmul_512x512(benchmark::State& state) {
  const Tensor x = counted({512, 512});
  repeat(state, [&] { return ops::matmul(x, x); });
}
void transpose_1000x1000(benchmark::State& state) {
  const Tensor x = counted({1000, 1000});
  repeat(state, [&] { return ops::transpose(x); });
}
void sum_1000x1000(benchmark::State& state) {
  const Tensor x = counted({1000, 1000});
  repeat(state, [&] { return ops::sum(x); });
}

BENCHMARK(scalar_add);
BENCHMARK(add_32x32);
BENCHMARK(times_number_32x32);
BENCHMARK(add_row_32x32);
BENCHMARK(matmul_8x8);
BENCHMARK(sum_32x32);
BENCHMARK(softmax_32x10);
BENCHMARK(exp_32x32);
BENCHMARK(argmax_32x10);
BENCHMARK(variable_read_512x512);
BENCHMARK(add_1000x1000);
BENCHMARK(matmul_512x512);
BENCHMARK(transpose_1000x1000);
BENCHMARK(sum_1000x1000);

}  // namespace
}  // namespace cornu::inline v0

BENCHMARK_MAIN();
