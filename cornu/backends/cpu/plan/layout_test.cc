#include "cornu/backends/cpu/plan/plan_text_test_support.h"

// Which buffers assign_layouts() stores column by column. Before it no buffer has a layout; after it the
// plan's text names the strides of what is not row-major.
namespace cornu::inline v0::backends::cpu {
namespace {

using ir::Value;

class LayoutTest : public PlanText {
 protected:
  /// The buffers that are stored by column.
  std::string columns() const {
    std::string out;
    const std::string buffers = buffers_after("assign_layouts");
    for (std::size_t begin = 0; begin < buffers.size();) {
      const std::size_t end = buffers.find('\n', begin) + 1;
      const std::string line = buffers.substr(begin, end - begin);
      if (line.find(" strides=") != std::string::npos) out += line;
      begin = end;
    }
    return out;
  }
  /// Plans f(x w) v, with as many rows, and columns between the products, as said.
  void plan_products(std::int64_t rows, std::int64_t columns, const PlanOptions& options = {}) {
    argument({rows, 8});
    const Value x = fixed({rows, 8}), w = fixed({8, columns}), v = fixed({columns, 8});
    plan({ops::matmul(b_, ops::tanh(b_, ops::matmul(b_, x, w)), v)}, options);
  }
};

TEST_F(LayoutTest, FewColumnsOfManyRowsAreStoredByColumn) {
  plan_products(20, 3);
  EXPECT_EQ(groups_after("order"),
            "  dot [20x3]: (b1 b2) -> b4: dot_general\n"
            "  loop [20x3]: (b4) -> b5: tanh\n"
            "  dot [20x8]: (b5 b3) -> b0: dot_general\n");
  EXPECT_EQ(columns(),
            "  b4: tensor<20x3xf32> arena+0 strides=[1,20]\n"
            "  b5: tensor<20x3xf32> arena+0 strides=[1,20]\n");
}

TEST_F(LayoutTest, MoreColumnsThanHalfAVectorStayInRows) {
  plan_products(20, 5, {.vector_lanes = 8});
  EXPECT_EQ(columns(), "");
}

TEST_F(LayoutTest, OfAWiderVectorTheSameColumnsAreFew) {
  plan_products(20, 5, {.vector_lanes = 16});
  EXPECT_EQ(columns(),
            "  b4: tensor<20x5xf32> arena+0 strides=[1,20]\n"
            "  b5: tensor<20x5xf32> arena+0 strides=[1,20]\n");
}

TEST_F(LayoutTest, AsManyRowsAsColumnsStayInRows) {
  plan_products(3, 3);
  EXPECT_EQ(columns(), "");
}

TEST_F(LayoutTest, OfABatchOfMatricesTheLastTwoDimensionsAreExchanged) {
  argument({2, 20, 8});
  const Value x = fixed({2, 20, 8}), w = fixed({2, 8, 3}), v = fixed({2, 3, 8});
  const ops::DotDimensions matrices = {
      .lhs_batching = {0}, .rhs_batching = {0}, .lhs_contracting = {2}, .rhs_contracting = {1}};
  plan({ops::dot_general(b_, ops::dot_general(b_, x, w, matrices), v, matrices)});
  EXPECT_EQ(columns(), "  b4: tensor<2x20x3xf32> arena+0 strides=[60,1,20]\n");
}

TEST_F(LayoutTest, WhatIsWalkedBesideATensorInRowsStaysInRows) {
  const Value w = argument({20, 3});
  const Value x = fixed({20, 8}), y = fixed({8, 3});
  plan({ops::subtract(b_, w, ops::matmul(b_, x, y))});
  EXPECT_EQ(groups_after("order"),
            "  dot [20x3]: (b1 b2) -> b3: dot_general\n"
            "  loop [20x3]: (b0 b3) -> b0: subtract\n");
  EXPECT_EQ(columns(), "");
}

TEST_F(LayoutTest, RowsSpreadFromLoopToLoop) {
  const Value w = argument({20, 3});
  argument({20, 8});
  const Value x = fixed({20, 8}), y = fixed({8, 3}), v = fixed({3, 8});
  const Value first = ops::matmul(b_, x, y);
  const Value second = ops::tanh(b_, first);  // walks both; by itself it would have columns
  plan({ops::subtract(b_, w, first), ops::matmul(b_, second, v)});
  EXPECT_EQ(groups_after("order"),
            "  dot [20x3]: (b2 b3) -> b5: dot_general\n"
            "  loop [20x3]: (b5) -> b6: tanh\n"
            "  loop [20x3]: (b0 b5) -> b0: subtract\n"
            "  dot [20x8]: (b6 b4) -> b1: dot_general\n");
  EXPECT_EQ(columns(), "");
}

TEST_F(LayoutTest, WhatAKernelReadsOrMakesStaysInRows) {
  argument({20, 8});
  const Value x = fixed({20, 8}), w = fixed({8, 3}), v = fixed({3, 8});
  plan({ops::matmul(b_, ops::sort_ascending(b_, ops::matmul(b_, x, w), 0), v)});
  EXPECT_EQ(groups_after("order"),
            "  dot [20x3]: (b1 b2) -> b4: dot_general\n"
            "  kernel [20x3]: (b4) -> b5: sort\n"
            "  dot [20x8]: (b5 b3) -> b0: dot_general\n");
  EXPECT_EQ(columns(), "");
}

TEST_F(LayoutTest, WhatTheCallerReadsStaysInRows) {
  const Value x = fixed({20, 8}), w = fixed({8, 3});
  plan({ops::matmul(b_, x, w)});  // no state takes it
  EXPECT_EQ(columns(), "");
}

/// Scores of three classes for 20 rows, which are an output in one way or another.
class ScoresLayoutTest : public LayoutTest {
 protected:
  Value scores() {
    const Value x = fixed({20, 8}), w = fixed({8, 3});
    return ops::softmax(b_, ops::matmul(b_, x, w));
  }
};

TEST_F(ScoresLayoutTest, WhatIsCombinedRowByRowHasColumnsEvenBesideAnOutput) {
  plan({scores()});
  EXPECT_EQ(groups_after("order"),
            "  dot [20x3]: (b0 b1) -> b2: dot_general\n"
            "  reduce [20x3]: (b2) -> b3: reduce\n"
            "  loop [20x3]: (b2 b3) -> b4: subtract exponential\n"
            "  reduce [20x3]: (b4) -> b5: reduce\n"
            "  loop [20x3]: (b4 b5) -> b6: divide\n");
  EXPECT_EQ(columns(),
            "  b2: tensor<20x3xf32> arena+0 strides=[1,20]\n"
            "  b4: tensor<20x3xf32> arena+0 strides=[1,20]\n");
}

TEST_F(ScoresLayoutTest, AreTheSameInAnOutputOfOneStep) {
  plan({ops::reshape(b_, scores(), {1, 20, 3})});
  EXPECT_EQ(columns(),
            "  b2: tensor<20x3xf32> arena+0 strides=[1,20]\n"
            "  b4: tensor<20x3xf32> arena+0 strides=[1,20]\n");
}

TEST_F(ScoresLayoutTest, AreTheSameInTheOutputsOfManySteps) {
  const Value all = argument({5, 20, 3});
  const Value step = argument({}, runtime::ArgumentKind::kFixed, ir::DType::kI32);
  const Value zero = argument({}, runtime::ArgumentKind::kFixed, ir::DType::kI32);
  const Value slab = ops::reshape(b_, scores(), {1, 20, 3});
  plan({ops::dynamic_update_slice(b_, all, slab, {step, zero, zero})});
  const std::string by_column = columns();
  EXPECT_NE(by_column.find("b5: tensor<20x3xf32> arena+0 strides=[1,20]"), std::string::npos) << by_column;
  EXPECT_NE(by_column.find("b7: tensor<20x3xf32> arena+0 strides=[1,20]"), std::string::npos) << by_column;
}

TEST_F(LayoutTest, WhatIsCombinedDownItsColumnsStaysInRowsBesideAnOutput) {
  const Value x = fixed({20, 8}), w = fixed({8, 3});
  const Value product = ops::matmul(b_, x, w);
  const Value total = ops::broadcast_in_dim(b_, ops::reduce_sum(b_, product, {0}), {20, 3}, {1});
  plan({ops::divide(b_, product, total)});
  EXPECT_EQ(groups_after("order"),
            "  dot [20x3]: (b0 b1) -> b2: dot_general\n"
            "  reduce [20x3]: (b2) -> b3: reduce\n"
            "  loop [20x3]: (b2 b3) -> b4: divide\n");
  EXPECT_EQ(columns(), "");
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
