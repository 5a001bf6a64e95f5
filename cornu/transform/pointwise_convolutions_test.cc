#include "cornu/transform/pointwise_convolutions.h"

#include <gtest/gtest.h>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/ops/all.h"
#include "cornu/transform/gradient.h"
#include "cornu/transform/text_test_support.h"

namespace cornu::inline v0::transform {
namespace {

/// The weights' gradient of a convolution of [2, 12, 12, 32] with [size, size, 32, 40].
std::unique_ptr<ir::Function> weights_gradient(std::int64_t size, const ops::ConvolutionOptions& options) {
  return make_function({{ir::DType::kF32, {2, 12, 12, 32}}, {ir::DType::kF32, {size, size, 32, 40}}},
                       [&](ir::Builder& b, std::span<const ir::Value> v) {
                         const ir::Value y = ops::convolution(b, v[0], v[1], ops::channels_last(2), options);
                         const ir::Value loss = ops::reduce_sum(b, ops::multiply(b, y, y), {0, 1, 2, 3});
                         return gradient(b, loss, std::vector<ir::Value>{v[1]});
                       });
}

TEST(PointwiseConvolutionsTest, TheWeightsGradientOfOneByOneIsAProduct) {
  const auto before = weights_gradient(1, {});
  const auto after = multiply_single_windows(*before);
  ASSERT_NE(after, nullptr);
  ir::verify(*after);
  EXPECT_NE(body_text(*after).find("dot_general"), std::string::npos);
  std::vector<ir::Literal> inputs;  // small whole numbers, whose sums are exact
  for (const ir::Value& argument : before->body.arguments()) {
    inputs.emplace_back(argument.type());
    std::int64_t i = 0;
    for (float& x : inputs.back().mutable_data<float>()) x = static_cast<float>(i++ * 7 % 5) - 2;
  }
  EXPECT_TRUE(backends::reference::evaluate(*after, inputs)[0] ==
              backends::reference::evaluate(*before, inputs)[0]);
}

TEST(PointwiseConvolutionsTest, GradientsWithSeveralWindowsStay) {
  EXPECT_EQ(multiply_single_windows(*weights_gradient(3, {})), nullptr);
  EXPECT_EQ(multiply_single_windows(*weights_gradient(1, {.window_strides = {2, 2}})), nullptr);
}

}  // namespace
}  // namespace cornu::inline v0::transform
