#include "cornu/ops/gru/gru.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::gru_folder {
namespace {

using ir::DType;

TEST(GruTest, ErrorsNameTheOperand) {
  const ir::TensorType projected{DType::kF32, {2, 5, 9}}, kernel{DType::kF32, {3, 9}},
      state{DType::kF32, {2, 3}};
  EXPECT_EQ(error_label({{DType::kF32, {2, 5, 8}}, kernel, state},
                        [](ir::Builder& b, Operands v) { gru(b, {v[0], v[1], v[2]}); }),
            "[cornu.gru] the projected input must be [batch, time, 3 * units]; got tensor<2x5x8xf32>");
  EXPECT_EQ(error_label({projected, kernel, state, {DType::kF32, {3}}},
                        [](ir::Builder& b, Operands v) { gru(b, {v[0], v[1], v[2], v[3]}); }),
            "[cornu.gru] recurrent_bias must be tensor<9xf32>; got tensor<3xf32>");
  EXPECT_EQ(error_label(
                {projected, kernel, state, {DType::kF32, {9}}},
                [](ir::Builder& b, Operands v) { gru(b, {v[0], v[1], v[2], v[3]}, {.reset_after = false}); }),
            "[cornu.gru] recurrent_bias goes with reset_after only");
}

TEST(GruTest, TheResetGateActsBehindTheProductOrAheadOfIt) {
  const auto run = [](bool reset_after) {
    return run_op({ir::Literal::of<double>({1, 1, 3}, {0.3, -0.2, 0.7}),
                   ir::Literal::of<double>({1, 3}, {0.5, -1, 2}), ir::Literal::of<double>({1, 1}, {0.5})},
                  [&](ir::Builder& b, Operands v) {
                    return gru(b, {v[0], v[1], v[2]}, {.reset_after = reset_after}).state;
                  })[0]
        .at(0);
  };
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  const double z = sigmoid(0.3 + 0.25), r = sigmoid(-0.2 - 0.5), candidate = std::tanh(0.7 + r * 1.0);
  // With one unit r * (h . k) is (r * h) . k.
  EXPECT_NEAR(run(true), z * 0.5 + (1 - z) * candidate, 1e-14);
  EXPECT_NEAR(run(false), z * 0.5 + (1 - z) * candidate, 1e-14);
}

}  // namespace
}  // namespace cornu::inline v0::ops::gru_folder
