#include "cornu/backends/cpu/linear_algebra/small_svd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cornu/backends/cpu/linear_algebra/vectors.h"

namespace cornu::inline v0::backends::cpu {
namespace {

template <typename T>
struct Decompositions {
  std::vector<T> a, u, s, vh;
  std::uint32_t failed = 0;
};

template <typename T>
Decompositions<T> decomposed(IsaLevel level, std::int64_t rows, std::int64_t columns, std::int64_t count,
                             std::vector<T> a) {
  const auto elements = [&](std::int64_t size) { return std::vector<T>(static_cast<std::size_t>(size)); };
  Decompositions<T> d = {std::move(a), elements(count * rows * columns), elements(count * columns),
                         elements(count * columns * columns)};
  std::vector<T> work = elements(small_svd_work(rows, columns));
  d.failed = small_svds(level, SmallSvds<T>{.rows = rows,
                                            .columns = columns,
                                            .count = count,
                                            .a = d.a.data(),
                                            .u = d.u.data(),
                                            .s = d.s.data(),
                                            .vh = d.vh.data(),
                                            .work = work.data()});
  return d;
}

template <typename T>
std::vector<T> random_elements(std::int64_t count) {
  std::minstd_rand random(static_cast<unsigned>(count));
  std::uniform_real_distribution<T> uniform(-100, 100);
  std::vector<T> a(static_cast<std::size_t>(count));
  for (T& x : a) x = uniform(random);
  return a;
}

/// The largest difference of u s vh from a, over the largest singular value, of u^T u and vh vh^T from the identity, and
/// of singular values that ascend.
template <typename T>
double svd_error(std::int64_t rows, std::int64_t columns, std::int64_t matrix, const Decompositions<T>& d) {
  const auto u = [&](std::int64_t i, std::int64_t k) -> double {
    return d.u[static_cast<std::size_t>((matrix * rows + i) * columns + k)];
  };
  const auto s = [&](std::int64_t k) -> double {
    return d.s[static_cast<std::size_t>(matrix * columns + k)];
  };
  const auto vh = [&](std::int64_t k, std::int64_t j) -> double {
    return d.vh[static_cast<std::size_t>((matrix * columns + k) * columns + j)];
  };
  double error = 0;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) {
      double sum = 0;
      for (std::int64_t k = 0; k < columns; ++k) sum += u(i, k) * s(k) * vh(k, j);
      const double a = d.a[static_cast<std::size_t>((matrix * rows + i) * columns + j)];
      error = std::max(error, std::abs(sum - a) / s(0));
    }
  for (std::int64_t p = 0; p < columns; ++p)
    for (std::int64_t q = 0; q < columns; ++q) {
      double of_u = p == q ? -1 : 0, of_vh = of_u;
      for (std::int64_t i = 0; i < rows; ++i) of_u += u(i, p) * u(i, q);
      for (std::int64_t j = 0; j < columns; ++j) of_vh += vh(p, j) * vh(q, j);
      error = std::max({error, std::abs(of_u), std::abs(of_vh)});
      if (p < q) error = std::max(error, s(q) - s(p));
    }
  return error;
}

template <typename T>
void test_svd_sizes() {
  for (const auto& [rows, columns] :
       {std::pair<std::int64_t, std::int64_t>{1, 1}, {2, 2}, {9, 4}, {16, 16}, {64, 5}, {32, 32}})
    for (const IsaLevel level : cpu_isa_levels()) {
      const std::int64_t lanes = num_register_lanes(level, sizeof(T) == 8);
      for (const std::int64_t count : {std::int64_t{1}, lanes}) {
        const Decompositions<T> d =
            decomposed(level, rows, columns, count, random_elements<T>(count * rows * columns));
        EXPECT_EQ(d.failed, 0U);
        for (std::int64_t matrix = 0; matrix < count; ++matrix)
          EXPECT_LT(svd_error(rows, columns, matrix, d), 20 * std::numeric_limits<T>::epsilon())
              << rows << " x " << columns << " " << isa_level_name(level);
      }
    }
}

TEST(SmallSvdTest, FactorsAreThoseOfTheMatrices) {
  test_svd_sizes<float>();
  test_svd_sizes<double>();
}

TEST(SmallSvdTest, AMatrixDoesNotDependOnOtherLanes) {
  for (const IsaLevel level : cpu_isa_levels()) {
    const std::int64_t lanes = num_register_lanes(level, false), size = 6 * 5;
    const std::vector<float> all = random_elements<float>(lanes * size);
    const Decompositions<float> whole = decomposed(level, 6, 5, lanes, all);
    const Decompositions<float> alone =
        decomposed(level, 6, 5, 1, std::vector<float>(all.begin() + size, all.begin() + 2 * size));
    EXPECT_TRUE(std::equal(alone.u.begin(), alone.u.end(), whole.u.begin() + size));
    EXPECT_TRUE(std::equal(alone.s.begin(), alone.s.end(), whole.s.begin() + 5));
  }
}

TEST(SmallSvdTest, LeavesMatricesWithoutRankAndOthersThanNumbers) {
  for (const IsaLevel level : cpu_isa_levels()) {
    std::vector<float> a = {1, 2, 3, 4, 0, 0, 0, 0, 1, std::nanf(""), 2, 3, 1, 0, 2, 0};
    const std::int64_t count = std::min<std::int64_t>(num_register_lanes(level, false), 4);
    const Decompositions<float> d = decomposed(level, 2, 2, count, a);
    EXPECT_EQ(d.failed, 14U) << isa_level_name(level);
    EXPECT_LT(svd_error(2, 2, 0, d), 1e-6);
  }
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
