#include "cornu/ops/first_occurrence/first_occurrence.h"

#include <gtest/gtest.h>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::first_occurrence_folder {
namespace {

using ir::DType;

TEST(FirstOccurrenceTest, EqualIdsHaveThePositionOfTheFirst) {
  const auto first = run_op({ir::Literal::of<std::int32_t>({6}, {3, 9, 3, -1, 9, 3})},
                            [](ir::Builder& b, Operands v) { return first_occurrence(b, v[0]); });
  EXPECT_TRUE(first[0] == ir::Literal::of<std::int32_t>({6}, {0, 1, 0, 3, 1, 0}));
}

TEST(FirstOccurrenceTest, RejectsOtherTypes) {
  const auto use = [](ir::Builder& b, Operands v) { first_occurrence(b, v[0]); };
  EXPECT_EQ(error_label({{DType::kF32, {2}}}, use),
            "[cornu.first_occurrence] ids must be a vector of i32 or i64; got tensor<2xf32>");
  EXPECT_EQ(error_label({{DType::kI32, {2, 2}}}, use),
            "[cornu.first_occurrence] ids must be a vector of i32 or i64; got tensor<2x2xi32>");
}

}  // namespace
}  // namespace cornu::inline v0::ops::first_occurrence_folder
