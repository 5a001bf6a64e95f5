#include "cornu/backends/cpu/kernels/int4_gemm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace cornu::inline v0::backends::cpu::kernels {
namespace {

struct Int4Case {
  std::int64_t m, n, k, group;
};

/// Random matrices, and the product by its definition.
struct Int4Matrices {
  explicit Int4Matrices(const Int4Case& c) : shape(c) {
    std::mt19937 random(5);
    std::uniform_real_distribution<float> number(-1, 1);
    const std::int64_t groups = (c.k + c.group - 1) / c.group;
    x.resize(static_cast<std::size_t>(c.m * c.k));
    packed.resize(static_cast<std::size_t>(c.k * bytes()));
    scale.resize(static_cast<std::size_t>(groups * c.n));
    zero.resize(scale.size());
    for (float& each : x) each = number(random);
    for (std::int8_t& each : packed) each = static_cast<std::int8_t>(random());
    for (float& each : scale) each = 1 + number(random) / 2;
    for (float& each : zero) each = std::round(number(random) * 8);
  }

  std::int64_t bytes() const { return (shape.n + 1) / 2; }
  double weight(std::int64_t row, std::int64_t column) const {
    const int byte = packed[static_cast<std::size_t>(row * bytes() + column / 2)];
    const int integer = column % 2 == 1 ? byte >> 4 : static_cast<std::int8_t>(byte << 4) >> 4;
    const auto group = static_cast<std::size_t>(row / shape.group * shape.n + column);
    return (integer - static_cast<double>(zero[group])) * static_cast<double>(scale[group]);
  }
  double product(std::int64_t row, std::int64_t column) const {
    double sum = 0;
    for (std::int64_t i = 0; i < shape.k; ++i)
      sum += static_cast<double>(x[static_cast<std::size_t>(row * shape.k + i)]) * weight(i, column);
    return sum;
  }

  Int4Case shape;
  std::vector<float> x, scale, zero;
  std::vector<std::int8_t> packed;
};

void expect_product(IsaLevel level, const Int4Case& c) {
  const Int4Matrices matrices(c);
  constexpr float kUnwritten = 77;
  std::vector<float> y(static_cast<std::size_t>(c.m * c.n), kUnwritten);
  std::vector<std::byte> memory(int4_gemm_scratch_bytes() + 64);
  std::byte* const scratch = memory.data() + (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64) % 64;
  const Int4Operands operands{.m = c.m,
                              .n = c.n,
                              .k = c.k,
                              .group = c.group,
                              .x = matrices.x.data(),
                              .packed = matrices.packed.data(),
                              .scale = matrices.scale.data(),
                              .zero = matrices.zero.data(),
                              .y = y.data()};
  // All rows but the last of several, in two parts of columns.
  const std::int64_t columns = std::min(kInt4Columns, c.n), rows = std::max<std::int64_t>(c.m - 1, 1);
  int4_gemm(level, operands, {0, rows, 0, columns}, scratch);
  int4_gemm(level, operands, {0, rows, columns, c.n - columns}, scratch);
  for (std::int64_t i = 0; i < c.m; ++i)
    for (std::int64_t j = 0; j < c.n; ++j)
      ASSERT_NEAR(y[static_cast<std::size_t>(i * c.n + j)],
                  i < rows ? matrices.product(i, j) : static_cast<double>(kUnwritten),
                  1e-5 * (10 + static_cast<double>(c.k)))
          << c.m << " x " << c.n << " x " << c.k << ", " << i << ", " << j;
}

TEST(Int4GemmTest, EachLevelComputesPartsOfProducts) {
  for (const IsaLevel level : cpu_isa_levels())
    for (const Int4Case& c : {Int4Case{2, 64, 128, 128}, Int4Case{2, 130, 300, 128}, Int4Case{14, 65, 9, 4},
                              Int4Case{8, 1, 5, 100}, Int4Case{1, 150, 261, 60}, Int4Case{5, 127, 258, 130},
                              Int4Case{3, 64, 0, 4}})
      expect_product(level, c);
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu::kernels
