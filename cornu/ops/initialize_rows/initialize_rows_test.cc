#include "cornu/ops/initialize_rows/initialize_rows.h"

#include <gtest/gtest.h>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::initialize_rows_folder {
namespace {

using ir::DType;

TEST(InitializeRowsTest, TheResultIsTheIds) {
  const ir::Literal ids = ir::Literal::of<std::int32_t>({3}, {1, -4, 9});
  const auto result = run_op({ir::Literal::of<float>({2, 1}, {1, 2}), ids},
                             [](ir::Builder& b, Operands v) { return initialize_rows(b, v[0], v[1], ""); });
  EXPECT_TRUE(result[0] == ids);
}

TEST(InitializeRowsTest, RejectsOperandsThatDoNotFit) {
  const auto use = [](ir::Builder& b, Operands v) { initialize_rows(b, v[0], v[1], ""); };
  EXPECT_EQ(error_label({{DType::kF32, {0, 3}}, {DType::kI32, {2}}}, use),
            "[cornu.initialize_rows] the table must have at least one row; got tensor<0x3xf32>");
  EXPECT_EQ(error_label({{DType::kF32, {2, 3}}, {DType::kU32, {2}}}, use),
            "[cornu.initialize_rows] ids must be i32 or i64; got tensor<2xui32>");
}

}  // namespace
}  // namespace cornu::inline v0::ops::initialize_rows_folder
