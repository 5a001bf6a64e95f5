#include "cornu/ops/simple_rnn/simple_rnn.h"

#include <gtest/gtest.h>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::simple_rnn_folder {
namespace {

using ir::DType;

TEST(SimpleRnnTest, ErrorsNameTheOperand) {
  const ir::TensorType projected{DType::kF32, {2, 5, 3}}, kernel{DType::kF32, {3, 3}},
      state{DType::kF32, {2, 3}};
  EXPECT_EQ(error_label({{DType::kI32, {2, 5, 3}}, kernel, state},
                        [](ir::Builder& b, Operands v) { simple_rnn(b, v[0], v[1], v[2]); }),
            "[cornu.simple_rnn] the operand must be floating-point; got tensor<2x5x3xi32>");
  EXPECT_EQ(error_label({projected, kernel, state, {DType::kI1, {2, 4}}},
                        [](ir::Builder& b, Operands v) { simple_rnn(b, v[0], v[1], v[2], v[3]); }),
            "[cornu.simple_rnn] the mask must be tensor<2x5xi1>; got tensor<2x4xi1>");
}

TEST(SimpleRnnTest, WalksBackwardsAndLeavesEachStepAtItsPlace) {
  const auto y = run_op(
      {ir::Literal::of<double>({1, 3, 1}, {1, 10, 100}), ir::Literal::of<double>({1, 1}, {2}),
       ir::Literal::of<double>({1, 1}, {0})},
      [](ir::Builder& b, Operands v) {
        return simple_rnn(b, v[0], v[1], v[2], {}, {.activation = "linear", .go_backwards = true}).states;
      });
  EXPECT_EQ(elements<double>(y[0]), (std::vector<double>{421, 210, 100}));
}

}  // namespace
}  // namespace cornu::inline v0::ops::simple_rnn_folder
