#include "cornu/transform/batch_dependence.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "cornu/ops/all.h"
#include "cornu/transform/text_test_support.h"

namespace cornu::inline v0::transform {
namespace {

using ir::DType;
using Operands = std::span<const ir::Value>;
using Build = std::function<ir::Value(ir::Builder&, Operands)>;

constexpr std::int64_t kBatch = 6;
// x: rows; mask: rows that count; w, v: no rows; s: scalar; ids: rows.
const std::vector<ir::TensorType> kTypes = {{DType::kF32, {kBatch, 4}}, {DType::kI1, {kBatch}},
                                            {DType::kF32, {4, 5}},      {DType::kF32, {kBatch, 4}},
                                            {DType::kF32, {}},          {DType::kI32, {kBatch}}};
enum Argument { kX, kMask, kW, kV, kS, kIds };

/// "none", "rows 0", "rows 1 (outer 2, inner 3)", "mixed", with the padding that is known.
std::string dependence(const Build& build) {
  const auto function =
      make_function(kTypes, [&](ir::Builder& b, Operands v) { return std::vector<ir::Value>{build(b, v)}; });
  BatchDependenceAnalysis analysis(kBatch);
  const auto arguments = function->body.arguments();
  analysis.set(arguments[kX], BatchDependence::data());
  analysis.set(arguments[kIds], BatchDependence::data());
  BatchDependence mask = BatchDependence::rows(0);
  mask.padding = ir::Literal::scalar(DType::kI1, 0);
  analysis.set(arguments[kMask], mask);
  analysis.run(function->body);
  const BatchDependence found = analysis.of(function->body.results()[0]);
  const std::string padding =
      found.padding.has_value() ? fmt::format(", padding {}", found.padding->at(0)) : "";
  if (found.is_mixed()) return "mixed by " + *found.reason;
  if (found.is_none()) return "none" + padding;
  const std::string folds =
      found.outer == 1 && found.inner == 1 ? "" : fmt::format(" ({} x {})", found.outer, found.inner);
  return fmt::format("rows {}{}{}", found.axis, folds, padding);
}

ir::Value masked(ir::Builder& b, Operands v, double otherwise = 0) {
  const ir::Value mask = ops::broadcast_in_dim(b, v[kMask], v[kX].dims(), {0});
  return ops::select(b, mask, v[kX], ops::full(b, v[kX].type(), otherwise));
}
ir::Value flat(ir::Builder& b, ir::Value x) { return ops::reshape(b, x, {x.type().num_elements()}); }

struct DependenceCase {
  const char* what;
  Build build;
  const char* wanted;
};

void expect_all(const std::vector<DependenceCase>& rows) {
  for (const DependenceCase& row : rows) EXPECT_EQ(dependence(row.build), row.wanted) << row.what;
}

TEST(RowDependenceTest, OpsOnElementsKeepRowsApart) {
  expect_all({
      {"x", [](auto&, auto v) { return v[kX]; }, "rows 0"},
      {"exp(x)", [](auto& b, auto v) { return ops::exponential(b, v[kX]); }, "rows 0"},
      {"x + v", [](auto& b, auto v) { return ops::add(b, v[kX], v[kV]); }, "rows 0"},
      {"v + v", [](auto& b, auto v) { return ops::add(b, v[kV], v[kV]); }, "none"},
      {"x masked", [](auto& b, auto v) { return masked(b, v); }, "rows 0, padding 0"},
      {"x masked * v", [](auto& b, auto v) { return ops::multiply(b, masked(b, v), v[kV]); },
       "rows 0, padding 0"},
      {"x masked + v", [](auto& b, auto v) { return ops::add(b, masked(b, v), v[kV]); }, "rows 0"},
      {"x masked times -1, where v > 0",
       [](auto& b, auto v) {
         const ir::Value zero = ops::full(b, v[kX].type(), 0);
         return ops::select(b, ops::compare(b, v[kV], zero, ops::ComparisonDirection::kGt),
                            ops::negate(b, masked(b, v)), zero);
       },
       "rows 0, padding 0"},
      {"exp(x masked)", [](auto& b, auto v) { return ops::exponential(b, masked(b, v)); },
       "rows 0, padding 1"},
      {"x + transpose of x's",
       [](auto& b, auto v) {
         const ir::Value square = ops::slice(b, v[kX], {0, 0}, {kBatch, 4}, {1, 1});
         const ir::Value wide =
             ops::broadcast_in_dim(b, ops::reduce_sum(b, square, {1}), {kBatch, kBatch}, {0});
         return ops::add(b, wide, ops::transpose(b, wide, {1, 0}));
       },
       "mixed by \"add\""},
  });
}

TEST(RowDependenceTest, WhatIsMadeInTheShapeOfRowsHasThem) {
  const auto total_of = [](double value, bool has_rows, bool doubles = false) {
    ir::Value ones;
    const auto function = make_function(kTypes, [&](ir::Builder& b, Operands v) {
      ones = ops::full(b, v[kX].type(), value);
      return std::vector<ir::Value>{
          ops::reduce_sum(b, doubles ? ops::multiply(b, ones, v[kX]) : ones, {0, 1})};
    });
    BatchDependenceAnalysis analysis(kBatch);
    const ir::Value x = function->body.arguments()[kX];
    if (has_rows) analysis.set(x, BatchDependence::data());
    analysis.set_shaped_like(ones, x, /*is_uniform=*/true);
    analysis.run(function->body);
    return analysis.of(function->body.results()[0]).kind;
  };
  EXPECT_EQ(total_of(1, true), BatchDependence::Kind::kUnknown) << "it counts the rows";
  EXPECT_EQ(total_of(0, true), BatchDependence::Kind::kNone);
  EXPECT_EQ(total_of(0, true, true), BatchDependence::Kind::kNone) << "x times zeros";
  EXPECT_EQ(total_of(1, false), BatchDependence::Kind::kNone) << "of a shape without rows";
}

TEST(RowDependenceTest, RowsOfAShapeRepeatWhereAllTheirElementsAreEqual) {
  for (const bool is_uniform : {true, false}) {
    ir::Value made;
    const auto function = make_function(kTypes, [&](ir::Builder& b, Operands v) {
      made = ops::full(b, v[kX].type(), 1);
      return std::vector<ir::Value>{ops::reduce_max(b, made, {0})};
    });
    BatchDependenceAnalysis analysis(kBatch);
    const ir::Value x = function->body.arguments()[kX];
    analysis.set(x, BatchDependence::data());
    analysis.set_shaped_like(made, x, is_uniform);
    analysis.run(function->body);
    EXPECT_EQ(analysis.of(function->body.results()[0]).kind,
              is_uniform ? BatchDependence::Kind::kNone : BatchDependence::Kind::kUnknown);
  }
}

TEST(RowDependenceTest, OpsThatMoveElementsTakeTheRowsAlong) {
  expect_all({
      {"transpose", [](auto& b, auto v) { return ops::transpose(b, v[kX], {1, 0}); }, "rows 1"},
      {"flat", [](auto& b, auto v) { return flat(b, v[kX]); }, "rows 0 (1 x 4)"},
      {"flat and back", [](auto& b, auto v) { return ops::reshape(b, flat(b, v[kX]), {kBatch, 2, 2}); },
       "rows 0"},
      {"flat transpose", [](auto& b, auto v) { return flat(b, ops::transpose(b, v[kX], {1, 0})); },
       "rows 0 (4 x 1)"},
      {"a fold of rows", [](auto& b, auto v) { return ops::reshape(b, v[kX], {3, 8}); },
       "mixed by \"reshape\""},
      {"of no elements",
       [](auto& b, auto v) {
         const ir::Value empty = ops::slice(b, v[kX], {0, 0}, {kBatch, 0}, {1, 1});
         return ops::reshape(b, empty, {kBatch, 0, 2});
       },
       "none"},
      {"broadcast", [](auto& b, auto v) { return ops::broadcast_in_dim(b, v[kMask], {3, kBatch}, {1}); },
       "rows 1, padding 0"},
      {"reverse of features", [](auto& b, auto v) { return ops::reverse(b, v[kX], {1}); }, "rows 0"},
      {"reverse of rows", [](auto& b, auto v) { return ops::reverse(b, v[kX], {0}); },
       "mixed by \"reverse\""},
      {"a feature", [](auto& b, auto v) { return ops::slice(b, v[kX], {0, 1}, {kBatch, 2}, {1, 1}); },
       "rows 0"},
      {"a row", [](auto& b, auto v) { return ops::slice(b, v[kX], {1, 0}, {2, 4}, {1, 1}); },
       "mixed by \"slice\""},
      {"one behind the other", [](auto& b, auto v) { return ops::concatenate(b, {v[kX], v[kV]}, 0); },
       "rows 0 (2 x 1)"},
      {"and the second",
       [](auto& b, auto v) {
         return ops::slice(b, ops::concatenate(b, {v[kV], v[kX]}, 0), {kBatch, 0}, {2 * kBatch, 4}, {1, 1});
       },
       "rows 0"},
      {"side by side", [](auto& b, auto v) { return ops::concatenate(b, {v[kV], v[kX]}, 1); }, "rows 0"},
      {"zeros around",
       [](auto& b, auto v) {
         return ops::pad(b, masked(b, v), ops::full(b, {DType::kF32, {}}, 0), {0, 1}, {0, 1}, {0, 0});
       },
       "rows 0, padding 0"},
      {"shifted rows",
       [](auto& b, auto v) {
         return ops::pad(b, v[kX], ops::full(b, {DType::kF32, {}}, 0), {1, 0}, {-1, 0}, {0, 0});
       },
       "mixed by \"pad\""},
      {"sorted features", [](auto& b, auto v) { return ops::sort_ascending(b, v[kX], 1); }, "rows 0"},
      {"sorted rows", [](auto& b, auto v) { return ops::sort_ascending(b, v[kX], 0); }, "mixed by \"sort\""},
  });
}

TEST(RowDependenceTest, ReductionsOverRowsNeedPaddingThatChangesNothing) {
  expect_all({
      {"sum of features", [](auto& b, auto v) { return ops::reduce_sum(b, v[kX], {1}); }, "rows 0"},
      {"sum of masked features", [](auto& b, auto v) { return ops::reduce_sum(b, masked(b, v), {1}); },
       "rows 0, padding 0"},
      {"sum of rows", [](auto& b, auto v) { return ops::reduce_sum(b, v[kX], {0}); }, "mixed by \"reduce\""},
      {"sum of masked rows", [](auto& b, auto v) { return ops::reduce_sum(b, masked(b, v), {0}); }, "none"},
      {"sum of all, flat", [](auto& b, auto v) { return ops::reduce_sum(b, flat(b, masked(b, v)), {0}); },
       "none"},
      {"largest of x beside v: v differs from row to row",
       [](auto& b, auto v) { return ops::reduce_max(b, ops::concatenate(b, {v[kX], v[kV]}, 1), {0}); },
       "mixed by \"reduce\""},
      {"largest of x beside x",
       [](auto& b, auto v) { return ops::reduce_max(b, ops::concatenate(b, {v[kX], v[kX]}, 1), {0}); },
       "none"},
      {"largest of x beside a number",
       [](auto& b, auto v) {
         return ops::reduce_max(b, ops::concatenate(b, {v[kX], ops::full(b, v[kX].type(), 7)}, 1), {0});
       },
       "none"},
      {"sum of rows masked by 1", [](auto& b, auto v) { return ops::reduce_sum(b, masked(b, v, 1), {0}); },
       "mixed by \"reduce\""},
      {"product of rows masked by 1",
       [](auto& b, auto v) { return ops::reduce_product(b, masked(b, v, 1), {0}); }, "none"},
      {"largest row: padding repeats one", [](auto& b, auto v) { return ops::reduce_max(b, v[kX], {0}); },
       "none"},
      {"any row above 1",
       [](auto& b, auto v) {
         return ops::reduce_or(
             b, ops::compare(b, v[kX], ops::full(b, v[kX].type(), 1), ops::ComparisonDirection::kGt), {0, 1});
       },
       "none"},
      {"largest x + v: v differs from row to row",
       [](auto& b, auto v) { return ops::reduce_max(b, ops::add(b, v[kX], v[kV]), {0}); },
       "mixed by \"reduce\""},
      {"largest row masked by 0", [](auto& b, auto v) { return ops::reduce_max(b, masked(b, v), {0}); },
       "mixed by \"reduce\""},
      {"largest row masked by -inf",
       [](auto& b, auto v) { return ops::reduce_max(b, masked(b, v, -HUGE_VAL), {0}); }, "none"},
      {"number of rows",
       [](auto& b, auto v) { return ops::reduce_sum(b, ops::convert(b, v[kMask], DType::kF32), {0}); },
       "none"},
      {"any row", [](auto& b, auto v) { return ops::reduce_or(b, v[kMask], {0}); }, "none"},
      {"argmax of features", [](auto& b, auto v) { return ops::argmax(b, v[kX], 1); }, "rows 0"},
      {"argmax of rows", [](auto& b, auto v) { return ops::argmax(b, masked(b, v), 0); },
       "mixed by \"reduce\""},
      {"softmax", [](auto& b, auto v) { return ops::softmax(b, v[kX], 1); }, "rows 0"},
      {"softmax over rows", [](auto& b, auto v) { return ops::softmax(b, v[kX], 0); }, "mixed by \"reduce\""},
  });
}

TEST(RowDependenceTest, WhatIsAddedUpAtPlacesOfOtherRowsIsMixed) {
  const auto at_places = [](auto& b, auto v, bool alike) {
    const ir::Value ids = alike ? ops::broadcast_in_dim(b, v[kIds], {kBatch, 4}, {0})
                                : ops::broadcast_in_dim(b, v[kIds], {4, kBatch}, {1});
    const ir::Value updates = ops::reshape(b, masked(b, v), {4 * kBatch});
    return ops::scatter(
        b, {ops::full(b, {DType::kF32, {9}}, 0)}, ops::reshape(b, ids, {4 * kBatch, 1}), {updates},
        {.update_window_dims = {},
         .inserted_window_dims = {0},
         .scatter_dims_to_operand_dims = {0},
         .index_vector_dim = 1},
        [](auto& body, auto at) { return std::vector<ir::Value>{ops::add(body, at[0], at[1])}; })[0];
  };
  expect_all({
      {"at the places of their own rows", [&](auto& b, auto v) { return at_places(b, v, true); }, "none"},
      {"at the places of other rows", [&](auto& b, auto v) { return at_places(b, v, false); },
       "mixed by \"scatter\""},
  });
}

TEST(RowDependenceTest, ProductsOverRowsNeedZerosOnOneSide) {
  const auto dot = [](auto& b, ir::Value x, ir::Value y, const ops::DotDimensions& dims) {
    return ops::dot_general(b, x, y, dims);
  };
  expect_all({
      {"x . w", [](auto& b, auto v) { return ops::matmul(b, v[kX], v[kW]); }, "rows 0"},
      {"masked . w", [](auto& b, auto v) { return ops::matmul(b, masked(b, v), v[kW]); },
       "rows 0, padding 0"},
      {"w' . x'", [&](auto& b, auto v) { return dot(b, v[kW], v[kX], {{}, {}, {0}, {1}}); }, "rows 1"},
      {"x' . x", [&](auto& b, auto v) { return dot(b, v[kX], v[kX], {{}, {}, {0}, {0}}); },
       "mixed by \"dot_general\""},
      {"x' . masked", [&](auto& b, auto v) { return dot(b, v[kX], masked(b, v), {{}, {}, {0}, {0}}); },
       "none"},
      {"v' . masked", [&](auto& b, auto v) { return dot(b, v[kV], masked(b, v), {{}, {}, {0}, {0}}); },
       "none"},
      {"x . x'", [&](auto& b, auto v) { return dot(b, v[kX], v[kX], {{}, {}, {1}, {1}}); },
       "mixed by \"dot_general\""},
      {"largest of x . w",
       [](auto& b, auto v) { return ops::reduce_max(b, ops::matmul(b, v[kX], v[kW]), {0}); }, "none"},
      {"largest of x . v of each row",
       [&](auto& b, auto v) { return ops::reduce_max(b, dot(b, v[kX], v[kV], {{0}, {0}, {1}, {1}}), {0}); },
       "mixed by \"reduce\""},
      {"x . x of each row", [&](auto& b, auto v) { return dot(b, v[kX], v[kX], {{0}, {0}, {1}, {1}}); },
       "rows 0"},
  });
}

TEST(RowDependenceTest, IndicesOfRows) {
  expect_all({
      {"lookup",
       [](auto& b, auto v) {
         return ops::gather_rows(
             b, v[kW],
             ops::clamp(b, ops::full(b, {DType::kI32, {}}, 0), v[kIds], ops::full(b, {DType::kI32, {}}, 3)));
       },
       "rows 0"},
      {"the composite", [](auto& b, auto v) { return ops::embedding_lookup(b, v[kW], v[kIds]); }, "rows 0"},
      {"its gradient", [](auto& b, auto v) { return ops::embedding_lookup_gradient(b, v[kX], v[kIds], 9); },
       "mixed by \"scatter\""},
      {"with masked rows",
       [](auto& b, auto v) { return ops::embedding_lookup_gradient(b, masked(b, v), v[kIds], 9); }, "none"},
      {"rows by ids", [](auto& b, auto v) { return ops::gather_rows(b, v[kX], v[kIds]); },
       "mixed by \"gather\""},
  });
}

TEST(RowDependenceTest, LoopsAndBranches) {
  const auto loop = [](auto& b, Operands v, const std::function<ir::Value(ir::Builder&, ir::Value)>& step) {
    const ir::TensorType scalar{DType::kI32, {}};
    return ops::while_(
        b, {ops::full(b, scalar, 0), ops::full(b, v[kX].type(), 0)},
        [&](ir::Builder& inner, Operands carried) {
          return ops::compare(inner, carried[0], ops::full(inner, scalar, 3), ops::ComparisonDirection::kLt);
        },
        [&](ir::Builder& inner, Operands carried) {
          return std::vector<ir::Value>{ops::add(inner, carried[0], ops::full(inner, scalar, 1)),
                                        step(inner, carried[1])};
        })[1];
  };
  expect_all({
      {"adds x",
       [&](auto& b, auto v) { return loop(b, v, [&](auto& i, auto c) { return ops::add(i, c, v[kX]); }); },
       "rows 0"},
      {"adds masked",
       [&](auto& b, auto v) {
         const ir::Value x = masked(b, v);
         return loop(b, v, [&](auto& i, auto c) { return ops::add(i, c, x); });
       },
       "rows 0, padding 0"},
      {"adds v",
       [&](auto& b, auto v) { return loop(b, v, [&](auto& i, auto c) { return ops::add(i, c, v[kV]); }); },
       "none"},
      {"adds the sum of rows",
       [&](auto& b, auto v) {
         return loop(b, v, [&](auto& i, auto c) {
           return ops::broadcast_in_dim(i, ops::reduce_sum(i, ops::add(i, c, v[kX]), {0}), {kBatch, 4}, {1});
         });
       },
       "mixed by \"reduce\""},
      {"a branch",
       [](auto& b, auto v) {
         const ir::Value choice =
             ops::compare(b, v[kS], ops::full(b, {DType::kF32, {}}, 0), ops::ComparisonDirection::kLt);
         return ops::if_(
             b, choice, [&](ir::Builder&) { return std::vector<ir::Value>{v[kX]}; },
             [&](ir::Builder&) { return std::vector<ir::Value>{v[kV]}; })[0];
       },
       "rows 0"},
  });
}

TEST(RowDependenceTest, NormalizationByAMaskKeepsPaddingOut) {
  const auto normalized = [](auto& b, Operands v, bool with_mask) {
    const ir::Value gamma = ops::full(b, {DType::kF32, {4}}, 1),
                    mask = ops::reshape(b, v[kMask], {kBatch, 1});
    return ops::batch_norm_training(b, v[kX], gamma, gamma, with_mask ? mask : ir::Value(), {});
  };
  expect_all({
      {"y", [&](auto& b, auto v) { return normalized(b, v, true).y; }, "rows 0"},
      {"mean", [&](auto& b, auto v) { return normalized(b, v, true).mean; }, "none"},
      {"variance", [&](auto& b, auto v) { return normalized(b, v, true).variance; }, "none"},
      {"mean without a mask", [&](auto& b, auto v) { return normalized(b, v, false).mean; },
       "mixed by \"reduce\""},
  });
}

}  // namespace
}  // namespace cornu::inline v0::transform
