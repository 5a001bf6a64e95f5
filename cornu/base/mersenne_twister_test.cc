#include "cornu/base/mersenne_twister.h"

#include <gtest/gtest.h>

#include <random>

namespace cornu::inline v0 {
namespace {

TEST(MersenneTwisterTest, NumbersAreThoseOfTheStandardLibrary) {
  for (const std::uint32_t seed : {0U, 1U, 5489U, 0xffffffffU}) {
    MersenneTwister ours(seed);
    std::mt19937 standard(seed);
    for (int i = 0; i < 3000; ++i) ASSERT_EQ(ours(), standard()) << seed << " " << i;
  }
}

}  // namespace
}  // namespace cornu::inline v0
