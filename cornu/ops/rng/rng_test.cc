#include "cornu/ops/rng/rng.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cornu/ops/constant/constant.h"
#include "cornu/ops/error_label_test_support.h"
#include "cornu/ops/parse.h"

namespace cornu::inline v0::ops::rng_folder {
namespace {

using ir::DType;

std::string error(const ir::TensorType& a, const ir::TensorType& b, const ir::TensorType& shape,
                  const char* distribution) {
  return error_label({a, b, shape}, [=](ir::Builder& builder, Operands v) {
    rng(builder, v[0], v[1], v[2], distribution, {3, 4}, 0);
  });
}

const ir::TensorType kFloatScalar{DType::kF32, {}}, kShape{DType::kI64, {2}};

TEST(RngTest, RejectsOperandsByTheirLabels) {
  EXPECT_EQ(error(kFloatScalar, kFloatScalar, kShape, "UNIFORM"), "");
  EXPECT_EQ(error({DType::kF32, {1}}, kFloatScalar, kShape, "UNIFORM"), "[rng] (I1)");
  EXPECT_EQ(error({DType::kF64, {}}, kFloatScalar, kShape, "UNIFORM"), "[rng] (C1)");
  EXPECT_EQ(error({DType::kI32, {}}, {DType::kI32, {}}, kShape, "NORMAL"), "[rng] (C2)");
  EXPECT_EQ(error(kFloatScalar, kFloatScalar, {DType::kI64, {3}}, "NORMAL"), "[rng] (C3)");
  EXPECT_EQ(error(kFloatScalar, kFloatScalar, {DType::kF32, {2}}, "NORMAL"), "[rng] (I3)");
  EXPECT_EQ(error(kFloatScalar, kFloatScalar, kShape, "POISSON"), "[rng] (I4)");
}

std::vector<double> draw(DType dtype, double a, double b, const char* distribution, std::int64_t seed = 7) {
  const ir::Literal numbers = run_op(
      {ir::Literal::scalar(dtype, a), ir::Literal::scalar(dtype, b)}, [=](ir::Builder& builder, Operands v) {
        const ir::Value shape = constant(builder, ir::Literal::of<std::int64_t>({1}, {4000}));
        return rng(builder, v[0], v[1], shape, distribution, {4000}, seed);
      })[0];
  std::vector<double> values;
  for (std::int64_t i = 0; i < 4000; ++i) values.push_back(numbers.at(i));
  return values;
}

double mean(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

TEST(RngTest, UniformNumbersFillTheInterval) {
  for (const DType dtype : {DType::kF32, DType::kF64, DType::kI32, DType::kU8, DType::kI8}) {
    const std::vector<double> x = draw(dtype, 10, 90, "UNIFORM");
    EXPECT_GE(*std::min_element(x.begin(), x.end()), 10);
    EXPECT_LT(*std::max_element(x.begin(), x.end()), 90);
    EXPECT_NEAR(mean(x), ir::is_float(dtype) ? 50 : 49.5, 1.2);
  }
  EXPECT_GE(mean(draw(DType::kI8, -100, 100, "UNIFORM")), -6);
}

TEST(RngTest, NormalNumbersHaveTheMeanAndDeviation) {
  std::vector<double> x = draw(DType::kF32, 3, 2, "NORMAL");
  EXPECT_NEAR(mean(x), 3, 0.15);
  for (double& value : x) value = (value - 3) * (value - 3);
  EXPECT_NEAR(std::sqrt(mean(x)), 2, 0.1);
}

TEST(RngTest, OtherSeedsGiveOtherNumbers) {
  EXPECT_EQ(draw(DType::kF32, 0, 1, "UNIFORM", 1), draw(DType::kF32, 0, 1, "UNIFORM", 1));
  EXPECT_NE(draw(DType::kF32, 0, 1, "UNIFORM", 1), draw(DType::kF32, 0, 1, "UNIFORM", 2));
}

TEST(RngTest, TwoOpsOfAProgramDiffer) {
  const ir::ParsedModule parsed = parse_stablehlo(R"(
    func.func @main(%a: tensor<f32>, %s: tensor<1xi64>) -> (tensor<3xf32>, tensor<3xf32>) {
      %0 = stablehlo.rng %a, %a, %s, distribution =  UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
      %1 = stablehlo.rng %a, %a, %s, distribution =  UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<3xf32>
      return %0, %1 : tensor<3xf32>, tensor<3xf32>
    })");
  EXPECT_NE(parsed.entry().body.ops()[0]->attributes(), parsed.entry().body.ops()[1]->attributes());
}

}  // namespace
}  // namespace cornu::inline v0::ops::rng_folder
