#include "cornu/ops/triangular_solve/triangular_solve.h"

#include <gtest/gtest.h>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::triangular_solve_folder {
namespace {

using ir::DType;

std::string label(const ir::TensorType& a, const ir::TensorType& x) {
  return error_label({a, x}, [](ir::Builder& b, Operands v) { triangular_solve(b, v[0], v[1], {}); });
}

TEST(TriangularSolveTest, I1_RejectsIntegers) {
  EXPECT_EQ(label({DType::kI32, {2, 2}}, {DType::kI32, {2, 1}}), "[triangular_solve] (I1)");
}
TEST(TriangularSolveTest, C1_RejectsTwoDtypes) {
  EXPECT_EQ(label({DType::kF32, {2, 2}}, {DType::kF64, {2, 1}}), "[triangular_solve] (C1)");
}
TEST(TriangularSolveTest, C2_RejectsTwoRanks) {
  EXPECT_EQ(label({DType::kF32, {2, 2}}, {DType::kF32, {1, 2, 1}}), "[triangular_solve] (C2)");
}
TEST(TriangularSolveTest, C3_RejectsRowsThatDoNotFit) {
  EXPECT_EQ(label({DType::kF32, {2, 2}}, {DType::kF32, {3, 1}}), "[triangular_solve] (C3)");
  EXPECT_EQ(label({DType::kF32, {2, 3}}, {DType::kF32, {3, 1}}), "[triangular_solve] (C3)");
}

}  // namespace
}  // namespace cornu::inline v0::ops::triangular_solve_folder
