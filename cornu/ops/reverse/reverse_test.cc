#include "cornu/ops/reverse/reverse.h"

#include <gtest/gtest.h>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::reverse_folder {
namespace {

using ir::DType;

TEST(ReverseTest, C2_RejectsARepeatedDimension) {
  EXPECT_EQ(
      error_label({{DType::kF32, {2, 3}}}, [](ir::Builder& b, Operands v) { reverse(b, v[0], {1, 1}); }),
      "[reverse] (C2)");
}

TEST(ReverseTest, C3_RejectsADimensionOutsideTheRank) {
  EXPECT_EQ(error_label({{DType::kF32, {2, 3}}}, [](ir::Builder& b, Operands v) { reverse(b, v[0], {2}); }),
            "[reverse] (C3)");
}

TEST(ReverseTest, FlipsOnlyTheNamedDimensions) {
  const auto y = run_op({ir::Literal::of<bool>({2, 2}, {true, false, false, false})},
                        [](ir::Builder& b, Operands v) { return reverse(b, v[0], {1}); });
  EXPECT_EQ(elements<bool>(y[0]), (std::vector<bool>{false, true, false, false}));
}

}  // namespace
}  // namespace cornu::inline v0::ops::reverse_folder
