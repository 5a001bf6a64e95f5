#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "cornu/backends/cpu/kernels/slices.h"
#include "cornu/ops/all.h"
#include "cornu/transform/gradient.h"

// patterns: the convolutions that a gradient makes

/// Convolutions with their gradients, and runs of single kernels, for tests and benchmarks.
namespace cornu::inline v0::backends::cpu {

/// A convolution and its two gradients, as in a step.
struct ConvolutionStep {
  ConvolutionStep(const ir::Dims& lhs, const ir::Dims& rhs, const ops::ConvolutionDimensions& dimensions,
                  const ops::ConvolutionOptions& options, ir::DType dtype = ir::DType::kF32) {
    ir::Builder b(block);
    const ir::Value x = block.add_argument({dtype, lhs}), w = block.add_argument({dtype, rhs});
    const ir::Value y = ops::convolution(b, x, w, dimensions, options);
    ir::Dims all(y.dims().size());
    for (std::size_t d = 0; d < all.size(); ++d) all[d] = static_cast<std::int64_t>(d);
    const std::vector<ir::Value> wrt = {x, w};
    transform::gradient(b, ops::reduce_sum(b, ops::multiply(b, y, y), all), wrt);
    for (const auto& op : block.ops())
      if (op->name() == "convolution") convolutions.push_back(op.get());
  }
  ir::Block block;
  std::vector<const ir::Op*> convolutions;  // forward, data, weights
};

/// Uniform numbers in [-1, 1].
template <typename T>
std::vector<T> random_elements(const ir::Value& value, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<T> out(static_cast<std::size_t>(value.type().num_elements()));
  for (T& x : out) x = static_cast<T>(uniform(random));
  return out;
}

template <typename T>
std::vector<T> run_kernel(GroupKernel& kernel, const ir::Op& op, const std::vector<T>& lhs,
                          const std::vector<T>& rhs, ThreadPool& pool) {
  const auto size = static_cast<std::size_t>(op.result().type().num_elements());
  constexpr std::size_t kBeyond = 64;  // guard elements, and lines of scratch memory
  std::vector<T> result(size + kBeyond, T(99));
  const std::byte* const operands[] = {reinterpret_cast<const std::byte*>(lhs.data()),
                                       reinterpret_cast<const std::byte*>(rhs.data())};
  std::byte* const results[] = {reinterpret_cast<std::byte*>(result.data())};
  // Old contents of an arena must not matter.
  std::vector<std::byte> scratch(kernel.scratch_bytes() + 64 * (1 + kBeyond), std::byte{0xff});
  std::byte* const aligned =
      scratch.data() + (64 - reinterpret_cast<std::uintptr_t>(scratch.data()) % 64) % 64;
  kernel.build();
  kernel.run({operands, results, aligned}, pool);
  const std::span<const std::byte> beyond(aligned + kernel.scratch_bytes(), 64 * (kBeyond - 1));
  EXPECT_TRUE(std::ranges::all_of(beyond, [](std::byte x) { return x == std::byte{0xff}; }))
      << "writes beyond its scratch memory";
  EXPECT_TRUE(std::all_of(result.begin() + static_cast<std::ptrdiff_t>(size), result.end(), [](T x) {
    return x == T(99);
  })) << "writes beyond its result";
  result.resize(size);
  return result;
}

template <typename T>
std::vector<T> run_kernel(GroupKernel& kernel, const ir::Op& op, ThreadPool& pool) {
  return run_kernel(kernel, op, random_elements<T>(op.operand(0), 1), random_elements<T>(op.operand(1), 2),
                    pool);
}

/// The norm of the difference divided by the norm of the expected values.
inline double relative_error(const std::vector<float>& actual, const std::vector<double>& expected) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    difference += (actual[i] - expected[i]) * (actual[i] - expected[i]);
    norm += expected[i] * expected[i];
  }
  return difference == 0 ? 0 : std::sqrt(difference / norm);
}

}  // namespace cornu::inline v0::backends::cpu
