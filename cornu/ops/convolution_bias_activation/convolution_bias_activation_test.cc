#include "cornu/ops/convolution_bias_activation/convolution_bias_activation.h"

#include <gtest/gtest.h>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::convolution_bias_activation_folder {
namespace {

using ir::DType;

std::string bias_message(const std::vector<ir::TensorType>& types) {
  return error_label(types, [](ir::Builder& b, Operands v) {
    convolution_bias_activation(b, v[0], v[1], v[2], channels_last(1), {}, ConvolutionActivation::kLinear);
  });
}

TEST(ConvolutionBiasActivationTest, RejectsOtherTypes) {
  EXPECT_EQ(bias_message({{DType::kI32, {1, 4, 2}}, {DType::kI32, {2, 2, 3}}, {DType::kI32, {3}}}),
            "[cornu.convolution_bias_activation] the operand must be floating-point; got tensor<1x4x2xi32>");
  EXPECT_EQ(bias_message({{DType::kF32, {1, 4, 2}}, {DType::kF32, {2, 2, 3}}, {DType::kF32, {2}}}),
            "[cornu.convolution_bias_activation] the bias must be tensor<3xf32>, one element a feature of "
            "the result; got tensor<2xf32>");
  EXPECT_EQ(bias_message({{DType::kF32, {1, 4, 3}}, {DType::kF32, {2, 2, 3}}, {DType::kF32, {3}}}),
            "[cornu.convolution_bias_activation] (C14)");
}

TEST(ConvolutionBiasActivationTest, RejectsGradientsOfOtherTypesAndOfNothing) {
  const auto message = [](const ir::TensorType& dy, const ConvolutionGradients& wanted) {
    return error_label({{DType::kF32, {1, 4, 2}}, {DType::kF32, {2, 2, 3}}, dy},
                       [&](ir::Builder& b, Operands v) {
                         convolution_bias_activation_gradient(b, v[0], v[1], v[2], v[2], channels_last(1), {},
                                                              ConvolutionActivation::kLinear, wanted);
                       });
  };
  EXPECT_EQ(
      message({DType::kF32, {1, 2, 3}}, {.rhs = true}),
      "[cornu.convolution_bias_activation_gradient] dy must be tensor<1x3x3xf32>; got tensor<1x2x3xf32>");
  EXPECT_EQ(message({DType::kF32, {1, 3, 3}}, {}),
            "[cornu.convolution_bias_activation_gradient] at least one gradient must be wanted");
}

// One tap: 2 * x + 1, then relu.
TEST(ConvolutionBiasActivationTest, AddsTheBiasOfItsFeatureThenCuts) {
  const auto y = run_op({ir::Literal::of<float>({1, 2, 1}, {1, -3}),
                         ir::Literal::of<float>({1, 1, 2}, {2, -1}), ir::Literal::of<float>({2}, {1, 0})},
                        [](ir::Builder& b, Operands v) {
                          return convolution_bias_activation(b, v[0], v[1], v[2], channels_last(1), {},
                                                             ConvolutionActivation::kRelu);
                        });
  EXPECT_EQ(elements<float>(y[0]), (std::vector<float>{3, 0, 0, 3}));
}

TEST(ConvolutionBiasActivationTest, TheGradientIsMaskedByTheResultAndMakesOnlyWhatIsWanted) {
  const std::vector<ir::Literal> inputs = {
      ir::Literal::of<float>({1, 2, 1}, {1, -3}), ir::Literal::of<float>({1, 1, 2}, {2, -1}),
      ir::Literal::of<float>({2}, {1, 0}), ir::Literal::of<float>({1, 2, 2}, {10, 20, 30, 40})};
  for (std::size_t wanted = 0; wanted < 3; ++wanted) {
    const auto gradient = run_op(inputs, [&](ir::Builder& b, Operands v) {
      const ir::Value y = convolution_bias_activation(b, v[0], v[1], v[2], channels_last(1), {},
                                                      ConvolutionActivation::kRelu);
      const std::vector<ir::Value> made =
          y.op()->def().gradient({.builder = b,
                                  .op = *y.op(),
                                  .result_gradients = v.subspan(3, 1),
                                  .is_active = [&](ir::Value value) { return value == v[wanted]; }});
      EXPECT_EQ(made[wanted].op()->results().size(), 1U);
      return made[wanted];
    });
    // y is {3, 0, 0, 3}, so that 10 and 40 flow.
    const std::vector<std::vector<float>> expected = {{20, -40}, {10, -120}, {10, 40}};
    EXPECT_EQ(elements<float>(gradient[0]), expected[wanted]);
  }
}

TEST(ConvolutionBiasActivationTest, ALinearGradientKeepsNoResultAlive) {
  ir::Block block;
  for (const ir::Dims& dims : {ir::Dims{1, 4, 2}, ir::Dims{2, 2, 3}, ir::Dims{3}, ir::Dims{1, 3, 3}})
    block.add_argument({DType::kF32, dims});
  ir::Builder builder(block);
  const auto v = block.arguments();
  const ir::Value y = convolution_bias_activation(builder, v[0], v[1], v[2], channels_last(1), {},
                                                  ConvolutionActivation::kLinear);
  const auto gradients =
      y.op()->def().gradient({.builder = builder, .op = *y.op(), .result_gradients = v.subspan(3, 1)});
  for (const ir::Value& operand : gradients[0].op()->operands()) EXPECT_NE(operand, y);
}

}  // namespace
}  // namespace cornu::inline v0::ops::convolution_bias_activation_folder
