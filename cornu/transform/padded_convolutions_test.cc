#include "cornu/transform/padded_convolutions.h"

#include <gtest/gtest.h>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/ops/all.h"
#include "cornu/transform/simplify.h"
#include "cornu/transform/text_test_support.h"

namespace cornu::inline v0::transform {
namespace {

using ir::Value;
using BuildOfTwo = std::function<Value(ir::Builder&, Value x, Value kernel)>;

std::unique_ptr<ir::Function> of_image_and_kernel(const BuildOfTwo& build) {
  return make_function(
      {{ir::DType::kF64, {2, 6, 7, 3}}, {ir::DType::kF64, {3, 3, 3, 4}}},
      [&](ir::Builder& b, std::span<const Value> v) { return std::vector<Value>{build(b, v[0], v[1])}; });
}

Value pad_of_image(ir::Builder& b, Value x, const ir::Dims& low, const ir::Dims& high, double value = 0,
                   const ir::Dims& interior = {0, 0, 0, 0}) {
  return ops::pad(b, x, ops::scalar(b, x.dtype(), value), low, high, interior);
}

/// The function without its pad, whose results are the same: the inputs are small whole numbers, with exact sums.
void expect_no_pad(const ir::Function& before, const ir::Dims& padding_low) {
  const auto changed = pad_in_convolutions(before);
  ASSERT_NE(changed, nullptr);
  const auto after = simplify(*changed);
  ir::verify(*after);
  EXPECT_EQ(body_text(*after).find(".pad"), std::string::npos) << body_text(*after);
  EXPECT_EQ(ops::convolution_options(*after->body.results()[0].op()).padding_low, padding_low);
  std::vector<ir::Literal> inputs;
  for (const Value& argument : before.body.arguments()) {
    inputs.emplace_back(argument.type());
    std::int64_t i = 0;
    for (double& x : inputs.back().mutable_data<double>()) x = static_cast<double>(i++ * 7 % 23) - 11;
  }
  EXPECT_TRUE(backends::reference::evaluate(*after, inputs)[0] ==
              backends::reference::evaluate(before, inputs)[0]);
}

const ops::ConvolutionDimensions kImagesLast = ops::channels_last(2);

TEST(PaddedConvolutionsTest, ZerosAroundAnImageArePaddingOfItsConvolution) {
  expect_no_pad(*of_image_and_kernel([](ir::Builder& b, Value x, Value kernel) {
    return ops::convolution(b, pad_of_image(b, x, {0, 1, 0, 0}, {0, 2, 1, 0}), kernel, kImagesLast,
                            {.window_strides = {2, 2}, .padding_low = {0, 1}});
  }),
                {1, 1});
  expect_no_pad(*of_image_and_kernel([](ir::Builder& b, Value x, Value kernel) {
    return ops::convolution(b, pad_of_image(b, x, {0, 1, 2, 0}, {0, 0, 1, 0}), kernel, kImagesLast,
                            {.padding_low = {2, 0}, .lhs_dilation = {2, 3}});
  }),
                {4, 6});
}

TEST(PaddedConvolutionsTest, ResultsThatAreCutOffAreNotComputed) {
  expect_no_pad(*of_image_and_kernel([](ir::Builder& b, Value x, Value kernel) {
    return pad_of_image(
        b,
        ops::convolution(b, x, kernel, kImagesLast,
                         {.padding_low = {2, 2}, .padding_high = {2, 3}, .lhs_dilation = {2, 1}}),
        {0, -1, 0, 0}, {0, -2, -1, 0});
  }),
                {1, 2});
}

TEST(PaddedConvolutionsTest, OtherPadsStay) {
  const auto stays = [](const BuildOfTwo& build) {
    EXPECT_EQ(pad_in_convolutions(*of_image_and_kernel(build)), nullptr);
  };
  stays([](ir::Builder& b, Value x, Value kernel) {  // by ones
    return ops::convolution(b, pad_of_image(b, x, {0, 1, 1, 0}, {0, 1, 1, 0}, 1), kernel, kImagesLast);
  });
  stays([](ir::Builder& b, Value x, Value kernel) {  // between elements
    return ops::convolution(b, pad_of_image(b, x, {0, 1, 1, 0}, {0, 1, 1, 0}, 0, {0, 1, 0, 0}), kernel,
                            kImagesLast);
  });
  stays([](ir::Builder& b, Value x, Value kernel) {  // of the batch
    return ops::convolution(b, pad_of_image(b, x, {1, 1, 1, 0}, {0, 1, 1, 0}), kernel, kImagesLast);
  });
  stays([](ir::Builder& b, Value x, Value kernel) {  // cuts
    return ops::convolution(b, pad_of_image(b, x, {0, -1, 1, 0}, {0, 1, 1, 0}), kernel, kImagesLast);
  });
  stays([](ir::Builder& b, Value x, Value kernel) {  // of strided windows
    return pad_of_image(
        b, ops::convolution(b, x, kernel, kImagesLast, {.window_strides = {2, 2}, .padding_low = {2, 2}}),
        {0, -1, 0, 0}, {0, 0, 0, 0});
  });
  stays([](ir::Builder& b, Value x, Value kernel) {  // cuts more than the padding
    return pad_of_image(b, ops::convolution(b, x, kernel, kImagesLast, {.padding_low = {1, 1}}),
                        {0, -2, 0, 0}, {0, 0, 0, 0});
  });
  stays([](ir::Builder& b, Value x, Value kernel) {  // both are needed
    const Value y = ops::convolution(b, x, kernel, kImagesLast, {.padding_low = {1, 1}});
    const Value cut = pad_of_image(b, y, {0, -1, 0, 0}, {0, 0, 0, 0});
    return ops::add(b, ops::reduce_sum(b, cut, {0, 1, 2, 3}), ops::reduce_sum(b, y, {0, 1, 2, 3}));
  });
}

}  // namespace
}  // namespace cornu::inline v0::transform
