#include "cornu/ops/batch_norm/batch_norm.h"

#include <gtest/gtest.h>

#include "cornu/ir/print.h"
#include "cornu/ops/error_label_test_support.h"
#include "cornu/ops/parse.h"

namespace cornu::inline v0::ops::batch_norm_folder {
namespace {

using ir::DType;
using ir::Literal;

const ir::TensorType kX{DType::kF32, {2, 3}}, kFeatures{DType::kF32, {3}}, kRows{DType::kF32, {2}};

std::string inference_error(const ir::TensorType& scale, std::int64_t feature_index) {
  return error_label({kX, scale, kFeatures}, [=](ir::Builder& b, Operands v) {
    batch_norm_inference(b, v[0], v[1], v[2], v[2], v[2], 0, feature_index);
  });
}

TEST(BatchNormTest, C1_RejectsAFeatureIndexOutsideTheRank) {
  for (const std::int64_t index : {-1, 2})
    EXPECT_EQ(inference_error(kFeatures, index), "[batch_norm_inference] (C1)");
}

TEST(BatchNormTest, C2_RejectsDifferentDtypes) {
  EXPECT_EQ(inference_error({DType::kF64, {3}}, 1), "[batch_norm_inference] (C2)");
  EXPECT_EQ(
      error_label({{DType::kI32, {2, 3}}, {DType::kI32, {3}}},
                  [](ir::Builder& b, Operands v) { batch_norm_training_along(b, v[0], v[1], v[1], 0, 1); }),
      "[batch_norm_training] (C2)");
}

TEST(BatchNormTest, C3_RejectsVectorsOfAnotherLength) {
  EXPECT_EQ(inference_error(kRows, 1), "[batch_norm_inference] (C3)");
  const auto label = [](std::size_t wrong) {
    return error_label({kX, kFeatures, kRows}, [=](ir::Builder& b, Operands v) {
      std::vector<ir::Value> vectors(4, v[1]);
      vectors[wrong] = v[2];
      batch_norm_inference(b, v[0], vectors[0], vectors[1], vectors[2], vectors[3], 0, 1);
    });
  };
  EXPECT_EQ(label(1), "[batch_norm_inference] (C4)");
  EXPECT_EQ(label(2), "[batch_norm_inference] (C5)");
  EXPECT_EQ(label(3), "[batch_norm_inference] (C6)");
}

TEST(BatchNormTest, C3_RejectsAGradientOfAnotherShape) {
  EXPECT_EQ(
      error_label({kX, kFeatures, {DType::kF32, {3, 3}}},
                  [](ir::Builder& b, Operands v) { batch_norm_grad(b, v[0], v[1], v[1], v[1], v[2], 0, 1); }),
      "[batch_norm_grad] (C3)");
}

// The examples of the specification.
const Literal kOperand = Literal::of<double>({2, 2, 2}, {1, 2, 3, 4, 3, 4, 1, 2});
const Literal kOnes = Literal::of<double>({2}, {1, 1}), kTwos = Literal::of<double>({2}, {2, 3});

TEST(BatchNormTest, NormalizesByGivenStatistics) {
  const auto y = run_op({kOperand, kOnes, kTwos}, [](ir::Builder& b, Operands v) {
    return batch_norm_inference(b, v[0], v[1], v[1], v[2], v[1], 0, 2);
  });
  EXPECT_EQ(elements<double>(y[0]), (std::vector<double>{0, 0, 2, 2, 2, 2, 0, 0}));
}

TEST(BatchNormTest, NormalizesByItsOwnStatistics) {
  const auto result = [](std::size_t i) {
    return elements<double>(run_op({kOperand, kOnes}, [=](ir::Builder& b, Operands v) {
      return batch_norm_training_along(b, v[0], v[1], v[1], 0, 2)[i];
    })[0]);
  };
  EXPECT_EQ(result(0), (std::vector<double>{0, 0, 2, 2, 2, 2, 0, 0}));
  EXPECT_EQ(result(1), (std::vector<double>{2, 3}));
  EXPECT_EQ(result(2), (std::vector<double>{1, 1}));
}

TEST(BatchNormTest, IsPrintedAndReadUnderItsOwnName) {
  constexpr const char* kText = R"(
    func.func @main(%x: tensor<2x3xbf16>, %v: tensor<3xbf16>) -> (tensor<2x3xbf16>, tensor<3xbf16>, tensor<3xbf16>) {
      %0:3 = "stablehlo.batch_norm_training"(%x, %v, %v) <{epsilon = 0.001 : f32, feature_index = 1 : i64}> : (tensor<2x3xbf16>, tensor<3xbf16>, tensor<3xbf16>) -> (tensor<2x3xbf16>, tensor<3xbf16>, tensor<3xbf16>)
      return %0#0, %0#1, %0#2 : tensor<2x3xbf16>, tensor<3xbf16>, tensor<3xbf16>
    })";
  const std::string printed = ir::to_stablehlo(parse_stablehlo(kText).module);
  EXPECT_NE(
      printed.find("\"stablehlo.batch_norm_training\"(%arg0, %arg1, %arg1) <{epsilon = 1.00000005e-03 : f32, "
                   "feature_index = 1 : i64}>"),
      std::string::npos)
      << printed;
  EXPECT_EQ(ir::to_stablehlo(parse_stablehlo(printed).module), printed);
}

}  // namespace
}  // namespace cornu::inline v0::ops::batch_norm_folder
