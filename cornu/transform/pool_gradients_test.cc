#include "cornu/transform/pool_gradients.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/ops/all.h"
#include "cornu/transform/text_test_support.h"

namespace cornu::inline v0::transform {
namespace {

std::unique_ptr<ir::Function> pool_gradient(const ir::Dims& dims, const ir::Dims& windows,
                                            const ops::PoolWindow& window, ops::ComparisonDirection select) {
  return make_function(
      {{ir::DType::kF64, dims}, {ir::DType::kF64, windows}},
      [&](ir::Builder& b, std::span<const ir::Value> v) {
        return std::vector<ir::Value>{ops::select_and_scatter_add(b, v[0], v[1], window, select)};
      });
}

ops::PoolWindow padded(const ir::Dims& dimensions, std::int64_t stride, const ir::Dims& low,
                       const ir::Dims& high) {
  return {
      .dimensions = dimensions, .strides = {1, stride, stride, 1}, .padding_low = low, .padding_high = high};
}

TEST(PoolGradientsTest, EachElementGetsTheGradientsOfTheWindowsThatSelectIt) {
  struct Case {
    ir::Dims dims, windows;
    ops::PoolWindow window;
  };
  // Windows side by side with steps of one and two, elements between windows, and along the last dimension.
  const Case cases[] = {{{2, 7, 6, 1}, {2, 6, 5, 1}, {.dimensions = {1, 2, 2, 1}, .strides = {1, 1, 1, 1}}},
                        {{1, 9, 8, 3}, {1, 4, 3, 3}, {.dimensions = {1, 3, 3, 1}, .strides = {1, 2, 2, 1}}},
                        {{2, 3, 10}, {2, 3, 4}, {.dimensions = {1, 1, 3}, .strides = {1, 1, 2}}},
                        {{1, 7, 6, 1}, {1, 7, 6, 1}, padded({1, 3, 3, 1}, 1, {0, 1, 1, 0}, {0, 1, 1, 0})},
                        {{1, 8, 9, 1}, {1, 4, 5, 1}, padded({1, 3, 3, 1}, 2, {0, 0, 1, 0}, {0, 1, 1, 0})},
                        {{1, 5, 4, 1}, {1, 7, 4, 1}, padded({1, 3, 2, 1}, 1, {0, 2, 0, 0}, {0, 2, 1, 0})}};
  for (const Case& c : cases)
    for (const auto select : {ops::ComparisonDirection::kGe, ops::ComparisonDirection::kLe}) {
      const auto before = pool_gradient(c.dims, c.windows, c.window, select);
      const auto after = unroll_pool_gradients(*before);
      ASSERT_NE(after, nullptr);
      ir::verify(*after);
      EXPECT_EQ(body_text(*after).find("select_and_scatter"), std::string::npos);
      std::vector<ir::Literal> inputs;  // small whole numbers: many are equal, and sums are exact
      for (const ir::Value& argument : before->body.arguments()) {
        inputs.emplace_back(argument.type());
        std::int64_t i = 0;
        for (double& x : inputs.back().mutable_data<double>()) x = static_cast<double>(i++ * 7 % 5) - 2;
      }
      EXPECT_TRUE(backends::reference::evaluate(*after, inputs)[0] ==
                  backends::reference::evaluate(*before, inputs)[0])
          << body_text(*before);
    }
}

TEST(PoolGradientsTest, PaddingIsNotSelectedBesideInfiniteElements) {
  const double infinity = std::numeric_limits<double>::infinity(),
               nan = std::numeric_limits<double>::quiet_NaN();
  const auto before =
      pool_gradient({1, 4, 4, 1}, {1, 4, 4, 1}, padded({1, 3, 3, 1}, 1, {0, 1, 1, 0}, {0, 1, 1, 0}),
                    ops::ComparisonDirection::kGe);
  const auto after = unroll_pool_gradients(*before);
  ASSERT_NE(after, nullptr);
  std::vector<ir::Literal> inputs;
  for (const ir::Value& argument : before->body.arguments()) inputs.emplace_back(argument.type());
  for (std::size_t i = 0; i < 16; ++i) inputs[1].mutable_data<double>()[i] = static_cast<double>(i + 1);
  for (const double last : {-infinity, infinity, nan, -1.0}) {
    for (double& x : inputs[0].mutable_data<double>()) x = -infinity;
    inputs[0].mutable_data<double>()[15] = inputs[0].mutable_data<double>()[6] = last;
    EXPECT_TRUE(backends::reference::evaluate(*after, inputs)[0] ==
                backends::reference::evaluate(*before, inputs)[0])
        << last;
  }
}

TEST(PoolGradientsTest, WindowsForKernelsStay) {
  const auto ge = ops::ComparisonDirection::kGe;
  EXPECT_EQ(unroll_pool_gradients(*pool_gradient({1, 4, 4, 1}, {1, 2, 2, 1},
                                                 {.dimensions = {1, 2, 2, 1}, .strides = {1, 2, 2, 1}}, ge)),
            nullptr);
  EXPECT_EQ(unroll_pool_gradients(*pool_gradient({1, 4, 4, 16}, {1, 3, 3, 16},
                                                 {.dimensions = {1, 2, 2, 1}, .strides = {1, 1, 1, 1}}, ge)),
            nullptr);
}

}  // namespace
}  // namespace cornu::inline v0::transform
