#include "cornu/ops/relu/relu.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::relu_folder {
namespace {

using ir::DType;

TEST(ReluTest, RejectsUnsigned) {
  EXPECT_EQ(error_label({{DType::kU32, {2}}}, [](ir::Builder& b, Operands v) { relu(b, v[0]); }),
            "[cornu.relu] the operand must be float or signed integer; got tensor<2xui32>");
}

TEST(ReluTest, CutsNegativeValuesAndKeepsNaN) {
  const auto y = run_op({ir::Literal::of<float>({4}, {-2, 0, 3, std::nanf("")})},
                        [](ir::Builder& b, Operands v) { return relu(b, v[0]); });
  EXPECT_EQ(y[0].at(0), 0);
  EXPECT_EQ(y[0].at(1), 0);
  EXPECT_EQ(y[0].at(2), 3);
  EXPECT_TRUE(std::isnan(y[0].at(3)));
}

TEST(ReluTest, PassesNoGradientAtZero) {
  const auto dx = run_op({ir::Literal::of<float>({3}, {-2, 0, 3}), ir::Literal::of<float>({3}, {7, 8, 9})},
                         [](ir::Builder& b, Operands v) {
                           const ir::Value y = relu(b, v[0]);
                           return y.op()->def().gradient({b, *y.op(), v.subspan(1)})[0];
                         });
  EXPECT_EQ(elements<float>(dx[0]), (std::vector<float>{0, 0, 9}));
}

}  // namespace
}  // namespace cornu::inline v0::ops::relu_folder
