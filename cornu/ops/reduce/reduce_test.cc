#include "cornu/ops/reduce/reduce.h"

#include <gtest/gtest.h>

#include <limits>

#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/error_label_test_support.h"

namespace cornu::inline v0::ops::reduce_folder {
namespace {

using ir::DType;

std::vector<ir::Value> adds(ir::Builder& b, Operands v) { return {add(b, v[0], v[1])}; }

TEST(ReduceTest, C1_RejectsInputsOfDifferentShapes) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}, {DType::kF32, {3}}, {DType::kF32, {}}},
                        [](ir::Builder& b, Operands v) { reduce(b, {v[0], v[1]}, {v[2], v[2]}, {0}, adds); }),
            "[reduce] (C1)");
}

TEST(ReduceTest, C2_RejectsAnInitOfAnotherDtype) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}, {DType::kF64, {}}},
                        [](ir::Builder& b, Operands v) { reduce(b, {v[0]}, {v[1]}, {0}, adds); }),
            "[reduce] (C2)");
}

TEST(ReduceTest, C3_RejectsAMissingInit) {
  EXPECT_EQ(
      error_label({{DType::kF32, {2}}}, [](ir::Builder& b, Operands v) { reduce(b, {v[0]}, {}, {0}, adds); }),
      "[reduce] (C3)");
}

TEST(ReduceTest, C4_RejectsADimensionOutsideTheRank) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}, {DType::kF32, {}}},
                        [](ir::Builder& b, Operands v) { reduce(b, {v[0]}, {v[1]}, {1}, adds); }),
            "[reduce] (C4)");
}

TEST(ReduceTest, C5_RejectsARepeatedDimension) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}, {DType::kF32, {}}},
                        [](ir::Builder& b, Operands v) { reduce(b, {v[0]}, {v[1]}, {0, 0}, adds); }),
            "[reduce] (C5)");
}

TEST(ReduceTest, C6_RejectsABodyOfAnotherType) {
  EXPECT_EQ(error_label({{DType::kF32, {2}}, {DType::kF32, {}}},
                        [](ir::Builder& b, Operands v) {
                          reduce(b, {v[0]}, {v[1]}, {0},
                                 [](ir::Builder&, Operands w) { return std::vector<ir::Value>{w[0], w[1]}; });
                        }),
            "[reduce] (C6)");
}

std::vector<double> reduced(const ir::Literal& x, ir::Value (*reduction)(ir::Builder&, ir::Value, ir::Dims),
                            ir::Dims dimensions) {
  const auto y = run_op({x}, [&](ir::Builder& b, Operands v) { return reduction(b, v[0], dimensions); });
  std::vector<double> values;
  for (std::int64_t i = 0; i < y[0].type().num_elements(); ++i) values.push_back(y[0].at(i));
  return values;
}

TEST(ReduceTest, ReducesAlongTheNamedDimensions) {
  const ir::Literal x = ir::Literal::of<float>({2, 3}, {1, 2, 3, 4, 5, -6});
  EXPECT_EQ(reduced(x, reduce_sum, {1}), (std::vector<double>{6, 3}));
  EXPECT_EQ(reduced(x, reduce_sum, {0, 1}), (std::vector<double>{9}));
  EXPECT_EQ(reduced(x, reduce_max, {0}), (std::vector<double>{4, 5, 3}));
  EXPECT_EQ(reduced(x, reduce_min, {1}), (std::vector<double>{1, -6}));
  EXPECT_EQ(reduced(x, reduce_product, {0}), (std::vector<double>{4, 10, -18}));
}

TEST(ReduceTest, NothingToReduceGivesTheNeutralElement) {
  const ir::Literal x(ir::TensorType{DType::kI32, {2, 0}});
  EXPECT_EQ(reduced(x, reduce_sum, {1}), (std::vector<double>{0, 0}));
  EXPECT_EQ(reduced(x, reduce_max, {1}), (std::vector<double>(2, -2147483648.0)));
  EXPECT_EQ(reduced(x, reduce_min, {1}), (std::vector<double>(2, 2147483647.0)));
  EXPECT_EQ(reduced(x, reduce_and, {1}), (std::vector<double>{-1, -1}));
}

TEST(ReduceTest, NoDimensionAddsNoOp) {
  ir::Block block;
  ir::Builder b(block);
  const ir::Value x = block.add_argument({DType::kF32, {2}});
  EXPECT_EQ(reduce_sum(b, x, {}), x);
}

TEST(ReduceTest, ArgmaxTakesTheFirstAmongEqualsAndNaNAboveAll) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const ir::Literal x =
      ir::Literal::of<float>({4, 3}, {1, 3, 3, -inf, -inf, -inf, inf, nan, nan, -0.0f, 0, -1});
  const auto y = run_op({x}, [](ir::Builder& b, Operands v) { return argmax(b, v[0], 1); });
  EXPECT_EQ(elements<std::int32_t>(y[0]), (std::vector<std::int32_t>{1, 0, 1, 0}));
}

TEST(ReduceTest, KnowsWhatASimpleBodyDoes) {
  ir::Block block;
  ir::Builder b(block);
  const ir::Value x = block.add_argument({DType::kF32, {2}});
  EXPECT_EQ(simple_reduce_kind(*reduce_sum(b, x, {0}).op()), "add");
  EXPECT_EQ(simple_reduce_kind(*argmax(b, x, 0).op()), "");
}

}  // namespace
}  // namespace cornu::inline v0::ops::reduce_folder
