#include "cornu/backends/cpu/linear_algebra/small_qr.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "cornu/backends/cpu/linear_algebra/vectors.h"

namespace cornu::inline v0::backends::cpu {
namespace {

/// The largest difference of Q R from a, of Q^T Q from the identity, and of an element of R below the diagonal of
/// geqrf form from 0, for `count` matrices at once.
template <typename T>
double qr_error(IsaLevel level, std::int64_t rows, std::int64_t columns, std::int64_t count) {
  std::minstd_rand random(static_cast<unsigned>(rows * columns));
  std::uniform_real_distribution<T> uniform(-1, 1);
  const auto elements = [](std::int64_t size) { return std::vector<T>(static_cast<std::size_t>(size)); };
  std::vector<T> a = elements(count * rows * columns), packed = a, q = a;
  for (T& x : a) x = uniform(random);
  const std::int64_t rank = std::min(rows, columns);
  std::vector<T> taus = elements(count * rank), work = elements(small_qr_work(rows, columns));
  SmallQrs<T> m = {.rows = rows,
                   .columns = columns,
                   .count = count,
                   .num_reflectors = rank,
                   .a = a.data(),
                   .result = packed.data(),
                   .taus = taus.data(),
                   .work = work.data()};
  small_qrs(level, m);
  m.a = packed.data();
  m.given_taus = taus.data();
  m.result = q.data();
  small_householder_products(level, m);
  double error = 0;
  for (std::int64_t k = 0; k < count; ++k) {
    const auto at = [&](const std::vector<T>& x, std::int64_t i, std::int64_t j) {
      return static_cast<double>(x[static_cast<std::size_t>((k * rows + i) * columns + j)]);
    };
    for (std::int64_t j = 0; j < columns; ++j) {
      for (std::int64_t i = 0; i < rows; ++i) {
        double sum = 0;
        for (std::int64_t p = 0; p <= j; ++p) sum += at(q, i, p) * at(packed, p, j);
        error = std::max(error, std::abs(sum - at(a, i, j)));
      }
      for (std::int64_t other = 0; other < columns; ++other) {
        double sum = j == other ? -1 : 0;
        for (std::int64_t i = 0; i < rows; ++i) sum += at(q, i, j) * at(q, i, other);
        error = std::max(error, std::abs(sum));
      }
    }
  }
  return error;
}

TEST(SmallQrTest, FactorsAreThoseOfTheMatrices) {
  for (const auto& [rows, columns] :
       {std::pair<std::int64_t, std::int64_t>{1, 1}, {3, 3}, {9, 4}, {16, 16}, {64, 32}})
    for (const IsaLevel level : cpu_isa_levels())
      for (const bool is_full : {false, true}) {
        const std::int64_t f32 = is_full ? num_register_lanes(level, false) : 1;
        const std::int64_t f64 = is_full ? num_register_lanes(level, true) : 1;
        EXPECT_LT(qr_error<float>(level, rows, columns, f32), 20 * std::numeric_limits<float>::epsilon());
        EXPECT_LT(qr_error<double>(level, rows, columns, f64), 20 * std::numeric_limits<double>::epsilon());
      }
}

TEST(SmallQrTest, AColumnOfZerosHasTheFactorZero) {
  for (const IsaLevel level : cpu_isa_levels()) {
    const std::vector<float> a = {-2, 1, 0, 3};
    std::vector<float> packed(4), taus(2), work(static_cast<std::size_t>(small_qr_work(2, 2)));
    small_qrs(level, SmallQrs<float>{.rows = 2,
                                     .columns = 2,
                                     .count = 1,
                                     .num_reflectors = 2,
                                     .a = a.data(),
                                     .result = packed.data(),
                                     .taus = taus.data(),
                                     .work = work.data()});
    EXPECT_EQ(packed, a);
    EXPECT_EQ(taus, (std::vector<float>{0, 0}));
  }
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
