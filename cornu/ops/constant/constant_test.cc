#include "cornu/ops/constant/constant.h"

#include <gtest/gtest.h>

#include "cornu/ops/op_test_support.h"

namespace cornu::inline v0::ops::constant_folder {
namespace {

TEST(ConstantTest, C1_ResultHasTheValuesType) {
  ir::Block block;
  ir::Builder b(block);
  EXPECT_EQ(constant(b, ir::Literal::of<float>({2}, {1, 2})).type(), (ir::TensorType{ir::DType::kF32, {2}}));
}

TEST(ConstantTest, FullStoresOneElementOnly) {
  ir::Block block;
  ir::Builder b(block);
  EXPECT_EQ(full(b, {ir::DType::kF32, {1000, 1000}}, 2).dims(), (ir::Dims{1000, 1000}));
  for (const auto& op : block.ops()) EXPECT_TRUE(op->name() != "constant" || op->result().rank() == 0);
  const ir::Value one = full(b, {ir::DType::kI32, {}}, 2);
  EXPECT_EQ(one.op()->name(), "constant");
}

}  // namespace
}  // namespace cornu::inline v0::ops::constant_folder
