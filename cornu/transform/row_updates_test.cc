#include "cornu/transform/row_updates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "cornu/ops/all.h"
#include "cornu/transform/evaluate.h"
#include "cornu/transform/simplify.h"
#include "cornu/transform/text_test_support.h"

namespace cornu::inline v0::transform {
namespace {

using ir::Builder;
using ir::DType;
using ir::Literal;
using ir::Value;
using Operands = std::span<const Value>;
using Results = std::vector<Value>;

constexpr std::int64_t kNumTableRows = 4100, kRowWidth = 64;
const ir::TensorType kTable{DType::kF32, {kNumTableRows, kRowWidth}};

Literal numbers(const ir::TensorType& type, float start) {
  Literal literal(type);
  for (float& x : literal.mutable_data<float>()) x = start = start * 0.73F + (start < 0 ? 1.31F : -1.97F);
  return literal;
}

/// Arguments of a step: a table, a slot of positive numbers, ids with equal ones, the table's ends and some
/// that are outside, and a row for each id.
std::vector<Literal> some_arguments() {
  Literal slot = numbers(kTable, 3);
  for (float& x : slot.mutable_data<float>()) x = x * x + 0.1F;
  return {numbers(kTable, 1), slot,
          Literal::of<std::int32_t>({3, 4}, {7, 4099, 7, 0, -1, 2000, 4100, 7, 0, 31, 2000, 99999}),
          numbers({DType::kF32, {3, 4, kRowWidth}}, 2)};
}

using Update = std::function<Results(Builder& b, Value table, Value slot, Value gradient)>;

Value gradient_of_rows(Builder& b, Value ids, Value rows) {
  return ops::scatter_add_rows(b, ops::full(b, kTable, 0), ids, rows);
}

std::unique_ptr<ir::Function> step_of(const Update& update) {
  const ir::TensorType ids{DType::kI32, {3, 4}}, rows{DType::kF32, {3, 4, kRowWidth}};
  return simplify(*make_function({kTable, kTable, ids, rows}, [&](Builder& b, Operands v) {
    return update(b, v[0], v[1], gradient_of_rows(b, v[2], v[3]));
  }));
}

Value scaled(Builder& b, Value x, double factor) {
  return ops::multiply(b, x, ops::full(b, x.type(), factor));
}

Results descent(Builder& b, Value table, Value, Value gradient) {
  return {ops::subtract(b, table, scaled(b, gradient, 0.1))};
}

Results adagrad(Builder& b, Value table, Value slot, Value gradient) {
  const Value sum = ops::add(b, slot, ops::multiply(b, gradient, gradient));
  const Value step = ops::divide(b, scaled(b, gradient, 0.1), ops::sqrt(b, sum));
  return {ops::subtract(b, table, step), sum};
}

Value touched_rows(Builder& b, Value gradient) {
  const Value is_not_zero =
      ops::compare(b, gradient, ops::full(b, gradient.type(), 0), ops::ComparisonDirection::kNe);
  return ops::broadcast_in_dim(b, ops::reduce_or(b, is_not_zero, {1}), kTable.dims, {0});
}

/// Momentum that only touched rows have.
Results lazy_momentum(Builder& b, Value table, Value slot, Value gradient) {
  const Value is_touched = touched_rows(b, gradient);
  const Value momentum = ops::subtract(b, scaled(b, slot, 0.9), scaled(b, gradient, 0.1));
  return {ops::select(b, is_touched, ops::add(b, table, momentum), table),
          ops::select(b, is_touched, momentum, slot)};
}

/// Descent with weight decay of touched rows.
Results lazy_decay(Builder& b, Value table, Value, Value gradient) {
  const Value decayed = ops::subtract(b, scaled(b, table, 0.99), gradient);
  return {ops::select(b, touched_rows(b, gradient), decayed, table)};
}

/// Descent unless the gradient has a number that is not finite.
Results finite_descent(Builder& b, Value table, Value, Value gradient) {
  const Value is_finite = ops::reduce_and(b, ops::is_finite(b, gradient), {0, 1});
  return {ops::select(b, is_finite, ops::subtract(b, table, gradient), table)};
}

void expect_same_bits(const Update& update) {
  const std::unique_ptr<ir::Function> step = step_of(update);
  const std::unique_ptr<ir::Function> by_rows = update_named_rows(*step);
  ASSERT_NE(by_rows, nullptr);
  ir::verify(*by_rows);
  const std::vector<Literal> arguments = some_arguments();
  const std::vector<Literal> want = evaluate(*step, arguments), got = evaluate(*by_rows, arguments);
  ASSERT_EQ(want.size(), got.size());
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_TRUE(want[i] == got[i]) << "result " << i;
}

/// The largest number of elements of a value that an op makes, other than the updated tables.
std::int64_t largest_made(const ir::Function& function) {
  std::int64_t largest = 0;
  for (const auto& op : function.body.ops())
    if (op->name() != "scatter" || op->result().dims() != kTable.dims)
      largest = std::max(largest, op->result().type().num_elements());
  return largest;
}

std::int64_t count_of(std::string_view op_name, const ir::Function& function) {
  return std::ranges::count_if(function.body.ops(), [&](const auto& op) { return op->name() == op_name; });
}

TEST(RowUpdatesTest, DescentChangesNamedRowsOnly) {
  expect_same_bits(descent);
  const auto by_rows = update_named_rows(*step_of(descent));
  EXPECT_EQ(largest_made(*by_rows), 12 * kRowWidth);
  EXPECT_EQ(count_of("gather", *by_rows), 0);  // the scatter subtracts from the rows where they are
}

TEST(RowUpdatesTest, RowSumsOfProcessesAreDistinctAlready) {
  const ir::TensorType ids{DType::kI32, {12}}, rows{DType::kF32, {12, kRowWidth}};
  for (const Update& update : {Update(descent), Update(adagrad), Update(finite_descent)}) {
    const auto whole = make_function({kTable, kTable, ids, rows}, [&](Builder& b, Operands v) {
      const auto [sums, named, sources] = ops::sharded_row_sums(b, v[3], ops::iota(b, ids, 0), v[2],
                                                                {.num_rows = kNumTableRows}, kNumTableRows);
      return update(b, v[0], v[1], gradient_of_rows(b, named, ops::gather_rows(b, sums, sources)));
    });
    const auto step = simplify(*whole, {.keep_composite = [](const ir::Op&) { return true; }});
    const auto by_rows = update_named_rows(*step);
    ASSERT_NE(by_rows, nullptr);
    ir::verify(*by_rows);
    EXPECT_EQ(count_of("cornu.first_occurrence", *by_rows), 0);
    EXPECT_EQ(largest_made(*by_rows), 12 * kRowWidth);
    std::vector<Literal> arguments = some_arguments();
    arguments[2] = Literal::of<std::int32_t>({12}, {7, 4099, -1, 0, -1, 2000, 4098, 8, -1, 31, 2001, 5});
    arguments[3] = numbers(rows, 2);
    const std::vector<Literal> want = evaluate(*step, arguments), got = evaluate(*by_rows, arguments);
    for (std::size_t i = 0; i < want.size(); ++i) EXPECT_TRUE(want[i] == got[i]) << "result " << i;
  }
}

TEST(RowUpdatesTest, SlotsLiveWithTheirRows) {
  expect_same_bits(adagrad);
  EXPECT_EQ(largest_made(*update_named_rows(*step_of(adagrad))), 12 * kRowWidth);
}

TEST(RowUpdatesTest, ASelectOfTouchedRowsKeepsTheOthers) {
  expect_same_bits(lazy_momentum);
  EXPECT_EQ(largest_made(*update_named_rows(*step_of(lazy_momentum))), 12 * kRowWidth);
}

TEST(RowUpdatesTest, AConditionOnAllRowsIsThatOfTheNamedOnes) {
  expect_same_bits(lazy_decay);
  expect_same_bits(finite_descent);
  EXPECT_EQ(largest_made(*update_named_rows(*step_of(finite_descent))), 12 * kRowWidth);
  std::vector<Literal> arguments = some_arguments();
  arguments[3].mutable_data<float>()[5] = INFINITY;
  EXPECT_TRUE(evaluate(*update_named_rows(*step_of(finite_descent)), arguments)[0] == arguments[0]);
}

TEST(RowUpdatesTest, ANormOfTouchedRowsReadsNamedRowsOnly) {
  const Update scaled_by_norm = [](Builder& b, Value table, Value, Value gradient) {
    const Value is_touched = touched_rows(b, gradient);
    const Value part = ops::select(b, is_touched, table, ops::full(b, kTable, 0));
    const Value norm = ops::sqrt(b, ops::reduce_sum(b, ops::multiply(b, part, part), {0, 1}));
    const Value step = ops::multiply(b, gradient, ops::broadcast_scalar(b, norm, kTable.dims));
    return Results{ops::subtract(b, table, step)};
  };
  const auto step = step_of(scaled_by_norm), by_rows = update_named_rows(*step);
  ASSERT_NE(by_rows, nullptr);
  const std::vector<Literal> arguments = some_arguments();
  const Literal want = evaluate(*step, arguments)[0], got = evaluate(*by_rows, arguments)[0];
  for (std::int64_t i = 0; i < kTable.num_elements(); ++i)
    ASSERT_NEAR(want.at(i), got.at(i), 1e-5 * std::abs(want.at(i)) + 1e-6);
  EXPECT_EQ(largest_made(*by_rows), 12 * kRowWidth);
}

TEST(RowUpdatesTest, GradientsOfOneTableAreUpdatedTogether) {
  const ir::TensorType ids{DType::kI32, {12}}, rows{DType::kF32, {12, kRowWidth}};
  const auto step = simplify(*make_function({kTable, ids, rows, ids, rows}, [](Builder& b, Operands v) {
    const Value first = gradient_of_rows(b, v[1], v[2]);
    const Value narrow =
        ops::clamp(b, ops::full(b, {DType::kF32, {}}, -1), first, ops::full(b, {DType::kF32, {}}, 1));
    const Value second = gradient_of_rows(b, v[3], v[4]);
    return Results{ops::subtract(b, v[0], ops::add(b, narrow, second))};
  }));
  const auto by_rows = update_named_rows(*step);
  ASSERT_NE(by_rows, nullptr);
  ir::verify(*by_rows);
  const std::vector<Literal> arguments = {
      numbers(kTable, 1), Literal::of<std::int32_t>({12}, {1, 2, 3, 1, 2, 3, 4, 5, 6, 7, 8, 4099}),
      numbers(rows, 2), Literal::of<std::int32_t>({12}, {9, 2, 11, 9, 2, 3, 4, 4098, 6, 7, 8, 0}),
      numbers(rows, 3)};
  EXPECT_TRUE(evaluate(*step, arguments)[0] == evaluate(*by_rows, arguments)[0]);
  EXPECT_EQ(largest_made(*by_rows), 24 * kRowWidth);
}

TEST(RowUpdatesTest, ReshapedRowsOfAnotherTensorAreGathered) {
  const ir::TensorType halves{DType::kF32, {2 * kNumTableRows, kRowWidth / 2}};
  const ir::TensorType ids{DType::kI32, {3, 4}}, rows{DType::kF32, {3, 4, kRowWidth}};
  const auto step = simplify(*make_function({kTable, halves, ids, rows}, [](Builder& b, Operands v) {
    const Value rates = ops::reshape(b, v[1], kTable.dims);
    return Results{ops::subtract(b, v[0], ops::multiply(b, gradient_of_rows(b, v[2], v[3]), rates))};
  }));
  const auto by_rows = update_named_rows(*step);
  ASSERT_NE(by_rows, nullptr);
  ir::verify(*by_rows);
  std::vector<Literal> arguments = some_arguments();
  arguments[1] = numbers(halves, 3);
  EXPECT_TRUE(evaluate(*step, arguments)[0] == evaluate(*by_rows, arguments)[0]);
}

TEST(RowUpdatesTest, GradientsByIdsOfTwoTypesAreLeft) {
  const ir::TensorType rows{DType::kF32, {12, kRowWidth}};
  const auto step = simplify(*make_function(
      {kTable, {DType::kI32, {12}}, rows, {DType::kI64, {12}}, rows}, [](Builder& b, Operands v) {
        const Value first = gradient_of_rows(b, v[1], v[2]), second = gradient_of_rows(b, v[3], v[4]);
        return Results{ops::subtract(b, v[0], ops::add(b, first, second))};
      }));
  EXPECT_EQ(update_named_rows(*step), nullptr);
}

TEST(RowUpdatesTest, TheNormOfAGradientIsThatOfItsRows) {
  const Update clipped = [](Builder& b, Value table, Value, Value gradient) {
    const Value norm = ops::sqrt(b, ops::reduce_sum(b, ops::multiply(b, gradient, gradient), {0, 1}));
    const Value scaled_gradient = ops::divide(b, gradient, ops::broadcast_scalar(b, norm, kTable.dims));
    return Results{ops::subtract(b, table, scaled_gradient)};
  };
  const auto step = step_of(clipped), by_rows = update_named_rows(*step);
  ASSERT_NE(by_rows, nullptr);
  const std::vector<Literal> arguments = some_arguments();
  const Literal want = evaluate(*step, arguments)[0], got = evaluate(*by_rows, arguments)[0];
  for (std::int64_t i = 0; i < kTable.num_elements(); ++i) ASSERT_NEAR(want.at(i), got.at(i), 1e-6);
  EXPECT_EQ(largest_made(*by_rows), 12 * kRowWidth);
}

void expect_whole(const Update& update) { EXPECT_EQ(update_named_rows(*step_of(update)), nullptr); }

TEST(RowUpdatesTest, AnUpdateThatChangesOtherRowsIsLeft) {
  expect_whole([](Builder& b, Value table, Value slot, Value gradient) {  // momentum of every row
    const Value momentum = ops::subtract(b, scaled(b, slot, 0.9), gradient);
    return Results{ops::add(b, table, momentum), momentum};
  });
  expect_whole([](Builder& b, Value table, Value, Value gradient) {  // weight decay
    return Results{ops::subtract(b, scaled(b, table, 0.99), gradient)};
  });
  expect_whole([](Builder& b, Value table, Value, Value gradient) {  // exp(0) is 1
    return Results{ops::subtract(b, table, ops::exponential(b, gradient))};
  });
  expect_whole([](Builder& b, Value table, Value slot, Value gradient) {  // the rows of another tensor
    return Results{ops::subtract(b, scaled(b, slot, 2), gradient), table};
  });
}

TEST(RowUpdatesTest, AGradientThatIsReadInAnotherOrderIsLeft) {
  expect_whole([](Builder& b, Value table, Value, Value gradient) {
    return Results{ops::subtract(b, table, gradient), ops::reduce_max(b, gradient, {0})};
  });
  expect_whole([](Builder& b, Value table, Value, Value gradient) {
    return Results{ops::subtract(b, table, gradient), ops::reverse(b, gradient, {0})};
  });
  expect_whole([](Builder& b, Value table, Value, Value gradient) {
    return Results{ops::subtract(b, table, gradient), gradient};
  });
  expect_whole([](Builder& b, Value table, Value, Value gradient) {  // the sum of 1 for each zero
    const Value ones = ops::exponential(b, gradient);
    return Results{ops::subtract(b, table, gradient), ops::reduce_sum(b, ones, {0, 1})};
  });
}

TEST(RowUpdatesTest, SmallTablesAndManyIdsAreLeft) {
  const auto step_of_types = [](std::int64_t rows, std::int64_t count) {
    const ir::TensorType table{DType::kF32, {rows, kRowWidth}};
    return simplify(*make_function(
        {table, {DType::kI32, {count}}, {DType::kF32, {count, kRowWidth}}}, [&](Builder& b, Operands v) {
          const Value zeros = ops::full(b, v[0].type(), 0);
          return Results{ops::subtract(b, v[0], ops::scatter_add_rows(b, zeros, v[1], v[2]))};
        }));
  };
  EXPECT_NE(update_named_rows(*step_of_types(4096, 2048)), nullptr);
  EXPECT_EQ(update_named_rows(*step_of_types(4095, 2000)), nullptr);
  EXPECT_EQ(update_named_rows(*step_of_types(4096, 2049)), nullptr);
}

}  // namespace
}  // namespace cornu::inline v0::transform
