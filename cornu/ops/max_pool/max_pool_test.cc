#include "cornu/ops/max_pool/max_pool.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::max_pool_folder {
namespace {

using ir::DType;

std::string pool_message(const PoolWindow& window) {
  return error_label({{DType::kF32, {4, 4}}}, [&](ir::Builder& b, Operands v) { max_pool(b, v[0], window); });
}

TEST(MaxPoolTest, RejectsIntegersAndBadWindows) {
  EXPECT_EQ(error_label({{DType::kI32, {2}}},
                        [](ir::Builder& b, Operands v) { max_pool(b, v[0], {.dimensions = {2}}); }),
            "[cornu.max_pool] the operand must be floating-point; got tensor<2xi32>");
  EXPECT_EQ(pool_message({.dimensions = {2}})
                .find("[cornu.max_pool] windows, strides and padding must have one entry a dimension"),
            0U);
  EXPECT_EQ(
      pool_message({.dimensions = {2, 0}}).find("[cornu.max_pool] windows and strides must be positive"), 0U);
  EXPECT_EQ(pool_message({.dimensions = {2, 2}, .padding_low = {2, 0}, .padding_high = {0, 0}})
                .find("[cornu.max_pool] padding must be 0"),
            0U);
}

TEST(MaxPoolTest, RejectsAGradientThatIsNotOneElementAWindow) {
  const std::string message =
      error_label({{DType::kF32, {4}}, {DType::kF32, {3}}}, [](ir::Builder& b, Operands v) {
        max_pool_gradient(b, v[0], v[1], {.dimensions = {2}, .strides = {2}});
      });
  EXPECT_EQ(message.find("[cornu.max_pool_gradient] dy must be tensor<2xf32>"), 0U) << message;
}

TEST(MaxPoolTest, PaddingNeverCountsAndNaNStays) {
  const auto y = run_op({ir::Literal::of<float>({5}, {-3, -4, std::nanf(""), 7, 1})}, [](ir::Builder& b,
                                                                                         Operands v) {
    return max_pool(b, v[0], {.dimensions = {2}, .strides = {2}, .padding_low = {1}, .padding_high = {0}});
  });
  EXPECT_EQ(y[0].at(0), -3);
  EXPECT_TRUE(std::isnan(y[0].at(1)));
  EXPECT_EQ(y[0].at(2), 7);
}

TEST(MaxPoolTest, TheGradientFlowsToTheFirstOfEqualMaximaAsOneComposite) {
  const auto dx =
      run_op({ir::Literal::of<float>({5}, {2, 2, 7, 7, 7}), ir::Literal::of<float>({2}, {10, 20})},
             [](ir::Builder& b, Operands v) {
               const ir::Value y = max_pool(b, v[0], {.dimensions = {3}, .strides = {2}});
               const ir::Value result = y.op()->def().gradient({b, *y.op(), v.subspan(1)})[0];
               EXPECT_EQ(result.op()->name(), "cornu.max_pool_gradient");
               return result;
             });
  EXPECT_EQ(elements<float>(dx[0]), (std::vector<float>{0, 0, 30, 0, 0}));
}

}  // namespace
}  // namespace cornu::inline v0::ops::max_pool_folder
