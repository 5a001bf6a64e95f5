#include "cornu/transform/pointwise_convolutions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/ops/all.h"
#include "cornu/transform/gradient.h"
#include "cornu/transform/text_test_support.h"

namespace cornu::inline v0::transform {
namespace {

struct OneByOne {
  ir::Dims lhs = {2, 12, 12, 64}, kernel = {1, 1, 64, 72};
  ops::ConvolutionOptions options = {};
};

/// The convolution and its gradients for its operands.
std::unique_ptr<ir::Function> step_of(const OneByOne& c) {
  return make_function(
      {{ir::DType::kF32, c.lhs}, {ir::DType::kF32, c.kernel}},
      [&](ir::Builder& b, std::span<const ir::Value> v) {
        const auto axes = static_cast<std::int64_t>(c.lhs.size()) - 2;
        const ir::Value y = ops::convolution(b, v[0], v[1], ops::channels_last(axes), c.options);
        ir::Dims all(c.lhs.size());
        for (std::size_t d = 0; d < all.size(); ++d) all[d] = static_cast<std::int64_t>(d);
        const ir::Value loss = ops::reduce_sum(b, ops::multiply(b, y, y), all);
        std::vector<ir::Value> results = gradient(b, loss, std::vector<ir::Value>{v[0], v[1]});
        results.push_back(y);
        return results;
      });
}

int count(const std::string& text, const std::string& word) {
  int found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

/// Expects three products in place of all convolutions, and the same results.
void expect_products(const OneByOne& c) {
  const auto before = step_of(c);
  const auto after = multiply_single_windows(*before);
  ASSERT_NE(after, nullptr);
  ir::verify(*after);
  EXPECT_EQ(count(body_text(*after), "dot_general"), 3);
  EXPECT_EQ(count(body_text(*after), "convolution"), 0);
  std::vector<ir::Literal> inputs;  // small whole numbers, whose sums are exact
  for (const ir::Value& argument : before->body.arguments()) {
    inputs.emplace_back(argument.type());
    std::int64_t i = 0;
    for (float& x : inputs.back().mutable_data<float>()) x = static_cast<float>(i++ * 7 % 5) - 2;
  }
  EXPECT_TRUE(backends::reference::evaluate(*after, inputs) ==
              backends::reference::evaluate(*before, inputs));
}

TEST(PointwiseConvolutionsTest, AConvolutionOfOneByOneAndItsGradientsAreProducts) { expect_products({}); }

TEST(PointwiseConvolutionsTest, StridesSliceTheOperandAndPadItsGradient) {
  expect_products({.lhs = {2, 24, 23, 64}, .options = {.window_strides = {2, 2}}});
  expect_products({.lhs = {1, 70, 16, 64}, .options = {.window_strides = {3, 1}, .padding_high = {0, 0}}});
}

TEST(PointwiseConvolutionsTest, LinesAreImagesOfOneDimension) {
  expect_products({.lhs = {4, 70, 64}, .kernel = {1, 64, 64}});
}

TEST(PointwiseConvolutionsTest, ThinLargerOrPaddedKernelsStayConvolutions) {
  const auto num_products = [](const OneByOne& c) {
    const auto after = multiply_single_windows(*step_of(c));
    return after == nullptr ? 0 : count(body_text(*after), "dot_general");
  };
  EXPECT_EQ(num_products({.kernel = {3, 3, 64, 72}}), 0);
  EXPECT_EQ(num_products({.options = {.padding_low = {1, 0}}}), 0);
  EXPECT_EQ(num_products({.options = {.window_strides = {2, 2}, .padding_low = {0, 1}}}), 0);
  EXPECT_EQ(num_products({.kernel = {1, 1, 32, 72}, .options = {.feature_group_count = 2}}), 0);
  EXPECT_EQ(num_products({.kernel = {1, 1, 64, 16}}), 0);
  EXPECT_EQ(num_products({.kernel = {1, 1, 64, 40}}), 1);  // the sum over positions
}

TEST(PointwiseConvolutionsTest, ImagesOfOneElementAreProductsOfFewChannels) {
  const auto after = multiply_single_windows(*step_of({.lhs = {16, 1, 1, 24}, .kernel = {1, 1, 24, 6}}));
  ASSERT_NE(after, nullptr);
  EXPECT_EQ(count(body_text(*after), "dot_general"), 2);
}

}  // namespace
}  // namespace cornu::inline v0::transform
