#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <random>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "cornu/distribute/mpi/mpi.h"
#include "cornu/ir/builder.h"
#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/gather/gather.h"
#include "cornu/ops/iota/iota.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/sharded_lookup/sharded_lookup.h"
#include "cornu/runtime/collective.h"
#include "cornu/tensor/function.h"
#include "cornu/tensor/run/run_op.h"
#include "cornu/tensor/tensor.h"

// Kernels that exchange rows of sharded tables, beside loops over the whole table. Each rank runs all of
// this.
namespace cornu::inline v0 {
namespace {

runtime::Collective& world() { return *distribute::mpi_processes(); }

/// A table of small whole numbers, so that sums do not depend on their order.
double table_at(std::int64_t row, std::int64_t column) { return static_cast<double>(row * 8 + column); }

struct Exchanged {
  std::int64_t num_rows = 0, dim = 0, count = 0, axis = 0;

  std::int64_t num_shards() const { return world().size(); }
  ops::TableShards shards() const { return {.num_rows = num_rows, .num_shards = num_shards(), .axis = axis}; }
  std::int64_t part_rows() const {
    return axis == 0 ? (num_rows + num_shards() - 1) / num_shards() : num_rows;
  }
  std::int64_t part_columns() const { return axis == 0 ? dim : dim / num_shards(); }
  std::int64_t first_row() const { return axis == 0 ? world().rank() * part_rows() : 0; }
  std::int64_t first_column() const { return axis == 0 ? 0 : world().rank() * part_columns(); }
  bool is_here(std::int64_t id) const { return axis == 1 || id / part_rows() == world().rank(); }

  /// The ids of a rank: many repeat, some are outside of the table.
  std::vector<std::int64_t> ids_of(std::int64_t rank) const {
    std::mt19937 generator(static_cast<std::uint32_t>(rank) + 7);
    std::uniform_int_distribution<std::int64_t> some(-2, num_rows / 2), any(0, num_rows + 3);
    std::vector<std::int64_t> ids;
    for (std::int64_t i = 0; i < count; ++i) ids.push_back(i % 3 == 0 ? any(generator) : some(generator));
    return ids;
  }
  std::int64_t valid(std::int64_t id) const { return std::clamp<std::int64_t>(id, 0, num_rows - 1); }
};

using Build = std::function<ir::Value(ir::Builder&, std::span<const ir::Value>)>;

/// Runs a program of the op twice on this rank's operands: the second run uses memory of the first.
Tensor run_program(const std::vector<ir::Literal>& operands, const Build& build) {
  const auto program = function([&](const Tensor& x, const Tensor& ids) {
    const std::array values = {x, ids};
    return detail::run_op(detail::OpKey("exchange"), values, build);
  });
  program(Tensor(operands[0]), Tensor(operands[1]));
  return program(Tensor(operands[0]), Tensor(operands[1]));
}

ir::Literal literal_of(ir::DType dtype, const ir::Dims& dims, const std::vector<double>& values) {
  ir::Literal literal(ir::TensorType{dtype, dims});
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (dtype == ir::DType::kF32) literal.mutable_data<float>()[i] = static_cast<float>(values[i]);
    if (dtype == ir::DType::kF64) literal.mutable_data<double>()[i] = values[i];
    if (dtype == ir::DType::kI32)
      literal.mutable_data<std::int32_t>()[i] = static_cast<std::int32_t>(values[i]);
    if (dtype == ir::DType::kI64)
      literal.mutable_data<std::int64_t>()[i] = static_cast<std::int64_t>(values[i]);
  }
  return literal;
}

ir::Literal ids_literal(ir::DType dtype, const Exchanged& it) {
  const std::vector<std::int64_t> ids = it.ids_of(world().rank());
  return literal_of(dtype, {it.count}, std::vector<double>(ids.begin(), ids.end()));
}

void check_lookup(const Exchanged& it, ir::DType dtype, ir::DType ids_dtype) {
  std::vector<double> part;
  for (std::int64_t r = 0; r < it.part_rows(); ++r)
    for (std::int64_t c = 0; c < it.part_columns(); ++c)
      part.push_back(table_at(it.first_row() + r, it.first_column() + c));
  const std::vector<ir::Literal> operands = {literal_of(dtype, {it.part_rows(), it.part_columns()}, part),
                                             ids_literal(ids_dtype, it)};
  const ir::Literal found = run_program(operands, [&](ir::Builder& b, std::span<const ir::Value> v) {
                              const ir::Value lookup = ops::sharded_lookup(b, v[0], v[1], it.shards());
                              return ops::sharded_lookup_of_processes(b, *lookup.op(), v, std::identity())[0];
                            }).literal();
  const std::vector<std::int64_t> ids = it.ids_of(world().rank());
  for (std::int64_t i = 0; i < it.count; ++i)
    for (std::int64_t c = 0; c < it.dim; ++c)
      ASSERT_EQ(found.at(i * it.dim + c), table_at(it.valid(ids[static_cast<std::size_t>(i)]), c)) << i;
}

/// The number of ids whose rows are added to one. So many that four processes exchange gradients, or sums in
/// common memory, since half of the parts have most of the ids.
constexpr std::int64_t kIdsOfSum = 9;

double gradient_at(std::int64_t rank, std::int64_t i, std::int64_t column) {
  return static_cast<double>((rank * 31 + i * 7 + column) % 64);
}

/// The gradients of a rank for row `id` of the table and a column, added. `repeats`: how many ids have the
/// same gradient, one after the other.
double sum_at(const Exchanged& it, std::int64_t rank, std::int64_t id, std::int64_t column,
              std::int64_t repeats, bool is_padded) {
  const std::vector<std::int64_t> ids = it.ids_of(rank);
  double sum = 0;
  for (std::int64_t i = 0; i < it.count; ++i)
    if (it.valid(ids[static_cast<std::size_t>(i)]) == id &&
        (!is_padded || ids[static_cast<std::size_t>(i)] >= 0))
      sum += gradient_at(rank, i / repeats, column);
  return sum;
}

ir::Literal own_gradients(const Exchanged& it, ir::DType dtype, std::int64_t repeats = 1) {
  std::vector<double> gradients;
  for (std::int64_t i = 0; i < it.count / repeats; ++i)
    for (std::int64_t c = 0; c < it.dim; ++c) gradients.push_back(gradient_at(world().rank(), i, c));
  return literal_of(dtype, {it.count / repeats, it.dim}, gradients);
}

/// `repeats` > 1: gradients of sums of as many rows. `is_padded`: negative ids have no gradient.
void check_gradient(const Exchanged& it, ir::DType dtype, ir::DType ids_dtype, std::int64_t repeats,
                    bool is_padded) {
  const ir::Literal found =
      run_program(
          {own_gradients(it, dtype, repeats), ids_literal(ids_dtype, it)},
          [&](ir::Builder& b, std::span<const ir::Value> v) {
            const std::int64_t sums = it.count / repeats;
            const ir::Value ids = ops::reshape(b, v[1], {sums, repeats});
            const ir::Value wide = ops::broadcast_in_dim(b, v[0], {sums, repeats, it.dim}, {0, 2});
            const ir::Value is_there =
                ops::compare(b, ids, ops::full(b, ids.type(), 0), ops::ComparisonDirection::kGe);
            const ir::Value present = ops::select(b, ops::broadcast_in_dim(b, is_there, wide.dims(), {0, 1}),
                                                  wide, ops::full(b, wide.type(), 0));
            const std::array operands = {is_padded ? present : wide, ids};
            const ir::Value gradient =
                ops::sharded_lookup_gradient(b, operands[0], ids, it.shards(), it.part_rows());
            return ops::sharded_lookup_gradient_of_processes(b, *gradient.op(), operands, std::identity())[0];
          })
          .literal();
  for (std::int64_t row = 0; row < it.part_rows(); ++row)
    for (std::int64_t c = 0; c < it.part_columns(); ++c) {
      double expected = 0;
      for (std::int64_t rank = 0; rank < it.num_shards(); ++rank)
        expected += sum_at(it, rank, it.first_row() + row, it.first_column() + c, repeats, is_padded);
      ASSERT_EQ(found.at(row * it.part_columns() + c), expected) << row << " " << c;
    }
}

/// The ids of each rank at their first positions, -1 elsewhere.
std::vector<std::int64_t> named_by_all(const Exchanged& it) {
  std::vector<std::int64_t> named;
  for (std::int64_t rank = 0; rank < it.num_shards(); ++rank) {
    std::vector<std::int64_t> ids = it.ids_of(rank);
    for (std::int64_t& id : ids) id = it.valid(id);
    for (std::size_t i = 0; i < ids.size(); ++i)
      named.push_back(
          std::find(ids.begin(), ids.end(), ids[i]) == ids.begin() + static_cast<std::ptrdiff_t>(i) ? ids[i]
                                                                                                    : -1);
  }
  return named;
}

/// Each row of the part that any rank names is once among the sums.
void check_row_sums(const Exchanged& it, ir::DType dtype, ir::DType ids_dtype) {
  const std::vector<std::int64_t> named = named_by_all(it);
  const std::vector<ir::Literal> operands = {
      own_gradients(it, dtype),
      literal_of(ids_dtype, {it.num_shards() * it.count}, std::vector<double>(named.begin(), named.end()))};
  std::vector<ir::Literal> found;
  for (const bool is_of_rows : {true, false})
    found.push_back(run_program(operands, [&](ir::Builder& b, std::span<const ir::Value> v) {
                      const ops::ShardedRowSums made =
                          ops::sharded_row_sums(b, v[0], ops::iota(b, {ids_dtype, {it.count}}, 0), v[1],
                                                it.shards(), it.part_rows());
                      return is_of_rows ? ops::gather_rows(b, made.rows, made.sources) : made.ids;
                    }).literal());
  std::map<std::int64_t, std::int64_t> element_of;  // by the row's number in the part
  for (std::int64_t k = 0; k < std::ssize(named); ++k) {
    const auto row = static_cast<std::int64_t>(found[1].at(k));
    if (row == it.part_rows()) continue;
    ASSERT_TRUE(element_of.emplace(row, k).second) << "row " << row << " is there twice";
  }
  std::set<std::int64_t> expected_rows;
  for (const std::int64_t id : named) {
    if (id < 0 || !it.is_here(id)) continue;
    const std::int64_t row = id - it.first_row();
    expected_rows.insert(row);
    ASSERT_TRUE(element_of.contains(row)) << row;
    for (std::int64_t c = 0; c < it.part_columns(); ++c) {
      double expected =
          0;  // each rank's row for a named id is the gradient at the position where it names it
      for (std::int64_t k = 0; k < std::ssize(named); ++k)
        if (named[static_cast<std::size_t>(k)] == id)
          expected += gradient_at(k / it.count, k % it.count, it.first_column() + c);
      ASSERT_EQ(found[0].at(element_of[row] * it.part_columns() + c), expected) << row << " " << c;
    }
  }
  EXPECT_EQ(element_of.size(), expected_rows.size());
}

TEST(ShardedExchangeTest, KernelsReadAndAddTheRowsOfAllProcesses) {
  if (world().size() == 1) GTEST_SKIP() << "one process";
  const std::pair<ir::DType, ir::DType> types[] = {{ir::DType::kF32, ir::DType::kI64},
                                                   {ir::DType::kF64, ir::DType::kI32}};
  for (const std::int64_t axis : {0, 1})
    for (const auto& [dtype, ids] : types)
      for (const std::int64_t num_rows : {3, 29, 1001}) {
        SCOPED_TRACE(std::to_string(axis) + " " + std::to_string(num_rows));
        const Exchanged it{
            .num_rows = num_rows, .dim = 4 * world().size(), .count = 8 * kIdsOfSum, .axis = axis};
        check_lookup(it, dtype, ids);
        for (const std::int64_t repeats : {std::int64_t{1}, kIdsOfSum})
          for (const bool is_padded : {false, true}) check_gradient(it, dtype, ids, repeats, is_padded);
        check_row_sums(it, dtype, ids);
      }
}

TEST(ShardedExchangeTest, KernelsFindFewRowsOfLargePartsByHashes) {
  if (world().size() == 1) GTEST_SKIP() << "one process";
  const Exchanged it{.num_rows = 4001, .dim = world().size(), .count = 8 * kIdsOfSum, .axis = 0};
  check_gradient(it, ir::DType::kF32, ir::DType::kI32, kIdsOfSum, true);
  check_row_sums(it, ir::DType::kF32, ir::DType::kI32);
}

TEST(ShardedExchangeTest, AllToAllSendsMessagesOfDifferentSizes) {
  const auto count = static_cast<std::size_t>(world().size()),
             rank = static_cast<std::size_t>(world().rank());
  // Rank r sends 3 * r + q bytes of r + q to rank q; none to the ranks below it.
  std::vector<std::vector<std::byte>> sent(count), received(count);
  std::vector<std::span<const std::byte>> out(count);
  std::vector<std::span<std::byte>> in(count);
  for (std::size_t other = 0; other < count; ++other) {
    if (other >= rank) sent[other].assign(3 * rank + other, static_cast<std::byte>(rank + other));
    if (rank >= other) received[other].resize(3 * other + rank);
    out[other] = sent[other];
    in[other] = received[other];
  }
  world().all_to_all(out, in);
  for (std::size_t other = 0; other <= rank; ++other)
    EXPECT_EQ(received[other],
              std::vector<std::byte>(3 * other + rank, static_cast<std::byte>(rank + other)));
}

}  // namespace
}  // namespace cornu::inline v0
