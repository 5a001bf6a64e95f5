#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/random.h"

namespace cornu {
namespace {

/// Mean and variance of many numbers, within five standard errors.
void expect_moments(const Tensor& x, double mean, double variance, double fourth_over_square) {
  const double count = static_cast<double>(x.num_elements());
  const Tensor wide = ops::cast(x, DType::kF64);
  EXPECT_NEAR(ops::mean(wide).item<double>(), mean, 5 * std::sqrt(variance / count));
  EXPECT_NEAR(ops::var(wide).item<double>(), variance, 5 * variance * std::sqrt(fourth_over_square / count));
}

TEST(GammaDistributionsTest, GammaHasItsMoments) {
  for (const double alpha : {0.1, 0.7, 1.0, 3.5, 200.0}) {
    const Tensor x = random::gamma({50000}, alpha, {.seed = 7});
    EXPECT_GE(ops::min(x).item<double>(), 0);
    expect_moments(x, alpha, alpha, 2 + 6 / alpha);
  }
  EXPECT_THROW(random::gamma({2}, 0.0), Error);
  EXPECT_THROW(random::gamma({2}, 1.0, {.dtype = DType::kI32}), Error);
}

TEST(GammaDistributionsTest, BetaHasItsMoments) {
  for (const auto& [a, b] : {std::pair(0.01, 0.02), std::pair(0.5, 2.0), std::pair(3.0, 40.0)}) {
    const Tensor x = random::beta({50000}, a, b, {.seed = 8});
    EXPECT_FALSE(ops::any(ops::isnan(x)).item<bool>());
    expect_moments(x, a / (a + b), a * b / ((a + b) * (a + b) * (a + b + 1)), 8);
  }
}

TEST(GammaDistributionsTest, BinomialHasItsMomentsAndBounds) {
  for (const auto& [n, p] :
       {std::pair(7, 0.3), std::pair(40, 0.9), std::pair(300, 0.2), std::pair(1000000, 0.5)}) {
    const Tensor x = random::binomial({50000}, n, p, {.seed = 9});
    EXPECT_GE(ops::min(x).item<double>(), 0);
    EXPECT_LE(ops::max(x).item<double>(), n);
    EXPECT_EQ(ops::max(ops::abs(ops::floor(x) - x)).item<double>(), 0);
    expect_moments(x, n * p, n * p * (1 - p), 4);
  }
  EXPECT_EQ(random::binomial({3}, 5, Tensor::of<float>({3}, {0, 1, 0})).to_vector<float>(),
            (std::vector<float>{0, 5, 0}));
  EXPECT_THROW(random::binomial({2}, 3, 1.5), Error);
}

}  // namespace
}  // namespace cornu
