#include "cornu/backends/cpu/kernels/gemm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

namespace cornu::inline v0::backends::cpu::kernels {
namespace {

constexpr float kUntouched = -123.0f;

// Operands with padded rows, so that leading dimensions matter.
struct Case {
  Case(bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n, std::int64_t k,
       bool accumulate = false) {
    std::mt19937 random(static_cast<unsigned>(m * 7919 + n * 31 + k));
    std::uniform_real_distribution<float> uniform(-1, 1);
    operands = {.transpose_a = transpose_a,
                .transpose_b = transpose_b,
                .accumulate = accumulate,
                .m = m,
                .n = n,
                .k = k};
    operands.lda = (transpose_a ? m : k) + 3;
    operands.ldb = (transpose_b ? k : n) + 1;
    operands.ldc = n + 2;
    a.resize(static_cast<std::size_t>((transpose_a ? k : m) * operands.lda) + 1);
    b.resize(static_cast<std::size_t>((transpose_b ? n : k) * operands.ldb) + 1);
    for (float& value : a) value = uniform(random);
    for (float& value : b) value = uniform(random);
    start.assign(static_cast<std::size_t>(m * operands.ldc), kUntouched);
    for (std::int64_t i = 0; accumulate && i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j)
        start[static_cast<std::size_t>(i * operands.ldc + j)] = uniform(random);
    }
    operands.a = a.data();
    operands.b = b.data();
  }

  float a_at(std::int64_t i, std::int64_t l) const {
    return a[static_cast<std::size_t>(operands.transpose_a ? l * operands.lda + i : i * operands.lda + l)];
  }
  float b_at(std::int64_t l, std::int64_t j) const {
    return b[static_cast<std::size_t>(operands.transpose_b ? j * operands.ldb + l : l * operands.ldb + j)];
  }

  // The definition: one chain in rising order, rounded as the level does.
  std::vector<float> naive(IsaLevel level) const {
    std::vector<float> c = start;
    for (std::int64_t i = 0; i < operands.m; ++i) {
      for (std::int64_t j = 0; j < operands.n; ++j) {
        float& element = c[static_cast<std::size_t>(i * operands.ldc + j)];
        float sum = operands.accumulate ? element : 0.0f;
        for (std::int64_t l = 0; l < operands.k; ++l) {
          const volatile float product = a_at(i, l) * b_at(l, j);  // volatile: no contraction by the compiler
          sum = level == IsaLevel::kSse2 ? sum + product : std::fma(a_at(i, l), b_at(l, j), sum);
        }
        element = sum;
      }
    }
    return c;
  }

  std::vector<float> run(IsaLevel level) const {
    std::vector<float> c = start;
    GemmOperands p = operands;
    p.c = c.data();
    gemm(level, p);
    return c;
  }

  // The result in slices of `rows` x `columns`.
  std::vector<float> run_sliced(IsaLevel level, std::int64_t rows, std::int64_t columns) const {
    std::vector<float> c = start;
    for (std::int64_t i = 0; i < operands.m; i += rows) {
      for (std::int64_t j = 0; j < operands.n; j += columns) {
        GemmOperands p = operands;
        p.m = std::min(rows, operands.m - i);
        p.n = std::min(columns, operands.n - j);
        p.a += i * (operands.transpose_a ? 1 : operands.lda);
        p.b += j * (operands.transpose_b ? operands.ldb : 1);
        p.c = c.data() + i * operands.ldc + j;
        gemm(level, p);
      }
    }
    return c;
  }

  GemmOperands operands;
  std::vector<float> a, b, start;
};

bool same_bits(const std::vector<float>& x, const std::vector<float>& y) {
  return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(float)) == 0;
}

TEST(GemmTest, EqualsTheNaiveLoopBitForBitAtOddShapes) {
  for (IsaLevel level : cpu_isa_levels()) {
    for (std::int64_t m : {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 14, 15, 29}) {
      for (std::int64_t n : {1, 3, 8, 10, 15, 16, 17, 31, 32, 33, 50}) {
        for (std::int64_t k : {1, 2, 7, 8, 9, 33}) {
          for (int flags = 0; flags < 8; ++flags) {
            const Case c((flags & 1) != 0, (flags & 2) != 0, m, n, k, (flags & 4) != 0);
            ASSERT_TRUE(same_bits(c.run(level), c.naive(level)))
                << isa_level_name(level) << ' ' << m << " x " << n << " x " << k << ", flags " << flags;
          }
        }
      }
    }
  }
}

TEST(GemmTest, EqualsTheNaiveLoopWhereFewRowsHaveManyColumns) {
  for (IsaLevel level : cpu_isa_levels()) {
    for (std::int64_t m : {1, 2, 4, 5, 8}) {
      for (int flags : {0, 1, 4, 5}) {
        const Case c((flags & 1) != 0, false, m, 2061, 11, (flags & 4) != 0);
        ASSERT_TRUE(same_bits(c.run(level), c.naive(level)))
            << isa_level_name(level) << ' ' << m << " rows, flags " << flags;
      }
    }
  }
}

TEST(GemmTest, EqualsTheNaiveLoopWhereTheDepthIsCutIntoBlocks) {
  for (IsaLevel level : cpu_isa_levels()) {
    for (std::int64_t k : {511, 512, 513, 1300}) {
      for (int transposes = 0; transposes < 4; ++transposes) {
        const Case c((transposes & 1) != 0, (transposes & 2) != 0, 17, 37, k);
        EXPECT_TRUE(same_bits(c.run(level), c.naive(level))) << isa_level_name(level) << ", k = " << k;
      }
    }
  }
}

TEST(GemmTest, CopiesOfRowsKeepTheBits) {
  for (IsaLevel level : cpu_isa_levels()) {
    for (int transposes = 0; transposes < 4; ++transposes) {
      Case c((transposes & 1) != 0, (transposes & 2) != 0, 253, 150, 509);
      ASSERT_EQ(c.operands.lda % 256, 0);
      c.operands.may_copy_rows = true;
      const std::vector<float> copied = c.run(level);
      c.operands.may_copy_rows = false;
      EXPECT_TRUE(same_bits(c.run(level), copied)) << isa_level_name(level) << ", " << transposes;
      EXPECT_TRUE(same_bits(copied, c.naive(level))) << isa_level_name(level) << ", " << transposes;
    }
  }
}

// Copies are made beside the sums where a tile's line does not pass the end of a row, and before them
// elsewhere. The last line of a has no memory after it: sanitizers see a read past it.
TEST(GemmTest, CopiesOfLinesStayInsideA) {
  for (IsaLevel level : cpu_isa_levels()) {
    for (std::int64_t m : {5, 15, 16, 17, 28, 30, 32}) {
      Case c(true, false, m, 300, 6);
      c.operands.lda = m;
      c.a.resize(static_cast<std::size_t>(m * 6));
      c.a.shrink_to_fit();
      c.operands.a = c.a.data();
      EXPECT_TRUE(same_bits(c.run(level), c.naive(level))) << isa_level_name(level) << ", " << m;
    }
  }
}

TEST(GemmTest, FetchingTheNextOperandsKeepsTheBits) {
  for (IsaLevel level : cpu_isa_levels()) {
    for (const auto& [m, n, k] :
         {std::array<std::int64_t, 3>{30, 70, 20}, {130, 300, 40}, {3, 64, 600}, {70, 40, 1}}) {
      for (int transposes = 0; transposes < 4; ++transposes) {
        Case c((transposes & 1) != 0, (transposes & 2) != 0, m, n, k);
        const Case next((transposes & 1) != 0, (transposes & 2) != 0, m, n, k);
        const std::vector<float> expected = c.naive(level);
        for (int fetches = 1; fetches < 4; ++fetches) {
          c.operands.next_a = (fetches & 1) != 0 ? next.a.data() : nullptr;
          c.operands.next_b = (fetches & 2) != 0 ? next.b.data() : nullptr;
          EXPECT_TRUE(same_bits(c.run(level), expected))
              << isa_level_name(level) << ", " << m << " x " << n << " x " << k << ", " << transposes;
        }
      }
    }
  }
}

TEST(GemmTest, EqualsTheNaiveLoopWhereRowsMeetInOneSetOfTheCache) {
  for (IsaLevel level : cpu_isa_levels()) {
    for (std::int64_t m : {9, 10, 11, 29}) {
      const Case c(false, false, m, 40, 1021);
      ASSERT_EQ(c.operands.lda, 1024);
      EXPECT_TRUE(same_bits(c.run(level), c.naive(level))) << isa_level_name(level) << ", " << m;
    }
  }
}

TEST(GemmTest, AddingIsTheProductPlusWhatWasThere) {
  for (IsaLevel level : cpu_isa_levels()) {
    for (const auto& [m, n, k] :
         {std::array<std::int64_t, 3>{16, 37, 20}, {3, 64, 100}, {29, 5, 1}, {4, 9, 0}}) {
      Case c(true, false, m, n, k, true);
      c.operands.accumulate = false;
      std::vector<float> expected = c.run(level);
      for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
          const auto at = static_cast<std::size_t>(i * c.operands.ldc + j);
          expected[at] += c.start[at];
        }
      c.operands.add = true;
      EXPECT_TRUE(same_bits(c.run(level), expected))
          << isa_level_name(level) << ", " << m << " x " << n << " x " << k;
    }
  }
}

TEST(GemmTest, PackingAheadKeepsTheBits) {
  for (IsaLevel level : cpu_isa_levels()) {
    for (bool transpose_b : {false, true}) {
      for (const auto& [m, n, k] :
           {std::array<std::int64_t, 3>{16, 37, 20}, {3, 64, 600}, {7, 5, 1}, {4, 9, 0}}) {
        const Case c(false, transpose_b, m, n, k, true);
        std::vector<float> packed(static_cast<std::size_t>(packed_b_floats(level, k, n)));
        pack_b(level, c.operands, packed.data());
        for (std::int64_t l = 0; l < k; ++l)
          for (std::int64_t j = 0; j < n; ++j) {
            const std::int64_t first = j / packed_b_panel(level) * packed_b_panel(level);
            ASSERT_EQ(packed[static_cast<std::size_t>(packed_b_offset(level, k, n, l, first) + j - first)],
                      c.b_at(l, j));
          }
        std::vector<float> result = c.start;
        GemmOperands p = c.operands;
        p.c = result.data();
        gemm_packed(level, p, packed.data());
        EXPECT_TRUE(same_bits(result, c.run(level)))
            << isa_level_name(level) << ", " << m << " x " << n << " x " << k;
      }
    }
  }
}

TEST(GemmTest, SlicesKeepTheBits) {
  for (IsaLevel level : cpu_isa_levels()) {
    for (int transposes = 0; transposes < 4; ++transposes) {
      const Case c((transposes & 1) != 0, (transposes & 2) != 0, 61, 75, 90);
      const std::vector<float> whole = c.run(level);
      for (std::int64_t rows : {1, 7, 16, 61}) {
        for (std::int64_t columns : {1, 10, 32, 75})
          EXPECT_TRUE(same_bits(c.run_sliced(level, rows, columns), whole)) << rows << ", " << columns;
      }
    }
  }
}

TEST(GemmTest, LevelsWithFmaAgreeBitForBit) {
  if (cpu_isa_level() < IsaLevel::kAvx512) GTEST_SKIP() << "this CPU has no AVX-512";
  const Case c(true, false, 50, 70, 200);
  EXPECT_TRUE(same_bits(c.run(IsaLevel::kAvx2), c.run(IsaLevel::kAvx512)));
}

TEST(GemmTest, NonFiniteValuesStayInTheirRowAndColumn) {
  for (IsaLevel level : cpu_isa_levels()) {
    Case c(false, false, 9, 10, 8);
    c.a[static_cast<std::size_t>(4 * c.operands.lda + 2)] = std::numeric_limits<float>::infinity();
    c.b[static_cast<std::size_t>(3 * c.operands.ldb + 7)] = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> result = c.run(level);
    for (std::int64_t i = 0; i < 9; ++i) {
      for (std::int64_t j = 0; j < 10; ++j) {
        EXPECT_EQ(std::isfinite(result[static_cast<std::size_t>(i * c.operands.ldc + j)]), i != 4 && j != 7)
            << i << ", " << j;
      }
    }
  }
}

TEST(GemmTest, EmptyProducts) {
  const IsaLevel level = cpu_isa_level();
  for (float value : Case(false, false, 0, 5, 5).run(level)) EXPECT_EQ(value, kUntouched);
  const Case no_depth(false, false, 2, 3, 0);
  const std::vector<float> result = no_depth.run(level);
  for (std::int64_t i = 0; i < 2; ++i) {
    for (std::int64_t j = 0; j < 5; ++j)
      EXPECT_EQ(result[static_cast<std::size_t>(i * 5 + j)], j < 3 ? 0.0f : kUntouched);
  }
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu::kernels
