#include "cornu/tensor/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace cornu::inline v0 {
namespace {

TEST(RandomTest, ThreefryGivesRandom123sKnownAnswers) {
  struct Case {
    std::uint32_t key0, key1, x0, x1, y0, y1;
  };
  for (const Case& row :
       {Case{0, 0, 0, 0, 0x6b200159u, 0x99ba4efeu},
        Case{0xffffffffu, 0xffffffffu, 0xffffffffu, 0xffffffffu, 0x1cb996fcu, 0xbb002be7u},
        Case{0x13198a2eu, 0x03707344u, 0x243f6a88u, 0x85a308d3u, 0xc4923a9cu, 0x483df7a0u}}) {
    std::uint32_t x0 = row.x0;
    std::uint32_t x1 = row.x1;
    threefry2x32(row.key0, row.key1, x0, x1);
    EXPECT_EQ(x0, row.y0);
    EXPECT_EQ(x1, row.y1);
  }
}

TEST(RandomTest, SplitMix64IsVignasFirstOutput) { EXPECT_EQ(splitmix64(1234567), 6457827717110365317u); }

TEST(RandomTest, QuantileInvertsTheNormalDistribution) {
  for (const double p : {1e-300, 1e-20, 1e-6, 0.01, 0.0242, 0.0243, 0.2, 0.5, 0.7, 0.99, 0.999999}) {
    const double x = normal_quantile(p);
    EXPECT_NEAR(0.5 * std::erfc(-x / std::numbers::sqrt2) / p, 1, 1e-12) << p;
  }
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
}

TEST(RandomTest, StreamsRepeatAndDifferBySeed) {
  const RandomStream stream(42);
  EXPECT_EQ(stream.bits(7), RandomStream(42).bits(7));
  EXPECT_NE(stream.bits(7), stream.bits(8));
  EXPECT_NE(stream.bits(7), RandomStream(43).bits(7));
  double sum = 0;
  for (std::uint64_t i = 0; i < 10000; ++i) {
    const double u = stream.uniform(i);
    EXPECT_TRUE(u >= 0 && u < 1);
    EXPECT_LE(std::fabs(stream.truncated_normal(i)), 2);
    sum += u;
  }
  EXPECT_NEAR(sum / 10000, 0.5, 0.01);
}

TEST(RandomTest, DefaultSeedsFollowTheProcessSeed) {
  set_random_seed(3);
  const std::uint64_t first = next_seed();
  EXPECT_NE(first, next_seed());
  set_random_seed(3);
  EXPECT_EQ(first, next_seed());
}

}  // namespace
}  // namespace cornu::inline v0
