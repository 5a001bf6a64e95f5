#include "cornu/ops/random_uniform/random_uniform.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::random_uniform_folder {
namespace {

using ir::DType;

TEST(RandomUniformTest, RejectsIntegers) {
  EXPECT_EQ(error_label(
                {{DType::kU32, {}}},
                [](ir::Builder& b, Operands v) { random_uniform(b, v[0], v[0], v[0], {DType::kI32, {3}}); }),
            "[cornu.random_uniform] the result must be f32 or f64; got tensor<3xi32>");
}

TEST(RandomUniformTest, LiesInTheUnitIntervalWithTheRightMeanAndVariance) {
  for (DType dtype : {DType::kF32, DType::kF64}) {
    std::vector<ir::Literal> inputs;
    for (std::uint32_t word : {1u, 2u, 3u}) inputs.push_back(ir::Literal::of<std::uint32_t>({}, {word}));
    const auto y = run_op(inputs, [&](ir::Builder& b, Operands v) {
      return random_uniform(b, v[0], v[1], v[2], {dtype, {40, 50}});
    });
    double sum = 0, squares = 0;
    for (std::int64_t i = 0; i < 2000; ++i) {
      const double u = y[0].at(i);
      EXPECT_GE(u, 0);
      EXPECT_LT(u, 1);
      sum += u;
      squares += u * u;
    }
    // Five standard deviations of the mean of 2000.
    EXPECT_NEAR(sum / 2000, 0.5, 5 * std::sqrt(1.0 / 12 / 2000));
    EXPECT_NEAR(squares / 2000, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / 2000));
  }
}

}  // namespace
}  // namespace cornu::inline v0::ops::random_uniform_folder
