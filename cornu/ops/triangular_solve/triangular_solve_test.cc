#include "cornu/ops/triangular_solve/triangular_solve.h"

#include <gtest/gtest.h>

#include "cornu/ops/error_label_test_support.h"
#include "cornu/ops/matrix_loops.h"

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

// As complex matrices run.
TEST(TriangularSolveTest, LoopsOverEmptyMatricesHaveNoStep) {
  const ir::Literal a = ir::Literal::of<double>({0, 0}, {}), rows = ir::Literal::of<double>({0, 2}, {});
  const auto x =
      run_op({a, rows}, [](ir::Builder& b, Operands v) { return triangular_solve_loop(b, v[0], v[1], {}); });
  EXPECT_EQ(x[0].type().dims, (ir::Dims{0, 2}));
  const auto l = run_op({a}, [](ir::Builder& b, Operands v) { return cholesky_loop(b, v[0], true); });
  EXPECT_EQ(l[0].type().dims, (ir::Dims{0, 0}));
}

}  // namespace
}  // namespace cornu::inline v0::ops::triangular_solve_folder
