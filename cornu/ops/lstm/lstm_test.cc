#include "cornu/ops/lstm/lstm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::lstm_folder {
namespace {

using ir::DType;

std::string error_of(const ir::TensorType& projected, const ir::TensorType& kernel,
                     const ir::TensorType& state, const LstmOptions& options = {}) {
  return error_label({projected, kernel, state, state},
                     [&](ir::Builder& b, Operands v) { lstm(b, {v[0], v[1], v[2], v[3]}, options); });
}

TEST(LstmTest, ErrorsNameTheOperand) {
  const ir::TensorType state{DType::kF32, {2, 3}}, kernel{DType::kF32, {3, 12}};
  EXPECT_EQ(error_of({DType::kF32, {2, 5, 11}}, kernel, state),
            "[cornu.lstm] the projected input must be [batch, time, 4 * units]; got tensor<2x5x11xf32>");
  EXPECT_EQ(error_of({DType::kF32, {2, 0, 12}}, kernel, state),
            "[cornu.lstm] the sequence must have at least one step; got tensor<2x0x12xf32>");
  EXPECT_EQ(error_of({DType::kF32, {2, 5, 12}}, {DType::kF32, {3, 9}}, state),
            "[cornu.lstm] recurrent_kernel must be tensor<3x12xf32>; got tensor<3x9xf32>");
  EXPECT_EQ(error_of({DType::kF32, {2, 5, 12}}, kernel, {DType::kF32, {1, 3}}),
            "[cornu.lstm] the initial hidden state must be tensor<2x3xf32>; got tensor<1x3xf32>");
  EXPECT_EQ(error_of({DType::kF32, {2, 5, 12}}, kernel, state, {.activation = "gelu"}),
            "[cornu.lstm] activation must be linear, tanh, sigmoid, relu or hard_sigmoid; got \"gelu\"");
}

TEST(LstmTest, IsItsFormula) {
  const double zi = 0.3, zf = -0.2, zg = 0.7, zo = 1.1, c0 = 0.4;
  const auto y = run_op(
      {ir::Literal::of<double>({1, 1, 4}, {zi, zf, zg, zo}), ir::Literal::of<double>({1, 4}, {0, 0, 0, 0}),
       ir::Literal::of<double>({1, 1}, {0.5}), ir::Literal::of<double>({1, 1}, {c0})},
      [](ir::Builder& b, Operands v) { return lstm(b, {v[0], v[1], v[2], v[3]}).states; });
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  const double c = sigmoid(zf) * c0 + sigmoid(zi) * std::tanh(zg);
  EXPECT_NEAR(y[0].at(0), sigmoid(zo) * std::tanh(c), 1e-14);
}

TEST(LstmTest, AMaskedStepKeepsTheStateWhateverStandsThere) {
  const double nan = std::nan("");
  const auto y =
      run_op({ir::Literal::of<double>({1, 2, 4}, {nan, nan, nan, nan, nan, nan, nan, nan}),
              ir::Literal::of<double>({1, 4}, {1, 1, 1, 1}), ir::Literal::of<double>({1, 1}, {0.5}),
              ir::Literal::of<double>({1, 1}, {0.25}), ir::Literal::of<bool>({1, 2}, {false, false})},
             [](ir::Builder& b, Operands v) { return lstm(b, {v[0], v[1], v[2], v[3], v[4]}).states; });
  EXPECT_EQ(elements<double>(y[0]), (std::vector<double>{0.5, 0.5}));
}

}  // namespace
}  // namespace cornu::inline v0::ops::lstm_folder
