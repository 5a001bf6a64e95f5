#include "cornu/transform/line_convolutions.h"

#include <gtest/gtest.h>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/ops/all.h"
#include "cornu/transform/text_test_support.h"

namespace cornu::inline v0::transform {
namespace {

/// A convolution of one line, features before the line, kernel [output, input, taps].
std::unique_ptr<ir::Function> line_convolution(std::int64_t length, std::int64_t num_taps,
                                               const ops::ConvolutionOptions& options) {
  const ops::ConvolutionDimensions dimensions = {
      .input_spatial_dimensions = {2}, .kernel_spatial_dimensions = {2}, .output_spatial_dimensions = {2}};
  return make_function({{ir::DType::kF64, {1, 1, length}}, {ir::DType::kF64, {1, 1, num_taps}}},
                       [&](ir::Builder& b, std::span<const ir::Value> v) {
                         return std::vector<ir::Value>{ops::convolution(b, v[0], v[1], dimensions, options)};
                       });
}

TEST(LineConvolutionsTest, ALongLineIsAProductOfMatrices) {
  struct Case {
    std::int64_t length, num_taps;
    ops::ConvolutionOptions options;
  };
  // Kernels of less than a row, a row and one element, and several rows; with padding, cut off, and reversed.
  const Case cases[] = {{1100, 33, {}},
                        {1100, 65, {.padding_low = {64}, .padding_high = {64}}},
                        {1500, 130, {.padding_low = {3}, .padding_high = {0}, .window_reversal = {1}}},
                        {1300, 64, {.padding_low = {-2}, .padding_high = {-70}}}};
  for (const Case& c : cases) {
    const auto before = line_convolution(c.length, c.num_taps, c.options);
    const auto after = multiply_long_lines(*before);
    ASSERT_NE(after, nullptr);
    ir::verify(*after);
    EXPECT_EQ(body_text(*after).find("convolution"), std::string::npos);
    std::vector<ir::Literal> inputs;  // small whole numbers, whose sums are exact
    for (const ir::Value& argument : before->body.arguments()) {
      inputs.emplace_back(argument.type());
      std::int64_t i = 0;
      for (double& x : inputs.back().mutable_data<double>()) x = static_cast<double>(i++ * 7 % 23) - 11;
    }
    EXPECT_TRUE(backends::reference::evaluate(*after, inputs)[0] ==
                backends::reference::evaluate(*before, inputs)[0])
        << c.length << " elements, " << c.num_taps << " taps";
  }
}

TEST(LineConvolutionsTest, ShortAndStridedOnesStay) {
  EXPECT_EQ(multiply_long_lines(*line_convolution(1100, 16, {})), nullptr);
  EXPECT_EQ(multiply_long_lines(*line_convolution(500, 33, {})), nullptr);
  EXPECT_EQ(multiply_long_lines(*line_convolution(3000, 33, {.window_strides = {2}})), nullptr);
}

}  // namespace
}  // namespace cornu::inline v0::transform
