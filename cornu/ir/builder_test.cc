#include "cornu/ir/builder.h"

#include <gtest/gtest.h>

#include "cornu/ir/ops_test_support.h"

namespace cornu::inline v0::ir {
namespace {

std::string add_error(Builder& b, Value x, Value y) {
  try {
    b.create(test_ops::kAdd, {x, y});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(BuilderTest, AppendsOpsWithTheirTypesAndLocation) {
  Block block;
  const Value x = block.add_argument({DType::kF32, {2}});
  Builder b(block);
  b.set_location("dense");
  const Op& op = b.create(test_ops::kAdd, {x, x});
  EXPECT_EQ(op.result().type(), x.type());
  EXPECT_EQ(op.location(), "dense");
  EXPECT_EQ(op.block(), &block);
  EXPECT_EQ(op.result().op(), &op);
  EXPECT_EQ(x.op(), nullptr);
  EXPECT_EQ(block.ops().size(), 1u);
}

TEST(BuilderTest, ErrorsNameTheOpAndTheLayer) {
  Block block;
  const Value x = block.add_argument({DType::kF32, {2}}), y = block.add_argument({DType::kF32, {3}});
  Builder b(block);
  EXPECT_EQ(add_error(b, x, y), "[add] (C1) operands must have one type");
  {
    const LocationScope scope(b, "dense_1");
    EXPECT_EQ(add_error(b, x, y), "[add] (C1) operands must have one type; in layer \"dense_1\"");
  }
  EXPECT_EQ(b.location(), "");
  EXPECT_TRUE(block.ops().empty()) << "a rejected op must leave no trace";
}

TEST(BuilderDeathTest, AnEmptyOperandIsOurOwnBug) {
  Block block;
  Builder b(block);
  EXPECT_DEATH(b.create(test_ops::kAdd, {Value()}), "add: empty operand");
}

}  // namespace
}  // namespace cornu::inline v0::ir
