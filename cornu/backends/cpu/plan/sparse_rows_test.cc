#include <gtest/gtest.h>

#include "cornu/backends/cpu/plan/plan_text_test_support.h"
#include "cornu/backends/cpu/programs_test_support.h"
#include "cornu/ops/all.h"

// Tables that are read by rows, and whose gradients have few: no memory of a table's size in between.
namespace cornu::inline v0::backends::cpu {
namespace {

using ir::DType;
using ir::Literal;
using ir::Value;
using Values = std::span<const Value>;
using Results = std::vector<Value>;

constexpr std::int64_t kTableRows = 4100, kWidth = 64;

Literal table_like(const ir::Dims& dims, float start) {
  Literal literal(ir::TensorType{DType::kF32, dims});
  for (float& x : literal.mutable_data<float>()) x = start = start * 0.73F + (start < 0 ? 1.31F : -1.97F);
  return literal;
}

/// ids with equal ones, the table's ends and some that are outside.
Literal some_ids() {
  return Literal::of<std::int32_t>({3, 4}, {7, 4099, 7, 0, -1, 2000, 4100, 7, 0, 31, 2000, 99999});
}

Results step_with_sparse_gradient(ir::Builder& b, Values x) {
  const Value gradient = ops::scatter_add_rows(b, ops::full(b, x[0].type(), 0), x[1], x[2]);
  const Value slot = ops::add(b, x[0], ops::multiply(b, gradient, gradient));
  return {ops::subtract(b, x[0], ops::divide(b, gradient, slot)), slot};
}

Plan plan_of(const std::vector<ir::TensorType>& inputs, const TestBuild& build) {
  ir::Function function;
  function.name = "main";
  runtime::StepProgram program{&function, {}, "test"};
  std::vector<Value> arguments;
  const auto add = [&](const ir::TensorType& type, runtime::ArgumentKind kind) {
    program.arguments.push_back(kind);
    return function.body.add_argument(type);
  };
  for (const ir::TensorType& type : inputs) arguments.push_back(add(type, runtime::ArgumentKind::kFixed));
  ir::Builder b(function.body);
  const Results results = build(b, arguments);
  for (const Value& result : results) add(result.type(), runtime::ArgumentKind::kState);
  function.body.set_results(results);
  return make_plan(program, {});
}

class SparseRowsTextTest : public PlanText {
 protected:
  /// A step on a table and on its gradient, which has few rows.
  void plan_gradient(std::int64_t rows, const std::function<Results(Value table, Value gradient)>& use) {
    const Value table = argument({rows, kWidth});
    const Value ids = argument({3, 4}, runtime::ArgumentKind::kFixed, DType::kI32);
    const Value updates = fixed({3, 4, kWidth});
    plan(use(table, ops::scatter_add_rows(b_, ops::full(b_, table.type(), 0), ids, updates)));
  }
  /// Changes all rows, so that transform::update_named_rows does not apply.
  Results difference(Value table, Value gradient) { return {ops::subtract(b_, gradient, table)}; }
};

/// v6: by which of the 12 ids each row of the table is named first, 12 where by none. v18: the row of the
/// small table that an id's update is added to; 13, which there is not, for an id outside of the large one.
/// v21: the small table, whose row 12 stays zero.
TEST_F(SparseRowsTextTest, AGradientOfFewRowsIsGatheredFromASmallTable) {
  plan_gradient(kTableRows, [&](Value table, Value gradient) { return difference(table, gradient); });
  EXPECT_EQ(step_after("simplify"),
            "  v0 = constant(0): f32\n"
            "  v1 = broadcast_in_dim(v0): 4100x64xf32\n"
            "  v2 = scatter(v1 a1 a2): 4100x64xf32\n"
            "    (r0 r1):\n"
            "      v3 = add(r0 r1): f32\n"
            "      return v3\n"
            "  v4 = subtract(v2 a0): 4100x64xf32\n"
            "  return v4\n");
  EXPECT_EQ(step_after("compact_sparse_tables"),
            "  v0 = constant(0): f32\n"
            "  v1 = broadcast_in_dim(v0): 4100x64xf32\n"
            "  v2 = iota(): 12xi32\n"
            "  v3 = reshape(v2): 3x4xi32\n"
            "  v4 = constant(12): i32\n"
            "  v5 = broadcast_in_dim(v4): 4100xi32\n"
            "  v6 = scatter(v5 a1 v3): 4100xi32\n"
            "    (r0 r1):\n"
            "      v7 = minimum(r0 r1): i32\n"
            "      return v7\n"
            "  v8 = constant(4100): i32\n"
            "  v9 = broadcast_in_dim(v8): 3x4xi32\n"
            "  v10 = compare(a1 v9): 3x4xi1\n"
            "  v11 = constant(0): i32\n"
            "  v12 = broadcast_in_dim(v11): 3x4xi32\n"
            "  v13 = compare(a1 v12): 3x4xi1\n"
            "  v14 = and(v13 v10): 3x4xi1\n"
            "  v15 = constant(13): i32\n"
            "  v16 = broadcast_in_dim(v15): 3x4xi32\n"
            "  v17 = gather(v6 a1): 3x4xi32\n"
            "  v18 = select(v14 v17 v16): 3x4xi32\n"
            "  v19 = constant(0): f32\n"
            "  v20 = broadcast_in_dim(v19): 13x64xf32\n"
            "  v21 = scatter(v20 v18 a2): 13x64xf32\n"
            "    (r2 r3):\n"
            "      v22 = add(r2 r3): f32\n"
            "      return v22\n"
            "  v23 = gather(v21 v6): 4100x64xf32\n"
            "  v24 = subtract(v23 a0): 4100x64xf32\n"
            "  return v24\n");
}

TEST_F(SparseRowsTextTest, ATableThatStaysInTheCachesIsLeft) {
  plan_gradient(4000, [&](Value table, Value gradient) { return difference(table, gradient); });  // 1000 KiB
  EXPECT_EQ(step_after("compact_sparse_tables"), step_after("simplify"));
}

TEST_F(SparseRowsTextTest, ATableThatIsReadInAnotherOrderIsLeft) {
  plan_gradient(kTableRows, [&](Value table, Value gradient) -> Results {
    argument({kWidth});
    return {ops::subtract(b_, table, gradient), ops::reduce_max(b_, gradient, {0})};
  });
  EXPECT_EQ(step_after("compact_sparse_tables"), step_after("simplify"));
}

TEST(SparseRowsTest, AGradientOfFewRowsNeedsNoMemoryOfItsTable) {
  const ir::TensorType table{DType::kF32, {kTableRows, kWidth}};
  const Plan plan =
      plan_of({table, {DType::kI32, {3, 4}}, {DType::kF32, {3, 4, kWidth}}}, step_with_sparse_gradient);
  EXPECT_LT(plan.arena_bytes, table.size_bytes() / 10);
}

TEST(SparseRowsTest, WhatTheLoopReadsHasTheScattersBits) {
  expect_as_reference({table_like({kTableRows, kWidth}, 1), some_ids(), table_like({3, 4, kWidth}, 2)},
                      step_with_sparse_gradient);
}

TEST(SparseRowsTest, OtherUsersOfTheTableKeepItWhole) {
  const TestBuild build = [](ir::Builder& b, Values x) -> Results {
    const Value gradient = ops::scatter_add_rows(b, ops::full(b, x[0].type(), 0), x[1], x[2]);
    return {ops::subtract(b, x[0], gradient),
            ops::reduce_sum(b, ops::multiply(b, gradient, gradient), {0, 1}),
            ops::reduce_sum(b, gradient, {0})};
  };
  expect_as_reference({table_like({kTableRows, kWidth}, 1), some_ids(), table_like({3, 4, kWidth}, 2)},
                      build);
}

TEST(SparseRowsTest, ASumOverGatheredRowsReadsTheTableItself) {
  const TestBuild build = [](ir::Builder& b, Values x) -> Results {
    return {ops::reduce_sum(b, ops::gather_rows(b, x[0], x[1]), {1})};
  };
  const Plan plan = plan_of({{DType::kF32, {500, 50}}, {DType::kI32, {3, 40}}}, build);
  EXPECT_EQ(plan.groups.size(), 1U);
  EXPECT_LT(plan.arena_bytes, std::size_t{3 * 40 * 50 * sizeof(float)});
}

TEST(SparseRowsTest, ASumOverMaskedAndScaledRowsReadsTheTableItself) {
  const TestBuild build = [](ir::Builder& b, Values x) -> Results {
    const Value rows = ops::gather_rows(b, x[0], x[1]), zeros = ops::full(b, rows.type(), 0);
    const Value is_row = ops::compare(b, x[1], ops::full(b, x[1].type(), 0), ops::ComparisonDirection::kGe);
    const Value masked = ops::select(b, ops::broadcast_in_dim(b, is_row, rows.dims(), {0, 1}), rows, zeros);
    return {ops::reduce_sum(b, ops::multiply(b, masked, ops::full(b, rows.type(), 0.5)), {1})};
  };
  const Plan plan = plan_of({{DType::kF32, {500, 50}}, {DType::kI32, {3, 40}}}, build);
  EXPECT_EQ(plan.groups.size(), 1U);
  EXPECT_LT(plan.arena_bytes, std::size_t{3 * 40 * 50 * sizeof(float)});
  expect_as_reference({table_like({90, 37}, 1), some_ids()}, build);
}

TEST(SparseRowsTest, AnUpdateReadsSumsOfGradientsOfProcessesWhereTheyAre) {
  const TestBuild build = [](ir::Builder& b, Values x) -> Results {
    const ops::ShardedRowSums sums =
        ops::sharded_row_sums(b, x[1], x[2], x[3], {.num_rows = 8000, .num_shards = 2}, 4000);
    const Value rows = ops::gather_rows(b, sums.rows, sums.sources);
    return {ops::scatter_add_rows(b, x[0], sums.ids, ops::multiply(b, rows, ops::full(b, rows.type(), 0.5)))};
  };
  const ir::TensorType first{DType::kI32, {60}}, named{DType::kI32, {120}};
  const Plan plan = plan_of({{DType::kF32, {4000, 50}}, {DType::kF32, {6, 50}}, first, named}, build);
  EXPECT_EQ(plan.groups.size(), 2U);
}

TEST(SparseRowsTest, SumsOverGatheredRowsInEveryDirection) {
  expect_as_reference({table_like({90, 37}, 1), some_ids()}, [](ir::Builder& b, Values x) -> Results {
    const auto rows = [&] { return ops::gather_rows(b, x[0], x[1]); };
    const Value largest =
        ops::reduce_max(b, ops::gather_rows(b, ops::transpose(b, x[0], {1, 0}), x[1]), {0, 2});
    return {ops::reduce_sum(b, rows(), {1}), ops::reduce_sum(b, rows(), {0}), ops::reduce_sum(b, rows(), {2}),
            ops::reduce_sum(b, rows(), {0, 1, 2}), largest};
  });
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
