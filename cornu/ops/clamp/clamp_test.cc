#include "cornu/ops/clamp/clamp.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cornu/ops/op_test_support.h"

namespace cornu::inline v0::ops::clamp_folder {
namespace {

using ir::DType;

std::string error(const ir::TensorType& min, const ir::TensorType& operand, const ir::TensorType& max) {
  return build_error({min, operand, max},
                     [](ir::Builder& b, std::span<const ir::Value> v) { clamp(b, v[0], v[1], v[2]); });
}

TEST(ClampTest, C1_RejectsAMinOfAnotherShape) {
  EXPECT_EQ(error({DType::kF32, {3}}, {DType::kF32, {2}}, {DType::kF32, {}}),
            "[clamp] (C1) min must be a scalar or have operand's shape (2,); got tensor<3xf32>");
}

TEST(ClampTest, C2_RejectsAMaxOfAnotherShape) {
  EXPECT_EQ(error({DType::kF32, {}}, {DType::kF32, {2}}, {DType::kF32, {3}}),
            "[clamp] (C2) max must be a scalar or have operand's shape (2,); got tensor<3xf32>");
}

TEST(ClampTest, C3_RejectsBoundsOfAnotherDtype) {
  EXPECT_EQ(error({DType::kF64, {}}, {DType::kF32, {2}}, {DType::kF32, {}}),
            "[clamp] (C3) min, operand and max must have one dtype; got tensor<f64>, tensor<2xf32> and "
            "tensor<f32>");
}

TEST(ClampTest, KeepsNaNAndPrefersMaxWhenTheBoundsCross) {
  const auto clamped =
      run_op({ir::Literal::scalar(DType::kF32, 3), ir::Literal::of<float>({3}, {0, 9, std::nanf("")}),
              ir::Literal::scalar(DType::kF32, 1)},
             [](ir::Builder& b, std::span<const ir::Value> v) { return clamp(b, v[0], v[1], v[2]); });
  EXPECT_EQ(clamped[0].at(0), 1);
  EXPECT_EQ(clamped[0].at(1), 1);
  EXPECT_TRUE(std::isnan(clamped[0].at(2)));
}

TEST(ClampTest, PassesNoGradientAtTheBounds) {
  ir::Function f;
  f.name = "main";
  const ir::TensorType scalar{DType::kF64, {}}, vector{DType::kF64, {5}};
  const ir::Value min = f.body.add_argument(scalar), x = f.body.add_argument(vector),
                  max = f.body.add_argument(scalar);
  const ir::Value g = f.body.add_argument(vector);
  ir::Builder b(f.body);
  const ir::Value y = clamp(b, min, x, max);
  const ir::Value incoming[] = {g};
  f.body.set_results(y.op()->def().gradient({b, *y.op(), incoming}));
  const ir::Literal arguments[] = {
      ir::Literal::scalar(DType::kF64, -1), ir::Literal::of<double>({5}, {-2, -1, 0, 1, 2}),
      ir::Literal::scalar(DType::kF64, 1), ir::Literal::of<double>({5}, {1, 2, 4, 8, 16})};
  const std::vector<ir::Literal> gradients = backends::reference::evaluate(f, arguments);
  EXPECT_EQ(gradients[0].at(0), 1);
  EXPECT_EQ(elements<double>(gradients[1]), (std::vector<double>{0, 0, 4, 0, 0}));
  EXPECT_EQ(gradients[2].at(0), 16);
}

}  // namespace
}  // namespace cornu::inline v0::ops::clamp_folder
