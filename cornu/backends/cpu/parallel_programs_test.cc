#include <numeric>
#include <random>

#include "cornu/backends/cpu/programs_test_support.h"
#include "cornu/ops/all.h"

// Programs that are large enough to be shared by threads: results are the reference's, and the same bits at
// any number of threads.
namespace cornu::inline v0::backends::cpu {
namespace {

using ir::DType;
using Values = std::span<const ir::Value>;

ir::Literal large_floats(ir::Dims dims, unsigned seed) {
  ir::Literal out(ir::TensorType{DType::kF32, std::move(dims)});
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (float& x : out.mutable_data<float>()) x = uniform(random);
  return out;
}

TEST(ParallelProgramsTest, SumsOfManyElementsAreAddedInPartsThatShapesDecide) {
  expect_as_reference({large_floats({300, 31, 37}, 1), large_floats({}, 2)},
                      [](ir::Builder& b, Values v) -> std::vector<ir::Value> {
                        const ir::Value squares = ops::multiply(b, v[0], v[0]);
                        return {ops::reduce_sum(b, squares, {0, 1, 2}), ops::reduce_sum(b, squares, {0, 1}),
                                ops::reduce_max(b, v[0], {0, 1, 2}), ops::reduce_min(b, v[0], {0, 2})};
                      });
}

TEST(ParallelProgramsTest, AnInitialValueCountsOnce) {
  expect_as_reference({large_floats({200000}, 1), large_floats({}, 2)},
                      [](ir::Builder& b, Values v) -> std::vector<ir::Value> {
                        return ops::reduce(b, {v[0]}, {ops::add(b, v[1], ops::scalar(b, DType::kF32, 1000))},
                                           {0}, [](ir::Builder& c, Values w) -> std::vector<ir::Value> {
                                             return {ops::add(c, w[0], w[1])};
                                           });
                      });
}

TEST(ParallelProgramsTest, SumsOverRowsOfAnOddNumberOfColumns) {
  for (const std::int64_t columns : {1, 3, 64, 100})
    expect_as_reference({large_floats({400000 / columns, columns}, 1)},
                        [](ir::Builder& b, Values v) -> std::vector<ir::Value> {
                          return {ops::reduce_sum(b, ops::abs(b, v[0]), {0}), ops::reduce_max(b, v[0], {0})};
                        });
}

/// The same rows many times; some do not exist.
template <typename T>
ir::Literal row_numbers(ir::Dims dims, std::int64_t rows) {
  ir::Literal ids(ir::TensorType{*ir::kDTypeOf<T>, std::move(dims)});
  std::mt19937 random(4);
  for (T& id : ids.mutable_data<T>())
    id = static_cast<T>(random() % static_cast<std::uint64_t>(rows / 10)) * 11 - 20;
  return ids;
}

TEST(ParallelProgramsTest, RowsThatAreNamedManyTimesAreAddedInTheirOrder) {
  constexpr std::int64_t kRows = 3000, kUpdates = 5000, kColumns = 33;
  expect_as_reference({large_floats({kRows, kColumns}, 1), row_numbers<std::int32_t>({kUpdates}, kRows),
                       large_floats({kUpdates, kColumns}, 2)},
                      [](ir::Builder& b, Values v) -> std::vector<ir::Value> {
                        const ir::Value threes = ops::full(b, v[0].type(), 3);
                        return {ops::scatter_add_rows(b, v[0], v[1], v[2]),
                                ops::scatter_add_rows(b, threes, v[1], v[2])};
                      });
}

TEST(ParallelProgramsTest, AMeanOfRowsAndItsGradient) {
  constexpr std::int64_t kRows = 2001, kColumns = 50, kBatch = 9, kWords = 1100;
  expect_as_reference({large_floats({kRows, kColumns}, 1), row_numbers<std::int64_t>({kBatch, kWords}, kRows),
                       large_floats({kBatch, kColumns}, 2)},
                      [](ir::Builder& b, Values v) -> std::vector<ir::Value> {
                        const ir::Value each =
                            ops::broadcast_in_dim(b, v[2], {kBatch, kWords, kColumns}, {0, 2});
                        return {ops::reduce_sum(b, ops::gather_rows(b, v[0], v[1]), {1}),
                                ops::scatter_add_rows(b, ops::full(b, v[0].type(), 0), v[1], each)};
                      });
}

TEST(ParallelProgramsTest, LoopsOverLargeTensorsMayWriteOverWhatNobodyNeedsAnyMore) {
  expect_as_reference({large_floats({60, 40, 32}, 1), large_floats({32}, 2)},
                      [](ir::Builder& b, Values v) -> std::vector<ir::Value> {
                        const auto windows = [&](ir::Value x) {
                          return ops::reduce_window_max(b, x, {.dimensions = {1, 2, 1}});
                        };
                        const ir::Value bias = ops::broadcast_in_dim(b, v[1], v[0].dims(), {2});
                        ir::Value x = ops::exponential(b, v[0]);
                        const ir::Value first = windows(x);
                        // Read by a loop, by a window and once more at the end.
                        const ir::Value y = ops::tanh(b, ops::add(b, x, bias));
                        const ir::Value second = windows(y);
                        const ir::Value mask = ops::compare(b, y, bias, ops::ComparisonDirection::kGt);
                        const ir::Value z = ops::exponential(b, ops::select(b, mask, y, bias)),
                                        w = ops::tanh(b, ops::select(b, mask, bias, y));
                        const ir::Value third = windows(z), fourth = windows(w);
                        return {ops::add(b, ops::add(b, first, second), ops::multiply(b, third, fourth)),
                                ops::reduce_sum(b, ops::multiply(b, z, x), {0, 1})};
                      });
}

/// Softmax and standardization by rows, with sums over all rows in passing.
TEST(ParallelProgramsTest, PassesOverTheSameRowsRunRowsByRows) {
  for (const ir::Dims& dims : {ir::Dims{640, 129}, {24, 30, 100}, {512, 256}})
    expect_as_reference(
        {large_floats(dims, 1), large_floats(dims, 2), large_floats({dims.back()}, 3)},
        [&](ir::Builder& b, Values v) -> std::vector<ir::Value> {
          const auto last = static_cast<std::int64_t>(dims.size()) - 1;
          ir::Dims outer(dims.begin(), dims.end() - 1);
          std::vector<std::int64_t> places(outer.size());
          std::iota(places.begin(), places.end(), 0);
          const auto spread = [&](ir::Value x) { return ops::broadcast_in_dim(b, x, dims, places); };
          const auto of_columns = [&](ir::Value x) { return ops::broadcast_in_dim(b, x, dims, {last}); };
          const ir::Value powers =
              ops::exponential(b, ops::subtract(b, v[0], spread(ops::reduce_max(b, v[0], {last}))));
          const ir::Value y = ops::divide(b, powers, spread(ops::reduce_sum(b, powers, {last})));
          const ir::Value slope = spread(ops::reduce_sum(b, ops::multiply(b, y, v[1]), {last}));
          const ir::Value change = ops::multiply(b, y, ops::subtract(b, v[1], slope));
          const ir::Value moved = ops::tanh(b, ops::multiply(b, change, of_columns(v[2])));
          return {y, moved, ops::reduce_sum(b, moved, places),
                  ops::reduce_sum(b, ops::multiply(b, moved, change), places)};
        });
}

TEST(ParallelProgramsTest, ManyLinesAreSortedAndManyWindowsSelected) {
  expect_as_reference(
      {large_floats({150, 300}, 1), large_floats({40, 12, 12, 20}, 2), large_floats({40, 6, 6, 20}, 3)},
      [](ir::Builder& b, Values v) -> std::vector<ir::Value> {
        return {
            ops::sort_ascending(b, v[0], 1), ops::sort_descending(b, v[0], 0),
            ops::select_and_scatter_add(b, v[1], v[2], {.dimensions = {1, 2, 2, 1}, .strides = {1, 2, 2, 1}},
                                        ops::ComparisonDirection::kGe)};
      });
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
