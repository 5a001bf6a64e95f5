#include "cornu/ops/sinh/sinh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::sinh_folder {
namespace {

using ir::DType;

double sinh_of(double x) {
  return run_op({ir::Literal::scalar(DType::kF64, x)},
                [](ir::Builder& b, Operands v) { return sinh(b, v[0]); })[0]
      .at(0);
}

TEST(SinhTest, RejectsIntegers) {
  EXPECT_EQ(error_label({{DType::kI32, {2}}}, [](ir::Builder& b, Operands v) { sinh(b, v[0]); }),
            "[cornu.sinh] the operand must be floating-point; got tensor<2xi32>");
}

TEST(SinhTest, IsAccurateNearZeroAndFarAway) {
  for (const double x : {-700.0, -3.0, -1.0, -0.5, -1e-9, 1e-300, 0.25, 0.999, 1.0, 20.0, 710.0})
    EXPECT_NEAR(sinh_of(x) / std::sinh(x), 1, 1e-14) << x;
}

TEST(SinhTest, KeepsZerosInfinitiesAndNan) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(sinh_of(0), 0);
  EXPECT_TRUE(std::signbit(sinh_of(-0.0)));
  EXPECT_EQ(sinh_of(infinity), infinity);
  EXPECT_EQ(sinh_of(-infinity), -infinity);
  EXPECT_TRUE(std::isnan(sinh_of(std::numeric_limits<double>::quiet_NaN())));
}

}  // namespace
}  // namespace cornu::inline v0::ops::sinh_folder
