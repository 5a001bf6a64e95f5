#include <gtest/gtest.h>

#include "cornu/backends/cpu/plan/passes.h"
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
