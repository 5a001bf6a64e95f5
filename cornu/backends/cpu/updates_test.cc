#include <gtest/gtest.h>

#include <algorithm>

#include "cornu/backends/cpu/plan/plan.h"
#include "cornu/backends/cpu/programs_test_support.h"
#include "cornu/ops/all.h"

// Ops that write parts of a tensor, gathers and halves: against the reference backend, and in place where
// that is possible.
namespace cornu::inline v0::backends::cpu {
namespace {

using ir::DType;
using ir::Literal;
using ir::Value;
using runtime::ArgumentKind;
using Values = std::span<const Value>;
using Results = std::vector<Value>;

Literal counting_from(const ir::Dims& dims, float first) {
  Literal literal(ir::TensorType{DType::kF32, dims});
  for (float& x : literal.mutable_data<float>()) x = first += 0.375F;
  return literal;
}

TEST(UpdatesTest, PaddingOfEverySignAndInside) {
  expect_as_reference({counting_from({5, 4}, 1), Literal::scalar(DType::kF32, -7)},
                      [](ir::Builder& b, Values x) -> Results {
                        return {ops::pad(b, x[0], x[1], {2, 0}, {1, 3}, {0, 0}),
                                ops::pad(b, x[0], x[1], {-2, 1}, {-1, -2}, {0, 0}),
                                ops::pad(b, x[0], x[1], {-3, 2}, {2, -1}, {2, 1}),
                                ops::pad(b, x[0], x[1], {-5, 0}, {0, 0}, {0, 0}),
                                ops::pad(b, x[0], x[1], {-7, 0}, {4, 0}, {0, 0}),
                                ops::pad(b, ops::tanh(b, x[0]), x[1], {1, 1}, {-4, 0}, {0, 3}),
                                ops::pad(b, x[0], x[1], {3, 0}, {-7, 0}, {0, 0})};
                      });
}

TEST(UpdatesTest, ConcatenationsOfComputedAndEmptyPieces) {
  expect_as_reference(
      {counting_from({3, 4}, 1), counting_from({3, 0}, 0), counting_from({1, 4}, 5)},
      [](ir::Builder& b, Values x) -> Results {
        const Value wide = ops::concatenate(
            b, {ops::tanh(b, x[0]), x[1], ops::transpose(b, ops::reshape(b, x[0], {4, 3}), {1, 0})}, 1);
        return {
            wide,
            ops::add(b, ops::concatenate(b, {x[2], x[0], x[2]}, 0), ops::full(b, {DType::kF32, {5, 4}}, 1)),
            ops::reduce_sum(b, ops::concatenate(b, {wide, wide}, 0), {0})};
      });
}

TEST(UpdatesTest, ConcatenationsOfConcatenations) {
  expect_as_reference(
      {counting_from({6, 24}, 1), counting_from({6, 4}, 7)}, [](ir::Builder& b, Values x) -> Results {
        const auto rolled = [&](Value v) {
          const std::int64_t width = v.dims()[1];
          const Value down = ops::concatenate(
              b, {ops::slice(b, v, {4, 0}, {6, width}, {1, 1}), ops::slice(b, v, {0, 0}, {4, width}, {1, 1})},
              0);
          return ops::concatenate(b,
                                  {ops::slice(b, down, {0, width / 2}, {6, width}, {1, 1}),
                                   ops::slice(b, down, {0, 0}, {6, width / 2}, {1, 1})},
                                  1);
        };
        const Value made = ops::exponential(b, ops::negate(b, x[0]));
        const Value block = ops::concatenate(b, {made, x[0]}, 1);
        return {
            rolled(x[0]), rolled(x[1]), ops::concatenate(b, {block, ops::concatenate(b, {x[0], made}, 1)}, 0),
            ops::concatenate(
                b, {ops::concatenate(b, {x[1], ops::tanh(b, x[1])}, 1), ops::concatenate(b, {x[1], x[1]}, 1)},
                1)};
      });
}

TEST(UpdatesTest, PartsThatAreMadeOfEachOther) {
  expect_as_reference({counting_from({4, 5, 70}, 1)}, [](ir::Builder& b, Values x) -> Results {
    Results parts;
    for (std::int64_t i = 0; i < 5; ++i) {
      Value next = ops::tanh(b, ops::slice(b, x[0], {0, i, 0}, {4, i + 1, 70}, {1, 1, 1}));
      if (i > 0) next = ops::add(b, next, parts.back());
      parts.push_back(next);
    }
    return {ops::reshape(b, ops::concatenate(b, parts, 1), {20, 70})};
  });
}

TEST(UpdatesTest, GathersOfElementsRowsAndWindowsClampTheirStarts) {
  const Literal ids = Literal::of<std::int32_t>({7}, {0, 5, -3, 2, 99, 2, 4});
  const Literal pairs = Literal::of<std::int64_t>({4, 2}, {0, 1, 3, 3, -1, 7, 5, 0});
  expect_as_reference(
      {counting_from({6, 5}, 0), ids, pairs, counting_from({40}, 3)},
      [](ir::Builder& b, Values x) -> Results {
        const Value windows = ops::gather(
            b, x[0], x[2], {.offset_dims = {1, 2}, .start_index_map = {0, 1}, .index_vector_dim = 1}, {2, 3});
        const Value points = ops::gather(
            b, x[0], x[2], {.collapsed_slice_dims = {0, 1}, .start_index_map = {0, 1}, .index_vector_dim = 1},
            {1, 1});
        return {ops::gather_rows(b, x[0], x[1]),
                windows,
                points,
                ops::gather_rows(b, x[3], x[1]),
                ops::reduce_sum(b, ops::tanh(b, ops::gather_rows(b, x[0], x[1])), {1}),
                ops::gather_rows(b, ops::transpose(b, x[0], {1, 0}), ops::convert(b, x[1], DType::kU8))};
      });
}

TEST(UpdatesTest, ScattersAddEqualIndicesInOrderAndSkipWhatIsOutside) {
  const Literal ids = Literal::of<std::int32_t>({7}, {0, 5, -3, 2, 99, 2, 0});
  const Literal pairs = Literal::of<std::int32_t>({3, 2}, {0, 1, 4, 3, -1, 2});
  expect_as_reference(
      {counting_from({6, 35}, 0), ids, counting_from({7, 35}, -4), pairs, counting_from({3, 2, 2}, 9)},
      [](ir::Builder& b, Values x) -> Results {
        const Value zeros = ops::full(b, x[0].type(), 0);
        const Value windows = ops::scatter_add(
            b, x[0], x[3], x[4],
            {.update_window_dims = {1, 2}, .scatter_dims_to_operand_dims = {0, 1}, .index_vector_dim = 1});
        const Results largest =
            ops::scatter(b, {x[0]}, x[1], {x[2]},
                         {.update_window_dims = {1},
                          .inserted_window_dims = {0},
                          .scatter_dims_to_operand_dims = {0},
                          .index_vector_dim = 1},
                         [](ir::Builder& c, Values v) -> Results { return {ops::maximum(c, v[0], v[1])}; });
        return {ops::scatter_add_rows(b, zeros, x[1], x[2]), windows, largest[0],
                ops::scatter_add_rows(b, ops::full(b, {DType::kF32, {6}}, 1), x[1],
                                      ops::reduce_sum(b, x[2], {1})),
                ops::scatter_add_rows(b, x[0], x[1], ops::tanh(b, x[2]))};
      });
}

TEST(UpdatesTest, AStateIsUpdatedInPlace) {
  for (const bool scatters : {false, true}) {
    ir::Function function;
    function.name = "main";
    const Value table = function.body.add_argument({DType::kF32, {1000, 64}});
    const Value ids = function.body.add_argument({DType::kI32, {20}});
    const Value rows = function.body.add_argument({DType::kF32, {20, 64}});
    ir::Builder b(function.body);
    const Value zero = ops::scalar(b, DType::kI32, 0);
    const Value first = ops::reshape(b, ops::slice(b, ids, {0}, {1}, {1}), {});
    // Twice in a row: the table between the two is nobody else's.
    Value next = table;
    for (int i = 0; i < 2; ++i)
      next = scatters ? ops::scatter_add_rows(b, next, ids, rows)
                      : ops::dynamic_update_slice(b, next, rows, {first, zero});
    function.body.set_results({next});
    const Plan plan = make_plan(
        {&function, {ArgumentKind::kState, ArgumentKind::kFixed, ArgumentKind::kFixed}, "update"}, {});
    EXPECT_LE(plan.arena_bytes, 128U) << plan_str(plan);
    for_each_group(plan, [&](const Group& group, int) {
      EXPECT_LE(group.extents.empty() ? 0 : group.extents[0], 20) << plan_str(plan);
    });
  }
}

TEST(UpdatesTest, AnUpdateStaysInPlaceBesideALargeOperandThatDies) {
  ir::Function function;
  function.name = "main";
  const Value x = function.body.add_argument({DType::kF32, {512, 64}});
  const Value rows = function.body.add_argument({DType::kF32, {2, 64}});
  ir::Builder b(function.body);
  const Value zero = ops::scalar(b, DType::kI32, 0);
  const Value made = ops::tanh(b, ops::negate(b, x));
  const Value updated = ops::dynamic_update_slice(b, made, rows, {zero, zero});
  function.body.set_results({ops::reduce_sum(b, updated, {0, 1})});
  PlanOptions options;
  options.fuse = false;
  const Plan plan = make_plan({&function, {ArgumentKind::kFixed, ArgumentKind::kFixed}, "update"}, options);
  int num_updates = 0;
  for_each_group(plan, [&](const Group& group, int) {
    if (!group.is<UpdateGroup>()) return;
    ++num_updates;
    EXPECT_EQ(plan.buffer_of.at(group.op->operand(0)), group.stores[0].buffer) << plan_str(plan);
  });
  EXPECT_EQ(num_updates, 1) << plan_str(plan);
}

TEST(UpdatesTest, AnUpdatedTensorThatIsStillReadIsCopied) {
  expect_as_reference(
      {counting_from({8, 3}, 0), counting_from({2, 3}, 50), Literal::of<std::int32_t>({}, {3})},
      [](ir::Builder& b, Values x) -> Results {
        const Value base = ops::tanh(b, x[0]);
        const Value zero = ops::scalar(b, DType::kI32, 0);
        const Value one = ops::dynamic_update_slice(b, base, x[1], {x[2], zero});
        const Value two = ops::dynamic_update_slice(b, base, x[1], {zero, zero});
        const Value three =
            ops::dynamic_update_slice(b, one, ops::dynamic_slice(b, one, {zero, zero}, {2, 3}), {x[2], x[2]});
        return {ops::add(b, one, base), two, three};
      });
}

TEST(UpdatesTest, ALoopFillsARowOfItsResultInEachPass) {
  ir::Function function;
  function.name = "main";
  const Value rows = function.body.add_argument({DType::kF32, {50, 16}});
  const Value x = function.body.add_argument({DType::kF32, {1, 16}});
  const Value bound = function.body.add_argument({DType::kI32, {}});
  ir::Builder b(function.body);
  const Results out = ops::while_(
      b, {ops::scalar(b, DType::kI32, 0), rows},
      [&](ir::Builder& c, Values v) { return ops::compare(c, v[0], bound, ops::ComparisonDirection::kLt); },
      [&](ir::Builder& c, Values v) -> Results {
        const Value row =
            ops::multiply(c, x, ops::broadcast_in_dim(c, ops::convert(c, v[0], DType::kF32), {1, 16}, {}));
        return {ops::add(c, v[0], ops::scalar(c, DType::kI32, 1)),
                ops::dynamic_update_slice(c, v[1], row, {v[0], ops::scalar(c, DType::kI32, 0)})};
      });
  function.body.set_results({out[1]});
  const Plan plan =
      make_plan({&function, {ArgumentKind::kState, ArgumentKind::kFixed, ArgumentKind::kFixed}, "fill"}, {});
  for_each_group(plan, [&](const Group& group, int) {
    EXPECT_LE(group.extents.empty() ? 1 : group.extents[0], 1) << plan_str(plan);
  });
}

/// A scan that saves three values of each iteration, one of which reads a stack of another.
Results saving_scan(ir::Builder& b, Values x) {
  const Value zero = ops::scalar(b, DType::kI32, 0);
  return ops::while_(
      b, {zero, x[0], x[1], x[1], x[1]},
      [&](ir::Builder& c, Values v) {
        return ops::compare(c, v[0], ops::scalar(c, DType::kI32, 5), ops::ComparisonDirection::kLt);
      },
      [&](ir::Builder& c, Values v) -> Results {
        const Value none = ops::scalar(c, DType::kI32, 0);
        const Value next = ops::tanh(c, ops::matmul(c, v[1], x[2]));
        const auto save = [&](Value stack, Value row) {
          return ops::dynamic_update_slice(c, stack, ops::reshape(c, row, {1, 4, 16}), {v[0], none, none});
        };
        const Value doubled = save(v[2], ops::add(c, v[1], v[1]));
        const Value first =
            ops::reshape(c, ops::slice(c, doubled, {0, 0, 0}, {1, 4, 16}, {1, 1, 1}), {4, 16});
        return {ops::add(c, v[0], ops::scalar(c, DType::kI32, 1)), next, doubled,
                save(v[3], ops::multiply(c, next, v[1])), save(v[4], ops::add(c, first, next))};
      });
}

TEST(UpdatesTest, StacksOfAScanAreWrittenByOneLoopUnlessOneIsRead) {
  expect_as_reference(
      {counting_from({4, 16}, -8), counting_from({5, 4, 16}, 0), counting_from({16, 16}, -40)}, &saving_scan);
  ir::Function function;
  function.name = "main";
  ir::Builder b(function.body);
  const Value x[] = {function.body.add_argument({DType::kF32, {4, 16}}),
                     function.body.add_argument({DType::kF32, {5, 4, 16}}),
                     function.body.add_argument({DType::kF32, {16, 16}})};
  function.body.set_results(saving_scan(b, x));
  const Plan plan =
      make_plan({&function, {ArgumentKind::kFixed, ArgumentKind::kFixed, ArgumentKind::kFixed}, "scan"}, {});
  std::vector<std::size_t> stores;  // of loops that write rows of stacks
  for_each_group(plan, [&](const Group& group, int) {
    if (group.is<LoopGroup>() && !group.stores.empty() && group.stores[0].at)
      stores.push_back(group.stores.size());
  });
  std::ranges::sort(stores);
  EXPECT_EQ(stores, (std::vector<std::size_t>{1, 2})) << plan_str(plan);
}

TEST(UpdatesTest, HalvesRoundAfterEveryOp) {
  for (const DType half : {DType::kF16, DType::kBF16})
    expect_as_reference({counting_from({3, 37}, -20)}, [half](ir::Builder& b, Values x) -> Results {
      const Value h = ops::convert(b, x[0], half);
      const Value third = ops::divide(b, h, ops::full(b, h.type(), 3));
      const Value large = ops::multiply(b, ops::multiply(b, h, h), ops::full(b, h.type(), 4096));
      const Value small = ops::multiply(b, third, ops::full(b, h.type(), 0x1p-14));
      Results out = {h,
                     third,
                     large,
                     small,
                     ops::subtract(b, ops::add(b, h, third), third),
                     ops::convert(b, small, DType::kF32),
                     ops::convert(b, ops::convert(b, x[0], DType::kF64), half),
                     ops::iota(b, {half, {300}}, 0),
                     ops::negate(b, h)};
      // To the last bit: as integers.
      for (Value& y : out)
        if (y.dtype() == half) y = ops::bitcast_convert(b, y, DType::kU16);
      return out;
    });
}

/// 2^64 - 1 is far outside, not -1: no part of its window falls on the first elements.
TEST(UpdatesTest, IndicesBeyondSignedIntegersAreOutside) {
  Literal at(ir::TensorType{DType::kU64, {2, 1}});
  at.mutable_data<std::uint64_t>()[0] = ~std::uint64_t{0};
  at.mutable_data<std::uint64_t>()[1] = 1;
  expect_as_reference(
      {counting_from({4}, 0), at, counting_from({2, 3}, 9)}, [](ir::Builder& b, Values x) -> Results {
        return {ops::scatter_add(
            b, x[0], x[1], x[2],
            {.update_window_dims = {1}, .scatter_dims_to_operand_dims = {0}, .index_vector_dim = 1})};
      });
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
