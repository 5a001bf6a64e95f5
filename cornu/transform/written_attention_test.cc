#include "cornu/transform/written_attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/ops/all.h"
#include "cornu/ops/index_space.h"
#include "cornu/transform/gradient.h"
#include "cornu/transform/simplify.h"
#include "cornu/transform/text_test_support.h"

namespace cornu::inline v0::transform {
namespace {

using ir::Builder;
using ir::Dims;
using ir::DType;
using ir::Literal;
using ir::Value;
using Operands = std::span<const Value>;

constexpr std::int64_t kBatch = 2, kQueries = 5, kKeys = 7, kHeads = 3, kWidth = 4, kValueWidth = 6;

std::int64_t count(const ir::Function& function, std::string_view name) {
  return std::ranges::count_if(function.body.ops(), [&](const auto& op) { return op->name() == name; });
}

/// A way to write attention of query, key, value (and mask, the fourth) out.
struct Writing {
  const char* name;
  std::vector<ir::TensorType> types;
  std::function<Value(Builder&, Operands)> build;
};

ir::TensorType floats(Dims dims) { return {DType::kF32, std::move(dims)}; }

Value scaled(Builder& b, Value x, double factor) {
  return ops::multiply(b, x, ops::full(b, x.type(), factor));
}

/// [.., T, D] x [.., S, D] -> [.., T, S], and [.., T, S] x [.., S, D] -> [.., T, D].
Value scores_of(Builder& b, Value query, Value key) {
  const std::int64_t rank = query.rank();
  const Dims batch = ops::counting(rank - 2);
  return ops::dot_general(b, query, key,
                          {.lhs_batching = batch,
                           .rhs_batching = batch,
                           .lhs_contracting = {rank - 1},
                           .rhs_contracting = {rank - 1}});
}
Value mixed(Builder& b, Value weights, Value value) {
  const std::int64_t rank = value.rank();
  const Dims batch = ops::counting(rank - 2);
  return ops::dot_general(b, weights, value,
                          {.lhs_batching = batch,
                           .rhs_batching = batch,
                           .lhs_contracting = {rank - 1},
                           .rhs_contracting = {rank - 2}});
}

Value is_not_later(Builder& b, const Dims& dims) {
  const std::int64_t rank = std::ssize(dims);
  return ops::compare(b, ops::iota(b, {DType::kI32, dims}, rank - 2),
                      ops::iota(b, {DType::kI32, dims}, rank - 1), ops::ComparisonDirection::kGe);
}

Value masked(Builder& b, Value mask, Value scores, double score) {
  return ops::select(b, mask, scores, ops::full(b, scores.type(), score));
}

/// Heads between the batch and steps.
std::vector<ir::TensorType> heads_first() {
  return {floats({kBatch, kHeads, kQueries, kWidth}), floats({kBatch, kHeads, kKeys, kWidth}),
          floats({kBatch, kHeads, kKeys, kValueWidth})};
}
/// Heads after the steps.
std::vector<ir::TensorType> heads_last() {
  return {floats({kBatch, kQueries, kHeads, kWidth}), floats({kBatch, kKeys, kHeads, kWidth}),
          floats({kBatch, kKeys, kHeads, kValueWidth})};
}

Value plain(Builder& b, Operands v) {
  return mixed(b, ops::softmax(b, scores_of(b, v[0], v[1]), v[0].rank() - 1), v[2]);
}

Value turned(Builder& b, Value x) { return ops::transpose(b, x, {0, 2, 1, 3}); }

Value with_heads_inside(Builder& b, Operands v) {
  const Value scores = scaled(
      b,
      ops::dot_general(
          b, v[0], v[1],
          {.lhs_batching = {0, 2}, .rhs_batching = {0, 2}, .lhs_contracting = {3}, .rhs_contracting = {3}}),
      0.4);
  const Value weights = ops::softmax(b, masked(b, is_not_later(b, scores.dims()), scores, -3), 3);
  return turned(
      b,
      ops::dot_general(
          b, weights, v[2],
          {.lhs_batching = {0, 1}, .rhs_batching = {0, 2}, .lhs_contracting = {3}, .rhs_contracting = {1}}));
}

Value with_heads_as_rows(Builder& b, Operands v) {
  const auto rows = [&](Value x) {
    return ops::reshape(b, turned(b, x), {kBatch * kHeads, x.dims()[1], x.dims()[3]});
  };
  const std::vector<Value> matrices = {scaled(b, rows(v[0]), 0.3), rows(v[1]), rows(v[2])};
  return turned(b, ops::reshape(b, plain(b, matrices), {kBatch, kHeads, kQueries, kValueWidth}));
}

/// Keys by queries, and the product of values by weights.
Value with_keys_first(Builder& b, Operands v) {
  const Value scores = scores_of(b, v[1], v[0]);
  const Value seen = ops::transpose(b, is_not_later(b, {kQueries, kKeys}), {1, 0});
  const Value weights =
      ops::softmax(b, masked(b, ops::broadcast_to(b, seen, scores.dims()), scores, -1e9), scores.rank() - 2);
  return ops::dot_general(
      b, v[2], weights,
      {.lhs_batching = {0, 1}, .rhs_batching = {0, 1}, .lhs_contracting = {2}, .rhs_contracting = {2}});
}

Value with_mask(Builder& b, Operands v) {
  const Value scores = scores_of(b, v[0], v[1]);
  const Value seen = ops::broadcast_in_dim(b, v[3], scores.dims(), {0, 3});
  return mixed(b, ops::softmax(b, masked(b, seen, scores, -0.7e38), 3), v[2]);
}

Value with_inverted_mask(Builder& b, Operands v) {
  const Value scores = scaled(b, scores_of(b, v[0], v[1]), -1.5);
  const Value later =
      ops::broadcast_in_dim(b, ops::not_(b, is_not_later(b, {kQueries, kKeys})), scores.dims(), {2, 3});
  const Value weights = ops::softmax(b, ops::select(b, later, ops::full(b, scores.type(), -2), scores), 3);
  return mixed(b, weights, v[2]);
}

/// JAX's way: a group of one head, and a softmax whose division is differentiated.
Value with_a_group(Builder& b, Operands v) {
  const Value query = ops::reshape(b, v[0], {kBatch, kQueries, kHeads, 1, kWidth});
  const Value products = scaled(
      b,
      ops::dot_general(
          b, query, v[1],
          {.lhs_batching = {0, 2}, .rhs_batching = {0, 2}, .lhs_contracting = {4}, .rhs_contracting = {3}}),
      0.5);  // [batch, heads, queries, 1, keys]
  const Value largest = ops::maximum(b, ops::full(b, floats({kBatch, kHeads, kQueries, 1}), -INFINITY),
                                     ops::reduce_max(b, ops::stop_gradient(b, products), {4}));
  const Value scores = ops::transpose(b, products, {3, 0, 1, 2, 4});
  const auto spread = [&](Value rows) {
    const Value keeps_axis = ops::reshape(b, rows, {1, kBatch, kHeads, kQueries, 1});
    return ops::broadcast_in_dim(b, keeps_axis, scores.dims(), {0, 1, 2, 3, 4});
  };
  const Value e = ops::exponential(b, ops::subtract(b, scores, spread(ops::stop_gradient(b, largest))));
  const Value weights = ops::divide(b, e, spread(ops::reduce_sum(b, e, {4})));
  const Value mixed = ops::dot_general(
      b, v[2], weights,
      {.lhs_batching = {0, 2}, .rhs_batching = {1, 2}, .lhs_contracting = {1}, .rhs_contracting = {4}});
  return ops::transpose(b, mixed, {3, 0, 4, 1, 2});  // of [batch, heads, value width, 1, queries]
}

std::vector<Writing> writings() {
  std::vector<ir::TensorType> with_mask_types = heads_first();
  with_mask_types.push_back({DType::kI1, {kBatch, kKeys}});
  return {{"a matrix",
           {floats({kQueries, kWidth}), floats({kKeys, kWidth}), floats({kKeys, kValueWidth})},
           &plain},
          {"a batch",
           {floats({kBatch, kQueries, kWidth}), floats({kBatch, kKeys, kWidth}),
            floats({kBatch, kKeys, kValueWidth})},
           &plain},
          {"heads first", heads_first(), &plain},
          {"two batch dimensions and heads",
           {floats({2, 1, kHeads, kQueries, kWidth}), floats({2, 1, kHeads, kKeys, kWidth}),
            floats({2, 1, kHeads, kKeys, kValueWidth})},
           &plain},
          {"heads inside", heads_last(), &with_heads_inside},
          {"heads as rows", heads_last(), &with_heads_as_rows},
          {"keys first", heads_first(), &with_keys_first},
          {"a group", heads_last(), &with_a_group},
          {"a mask", with_mask_types, &with_mask},
          {"an inverted mask", heads_first(), &with_inverted_mask}};
}

/// The output, and the gradient of its weighed sum.
std::unique_ptr<ir::Function> function_of(const Writing& writing) {
  return simplify(*make_function(writing.types, [&](Builder& b, Operands v) {
    const Value output = writing.build(b, v);
    const Value factors = ops::cosine(
        b, ops::reshape(b, ops::iota(b, floats({output.type().num_elements()}), 0), output.dims()));
    const Value loss = ops::reduce_sum(b, ops::multiply(b, output, factors), ops::counting(output.rank()));
    std::vector<Value> results = gradient(b, loss, v.first(3));
    results.push_back(output);
    return results;
  }));
}

std::vector<Literal> some_arguments(const ir::Function& function) {
  std::vector<Literal> arguments;
  for (const Value& argument : function.body.arguments()) {
    Literal& literal = arguments.emplace_back(argument.type());
    double x = static_cast<double>(arguments.size());
    for (std::int64_t i = 0; i < literal.type().num_elements(); ++i) {
      x = std::fmod(x * 1.7 + 0.61, 2);
      if (argument.dtype() == DType::kI1)
        literal.mutable_data<bool>()[static_cast<std::size_t>(i)] = x > 0.8;
      else
        literal.mutable_data<float>()[static_cast<std::size_t>(i)] = static_cast<float>(x - 1);
    }
  }
  return arguments;
}

void expect_near(const ir::Function& wanted, const ir::Function& got) {
  const std::vector<Literal> arguments = some_arguments(wanted);
  const std::vector<Literal> x = backends::reference::evaluate(wanted, arguments),
                             y = backends::reference::evaluate(got, arguments);
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_EQ(x[i].type(), y[i].type());
    for (std::int64_t j = 0; j < x[i].type().num_elements(); ++j)
      ASSERT_NEAR(x[i].at(j), y[i].at(j), 2e-6) << "result " << i << ", element " << j;
  }
}

bool always(const WrittenAttention&) { return true; }

TEST(WrittenAttentionTest, BecomesTheCompositeWithItsGradient) {
  for (const Writing& writing : writings()) {
    SCOPED_TRACE(writing.name);
    const auto written = function_of(writing);
    const auto joined = join_written_attention(*written, &always);
    ASSERT_NE(joined, nullptr) << body_text(*written);
    const auto simple = simplify(*joined, {.inline_composites = false});
    ir::verify(*simple);
    EXPECT_EQ(count(*simple, "cornu.dot_product_attention"), 1);
    EXPECT_EQ(count(*simple, "cornu.dot_product_attention_gradient"), 1);
    EXPECT_EQ(count(*simple, "dot_general"), 0);
    expect_near(*written, *simple);
  }
}

TEST(WrittenAttentionTest, StaysWhereItDoesNotPay) {
  EXPECT_EQ(
      join_written_attention(*function_of(writings()[0]), [](const WrittenAttention&) { return false; }),
      nullptr);
}

TEST(WrittenAttentionTest, TellsWhetherItPaysByItsExtents) {
  const auto has_extents = [](const WrittenAttention& written) {
    const AttentionExtents n = written.extents();
    return written.has_gradient() && n.batch == kBatch * kHeads && n.queries == kQueries && n.keys == kKeys &&
           n.dim == kWidth && n.value_dim == kValueWidth;
  };
  for (const Writing& writing : writings())
    if (writing.types[0].rank() == 4) {
      EXPECT_NE(join_written_attention(*function_of(writing), has_extents), nullptr) << writing.name;
    }
}

TEST(WrittenAttentionTest, MasksAreCausalOnlyIfTheyAreTrueUpToTheQuery) {
  const auto is_causal = [](std::int64_t shift) {
    const Writing writing = {
        "shifted", heads_first(), [&](Builder& b, Operands v) {
          const Value scores = scores_of(b, v[0], v[1]);
          const ir::TensorType positions{DType::kI32, {kQueries, kKeys}};
          const Value query =
              ops::add(b, ops::iota(b, positions, 0), ops::full(b, positions, static_cast<double>(shift)));
          const Value seen =
              ops::compare(b, query, ops::iota(b, positions, 1), ops::ComparisonDirection::kGe);
          return mixed(
              b, ops::softmax(b, masked(b, ops::broadcast_to(b, seen, scores.dims()), scores, -5), 3), v[2]);
        }};
    const auto written = function_of(writing);
    const auto joined = join_written_attention(*written, &always);
    EXPECT_NE(joined, nullptr);
    if (joined == nullptr) return false;
    expect_near(*written, *joined);
    return body_text(*joined).find("is_causal = true") != std::string::npos;
  };
  EXPECT_TRUE(is_causal(0));
  EXPECT_FALSE(is_causal(1));
  EXPECT_FALSE(is_causal(-1));
}

TEST(WrittenAttentionTest, WhatElseUsesScoresOrWeightsKeepsThem) {
  using Build = std::function<std::vector<Value>(Builder&, Operands)>;
  const auto joins = [](const Build& build, DType dtype = DType::kF32) {
    std::vector<ir::TensorType> types = heads_first();
    for (ir::TensorType& type : types) type.dtype = dtype;
    return join_written_attention(*simplify(*make_function(types, build)), &always) != nullptr;
  };
  const auto weights_of = [](Builder& b, Operands v) { return ops::softmax(b, scores_of(b, v[0], v[1]), 3); };
  const auto forward = [](Builder& b, Operands v) { return std::vector{plain(b, v)}; };
  EXPECT_TRUE(joins(forward));
  EXPECT_FALSE(joins(forward, DType::kF64));
  EXPECT_FALSE(joins([&](Builder& b, Operands v) { return std::vector{plain(b, v), weights_of(b, v)}; }));
  EXPECT_FALSE(
      joins([&](Builder& b, Operands v) { return std::vector{plain(b, v), scores_of(b, v[0], v[1])}; }));
  EXPECT_FALSE(joins([&](Builder& b, Operands v) {  // as dropout does
    const Value weights = weights_of(b, v);
    return std::vector{
        mixed(b, ops::multiply(b, weights, ops::cosine(b, ops::iota(b, weights.type(), 3))), v[2])};
  }));
  EXPECT_FALSE(joins([&](Builder& b, Operands v) {  // over another dimension
    return std::vector{mixed(b, ops::softmax(b, scores_of(b, v[0], v[1]), 1), v[2])};
  }));
  EXPECT_FALSE(joins([&](Builder& b, Operands v) {  // scores that are no products
    return std::vector{mixed(b, ops::softmax(b, ops::sine(b, scores_of(b, v[0], v[1])), 3), v[2])};
  }));
  EXPECT_FALSE(joins([&](Builder& b, Operands v) {  // the gradient of another function of the scores
    const Value output = plain(b, v);
    const Value twice = ops::multiply(b, weights_of(b, v), weights_of(b, v));
    return std::vector{output, ops::reduce_sum(b, twice, {3})};
  }));
}

TEST(WrittenAttentionTest, InALoopItIsFoundToo) {
  const auto number = [](Builder& b, double x) { return ops::scalar(b, DType::kI32, x); };
  const auto function = simplify(*make_function({floats({kKeys, kWidth})}, [&](Builder& b, Operands v) {
    const auto results = ops::while_(
        b, {number(b, 0), v[0]},
        [&](Builder& c, Operands carried) {
          return ops::compare(c, carried[0], number(c, 3), ops::ComparisonDirection::kLt);
        },
        [&](Builder& c, Operands carried) {
          return std::vector{ops::add(c, carried[0], number(c, 1)),
                             plain(c, std::vector{carried[1], carried[1], carried[1]})};
        });
    return std::vector{results[1]};
  }));
  const auto joined = join_written_attention(*function, &always);
  ASSERT_NE(joined, nullptr);
  expect_near(*function, *joined);
}

}  // namespace
}  // namespace cornu::inline v0::transform
