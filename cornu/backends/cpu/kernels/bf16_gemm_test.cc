#include "cornu/backends/cpu/kernels/bf16_gemm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "cornu/backends/cpu/kernels/bf16_tile_gemm.h"
#include "cornu/backends/cpu/kernels/matrix_dot.h"
#include "cornu/base/cpu_info.h"

namespace cornu::inline v0::backends::cpu::kernels {
namespace {

using Half = std::uint16_t;
constexpr Half kUntouched16 = 0x1234;

float wide(Half x) { return std::bit_cast<float>(static_cast<std::uint32_t>(x) << 16); }

/// To nearest even; no NaN.
Half narrow(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return static_cast<Half>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

/// Operands with padded rows, so that leading dimensions matter.
struct Bf16Case {
  Bf16Case(bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n, std::int64_t k) {
    std::mt19937 random(static_cast<unsigned>(m * 7919 + n * 31 + k));
    std::uniform_real_distribution<float> uniform(-1, 1);
    operands = {.transpose_a = transpose_a, .transpose_b = transpose_b, .m = m, .n = n, .k = k};
    operands.lda = (transpose_a ? m : k) + 3;
    operands.ldb = (transpose_b ? k : n) + 1;
    operands.ldc = n + 2;
    a.resize(static_cast<std::size_t>((transpose_a ? k : m) * operands.lda) + 1);
    b.resize(static_cast<std::size_t>((transpose_b ? n : k) * operands.ldb) + 1);
    for (Half& value : a) value = narrow(uniform(random));
    for (Half& value : b) value = narrow(uniform(random));
    operands.a = a.data();
    operands.b = b.data();
  }

  float a_at(std::int64_t i, std::int64_t l) const {
    if (l == operands.k) return 0;
    return wide(
        a[static_cast<std::size_t>(operands.transpose_a ? l * operands.lda + i : i * operands.lda + l)]);
  }
  float b_at(std::int64_t l, std::int64_t j) const {
    if (l == operands.k) return 0;
    return wide(
        b[static_cast<std::size_t>(operands.transpose_b ? j * operands.ldb + l : l * operands.ldb + j)]);
  }

  /// A chain of products by vdpbf16ps or tdpbf16ps.
  float chain(Bf16Level level, std::int64_t i, std::int64_t j, std::int64_t first, std::int64_t end) const {
    float sum = 0;
    if (level == Bf16Level::kVectors) {
      for (std::int64_t l = first; l < end; l += 2)
        sum = std::fma(a_at(i, l), b_at(l, j), std::fma(a_at(i, l + 1), b_at(l + 1, j), sum));
      return sum;
    }
    for (std::int64_t tile = first; tile < end; tile += 32) {
      float even = 0, odd = 0;
      for (std::int64_t l = tile; l < std::min(end, tile + 32); l += 2) {
        even = std::fma(a_at(i, l), b_at(l, j), even);
        odd = std::fma(a_at(i, l + 1), b_at(l + 1, j), odd);
      }
      sum += even + odd;
    }
    return sum;
  }

  /// The definition.
  std::vector<Half> naive(Bf16Level level) const {
    std::vector<Half> c(size(), kUntouched16);
    for (std::int64_t i = 0; i < operands.m; ++i) {
      for (std::int64_t j = 0; j < operands.n; ++j) {
        float sum = 0;
        for (std::int64_t first = 0; first < operands.k; first += kBf16Depth) {
          const float next = chain(level, i, j, first, std::min(operands.k, first + kBf16Depth));
          sum = first == 0 ? next : sum + next;
        }
        c[static_cast<std::size_t>(i * operands.ldc + j)] = narrow(sum);
      }
    }
    return c;
  }

  std::vector<Half> run(Bf16Level level) const { return run_sliced(level, operands.m, operands.n); }

  /// The result in slices of `rows` x `columns`.
  std::vector<Half> run_sliced(Bf16Level level, std::int64_t rows, std::int64_t columns) const {
    std::vector<Half> c(size(), kUntouched16);
    std::vector<float> sums(size(), std::numeric_limits<float>::quiet_NaN());
    for (std::int64_t i = 0; i < operands.m; i += rows) {
      for (std::int64_t j = 0; j < operands.n; j += columns) {
        Bf16Operands p = operands;
        p.m = std::min(rows, operands.m - i);
        p.n = std::min(columns, operands.n - j);
        p.a += i * (operands.transpose_a ? 1 : operands.lda);
        p.b += j * (operands.transpose_b ? operands.ldb : 1);
        p.c = c.data() + i * operands.ldc + j;
        p.sums = operands.k > kBf16Depth ? sums.data() + i * operands.ldc + j : nullptr;
        level == Bf16Level::kTiles ? bf16_tile_gemm(p) : bf16_gemm(p);
      }
    }
    return c;
  }

  std::size_t size() const { return static_cast<std::size_t>(operands.m * operands.ldc); }

  Bf16Operands operands;
  std::vector<Half> a, b;
};

class Bf16GemmTest : public testing::TestWithParam<Bf16Level> {
 protected:
  void SetUp() override {
    if (cpu_bf16_level() < GetParam()) GTEST_SKIP() << "this CPU has no AVX512-BF16 or AMX-BF16";
  }
};

INSTANTIATE_TEST_SUITE_P(Levels, Bf16GemmTest, testing::Values(Bf16Level::kVectors, Bf16Level::kTiles),
                         [](const auto& level) { return std::string(bf16_level_name(level.param)); });

TEST_P(Bf16GemmTest, EqualsTheNaiveLoopBitForBitAtOddShapes) {
  for (std::int64_t m : {1, 2, 5, 13, 14, 15, 29}) {
    for (std::int64_t n : {1, 3, 15, 16, 17, 31, 32, 33, 50}) {
      for (std::int64_t k : {1, 2, 3, 7, 8, 31, 32, 33, 67}) {
        for (int transposes = 0; transposes < 4; ++transposes) {
          const Bf16Case c((transposes & 1) != 0, (transposes & 2) != 0, m, n, k);
          ASSERT_EQ(c.run(GetParam()), c.naive(GetParam()))
              << m << " x " << n << " x " << k << ", " << transposes;
        }
      }
    }
  }
}

TEST_P(Bf16GemmTest, EqualsTheNaiveLoopWhereTheDepthIsCutIntoBlocks) {
  for (std::int64_t k : {511, 513, 545, 1023, 1024, 1025, 2049, 3000}) {
    for (int transposes = 0; transposes < 4; ++transposes) {
      const Bf16Case c((transposes & 1) != 0, (transposes & 2) != 0, 17, 37, k);
      EXPECT_EQ(c.run(GetParam()), c.naive(GetParam())) << "k = " << k << ", " << transposes;
    }
  }
}

TEST_P(Bf16GemmTest, EqualsTheNaiveLoopAcrossBlocksOfColumns) {
  for (std::int64_t m : {9, 80}) {  // small blocks of few rows, large ones
    for (bool transpose_b : {false, true}) {
      const Bf16Case c(false, transpose_b, m, 333, 1030);
      EXPECT_EQ(c.run(GetParam()), c.naive(GetParam())) << m << ", " << transpose_b;
    }
  }
}

TEST_P(Bf16GemmTest, EqualsTheNaiveLoopAcrossBlocksOfRows) {
  for (std::int64_t k : {1030, 2050}) {  // more rows than are copied at once, of one chain and of two
    const Bf16Case c(true, false, 530, 17, k);
    EXPECT_EQ(c.run(GetParam()), c.naive(GetParam())) << k;
  }
}

TEST_P(Bf16GemmTest, EqualsTheNaiveLoopWhereLinesAreLong) {
  for (std::int64_t k : {40, 300, 1100}) {
    for (bool transpose_a : {false, true}) {
      const Bf16Case c(transpose_a, false, 43, 1100, k);
      EXPECT_EQ(c.run(GetParam()), c.naive(GetParam())) << k << ", " << transpose_a;
    }
  }
}

TEST_P(Bf16GemmTest, SlicesKeepTheBits) {
  for (int transposes = 0; transposes < 4; ++transposes) {
    const Bf16Case c((transposes & 1) != 0, (transposes & 2) != 0, 61, 75, 1091);
    const std::vector<Half> whole = c.run(GetParam());
    for (std::int64_t rows : {1, 7, 16, 61}) {
      for (std::int64_t columns : {1, 10, 32, 75})
        EXPECT_EQ(c.run_sliced(GetParam(), rows, columns), whole) << rows << ", " << columns;
    }
  }
}

TEST_P(Bf16GemmTest, NonFiniteValuesStayInTheirRowAndColumn) {
  for (int transposes = 0; transposes < 4; ++transposes) {
    Bf16Case c((transposes & 1) != 0, (transposes & 2) != 0, 9, 10, 7);
    c.a[static_cast<std::size_t>(c.operands.transpose_a ? 2 * c.operands.lda + 4 : 4 * c.operands.lda + 2)] =
        0x7f80;  // infinity
    c.b[static_cast<std::size_t>(c.operands.transpose_b ? 7 * c.operands.ldb + 6 : 6 * c.operands.ldb + 7)] =
        0x7fc0;  // NaN
    const std::vector<Half> result = c.run(GetParam());
    for (std::int64_t i = 0; i < 9; ++i) {
      for (std::int64_t j = 0; j < 10; ++j)
        EXPECT_EQ(std::isfinite(wide(result[static_cast<std::size_t>(i * c.operands.ldc + j)])),
                  i != 4 && j != 7)
            << i << ", " << j;
    }
  }
}

TEST_P(Bf16GemmTest, EmptyProducts) {
  for (const Half value : Bf16Case(false, false, 0, 5, 5).run(GetParam())) EXPECT_EQ(value, kUntouched16);
  const Bf16Case no_depth(false, false, 2, 3, 0);
  const std::vector<Half> result = no_depth.run(GetParam());
  for (std::int64_t i = 0; i < 2; ++i) {
    for (std::int64_t j = 0; j < 5; ++j)
      EXPECT_EQ(result[static_cast<std::size_t>(i * 5 + j)], j < 3 ? 0 : kUntouched16);
  }
}

TEST_P(Bf16GemmTest, AnyNumberOfThreadsHasTheSameBits) {
  for (const std::int64_t k : {257, 1500}) {
    const Bf16Case c(true, true, 150, 200, k);
    MatrixProduct product;
    product.transpose_a = product.transpose_b = true;
    product.m = c.operands.m;
    product.n = c.operands.n;
    product.k = k;
    product.lda = c.operands.lda;
    product.ldb = c.operands.ldb;
    product.ldc = c.operands.ldc;
    const std::vector<Half> expected = c.run(GetParam());
    for (const int num_threads : {1, 2, 3, 8, 16}) {
      ThreadPool pool(num_threads);
      std::vector<Half> result(c.size(), kUntouched16);
      std::vector<float> sums(k > kBf16Depth ? c.size() : 0);
      Target target{.isa = IsaLevel::kAvx512, .bf16 = GetParam()};
      run_bf16_matrix_dot(slice_matrix_product(product, {target.isa, target.bf16}, num_threads), target,
                          c.a.data(), c.b.data(), result.data(), sums.empty() ? nullptr : sums.data(), pool);
      EXPECT_EQ(result, expected) << num_threads << " threads, k = " << k;
    }
  }
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu::kernels
