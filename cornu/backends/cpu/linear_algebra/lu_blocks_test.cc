#include "cornu/backends/cpu/linear_algebra/lu_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace cornu::inline v0::backends::cpu {
namespace {

template <typename T>
std::vector<T> random_matrix(std::int64_t rows, std::int64_t columns) {
  std::minstd_rand random(static_cast<unsigned>(rows * 1000 + columns));
  std::uniform_real_distribution<T> uniform(-1, 1);
  std::vector<T> a(static_cast<std::size_t>(rows * columns));
  for (T& x : a) x = uniform(random);
  return a;
}

/// The largest difference of the exchanged rows of a from the product of its factors, or of a factor from [-1, 1].
template <typename T>
double lu_error(std::int64_t rows, std::int64_t columns, std::vector<T> a, const std::vector<T>& lu,
                const std::vector<std::int32_t>& pivots) {
  const std::int64_t rank = std::min(rows, columns);
  for (std::int64_t k = 0; k < rank; ++k)
    std::swap_ranges(a.begin() + k * columns, a.begin() + (k + 1) * columns,
                     a.begin() + pivots[static_cast<std::size_t>(k)] * columns);
  const auto at = [&](std::int64_t i, std::int64_t j) {
    return static_cast<double>(lu[static_cast<std::size_t>(i * columns + j)]);
  };
  double error = 0;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) {
      double sum = 0;
      for (std::int64_t k = 0; k <= std::min({i, j, rank - 1}); ++k)
        sum += (k == i ? 1 : at(i, k)) * at(k, j);
      error =
          std::max(error, std::abs(sum - static_cast<double>(a[static_cast<std::size_t>(i * columns + j)])));
      if (j < i && j < rank) error = std::max(error, std::abs(at(i, j)) - 1);
    }
  return error;
}

template <typename T>
void test_lu_sizes() {
  for (const auto& [rows, columns] : {std::pair<std::int64_t, std::int64_t>{1, 1},
                                      {7, 3},
                                      {3, 7},
                                      {16, 16},
                                      {33, 32},
                                      {40, 100},
                                      {100, 40},
                                      {129, 131}}) {
    const std::vector<T> a = random_matrix<T>(rows, columns);
    for (const IsaLevel level : cpu_isa_levels()) {
      std::vector<T> lu = a;
      std::vector<std::int32_t> pivots(static_cast<std::size_t>(std::min(rows, columns)));
      lu_by_blocks(level, rows, columns, lu.data(), pivots.data());
      EXPECT_LT(lu_error(rows, columns, a, lu, pivots), 200 * std::numeric_limits<T>::epsilon())
          << rows << " x " << columns << " " << isa_level_name(level);
    }
  }
}

TEST(LuBlocksTest, FactorsAreThoseOfTheMatrix) {
  test_lu_sizes<float>();
  test_lu_sizes<double>();
}

TEST(LuBlocksTest, TakesTheFirstOfEqualPivotsAndLeavesColumnsOfZeros) {
  for (const IsaLevel level : cpu_isa_levels()) {
    std::vector<float> a = {0, 1, 2, 0, 3, 4, 0, -3, 6};
    std::vector<std::int32_t> pivots(3);
    lu_by_blocks(level, 3, 3, a.data(), pivots.data());
    EXPECT_EQ(pivots, (std::vector<std::int32_t>{0, 1, 2}));
    EXPECT_EQ(a, (std::vector<float>{0, 1, 2, 0, 3, 4, 0, -1, 10}));
  }
}

TEST(LuBlocksTest, DividesByPivotsWithoutAReciprocal) {
  for (const IsaLevel level : cpu_isa_levels()) {
    std::vector<float> a = {3e-39F, 0, 1.5e-39F, 1};
    std::vector<std::int32_t> pivots(2);
    lu_by_blocks(level, 2, 2, a.data(), pivots.data());
    EXPECT_NEAR(a[2], 0.5F, 1e-5F);
    EXPECT_EQ(a[3], 1);
  }
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
