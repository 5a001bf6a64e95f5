#include "cornu/ops/sort/sort.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cornu/ops/compare/compare.h"
#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::sort_folder {
namespace {

using ir::DType;

ir::Value first_is_less(ir::Builder& b, Operands v) {
  return compare(b, v[0], v[1], ComparisonDirection::kLt);
}

TEST(SortTest, C1_RejectsNoInput) {
  EXPECT_EQ(error_label({{DType::kI1, {}}},
                        [](ir::Builder& b, Operands v) {
                          sort(b, {}, [&](ir::Builder&, Operands) { return v[0]; });
                        }),
            "[sort] (C1)");
}

TEST(SortTest, C3_RejectsInputsOfDifferentShapes) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}, {DType::kF32, {3}}},
                        [](ir::Builder& b, Operands v) { sort(b, {v[0], v[1]}, first_is_less); }),
            "[sort] (C3)");
}

TEST(SortTest, C4_RejectsADimensionOutsideTheRank) {
  for (std::int64_t dimension : {1, -2})
    EXPECT_EQ(error_label({{DType::kF32, {2}}},
                          [=](ir::Builder& b, Operands v) { sort_ascending(b, v[0], dimension); }),
              "[sort] (C4)");
}

TEST(SortTest, C5_RejectsAComparatorThatReturnsNoBoolean) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}},
                        [](ir::Builder& b, Operands v) {
                          sort(b, {v[0]}, [](ir::Builder&, Operands w) { return w[0]; });
                        }),
            "[sort] (C5)");
}

TEST(SortTest, EqualElementsKeepTheirOrder) {
  const auto y = run_op({ir::Literal::of<std::int32_t>({6}, {2, 1, 2, 0, 1, 2}),
                         ir::Literal::of<std::int32_t>({6}, {0, 1, 2, 3, 4, 5})},
                        [](ir::Builder& b, Operands v) { return sort(b, {v[0], v[1]}, first_is_less)[1]; });
  EXPECT_EQ(elements<std::int32_t>(y[0]), (std::vector<std::int32_t>{3, 1, 4, 0, 2, 5}));
}

TEST(SortTest, SortsAlongTheNamedDimensionOnly) {
  const ir::Literal x = ir::Literal::of<float>({2, 3}, {3, 1, 2, 0, 5, 1});
  const auto along = [&](std::int64_t dimension) {
    return elements<float>(
        run_op({x}, [=](ir::Builder& b, Operands v) { return sort_ascending(b, v[0], dimension); })[0]);
  };
  EXPECT_EQ(along(1), (std::vector<float>{1, 2, 3, 0, 1, 5}));
  EXPECT_EQ(along(-2), (std::vector<float>{0, 1, 1, 3, 5, 2}));
}

TEST(SortTest, AComparatorWithoutAnOrderStillEnds) {
  const ir::Literal x = ir::Literal::of<float>({4}, {3, std::nanf(""), 2, 1});
  const auto y = run_op({x}, [](ir::Builder& b, Operands v) {
    return sort(b, {v[0]}, [](ir::Builder& c, Operands w) {
      return compare(c, w[0], w[0], ComparisonDirection::kEq);
    })[0];
  });
  EXPECT_EQ(y[0].type(), x.type());
}

TEST(SortTest, EmptyLinesStayEmpty) {
  const auto y = run_op({ir::Literal(ir::TensorType{DType::kF32, {3, 0}})},
                        [](ir::Builder& b, Operands v) { return sort_ascending(b, v[0]); });
  EXPECT_EQ(y[0].type().num_elements(), 0);
}

}  // namespace
}  // namespace cornu::inline v0::ops::sort_folder
