#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "cornu/backends/cpu/elements/kernels.h"
#include "cornu/backends/cpu/recurrent/gates.h"
#include "cornu/base/cpu_info.h"

namespace cornu::inline v0::backends::cpu {
namespace {

/// Every 65537th float, and those between where the functions end.
std::vector<float> numbers() {
  std::vector<float> all;
  for (std::uint64_t bits = 0; bits < (std::uint64_t{1} << 32); bits += 65537)
    all.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  for (int i = -110 * 64; i <= 110 * 64; ++i) all.push_back(static_cast<float>(i) / 64);
  return all;
}

/// The results of the op's eager kernel.
std::vector<float> by_kernel(IsaLevel level, std::string_view op, const std::vector<float>& x) {
  const ElementwiseKernel kernel =
      elements::kernel_set(level).find({op, "", ir::DType::kF32, ir::DType::kF32});
  std::vector<float> y(x.size());
  const auto* const in = reinterpret_cast<const std::byte*>(x.data());
  const std::int64_t stride = 1;
  kernel(static_cast<std::int64_t>(x.size()), &in, &stride, reinterpret_cast<std::byte*>(y.data()));
  return y;
}

void expect_same(const std::vector<float>& x, const std::vector<float>& y, const std::vector<float>& wanted) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (std::isnan(y[i]) && std::isnan(wanted[i])) continue;
    ASSERT_EQ(std::bit_cast<std::uint32_t>(y[i]), std::bit_cast<std::uint32_t>(wanted[i])) << "of " << x[i];
  }
}

TEST(FloatMathTest, KernelsOfWholeLayersComputeWhatTheOpsCompute) {
  const std::vector<float> x = numbers();
  const auto count = static_cast<std::int64_t>(x.size());
  for (const IsaLevel level : cpu_isa_levels()) {
    SCOPED_TRACE(isa_level_name(level));
    const recurrent::GateFunctions& gates = recurrent::gate_functions(level);
    const auto activated = [&](recurrent::Activation activation) {
      std::vector<float> y(x.size());
      gates.activate[static_cast<std::size_t>(activation)](count, x.data(), y.data());
      return y;
    };
    expect_same(x, activated(recurrent::Activation::kTanh), by_kernel(level, "tanh", x));
    expect_same(x, activated(recurrent::Activation::kSigmoid), by_kernel(level, "logistic", x));
  }
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
