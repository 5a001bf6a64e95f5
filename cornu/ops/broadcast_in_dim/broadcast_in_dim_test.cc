#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"

#include <gtest/gtest.h>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::broadcast_in_dim_folder {
namespace {

using ir::DType;

TEST(BroadcastInDimTest, C2_RejectsAMapOfAnotherSize) {
  EXPECT_EQ(error_label({{DType::kF32, {3}}},
                        [](ir::Builder& b, Operands v) { broadcast_in_dim(b, v[0], {2, 3}, {0, 1}); }),
            "[broadcast_in_dim] (C2)");
}

TEST(BroadcastInDimTest, C3_RejectsADimensionOutsideTheResult) {
  EXPECT_EQ(error_label({{DType::kF32, {3}}},
                        [](ir::Builder& b, Operands v) { broadcast_in_dim(b, v[0], {2, 3}, {2}); }),
            "[broadcast_in_dim] (C3)");
}

TEST(BroadcastInDimTest, C4_RejectsARepeatedDimension) {
  EXPECT_EQ(error_label({{DType::kF32, {3, 3}}},
                        [](ir::Builder& b, Operands v) { broadcast_in_dim(b, v[0], {2, 3}, {1, 1}); }),
            "[broadcast_in_dim] (C4)");
}

TEST(BroadcastInDimTest, C5_RejectsAnotherExtent) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}},
                        [](ir::Builder& b, Operands v) { broadcast_in_dim(b, v[0], {2, 3}, {1}); }),
            "[broadcast_in_dim] (C5)");
}

TEST(BroadcastInDimTest, BroadcastScalarRejectsTensors) {
  EXPECT_EQ(
      error_label({{DType::kF32, {2}}}, [](ir::Builder& b, Operands v) { broadcast_scalar(b, v[0], {2}); }),
      "[broadcast_scalar] the operand must be a scalar; got tensor<2xf32>");
}

TEST(BroadcastInDimTest, BroadcastToRejectsASmallerRank) {
  EXPECT_EQ(
      error_label({{DType::kF32, {2, 2}}}, [](ir::Builder& b, Operands v) { broadcast_to(b, v[0], {2}); }),
      "[broadcast_to] (2, 2)");
}

TEST(BroadcastInDimTest, RepeatsRowsAndColumns) {
  const ir::Literal x = ir::Literal::of<float>({1, 2}, {1, 2});
  const auto rows =
      run_op({x}, [](ir::Builder& b, Operands v) { return broadcast_in_dim(b, v[0], {2, 2}, {0, 1}); });
  EXPECT_EQ(elements<float>(rows[0]), (std::vector<float>{1, 2, 1, 2}));
  const auto columns =
      run_op({x}, [](ir::Builder& b, Operands v) { return broadcast_in_dim(b, v[0], {2, 2}, {1, 0}); });
  EXPECT_EQ(elements<float>(columns[0]), (std::vector<float>{1, 1, 2, 2}));
}

TEST(BroadcastInDimTest, BroadcastToAddsNothingToTheSameShape) {
  ir::Block block;
  ir::Builder b(block);
  const ir::Value x = block.add_argument({DType::kF32, {2, 3}});
  EXPECT_EQ(broadcast_to(b, x, {2, 3}), x);
  EXPECT_EQ(broadcast_leading(b, x, {2, 3}), x);
  EXPECT_TRUE(block.ops().empty());
}

}  // namespace
}  // namespace cornu::inline v0::ops::broadcast_in_dim_folder
