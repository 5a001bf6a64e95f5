#include "cornu/ops/reshape/reshape.h"

#include <gtest/gtest.h>

#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::reshape_folder {
namespace {

using ir::DType;

TEST(ReshapeTest, C2_RejectsAnotherNumberOfElements) {
  EXPECT_EQ(build_error({{DType::kF32, {2, 3}}}, [](ir::Builder& b, Operands v) { reshape(b, v[0], {7}); }),
            "[reshape] (C2) (2, 3) has 6 elements, (7,) has 7");
}

TEST(ReshapeTest, KeepsTheRowMajorOrder) {
  const auto y = run_op({ir::Literal::of<std::int32_t>({2, 3}, {1, 2, 3, 4, 5, 6})},
                        [](ir::Builder& b, Operands v) { return reshape(b, v[0], {3, 2}); });
  EXPECT_EQ(elements<std::int32_t>(y[0]), (std::vector<std::int32_t>{1, 2, 3, 4, 5, 6}));
}

}  // namespace
}  // namespace cornu::inline v0::ops::reshape_folder
