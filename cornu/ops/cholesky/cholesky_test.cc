#include "cornu/ops/cholesky/cholesky.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::cholesky_folder {
namespace {

using ir::DType;

std::string label(const ir::TensorType& a) {
  return error_label({a}, [](ir::Builder& b, Operands v) { cholesky(b, v[0]); });
}

TEST(CholeskyTest, I1_RejectsIntegers) { EXPECT_EQ(label({DType::kI32, {2, 2}}), "[cholesky] (I1)"); }
TEST(CholeskyTest, C2_RejectsAVector) { EXPECT_EQ(label({DType::kF32, {2}}), "[cholesky] (C2)"); }
TEST(CholeskyTest, C3_RejectsMatricesThatAreNotSquare) {
  EXPECT_EQ(label({DType::kF32, {2, 3}}), "[cholesky] (C3)");
}

TEST(CholeskyTest, AMatrixThatIsNotPositiveDefiniteHasNoFactor) {
  const auto l = run_op({ir::Literal::of<double>({2, 2}, {1, 2, 2, 1})},
                        [](ir::Builder& b, Operands v) { return cholesky(b, v[0]); });
  for (const double element : elements<double>(l[0])) EXPECT_TRUE(std::isnan(element));
}

}  // namespace
}  // namespace cornu::inline v0::ops::cholesky_folder
