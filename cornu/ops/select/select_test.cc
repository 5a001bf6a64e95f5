#include "cornu/ops/select/select.h"

#include <gtest/gtest.h>

#include "cornu/ops/op_test_support.h"

namespace cornu::inline v0::ops::select_folder {
namespace {

using ir::DType;

std::string error(const ir::TensorType& pred, const ir::TensorType& on_true, const ir::TensorType& on_false) {
  return build_error({pred, on_true, on_false},
                     [](ir::Builder& b, std::span<const ir::Value> v) { select(b, v[0], v[1], v[2]); });
}

TEST(SelectTest, I1_RejectsAPredThatIsNotBoolean) {
  EXPECT_EQ(error({DType::kI32, {}}, {DType::kF32, {}}, {DType::kF32, {}}),
            "[select] (I1) pred must be of i1; got tensor<i32>");
}

TEST(SelectTest, C1_RejectsAPredOfAnotherShape) {
  EXPECT_EQ(error({DType::kI1, {3}}, {DType::kF32, {2}}, {DType::kF32, {2}}),
            "[select] (C1) pred must be a scalar or have on_true's shape (2,); got tensor<3xi1>");
  EXPECT_EQ(error({DType::kI1, {}}, {DType::kF32, {2}}, {DType::kF32, {2}}), "");
}

TEST(SelectTest, C2_RejectsBranchesOfDifferentTypes) {
  EXPECT_EQ(error({DType::kI1, {}}, {DType::kF32, {2}}, {DType::kF64, {2}}),
            "[select] (C2) on_true and on_false must have one type; got tensor<2xf32> and tensor<2xf64>");
}

TEST(SelectTest, ChoosesElementByElementInEveryDtype) {
  const auto chosen =
      run_op({ir::Literal::of<bool>({2}, {true, false}), ir::Literal::of<std::int8_t>({2}, {1, 2}),
              ir::Literal::of<std::int8_t>({2}, {3, 4})},
             [](ir::Builder& b, std::span<const ir::Value> v) { return select(b, v[0], v[1], v[2]); });
  EXPECT_EQ(elements<std::int8_t>(chosen[0]), (std::vector<std::int8_t>{1, 4}));
}

}  // namespace
}  // namespace cornu::inline v0::ops::select_folder
