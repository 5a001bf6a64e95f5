#include "cornu/backends/cpu/kernels/matrix_dot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "cornu/backends/cpu/plan/passes.h"
#include "cornu/backends/cpu/programs_test_support.h"
#include "cornu/ops/all.h"

namespace cornu::inline v0::backends::cpu {
namespace {

using ir::DType;
using ir::Literal;
using ir::Value;

Literal uniform(const ir::Dims& dims) {
  Literal literal(ir::TensorType{DType::kF32, dims});
  std::mt19937 random(static_cast<unsigned>(literal.type().num_elements()));
  std::uniform_real_distribution<float> numbers(-1, 1);
  for (float& x : literal.mutable_data<float>()) x = numbers(random);
  return literal;
}

ir::Dims permuted(const ir::Dims& dims, const std::array<std::int64_t, 3>& order) {
  ir::Dims out;
  for (const std::int64_t d : order) out.push_back(dims[static_cast<std::size_t>(d)]);
  return out;
}

/// The position of `dimension` of the canonical order.
std::int64_t place_of(const std::array<std::int64_t, 3>& order, std::int64_t dimension) {
  return std::find(order.begin(), order.end(), dimension) - order.begin();
}

/// Attention's products, stored in any order: result[n, q, k] sums lhs (n, q, d) times rhs (n, k, d) over d.
struct Batched {
  std::array<std::int64_t, 3> lhs_order, rhs_order;
  ir::Dims lhs = permuted({6, 40, 24}, lhs_order), rhs = permuted({6, 48, 24}, rhs_order);

  Value build(ir::Builder& b, Value x, Value y) const {
    return ops::dot_general(b, x, y,
                            {.lhs_batching = {place_of(lhs_order, 0)},
                             .rhs_batching = {place_of(rhs_order, 0)},
                             .lhs_contracting = {place_of(lhs_order, 2)},
                             .rhs_contracting = {place_of(rhs_order, 2)}});
  }
};

std::vector<std::array<std::int64_t, 3>> orders() {
  std::vector<std::array<std::int64_t, 3>> out;
  std::array<std::int64_t, 3> order = {0, 1, 2};
  do out.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  return out;
}

TEST(MatrixDotTest, BatchesOfEveryTranspositionAreAsTheReference) {
  for (const auto& lhs_order : orders()) {
    for (const auto& rhs_order : orders()) {
      const Batched dot{lhs_order, rhs_order};
      expect_as_reference({uniform(dot.lhs), uniform(dot.rhs)},
                          [&](ir::Builder& b, std::span<const Value> x) -> std::vector<Value> {
                            return {dot.build(b, x[0], x[1])};
                          });
    }
  }
}

TEST(MatrixDotTest, BatchesOfBf16AreAsTheReferenceToo) {
  for (const auto& lhs_order : orders()) {
    for (const auto& rhs_order : orders()) {
      const Batched dot{lhs_order, rhs_order};
      expect_as_reference(
          {uniform(dot.lhs), uniform(dot.rhs)},
          [&](ir::Builder& b, std::span<const Value> x) -> std::vector<Value> {
            return {dot.build(b, ops::convert(b, x[0], DType::kBF16), ops::convert(b, x[1], DType::kBF16))};
          });
    }
  }
}

TEST(MatrixDotTest, BatchesGoToTheMatrixKernelWhereverAnAxisIsContiguous) {
  for (const auto& lhs_order : orders()) {
    for (const auto& rhs_order : orders()) {
      const Batched dot{lhs_order, rhs_order};
      ir::Function function;
      function.name = "main";
      const Value x = function.body.add_argument({DType::kF32, dot.lhs}),
                  y = function.body.add_argument({DType::kF32, dot.rhs});
      ir::Builder b(function.body);
      function.body.set_results({dot.build(b, x, y)});
      const Plan plan =
          make_plan({&function, {runtime::ArgumentKind::kFixed, runtime::ArgumentKind::kFixed}, "test"}, {});
      // An operand whose contiguous axis is the batch's is no matrix with rows of its own.
      const bool is_matrix = lhs_order[2] != 0 && rhs_order[2] != 0;
      EXPECT_STREQ(group_kind_name(plan.groups[0]), is_matrix ? "matrix_dot" : "dot") << plan_str(plan);
    }
  }
}

TEST(MatrixDotTest, RowsThatDoNotJoinAreBatches) {
  // rhs's rows (q, h) lie apart: heads of a projection that was split.
  expect_as_reference(
      {uniform({8, 20, 3, 32}), uniform({32, 40})},
      [](ir::Builder& b, std::span<const Value> x) -> std::vector<Value> {
        const Value heads_first = ops::transpose(b, x[0], {0, 2, 1, 3});
        return {ops::dot_general(b, heads_first, x[1], {.lhs_contracting = {3}, .rhs_contracting = {0}})};
      });
}

TEST(MatrixDotTest, VeryDeepProductsAreSumsOfPartsOfTheDepth) {
  constexpr std::int64_t kRows = 40, kColumns = 72, kDepth = 8201;
  static_assert(2.0 * kRows * kColumns * kDepth >= 4e7);
  for (const std::int64_t a_depth : {0, 1})
    for (const std::int64_t b_depth : {0, 1}) {
      const ir::Dims a = a_depth == 0 ? ir::Dims{kDepth, kRows} : ir::Dims{kRows, kDepth},
                     b_dims = b_depth == 0 ? ir::Dims{kDepth, kColumns} : ir::Dims{kColumns, kDepth};
      expect_as_reference({uniform(a), uniform(b_dims)},
                          [&](ir::Builder& b, std::span<const Value> x) -> std::vector<Value> {
                            return {ops::dot_general(
                                b, x[0], x[1], {.lhs_contracting = {a_depth}, .rhs_contracting = {b_depth}})};
                          });
    }
  MatrixProduct p;
  p.m = kRows;
  p.n = kColumns;
  p.k = kDepth;
  const MatrixDot dot = slice_matrix_product(p, {IsaLevel::kAvx2}, 2);
  EXPECT_GT(dot.depth_parts, 1);
  EXPECT_TRUE(dot.is_exchanged);
  p.k = 4096;
  EXPECT_EQ(slice_matrix_product(p, {IsaLevel::kAvx2}, 2).depth_parts, 1);
}

TEST(MatrixDotTest, GradientsOfWeightsOverManyRowsAreSumsOfPartsOfTheDepth) {
  constexpr std::int64_t kRows = 128, kColumns = 96, kDepth = 2100;
  expect_as_reference(
      {uniform({kDepth, kRows}), uniform({kDepth, kColumns})},
      [](ir::Builder& b, std::span<const Value> x) -> std::vector<Value> {
        return {ops::dot_general(b, x[0], x[1], {.lhs_contracting = {0}, .rhs_contracting = {0}})};
      });
  MatrixProduct p;
  p.transpose_a = true;
  p.m = kRows;
  p.n = kColumns;
  p.k = kDepth;
  EXPECT_EQ(slice_matrix_product(p, {IsaLevel::kAvx2}, 2).depth_parts, 5);  // of 512 rows; the last has 52
  EXPECT_EQ(partial_product_floats(p), 5 * kRows * kColumns);
  p.k = 1024;
  EXPECT_EQ(slice_matrix_product(p, {IsaLevel::kAvx2}, 2).depth_parts, 1);
}

void expect_covered(const MatrixProduct& p, IsaLevel level, int num_threads) {
  const MatrixDot dot = slice_matrix_product(p, {level}, num_threads);
  const std::int64_t parts = ((p.m + dot.rows - 1) / dot.rows) * ((p.n + dot.columns - 1) / dot.columns);
  if (dot.matrices > 1) {
    EXPECT_EQ(parts, 1);
    EXPECT_EQ(dot.num_slices, (p.num_matrices() + dot.matrices - 1) / dot.matrices);
  } else {
    EXPECT_EQ(dot.num_slices, parts * p.num_matrices());
  }
  EXPECT_LE(dot.num_slices, 128) << p.m << " x " << p.n << " x " << p.k;
}

TEST(MatrixDotTest, SlicesCoverTheResultOnce) {
  for (const std::int64_t m : {1, 17, 128, 2048, 100'000}) {
    for (const std::int64_t n : {1, 10, 65, 128, 512, 2048}) {
      for (const std::int64_t matrices : {1, 3, 32, 1000}) {
        MatrixProduct p;
        p.m = m;
        p.n = n;
        p.k = 256;
        p.batch = {{matrices, m * 256, 256 * n, m * n}};
        for (const bool transpose_a : {false, true}) {
          p.transpose_a = transpose_a;
          for (const IsaLevel level : {IsaLevel::kSse2, IsaLevel::kAvx512})
            for (const int num_threads : {1, 2, 3, 16}) expect_covered(p, level, num_threads);
        }
      }
    }
  }
}

/// A gradient of weights reads parts of long lines: wide ones, in slices that still keep all threads busy.
TEST(MatrixDotTest, LinesOfATransposedOperandAreReadInWideParts) {
  MatrixProduct p;
  p.transpose_a = true;
  p.m = 256;
  p.n = 128;
  p.k = 4096;
  for (const int num_threads : {1, 2, 4, 16}) {
    const MatrixDot dot = slice_matrix_product(p, {IsaLevel::kAvx512}, num_threads);
    EXPECT_GE(dot.num_slices, num_threads == 1 ? 1 : 2 * num_threads) << num_threads;
    if (num_threads <= 2) {
      EXPECT_EQ(dot.columns, p.n) << num_threads;
    }
  }
}

TEST(MatrixDotTest, LargeProductsAreSharedByManyThreads) {
  MatrixProduct p;
  p.m = 2048;
  p.n = 128;  // two blocks of columns: the rows must be cut too
  p.k = 512;
  EXPECT_GE(slice_matrix_product(p, {IsaLevel::kAvx2}, 16).num_slices, 16);
}

}  // namespace
}  // namespace cornu::inline v0::backends::cpu
