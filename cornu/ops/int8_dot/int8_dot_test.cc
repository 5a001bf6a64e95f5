#include "cornu/ops/int8_dot/int8_dot.h"

#include <gtest/gtest.h>

#include "cornu/ops/error_label_test_support.h"
#include "cornu/ops/op_test_support.h"

namespace cornu::inline v0::ops::int8_dot_folder {
namespace {

using ir::DType;

std::string message(const ir::TensorType& lhs, const ir::TensorType& rhs) {
  return error_label({lhs, rhs}, [](ir::Builder& b, Operands v) {
    int8_dot(b, v[0], v[1], {.lhs_contracting = {1}, .rhs_contracting = {0}});
  });
}

TEST(Int8DotTest, RejectsOtherTypesAndShapesThatDoNotFit) {
  EXPECT_EQ(message({DType::kI8, {2, 3}}, {DType::kI32, {3, 2}}),
            "[cornu.int8_dot] operands must be i8; got tensor<3x2xi32>");
  EXPECT_EQ(message({DType::kU8, {2, 3}}, {DType::kI8, {3, 2}}),
            "[cornu.int8_dot] operands must be i8; got tensor<2x3xui8>");
  EXPECT_EQ(message({DType::kI8, {2, 3}}, {DType::kI8, {4, 2}}), "[cornu.int8_dot] (C10)");
}

TEST(Int8DotTest, SumsInThirtyTwoBits) {
  const auto sums = run_op({ir::Literal::of<std::int8_t>({1, 3}, {-128, 127, 100}),
                            ir::Literal::of<std::int8_t>({3, 2}, {-128, 127, 127, -128, 100, 1})},
                           [](ir::Builder& b, Operands v) {
                             return int8_dot(b, v[0], v[1], {.lhs_contracting = {1}, .rhs_contracting = {0}});
                           });
  EXPECT_EQ(elements<std::int32_t>(sums[0]),
            (std::vector<std::int32_t>{128 * 128 + 127 * 127 + 10000, -128 * 127 - 127 * 128 + 100}));
}

// A table's rows are the columns of the product: it is read as it is.
TEST(Int8DotTest, TransposesOnlyWhereTheKernelNeedsIt) {
  const auto count = [](const ir::Dims& lhs, const ir::Dims& rhs, const DotDimensions& dimensions) {
    ir::Block block;
    const ir::Value x = block.add_argument({DType::kI8, lhs}), y = block.add_argument({DType::kI8, rhs});
    ir::Builder builder(block);
    int8_dot(builder, x, y, dimensions);
    return block.ops().size();
  };
  EXPECT_EQ(count({2, 3}, {3, 4}, {.lhs_contracting = {1}, .rhs_contracting = {0}}), 1U);
  EXPECT_EQ(count({2, 3}, {4, 3}, {.lhs_contracting = {1}, .rhs_contracting = {1}}), 1U);
  EXPECT_EQ(count({3, 2}, {3, 4}, {.lhs_contracting = {0}, .rhs_contracting = {0}}), 2U);
}

}  // namespace
}  // namespace cornu::inline v0::ops::int8_dot_folder
