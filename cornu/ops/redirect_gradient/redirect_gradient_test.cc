#include "cornu/ops/redirect_gradient/redirect_gradient.h"

#include <gtest/gtest.h>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::redirect_gradient_folder {
namespace {

TEST(RedirectGradientTest, KeepsTheValueAndPassesTheGradientToTheSource) {
  const auto y = run_op({ir::Literal::of<float>({2}, {-2, 3}), ir::Literal::of<float>({2}, {5, 7})},
                        [](ir::Builder& b, Operands v) {
                          const ir::Value redirected = redirect_gradient(b, v[0], v[1]);
                          const ir::Op& op = *redirected.op();
                          EXPECT_FALSE(op.def().passes_gradient_to(op, 0));
                          EXPECT_TRUE(op.def().passes_gradient_to(op, 1));
                          const std::vector<ir::Value> gradients = op.def().gradient({b, op, v.first(1)});
                          EXPECT_FALSE(gradients[0]);
                          EXPECT_EQ(gradients[1], v[0]);
                          return redirected;
                        });
  EXPECT_EQ(elements<float>(y[0]), (std::vector<float>{-2, 3}));
}

TEST(RedirectGradientTest, RejectsASourceOfAnotherType) {
  EXPECT_EQ(error_label({{ir::DType::kF32, {2}}, {ir::DType::kF64, {2}}},
                        [](ir::Builder& b, Operands v) { redirect_gradient(b, v[0], v[1]); }),
            "[cornu.redirect_gradient] value and source must have one type; got tensor<2xf32> and "
            "tensor<2xf64>");
}

}  // namespace
}  // namespace cornu::inline v0::ops::redirect_gradient_folder
