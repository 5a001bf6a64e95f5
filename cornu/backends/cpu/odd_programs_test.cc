#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "cornu/backends/cpu/plan/plan.h"
#include "cornu/backends/cpu/programs_test_support.h"
#include "cornu/base/cpu_info.h"
#include "cornu/base/error.h"
#include "cornu/ops/all.h"
#include "cornu/runtime/client.h"

// Legal programs that are easy to get wrong, against the reference backend, at every instruction set level.
namespace cornu::inline v0::backends::cpu {
namespace {

using ir::DType;
using ir::Literal;
using ir::Value;
using runtime::ArgumentKind;

Literal ramp(const ir::Dims& dims) {
  Literal literal(ir::TensorType{DType::kF32, dims});
  float next = -1.25F;
  for (float& x : literal.mutable_data<float>()) x = next += 0.75F;
  return literal;
}

TEST(OddProgramsTest, AOneElementTensorReshapedToAScalarIsBroadcast) {
  expect_as_reference({ramp({8}), ramp({1}), ramp({1, 1})},
                      [](ir::Builder& b, std::span<const Value> x) -> std::vector<Value> {
                        const Value s = ops::broadcast_in_dim(b, ops::reshape(b, x[1], {}), {8}, {});
                        const Value t = ops::broadcast_in_dim(b, ops::reshape(b, x[2], {}), {8}, {});
                        return {ops::add(b, x[0], ops::multiply(b, s, t))};
                      });
}

TEST(OddProgramsTest, ALargeTensorIsMultipliedByWhatIsComputedFromOneElement) {
  expect_as_reference({ramp({128, 128}), ramp({1})},
                      [](ir::Builder& b, std::span<const Value> x) -> std::vector<Value> {
                        const Value s = ops::reshape(b, ops::exponential(b, x[1]), {});
                        return {ops::multiply(b, x[0], ops::broadcast_in_dim(b, s, {128, 128}, {}))};
                      });
}

TEST(OddProgramsTest, ATensorConstantIsAResultAndReadElsewhere) {
  expect_as_reference({ramp({4})}, [](ir::Builder& b, std::span<const Value> x) -> std::vector<Value> {
    const Value c = ops::constant(b, Literal::of<float>({4}, {1, 2, 3, 4}));
    return {ops::add(b, x[0], c), c, c};
  });
}

TEST(OddProgramsTest, ShapesWithoutElements) {
  expect_as_reference({ramp({4, 3}), ramp({3, 0}), ramp({1000}), ramp({0, 300}), ramp({300, 400})},
                      [](ir::Builder& b, std::span<const Value> x) -> std::vector<Value> {
                        const Value none = ops::slice(b, x[2], {5}, {5}, {1});
                        return {ops::matmul(b, x[0], x[1]), ops::tanh(b, none), ops::reduce_sum(b, none, {0}),
                                ops::matmul(b, x[3], x[4]),
                                ops::matmul(b, x[1], ops::reshape(b, ops::reduce_sum(b, x[1], {0}), {0, 1}))};
                      });
}

TEST(OddProgramsTest, StartsOfADynamicSliceAreClampedAsTheirTypeSays) {
  expect_as_reference(
      {ramp({32}), Literal::of<std::uint64_t>({}, {~std::uint64_t{0}}), Literal::of<std::int32_t>({}, {-5})},
      [](ir::Builder& b, std::span<const Value> x) -> std::vector<Value> {
        return {ops::dynamic_slice(b, x[0], {x[1]}, {4}), ops::dynamic_slice(b, x[0], {x[2]}, {4})};
      });
}

TEST(OddProgramsTest, HalfNumbersAreMovedAbout) {
  expect_as_reference({}, [](ir::Builder& b, std::span<const Value>) -> std::vector<Value> {
    const Value x = ops::constant(b, Literal::scalar(DType::kF16, 1.5));
    return {ops::broadcast_in_dim(b, x, {8}, {}), x};
  });
}

TEST(OddProgramsTest, FloorAndCeilOfEveryKindOfNumber) {
  const auto values = {0.0F,       -0.0F,       0.5F, -0.5F, 2.0F,      -2.0F,      1e-30F,     -1e-30F,
                       8388607.5F, -8388607.5F, 3e9F, -3e9F, HUGE_VALF, -HUGE_VALF, 16777217.0F};
  expect_as_reference(
      {Literal::of<float>({15}, values)}, [](ir::Builder& b, std::span<const Value> x) -> std::vector<Value> {
        const Value wide = ops::convert(b, x[0], DType::kF64);
        return {ops::floor(b, x[0]), ops::ceil(b, x[0]), ops::floor(b, wide), ops::ceil(b, wide)};
      });
}

TEST(OddProgramsTest, IntegersBecomeF16RoundedOnce) {
  const auto small = {65503.0F,  65504.0F, 65519.0F, 65520.0F, -65519.0F,
                      -65520.0F, 2049.0F,  -2051.0F, 1e9F,     -2e9F};
  const auto dims = ir::Dims{10};
  expect_as_reference(
      {Literal::of<float>(dims, small)}, [](ir::Builder& b, std::span<const Value> x) -> std::vector<Value> {
        std::vector<Value> results;
        for (const DType dtype : {DType::kI32, DType::kI64, DType::kU32})
          for (const DType to : {DType::kF16, DType::kBF16})
            results.push_back(
                ops::convert(b, ops::convert(b, ops::convert(b, x[0], dtype), to), DType::kF32));
        return results;
      });
}

TEST(OddProgramsTest, ViewsOfWholeAndOfShiftedColumnsAreAdded) {
  // Three columns: whole rows are one dimension with them; others, and rows for each column, are not.
  expect_as_reference({ramp({3, 70, 3}), ramp({3, 70, 4}), ramp({3})},
                      [](ir::Builder& b, std::span<const Value> x) -> std::vector<Value> {
                        const ir::Dims dims = {3, 66, 3}, ones = {1, 1, 1};
                        const Value whole = ops::slice(b, x[0], {0, 2, 0}, {3, 68, 3}, ones);
                        const Value later = ops::slice(b, x[0], {0, 4, 0}, {3, 70, 3}, ones);
                        const Value part = ops::slice(b, x[1], {0, 2, 1}, {3, 68, 4}, ones);
                        const Value apart = ops::slice(b, x[1], {0, 0, 0}, {3, 66, 3}, ones);
                        const Value row = ops::broadcast_in_dim(b, x[2], dims, {2});
                        return {ops::add(b, whole, later), ops::add(b, part, apart), ops::add(b, whole, row),
                                ops::add(b, ops::reverse(b, whole, {1}), later)};
                      });
}

// Masks of one lane, which LLVM 19 cannot compile for AVX-512 where it knows that they are such.
TEST(OddProgramsTest, OneColumnIsLeftBehindWholeRegisters) {
  for (const std::int64_t columns : {5, 9, 17, 33, 49, 65, 129}) {
    for (const DType dtype : {DType::kF32, DType::kF64, DType::kF16}) {
      SCOPED_TRACE(columns);
      expect_as_reference(
          {ramp({4, columns})}, [&](ir::Builder& b, std::span<const Value> x) -> std::vector<Value> {
            const ir::Dims dims = {4, columns};
            const Value a = ops::convert(b, x[0], dtype);
            const auto number = [&](double value) {
              return ops::broadcast_in_dim(b, ops::constant(b, Literal::scalar(dtype, value)), dims, {});
            };
            const Value p =
                ops::multiply(b, a, ops::broadcast_in_dim(b, ops::reduce_max(b, a, {1}), dims, {0}));
            const Value divisor = ops::multiply(b, p, number(0.5));
            const Value is_zero = ops::compare(b, divisor, number(0), ops::ComparisonDirection::kEq);
            const Value q = ops::select(b, is_zero, number(0),
                                        ops::divide(b, p, ops::select(b, is_zero, number(1), divisor)));
            return {q, ops::add(b, p, q)};
          });
    }
  }
}

TEST(OddProgramsTest, ValidRowsComeFromOutputsTooAndAreNeverNegative) {
  ir::Function function;
  function.name = "main";
  const Value total = function.body.add_argument({DType::kI32, {}});
  const Value valid = function.body.add_argument({DType::kI32, {}});
  ir::Builder b(function.body);
  const Value sum = ops::add(b, total, valid);
  function.body.set_results({sum, ops::broadcast_in_dim(b, sum, {4}, {})});
  for (const char* platform : {"reference", "cpu"}) {
    const auto client = runtime::make_client(platform);
    const auto executable =
        client->compile({&function, {ArgumentKind::kState, ArgumentKind::kValidRows}, "valid"});
    const auto buffer = client->allocate(total.type());
    runtime::Buffer* const state[] = {buffer.get()};
    std::vector<std::int32_t> sums(12);
    std::byte* const outputs[] = {reinterpret_cast<std::byte*>(sums.data())};
    runtime::Replica replica;
    replica.state = state;
    replica.outputs = outputs;
    replica.num_rows = 5;
    EXPECT_EQ(executable->run(replica, 3), 3);
    EXPECT_EQ(sums, (std::vector<std::int32_t>{4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5})) << platform;
  }
}

TEST(OddProgramsTest, OutputsHaveAnyShapeAndFollowEachOtherStepByStep) {
  ir::Function function;
  function.name = "main";
  const Value total = function.body.add_argument({DType::kF32, {}});
  const Value table = function.body.add_argument({DType::kF32, {3, 2}});
  const Value rows = function.body.add_argument({DType::kF32, {1, 2}});
  ir::Builder b(function.body);
  const Value sum = ops::add(b, total, ops::reshape(b, ops::reduce_sum(b, rows, {0, 1}), {}));
  function.body.set_results({sum, sum, ops::transpose(b, table, {1, 0}), table, total});
  const std::vector<float> data = {1, 2, 3, 4, 5, 6};
  const std::int64_t indices[] = {0, 2};
  for (const char* platform : {"reference", "cpu"}) {
    const auto client = runtime::make_client(platform);
    const auto executable = client->compile(
        {&function, {ArgumentKind::kState, ArgumentKind::kFixed, ArgumentKind::kRows}, "outputs"});
    const auto total_buffer = client->allocate(total.type()), table_buffer = client->allocate(table.type());
    table_buffer->copy_from_host(data.data());
    runtime::Buffer* const state[] = {total_buffer.get()};
    runtime::Buffer* const fixed[] = {table_buffer.get()};
    const std::byte* const base[] = {reinterpret_cast<const std::byte*>(data.data())};
    std::vector<float> sums(2), transposed(12), copies(12), before(2);
    std::byte* const outputs[] = {
        reinterpret_cast<std::byte*>(sums.data()), reinterpret_cast<std::byte*>(transposed.data()),
        reinterpret_cast<std::byte*>(copies.data()), reinterpret_cast<std::byte*>(before.data())};
    runtime::Replica replica;
    replica.state = state;
    replica.fixed = fixed;
    replica.rows = base;
    replica.row_indices = indices;
    replica.num_rows = 2;
    replica.outputs = outputs;
    EXPECT_EQ(executable->run(replica, 2), 2);
    EXPECT_EQ(sums, (std::vector<float>{3, 14})) << platform;
    EXPECT_EQ(transposed, (std::vector<float>{1, 3, 5, 2, 4, 6, 1, 3, 5, 2, 4, 6})) << platform;
    EXPECT_EQ(copies, (std::vector<float>{1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6})) << platform;
    EXPECT_EQ(before, (std::vector<float>{0, 3})) << platform;
  }
}

TEST(OddProgramsTest, WhatABranchIsChosenByIsAnOutputOfEachStep) {
  ir::Function function;
  function.name = "main";
  const Value total = function.body.add_argument({DType::kF32, {}});
  ir::Builder b(function.body);
  const Value sum = ops::add(b, total, ops::scalar(b, DType::kF32, 1));
  const Value is_small =
      ops::compare(b, sum, ops::scalar(b, DType::kF32, 2.5), ops::ComparisonDirection::kLt);
  const Value by_predicate = ops::if_(
      b, is_small, [&](ir::Builder& c) -> std::vector<Value> { return {ops::negate(c, sum)}; },
      [&](ir::Builder&) -> std::vector<Value> { return {sum}; })[0];
  const Value index = ops::convert(b, sum, DType::kI32);
  std::vector<ops::Branch> branches;
  for (const double more : {10.0, 20.0, 30.0})
    branches.emplace_back([&sum, more](ir::Builder& c) -> std::vector<Value> {
      return {ops::add(c, sum, ops::scalar(c, DType::kF32, more))};
    });
  const Value by_index = ops::case_(b, index, branches)[0];
  function.body.set_results({sum, is_small, by_predicate, index, by_index});
  for (const char* platform : {"reference", "cpu"}) {
    const auto client = runtime::make_client(platform);
    const auto executable = client->compile({&function, {ArgumentKind::kState}, "choices"});
    const auto buffer = client->allocate(total.type());
    runtime::Buffer* const state[] = {buffer.get()};
    std::vector<std::uint8_t> small(3);
    std::vector<std::int32_t> indices(3);
    std::vector<float> predicated(3), indexed(3);
    std::byte* const outputs[] = {
        reinterpret_cast<std::byte*>(small.data()), reinterpret_cast<std::byte*>(predicated.data()),
        reinterpret_cast<std::byte*>(indices.data()), reinterpret_cast<std::byte*>(indexed.data())};
    runtime::Replica replica;
    replica.state = state;
    replica.outputs = outputs;
    EXPECT_EQ(executable->run(replica, 3), 3);
    EXPECT_EQ(small, (std::vector<std::uint8_t>{1, 1, 0})) << platform;
    EXPECT_EQ(predicated, (std::vector<float>{-1, -2, 3})) << platform;
    EXPECT_EQ(indices, (std::vector<std::int32_t>{1, 2, 3})) << platform;
    EXPECT_EQ(indexed, (std::vector<float>{21, 32, 33})) << platform;
  }
}

TEST(OddProgramsTest, AReferenceKernelGetsAndGivesTensorsWithoutElements) {
  static const ir::OpDef copies = {
      .name = "test_copies",
      .infer = [](const ir::InferContext& context) -> std::vector<ir::TensorType> {
        return {context.type(0)};
      },
      .reference = [](const ir::ReferenceContext& context) -> std::vector<Literal> {
        return {context.operands[0]};
      }};
  expect_as_reference({ramp({3, 0}), ramp({2})},
                      [](ir::Builder& b, std::span<const Value> x) -> std::vector<Value> {
                        return {b.create(copies, {x[0]}).result(), b.create(copies, {x[1]}).result()};
                      });
}

TEST(OddProgramsTest, AnExecutionThatDoesNotFitIsRefused) {
  ir::Function function;
  function.name = "main";
  const Value x = function.body.add_argument({DType::kF32, {4}});
  ir::Builder b(function.body);
  function.body.set_results({ops::negate(b, x)});
  const auto client = runtime::make_client("cpu");
  const auto executable = client->compile({&function, {ArgumentKind::kState}, "fits"});
  EXPECT_THROW(executable->run({}), Error);
  const auto small = client->allocate({DType::kF32, {3}});
  runtime::Buffer* const state[] = {small.get()};
  runtime::Replica replica;
  replica.state = state;
  EXPECT_THROW(executable->run(replica), Error);
}

/// A state that stays, and an output: a fixed argument plus a row.
void fill_with_every_role(ir::Function& function) {
  function.name = "main";
  const Value total = function.body.add_argument({DType::kF32, {}});
  const Value table = function.body.add_argument({DType::kF32, {1, 2}});
  const Value rows = function.body.add_argument({DType::kF32, {1, 2}});
  ir::Builder b(function.body);
  function.body.set_results({total, ops::add(b, table, rows)});
}

TEST(OddProgramsTest, NullPointersInAnExecutionAreRefusedByName) {
  ir::Function function;
  fill_with_every_role(function);
  const ir::TensorType total{DType::kF32, {}}, row{DType::kF32, {1, 2}};
  const std::vector<float> data = {1, 2};
  const std::int64_t index = 0;
  for (const char* platform : {"reference", "cpu"}) {
    const auto client = runtime::make_client(platform);
    const auto executable = client->compile(
        {&function, {ArgumentKind::kState, ArgumentKind::kFixed, ArgumentKind::kRows}, "nulls"});
    const auto total_buffer = client->allocate(total), table_buffer = client->allocate(row);
    std::vector<float> sums(2);
    for (const char* missing : {"state", "fixed", "row argument", "output", "row indices", ""}) {
      const auto unless = [&](const char* what, auto* pointer) {
        return std::string_view(what) == missing ? nullptr : pointer;
      };
      runtime::Buffer* const state[] = {unless("state", total_buffer.get())};
      runtime::Buffer* const fixed[] = {unless("fixed", table_buffer.get())};
      const std::byte* const base[] = {
          unless("row argument", reinterpret_cast<const std::byte*>(data.data()))};
      std::byte* const outputs[] = {unless("output", reinterpret_cast<std::byte*>(sums.data()))};
      runtime::Replica replica;
      replica.state = state;
      replica.fixed = fixed;
      replica.rows = base;
      replica.row_indices = unless("row indices", &index);
      replica.num_rows = 1;
      replica.outputs = outputs;
      std::string message;
      try {
        executable->run(replica);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
        message = error.what();
      }
      EXPECT_NE(message.find(missing), std::string::npos) << platform << ": " << missing << ": " << message;
      EXPECT_EQ(message.empty(), std::string_view(missing).empty());
    }
    EXPECT_EQ(sums, data) << platform;
  }
}

TEST(OddProgramsTest, BuffersOfOtherClientsAreRefusedInEachRole) {
  ir::Function function;
  fill_with_every_role(function);
  const ir::TensorType total{DType::kF32, {}}, row{DType::kF32, {1, 2}};
  const std::vector<float> data = {1, 2}, twice = {2, 4};
  const std::int64_t index = 0;
  for (const char* platform : {"reference", "cpu"}) {
    const auto client = runtime::make_client(platform), other = runtime::make_client(platform);
    const auto executable = client->compile(
        {&function, {ArgumentKind::kState, ArgumentKind::kFixed, ArgumentKind::kRows}, "foreign"});
    const auto own_total = client->allocate(total), own_table = client->allocate(row),
               own_rows = client->allocate(row), own_sums = client->allocate(row);
    const runtime::Write writes[] = {{own_table.get(), data.data()}, {own_rows.get(), data.data()}};
    client->write(writes);
    for (const char* role : {"state", "fixed", "row argument", "output", ""}) {
      const auto foreign_total = other->allocate(total), foreign_table = other->allocate(row);
      const auto unless = [&](const char* what, runtime::Buffer& own, runtime::Buffer& foreign) {
        return std::string_view(what) == role ? &foreign : &own;
      };
      runtime::Buffer* const state[] = {unless("state", *own_total, *foreign_total)};
      runtime::Buffer* const fixed[] = {unless("fixed", *own_table, *foreign_table)};
      runtime::Buffer* const bases[] = {unless("row argument", *own_rows, *foreign_table)};
      runtime::Buffer* const outputs[] = {unless("output", *own_sums, *foreign_table)};
      const runtime::Replica replica = {.state = state,
                                        .fixed = fixed,
                                        .row_buffers = bases,
                                        .row_indices = &index,
                                        .num_rows = 1,
                                        .output_buffers = outputs};
      std::string message;
      try {
        executable->run(replica);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
        message = error.what();
      }
      EXPECT_EQ(message, std::string_view(role).empty()
                             ? ""
                             : "[" + client->platform() + "] " + role +
                                   " buffer 0 of the program belongs to " + other->name() + ", not to " +
                                   client->name() + ": copy it through the host");
    }
    std::vector<float> sums(2);
    own_sums->copy_to_host(sums.data());
    EXPECT_EQ(sums, twice) << platform;
  }
}

TEST(OddProgramsTest, NothingRunsAfterAKernelThatFailed) {
  ir::Function function;
  function.name = "main";
  const Value h = function.body.add_argument({DType::kF16, {4}});
  const Value v = function.body.add_argument({DType::kF32, {4}});
  ir::Builder b(function.body);
  const Value doubled = failing_op(b, h);
  function.body.set_results({doubled, ops::add(b, v, ops::convert(b, doubled, DType::kF32))});
  const auto client = runtime::make_client("cpu");
  const auto executable = client->compile({&function, {ArgumentKind::kState, ArgumentKind::kState}, "fails"});
  const auto half = client->allocate(h.type()), single = client->allocate(v.type());
  const std::vector<float> ones(4, 1.0F);
  single->copy_from_host(ones.data());
  runtime::Buffer* const state[] = {half.get(), single.get()};
  runtime::Progress progress;
  runtime::Replica replica;
  replica.state = state;
  EXPECT_THROW(executable->run(replica, 2, &progress), Error);
  EXPECT_EQ(progress.steps_done.load(), 0);
  std::vector<float> after(4);
  single->copy_to_host(after.data());
  EXPECT_EQ(after, ones);
}

TEST(OddProgramsTest, PlansOfThousandsOfOpsTakeNoTimeToSpeakOf) {
  // 2,000 groups that depend on each other: quadratic at worst. The limit only catches a return of the cubic
  // planner.
  ir::Function function;
  function.name = "main";
  Value x = function.body.add_argument({DType::kF32, {6, 6}});
  ir::Builder b(function.body);
  for (int i = 0; i < 1000; ++i)
    x = ops::tanh(b, ops::subtract(b, x, ops::broadcast_in_dim(b, ops::reduce_sum(b, x, {1}), {6, 6}, {0})));
  function.body.set_results({x});
  const Plan plan = make_plan({&function, {ArgumentKind::kState}, "deep"}, {});
  EXPECT_GE(plan.groups.size(), 2000U);
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
