#include "cornu/transform/replicate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "cornu/backends/reference/interpreter.h"
#include "cornu/ops/all.h"
#include "cornu/ops/parse.h"
#include "cornu/transform/batch_dependence.h"
#include "cornu/transform/gradient.h"
#include "cornu/transform/replica_rules.h"
#include "cornu/transform/simplify.h"
#include "cornu/transform/text_test_support.h"

namespace cornu::inline v0::transform {
namespace {

using ir::DType;
using ir::Literal;
using Operands = std::span<const ir::Value>;
using Build = std::function<ir::Value(ir::Builder&, Operands)>;
using Numbers = std::vector<double>;

constexpr std::int64_t kReplicas = 4;
const ops::ReplicaGroups& two_groups() {
  static const auto& groups = *new ops::ReplicaGroups{.groups = {{0, 2}, {3, 1}}};
  return groups;
}

std::unique_ptr<ir::Function> program(const ir::TensorType& type, const Build& build) {
  return make_function({type},
                       [&](ir::Builder& b, Operands v) { return std::vector<ir::Value>{build(b, v)}; });
}

/// The results of each replica, whose argument holds replica * 10, replica * 10 + 1, ...
std::vector<Numbers> results(const ir::Dims& dims, const Build& build) {
  const ir::TensorType type{DType::kF64, dims};
  std::vector<Literal> arguments;
  for (std::int64_t replica = 0; replica < kReplicas; ++replica) {
    arguments.emplace_back(type);
    for (std::size_t i = 0; i < arguments.back().mutable_data<double>().size(); ++i)
      arguments.back().mutable_data<double>()[i] = static_cast<double>(replica) * 10 + static_cast<double>(i);
  }
  std::vector<Numbers> all;
  const auto together = replicate(*program(type, build), kReplicas);
  ir::verify(*together);
  for (const Literal& result : backends::reference::evaluate(*together, arguments)) {
    Numbers& numbers = all.emplace_back();
    for (std::int64_t i = 0; i < result.type().num_elements(); ++i) numbers.push_back(result.at(i));
  }
  return all;
}

std::vector<Numbers> alike(const Numbers& numbers) { return std::vector<Numbers>(kReplicas, numbers); }

std::vector<ir::Value> larger(ir::Builder& b, std::span<const ir::Value> v) {
  return {ops::maximum(b, v[0], v[1])};
}

TEST(ReplicateTest, ReduceCombinesWithinGroups) {
  EXPECT_EQ(results({2}, [](auto& b, auto v) { return ops::all_reduce_sum(b, v[0], ops::all_replicas(4)); }),
            alike({60, 64}));
  EXPECT_EQ(results({1}, [](auto& b, auto v) { return ops::all_reduce_sum(b, v[0], two_groups()); }),
            (std::vector<Numbers>{{20}, {40}, {20}, {40}}));
  EXPECT_EQ(results({2}, [](auto& b, auto v) { return ops::all_reduce(b, {v[0]}, two_groups(), larger)[0]; }),
            (std::vector<Numbers>{{20, 21}, {30, 31}, {20, 21}, {30, 31}}));
}

TEST(ReplicateTest, ReduceTakesABodyOfSeveralOpsAndConstants) {
  const auto half_of_sum = [](ir::Builder& b, std::span<const ir::Value> v) {
    return std::vector<ir::Value>{
        ops::multiply(b, ops::add(b, v[0], v[1]), ops::scalar(b, DType::kF64, 0.5))};
  };
  EXPECT_EQ(
      results({2}, [&](auto& b, auto v) { return ops::all_reduce(b, {v[0]}, two_groups(), half_of_sum)[0]; }),
      (std::vector<Numbers>{{10, 11}, {20, 21}, {10, 11}, {20, 21}}));
}

TEST(ReplicateTest, GatherJoinsInTheOrderOfTheGroup) {
  EXPECT_EQ(results({1, 2}, [](auto& b, auto v) { return ops::all_gather(b, v[0], 0, two_groups()); }),
            (std::vector<Numbers>{{0, 1, 20, 21}, {30, 31, 10, 11}, {0, 1, 20, 21}, {30, 31, 10, 11}}));
  EXPECT_EQ(
      results({2, 1}, [](auto& b, auto v) { return ops::all_gather(b, v[0], 1, ops::all_replicas(4)); }),
      alike({0, 10, 20, 30, 1, 11, 21, 31}));
}

TEST(ReplicateTest, ReduceScatterGivesEachMemberItsPart) {
  EXPECT_EQ(results({4}, [](auto& b, auto v) { return ops::reduce_scatter_sum(b, v[0], 0, two_groups()); }),
            (std::vector<Numbers>{{20, 22}, {44, 46}, {24, 26}, {40, 42}}));
}

TEST(ReplicateTest, AllToAllExchangesParts) {
  EXPECT_EQ(results({2, 1},
                    [](auto& b, auto v) {
                      return ops::all_to_all(b, v[0], {.split_dimension = 0, .concat_dimension = 1},
                                             two_groups());
                    }),
            (std::vector<Numbers>{{0, 20}, {31, 11}, {1, 21}, {30, 10}}));
}

TEST(ReplicateTest, PermuteSendsAndGivesZerosToWhoGetsNothing) {
  EXPECT_EQ(results({2}, [](auto& b,
                            auto v) { return ops::collective_permute(b, v[0], {{0, 1}, {1, 2}, {2, 0}}); }),
            (std::vector<Numbers>{{20, 21}, {0, 1}, {10, 11}, {0, 0}}));
}

TEST(ReplicateTest, BroadcastGivesWhatTheFirstHas) {
  EXPECT_EQ(results({2}, [](auto& b,
                            auto v) { return ops::collective_broadcast(b, v[0], {.groups = {{2, 0, 1}}}); }),
            (std::vector<Numbers>{{20, 21}, {20, 21}, {20, 21}, {0, 0}}));
}

/// Each replica's own operand decides from which member it receives.
TEST(ReplicateTest, RootsMayBeOperands) {
  const auto roots = [](ir::Builder& b) {
    const ir::Value id = ops::convert(b, ops::replica_id(b), DType::kI32);  // 0, 1, 2, 3
    return ops::reshape(b, ops::remainder(b, id, ops::scalar(b, DType::kI32, 2)), {1});
  };
  EXPECT_EQ(results({2},
                    [&](auto& b, auto v) {
                      return ops::collective_broadcast_from(b, {v[0]}, roots(b), two_groups())[0];
                    }),
            (std::vector<Numbers>{{0, 1}, {10, 11}, {0, 1}, {10, 11}}));
  EXPECT_EQ(results({1}, [&](auto& b,
                             auto v) { return ops::collective_reduce_sum(b, v[0], two_groups(), roots(b)); }),
            (std::vector<Numbers>{{20}, {40}, {0}, {0}}));
}

TEST(ReplicateTest, ReduceToOneGivesTheFirstTheSum) {
  EXPECT_EQ(results({2}, [](auto& b,
                            auto v) { return ops::collective_reduce_sum(b, v[0], {.groups = {{2, 0, 1}}}); }),
            (std::vector<Numbers>{{0, 0}, {0, 0}, {30, 33}, {0, 0}}));
}

TEST(ReplicateTest, GroupsMayDifferInSize) {
  EXPECT_EQ(results({1}, [](auto& b,
                            auto v) { return ops::all_reduce_sum(b, v[0], {.groups = {{0, 1, 3}, {2}}}); }),
            (std::vector<Numbers>{{40}, {40}, {20}, {40}}));
}

TEST(ReplicateTest, NumbersOfReplicasAndPartitions) {
  EXPECT_EQ(results({1}, [](auto& b, auto) { return ops::replica_id(b); }),
            (std::vector<Numbers>{{0}, {1}, {2}, {3}}));
  EXPECT_EQ(results({1}, [](auto& b, auto) { return ops::partition_id(b); }), alike({0}));
}

TEST(ReplicateTest, AChannelMakesPartitionsOfReplicasWhereTheOpSaysSo) {
  // There is one partition, so the replica sends to itself; an all_reduce spans all partitions of the
  // replicas.
  EXPECT_EQ(results({1}, [](auto& b, auto v) { return ops::collective_permute(b, v[0], {{0, 0}}, 1); }),
            (std::vector<Numbers>{{0}, {10}, {20}, {30}}));
  EXPECT_EQ(results({1},
                    [](auto& b, auto v) {
                      ops::ReplicaGroups groups = ops::all_replicas(4);
                      groups.channel_id = 1;
                      groups.use_global_device_ids = true;
                      return ops::all_reduce_sum(b, v[0], groups);
                    }),
            alike({60}));
}

std::size_t num_ops(const ir::Function& function, std::string_view name) {
  return static_cast<std::size_t>(std::count_if(function.body.ops().begin(), function.body.ops().end(),
                                                [&](const auto& op) { return op->name() == name; }));
}

TEST(ReplicateTest, WhatIsTheSameForAllStandsThereOnce) {
  const ir::TensorType type{DType::kF64, {2}};
  const auto step = program(type, [](ir::Builder& b, Operands v) {
    const ir::Value own = ops::exponential(b, v[0]);
    const ir::Value sum = ops::all_reduce_sum(b, own, ops::all_replicas(4));
    return ops::tanh(b, sum);
  });
  const auto together = replicate(*step, 4);
  EXPECT_EQ(num_ops(*together, "exponential"), 4U);
  EXPECT_EQ(num_ops(*together, "add"), 3U);
  EXPECT_EQ(num_ops(*together, "tanh"), 1U);
  const std::span<const ir::Value> all = together->body.results();
  EXPECT_TRUE(std::all_of(all.begin(), all.end(), [&](const ir::Value& value) { return value == all[0]; }));
}

TEST(ReplicateTest, LoopsCarryWhatIsTheSameForAllOnce) {
  // x differs between replicas, w is shared: w becomes the sum of x * w, x grows.
  const ir::TensorType type{DType::kF64, {}};
  const auto step = make_function({type, type}, [](ir::Builder& b, Operands v) {
    const ir::Value zero = ops::scalar(b, DType::kI32, 0);
    const std::vector<ir::Value> operands = {zero, v[0], ops::all_reduce_sum(b, v[1], ops::all_replicas(4))};
    const std::vector<ir::Value> results = ops::while_(
        b, operands,
        [](ir::Builder& in, std::span<const ir::Value> c) {
          return ops::compare(in, c[0], ops::scalar(in, DType::kI32, 2), ops::ComparisonDirection::kLt);
        },
        [](ir::Builder& in, std::span<const ir::Value> c) {
          const ir::Value product = ops::multiply(in, c[1], c[2]);
          return std::vector<ir::Value>{ops::add(in, c[0], ops::scalar(in, DType::kI32, 1)),
                                        ops::add(in, c[1], ops::scalar(in, DType::kF64, 1)),
                                        ops::all_reduce_sum(in, product, ops::all_replicas(4))};
        });
    return std::vector<ir::Value>{results[1], results[2]};
  });
  const auto together = replicate(*step, 4);
  ir::verify(*together);
  const auto loop = std::find_if(together->body.ops().begin(), together->body.ops().end(),
                                 [](const auto& op) { return op->name() == "while"; });
  ASSERT_NE(loop, together->body.ops().end());
  EXPECT_EQ((*loop)->operands().size(), 1U + 4U + 1U);  // the counter, each x, w
  std::vector<Literal> arguments;
  for (int replica = 0; replica < 4; ++replica)
    for (const double value : {static_cast<double>(replica), 0.25})
      arguments.push_back(Literal::of<double>({}, {value}));
  const std::vector<Literal> found = backends::reference::evaluate(*together, arguments);
  // w = 1; 0 + 1 + 2 + 3 = 6; 6 * (1 + 2 + 3 + 4) = 60.
  for (std::size_t replica = 0; replica < 4; ++replica) {
    EXPECT_EQ(found[2 * replica].at(0), static_cast<double>(replica) + 2);
    EXPECT_EQ(found[2 * replica + 1].at(0), 60);
  }
}

TEST(ReplicateTest, WorkCountsWhatARingSends) {
  const auto step = make_function({{DType::kF32, {6}}}, [](ir::Builder& b, Operands v) {
    return std::vector<ir::Value>{ops::all_reduce_sum(b, v[0], ops::all_replicas(4)),
                                  ops::all_gather(b, v[0], 0, ops::all_replicas(4))};
  });
  const runtime::ReplicaWork work = replica_work(step->body, 4);
  EXPECT_EQ(work.num_replicas, 4);
  EXPECT_DOUBLE_EQ(work.num_messages, 6 + 3);
  EXPECT_DOUBLE_EQ(work.exchanged_bytes, 2 * 24 * 3 / 4.0 + 24 * 3);
  EXPECT_EQ(replica_work(step->body, 1).exchanged_bytes, 0);
}

TEST(ReplicateTest, LoopsAndBranchesHoldCollectives) {
  // Three iterations: x = the sum over replicas of x / 4.
  const auto averaged = [](ir::Builder& b, ir::Value x) {
    return ops::all_reduce_sum(b, ops::multiply(b, x, ops::full(b, x.type(), 0.25)), ops::all_replicas(4));
  };
  const auto looped = [&](ir::Builder& b, Operands v) {
    return ops::while_(
        b, {ops::scalar(b, DType::kI32, 0), v[0]},
        [](ir::Builder& c, Operands carried) {
          return ops::compare(c, carried[0], ops::scalar(c, DType::kI32, 3), ops::ComparisonDirection::kLt);
        },
        [&](ir::Builder& c, Operands carried) -> std::vector<ir::Value> {
          return {ops::add(c, carried[0], ops::scalar(c, DType::kI32, 1)), averaged(c, carried[1])};
        })[1];
  };
  EXPECT_EQ(results({2}, looped), alike({15, 16}));
  const auto branched = [&](ir::Builder& b, Operands v) {
    const ir::Value yes = ops::compare(b, ops::scalar(b, DType::kI32, 1), ops::scalar(b, DType::kI32, 3),
                                       ops::ComparisonDirection::kLt);
    return ops::if_(
        b, yes, [&](ir::Builder& c) -> std::vector<ir::Value> { return {averaged(c, v[0])}; },
        [&](ir::Builder&) -> std::vector<ir::Value> { return {v[0]}; })[0];
  };
  EXPECT_EQ(results({2}, branched), alike({15, 16}));
}

TEST(ReplicateTest, AGradientOfItsOwnMayHoldCollectives) {
  EXPECT_EQ(results({1},
                    [](ir::Builder& b, Operands v) {
                      auto region = std::make_unique<ir::Block>();
                      ir::Builder inner(*region);
                      const ir::Value gradient = region->add_argument(v[0].type());
                      region->set_results({ops::all_reduce_sum(inner, gradient, ops::all_replicas(4))});
                      const std::vector<ir::Value> twice = {ops::add(b, v[0], v[0])};
                      return ops::custom_gradient(b, twice, v, {}, std::move(region))[0];
                    }),
            (std::vector<Numbers>{{0}, {20}, {40}, {60}}));
}

TEST(ReplicateTest, OneReplicaIsAlone) {
  const auto together =
      replicate(*program({DType::kF32, {2}},
                         [](auto& b, auto v) { return ops::all_reduce_sum(b, v[0], ops::all_replicas(1)); }),
                1);
  EXPECT_EQ(body_text(*together), "return %arg0 : tensor<2xf32>\n");
}

/// <g, f(x)> over all replicas equals <gradient of f at g, x>: all collectives with a gradient are linear.
TEST(ReplicateTest, GradientsAreThoseOfTheSumOfAllReplicas) {
  const std::vector<std::pair<const char*, Build>> linear = {
      {"all_reduce", [](auto& b, auto v) { return ops::all_reduce_sum(b, v[0], two_groups()); }},
      {"all_gather", [](auto& b, auto v) { return ops::all_gather(b, v[0], 1, two_groups()); }},
      {"reduce_scatter", [](auto& b, auto v) { return ops::reduce_scatter_sum(b, v[0], 0, two_groups()); }},
      {"all_to_all",
       [](auto& b, auto v) {
         return ops::all_to_all(b, v[0], {.split_dimension = 1, .concat_dimension = 0}, two_groups());
       }},
      {"collective_permute",
       [](auto& b, auto v) { return ops::collective_permute(b, v[0], {{0, 1}, {3, 0}}); }},
      {"collective_broadcast",
       [](auto& b, auto v) { return ops::collective_broadcast(b, v[0], {.groups = {{2, 0}, {1, 3}}}); }},
      {"collective_broadcast_from",
       [](auto& b, auto v) {
         const ir::Value root = ops::full(b, {DType::kI32, {1}}, 1);
         return ops::collective_broadcast_from(b, {v[0]}, root, {.groups = {{2, 0}, {1, 3}}})[0];
       }},
      {"collective_reduce",
       [](auto& b, auto v) { return ops::collective_reduce_sum(b, v[0], {.groups = {{2, 0, 1}}}); }},
  };
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const ir::TensorType x_type{DType::kF64, {4, 2}};
  for (const auto& [name, build] : linear) {
    SCOPED_TRACE(name);
    const ir::TensorType y_type = program(x_type, build)->body.results()[0].type();
    const auto both = make_function({x_type, y_type}, [&](ir::Builder& b, Operands v) {
      const ir::Value y = ops::multiply(b, build(b, v), v[1]);
      const ir::Value loss = ops::reduce_sum(b, y, {0, 1});
      const ir::Value wrt[] = {v[0]};
      const ir::Value gradient = transform::gradient(b, loss, wrt)[0];
      return std::vector<ir::Value>{loss, ops::reduce_sum(b, ops::multiply(b, gradient, v[0]), {0, 1})};
    });
    std::vector<Literal> arguments;
    for (std::int64_t i = 0; i < 2 * kReplicas; ++i) {
      arguments.emplace_back(i % 2 == 0 ? x_type : y_type);
      for (double& value : arguments.back().mutable_data<double>()) value = uniform(random);
    }
    double forward = 0, backward = 0;
    const std::vector<Literal> sums = backends::reference::evaluate(*replicate(*both, kReplicas), arguments);
    for (std::size_t i = 0; i < sums.size(); ++i) (i % 2 == 0 ? forward : backward) += sums[i].at(0);
    EXPECT_NEAR(forward, backward, 1e-12);
    EXPECT_GT(std::abs(forward), 1e-3);
  }
}

/// A table of 7 rows and 4 columns, and the ids of 4 replicas, some of which are outside of it.
constexpr std::int64_t kShardedRows = 7, kShardedColumns = 4, kNumIds = 3;
double table_value(std::int64_t row, std::int64_t column) {
  return row < kShardedRows ? static_cast<double>(10 * row + column) : -1;  // padding, which must not be read
}
const std::vector<std::vector<std::int64_t>>& ids_of_replicas() {
  static const auto& ids =
      *new std::vector<std::vector<std::int64_t>>{{0, 6, 3}, {3, 3, 9}, {-2, 5, 1}, {2, 6, 4}};
  return ids;
}

/// The parts of the table and the ids: the arguments of all replicas.
std::vector<Literal> sharded_arguments(std::int64_t axis) {
  const ir::Dims dims = axis == 0 ? ir::Dims{2, kShardedColumns} : ir::Dims{kShardedRows, 1};
  std::vector<Literal> arguments;
  for (std::int64_t replica = 0; replica < kReplicas; ++replica) {
    Literal& part = arguments.emplace_back(ir::TensorType{DType::kF64, dims});
    for (std::int64_t r = 0; r < dims[0]; ++r)
      for (std::int64_t c = 0; c < dims[1]; ++c)
        part.mutable_data<double>()[static_cast<std::size_t>(r * dims[1] + c)] =
            axis == 0 ? table_value(replica * 2 + r, c) : table_value(r, replica);
    arguments.push_back(Literal::of<std::int64_t>({kNumIds}, ids_of_replicas()[as_index(replica)]));
  }
  return arguments;
}

/// The rows that each replica looks up, and the gradient of its part of half their squares' sum.
std::unique_ptr<ir::Function> sharded_program(std::int64_t axis) {
  const ir::Dims dims = axis == 0 ? ir::Dims{2, kShardedColumns} : ir::Dims{kShardedRows, 1};
  return make_function({{DType::kF64, dims}, {DType::kI64, {kNumIds}}}, [&](ir::Builder& b, Operands v) {
    const ir::Value rows =
        ops::sharded_lookup(b, v[0], v[1], {.num_rows = kShardedRows, .num_shards = kReplicas, .axis = axis});
    const ir::Value half = ops::full(b, rows.type(), 0.5);
    const ir::Value loss = ops::reduce_sum(b, ops::multiply(b, half, ops::multiply(b, rows, rows)), {0, 1});
    const ir::Value wrt[] = {v[0]};
    return std::vector<ir::Value>{rows, transform::gradient(b, loss, wrt)[0]};
  });
}

TEST(ReplicateTest, ShardedLookupsReadAndTrainTheWholeTable) {
  std::vector<double> counts(kShardedRows + 1, 0);
  for (const std::vector<std::int64_t>& ids : ids_of_replicas())
    for (const std::int64_t id : ids) ++counts[as_index(std::clamp<std::int64_t>(id, 0, kShardedRows - 1))];
  for (const std::int64_t axis : {0, 1}) {
    SCOPED_TRACE(axis);
    const auto together = replicate(*sharded_program(axis), kReplicas);
    ir::verify(*together);
    const std::vector<Literal> found = backends::reference::evaluate(*together, sharded_arguments(axis));
    for (std::int64_t replica = 0; replica < kReplicas; ++replica) {
      const Literal &rows = found[as_index(2 * replica)], &of_part = found[as_index(2 * replica + 1)];
      for (std::int64_t i = 0; i < kNumIds; ++i)
        for (std::int64_t c = 0; c < kShardedColumns; ++c)
          EXPECT_EQ(rows.at(i * kShardedColumns + c),
                    table_value(std::clamp<std::int64_t>(ids_of_replicas()[as_index(replica)][as_index(i)], 0,
                                                         kShardedRows - 1),
                                c));
      const ir::Dims& dims = of_part.type().dims;
      for (std::int64_t r = 0; r < dims[0]; ++r)
        for (std::int64_t c = 0; c < dims[1]; ++c) {
          const std::int64_t row = axis == 0 ? replica * 2 + r : r, column = axis == 0 ? c : replica;
          EXPECT_EQ(of_part.at(r * dims[1] + c), counts[as_index(row)] * table_value(row, column)) << row;
        }
    }
  }
}

/// The same by the exchanges of processes.
std::unique_ptr<ir::Function> sharded_program_of_processes(std::int64_t axis) {
  const ir::Dims dims = axis == 0 ? ir::Dims{2, kShardedColumns} : ir::Dims{kShardedRows, 1};
  return make_function({{DType::kF64, dims}, {DType::kI64, {kNumIds}}}, [&](ir::Builder& b, Operands v) {
    const ops::TableShards shards{.num_rows = kShardedRows, .num_shards = kReplicas, .axis = axis};
    const ir::Value lookup = ops::sharded_lookup(b, v[0], v[1], shards);
    const std::array of_lookup = {v[0], v[1]};
    const ir::Value rows = ops::sharded_lookup_of_processes(b, *lookup.op(), of_lookup, std::identity())[0];
    const ir::Value gradient = ops::sharded_lookup_gradient(b, rows, v[1], shards, dims[0]);
    const std::array of_gradient = {rows, v[1]};
    return std::vector<ir::Value>{
        rows, ops::sharded_lookup_gradient_of_processes(b, *gradient.op(), of_gradient, std::identity())[0]};
  });
}

TEST(ReplicateTest, ExchangesOfProcessesReadAndTrainTheWholeTable) {
  for (const std::int64_t axis : {0, 1}) {
    SCOPED_TRACE(axis);
    const auto expected =
        backends::reference::evaluate(*replicate(*sharded_program(axis), kReplicas), sharded_arguments(axis));
    const auto together = replicate(*sharded_program_of_processes(axis), kReplicas);
    ir::verify(*together);
    const auto found = backends::reference::evaluate(*together, sharded_arguments(axis));
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_TRUE(found[i] == expected[i]) << i;
  }
}

TEST(ReplicateTest, PaddingDoesNotReachShardedLookups) {
  const ir::TensorType part{DType::kF32, {2, 4}}, ids{DType::kI32, {6}};
  const auto function = make_function({part, ids, {DType::kF32, {6, 4}}}, [&](ir::Builder& b, Operands v) {
    const ops::TableShards shards{.num_rows = 7, .num_shards = kReplicas};
    return std::vector<ir::Value>{ops::sharded_lookup(b, v[0], v[1], shards),
                                  ops::sharded_lookup_gradient(b, v[2], v[1], shards, 2)};
  });
  const std::span<const ir::Value> arguments = function->body.arguments();
  for (const bool is_masked : {false, true}) {
    BatchDependenceAnalysis analysis(6);
    analysis.set(arguments[1], BatchDependence::data());
    BatchDependence gradients = BatchDependence::rows(0);
    if (is_masked) gradients.padding = Literal::scalar(DType::kF32, 0);
    analysis.set(arguments[2], gradients);
    analysis.run(function->body);
    EXPECT_TRUE(analysis.of(function->body.results()[0]).is_rows());
    EXPECT_EQ(analysis.of(function->body.results()[1]).is_none(), is_masked);
  }
}

TEST(ReplicateTest, ShardedLookupsSendIdsAndRowsButNoTable) {
  // Forward: ids are gathered, rows are reduced and scattered. Backward: ids and gradients are gathered.
  const runtime::ReplicaWork work = replica_work(sharded_program(0)->body, kReplicas);
  const double ids = kNumIds * 4, rows = kNumIds * kShardedColumns * 8;  // bytes of one replica
  EXPECT_EQ(work.num_messages, 4 * (kReplicas - 1));
  EXPECT_EQ(work.exchanged_bytes, 2 * (ids + rows) * (kReplicas - 1));
  const std::unique_ptr<ir::Function> lookup_and_gradient = sharded_program(0);
  const std::vector<CompositeWork> parts = sharded_work(lookup_and_gradient->body, kReplicas);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].op->name(), "cornu.sharded_lookup");
  EXPECT_EQ(parts[1].op->name(), "cornu.sharded_lookup_gradient");
  for (const CompositeWork& part : parts) EXPECT_EQ(part.work.exchanged_bytes, work.exchanged_bytes / 2);
  const auto sum = program({DType::kF32, {2}}, [](auto& b, auto v) {
    return ops::all_reduce_sum(b, v[0], ops::all_replicas(kReplicas));
  });
  EXPECT_TRUE(sharded_work(sum->body, kReplicas).empty());
}

/// The program of one of several processes with the same number of replicas each.
std::unique_ptr<ir::Function> of_process(const ir::Function& function, std::int64_t num_here,
                                         std::int64_t num_processes) {
  auto result = std::make_unique<ir::Function>();
  std::vector<ir::ValueMap> maps(static_cast<std::size_t>(num_here));
  for (ir::ValueMap& map : maps)
    for (const ir::Value& argument : function.body.arguments())
      map[argument] = result->body.add_argument(argument.type());
  ir::Builder builder(result->body);
  inline_replicas(builder, function.body, maps, num_processes);
  std::vector<ir::Value> all;
  for (const ir::ValueMap& map : maps)
    for (const ir::Value& value : function.body.results()) all.push_back(ir::mapped(map, value));
  result->body.set_results(all);
  return result;
}

/// Numbers whose sum depends on the order of addition.
std::vector<Literal> odd_numbers(const ir::TensorType& type, std::int64_t count) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<Literal> all;
  for (std::int64_t i = 0; i < count; ++i)
    for (float& value : all.emplace_back(type).mutable_data<float>())
      value = std::ldexp(uniform(random), static_cast<int>(random() % 16));
  return all;
}

TEST(ReplicateTest, ProcessesAreReplicasOfWhatEachRuns) {
  const auto all_of = [](std::int64_t count) { return ops::all_replicas(count); };
  using BuildFor = std::function<ir::Value(ir::Builder&, ir::Value, std::int64_t count)>;
  const std::vector<std::pair<const char*, BuildFor>> builds = {
      {"sum", [&](auto& b, auto x, auto n) { return ops::all_reduce_sum(b, x, all_of(n)); }},
      {"maximum", [&](auto& b, auto x, auto n) { return ops::all_reduce(b, {x}, all_of(n), larger)[0]; }},
      {"sum_of_halves",
       [&](auto& b, auto x, auto n) {
         const ir::Value half = ops::convert(b, x, DType::kBF16);
         return ops::convert(b, ops::all_reduce_sum(b, half, all_of(n)), DType::kF32);
       }},
      {"sum_within_groups",
       [](auto& b, auto x, auto n) {
         ops::ReplicaGroups groups;
         for (std::int64_t i = 0; i < n / 2; ++i) groups.groups.push_back({i, n - 1 - i});
         return ops::all_reduce_sum(b, x, groups);
       }},
      {"gather", [&](auto& b, auto x, auto n) { return ops::all_gather(b, x, 1, all_of(n)); }},
      {"scatter", [&](auto& b, auto x, auto n) { return ops::reduce_scatter_sum(b, x, 0, all_of(n)); }},
      {"permute",
       [](auto& b, auto x, auto n) { return ops::collective_permute(b, x, {{0, n - 1}, {n - 1, 0}}); }},
      {"broadcast", [&](auto& b, auto x, auto n) { return ops::collective_broadcast(b, x, all_of(n)); }},
      {"numbers",
       [](auto& b, auto x, auto) {
         const ir::Value id = ops::convert(b, ops::replica_id(b), DType::kF32);
         return ops::multiply(b, x, ops::broadcast_in_dim(b, id, x.dims(), {}));
       }},
  };
  const ir::TensorType type{DType::kF32, {24, 2}};
  const std::pair<std::int64_t, std::int64_t> kinds[] = {{1, 2}, {1, 4}, {2, 2}, {4, 2},
                                                         {3, 2}, {2, 3}, {1, 6}};
  for (const auto& [name, build] : builds)
    for (const auto& [num_here, num_processes] : kinds) {
      SCOPED_TRACE(std::string(name) + ", " + std::to_string(num_here) + " in each of " +
                   std::to_string(num_processes));
      const std::int64_t count = num_here * num_processes;
      const auto one = program(type, [&](ir::Builder& b, Operands v) { return build(b, v[0], count); });
      const auto of_one = of_process(*one, num_here, num_processes);
      ir::verify(*of_one);
      const std::vector<Literal> arguments = odd_numbers(type, count);
      EXPECT_EQ(backends::reference::evaluate(*replicate(*of_one, num_processes), arguments),
                backends::reference::evaluate(*replicate(*one, count), arguments));
    }
}

TEST(ReplicateTest, ProcessesSendOneSumOfWhatTheyAdd) {
  const ir::TensorType type{DType::kF32, {4}};
  const auto sum_of = [&](std::int64_t count) {
    return program(type, [&](ir::Builder& b, Operands v) {
      return ops::all_reduce_sum(b, v[0], ops::all_replicas(count));
    });
  };
  EXPECT_EQ(body_text(*of_process(*sum_of(8), 4, 2)).find("all_gather"), std::string::npos);
  EXPECT_EQ(num_ops(*of_process(*sum_of(8), 4, 2), "all_reduce"), 1U);
  EXPECT_EQ(num_ops(*of_process(*sum_of(6), 3, 2), "all_gather"), 1U);  // three are not a subtree
}

constexpr std::int64_t kTableRows = 4100, kWidth = 64;  // 1 MiB of f32

/// The sum over all replicas of a table's gradient: `num_ids` ids in each, numbers and ids by replica.
std::unique_ptr<ir::Function> sum_of_tables(std::int64_t num_ids, std::int64_t num_replicas,
                                            bool is_compressed) {
  const ir::TensorType ids{DType::kI32, {num_ids}}, rows{DType::kF32, {num_ids, kWidth}};
  return make_function({ids, rows}, [&](ir::Builder& b, Operands v) {
    const auto table_of = [&](ir::Value gradients) {
      return ops::embedding_lookup_gradient(b, gradients, v[0], kTableRows);
    };
    ir::Value table = ops::add(b, table_of(v[1]), table_of(ops::negate(b, v[1])));
    table = ops::add(b, table, table_of(ops::exponential(b, v[1])));
    if (is_compressed) table = ops::convert(b, table, DType::kBF16);
    return std::vector<ir::Value>{ops::all_reduce_sum(b, table, ops::all_replicas(num_replicas))};
  });
}

TEST(ReplicateTest, TablesOfFewRowsAreSentByRows) {
  constexpr std::int64_t kIds = 20;
  const std::pair<std::int64_t, std::int64_t> kinds[] = {{1, 2}, {1, 3}, {2, 2}, {4, 2}};
  for (const bool is_compressed : {false, true})
    for (const auto& [num_here, num_processes] : kinds) {
      SCOPED_TRACE(std::to_string(num_here) + " in each of " + std::to_string(num_processes));
      const std::int64_t count = num_here * num_processes;
      const auto one = sum_of_tables(kIds, count, is_compressed);
      const auto of_one = of_process(*one, num_here, num_processes);
      ir::verify(*of_one);
      EXPECT_EQ(num_ops(*of_one, "all_reduce"), 0U);
      EXPECT_EQ(num_ops(*of_one, "all_gather"), 6U);  // of three lookups
      std::vector<Literal> arguments;
      const std::vector<Literal> numbers = odd_numbers({DType::kF32, {kIds, kWidth}}, count);
      std::mt19937 random(5);
      for (const Literal& rows : numbers) {
        Literal& ids = arguments.emplace_back(ir::TensorType{DType::kI32, {kIds}});
        for (std::int32_t& id : ids.mutable_data<std::int32_t>())
          id = static_cast<std::int32_t>(random() % 64) * (kTableRows / 63) - 3;  // some outside, most shared
        arguments.push_back(rows);
      }
      EXPECT_EQ(backends::reference::evaluate(*replicate(*of_one, num_processes), arguments),
                backends::reference::evaluate(*replicate(*one, count), arguments));
    }
}

TEST(ReplicateTest, TablesOfManyRowsOrReplicasAreSentWhole) {
  const auto num_sums = [](std::int64_t num_ids, std::int64_t num_here, std::int64_t num_processes) {
    const auto one = sum_of_tables(num_ids, num_here * num_processes, false);
    return num_ops(*of_process(*one, num_here, num_processes), "all_reduce");
  };
  EXPECT_EQ(num_sums(kTableRows / 2 / 2 / 3, 1, 2), 0U);
  EXPECT_EQ(num_sums(kTableRows / 2 / 2 / 3 + 1, 1, 2), 1U);
  EXPECT_EQ(num_sums(2, 4, 2), 0U);
  EXPECT_EQ(num_sums(2, 4, 4), 1U);
}

std::string error_of(const Build& build) {
  try {
    results({4}, build);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ReplicateTest, RefusesReplicasThatAreNotThere) {
  EXPECT_EQ(error_of([](auto& b, auto v) { return ops::all_reduce_sum(b, v[0], ops::all_replicas(2)); }),
            "[all_reduce] replica_groups name 2 replicas; the program has 4");
  EXPECT_EQ(error_of([](auto& b, auto v) { return ops::collective_permute(b, v[0], {{0, 4}}); }),
            "[collective_permute] there is no replica 4: the program has 4");
  EXPECT_EQ(error_of([](auto& b, auto v) { return ops::collective_permute(b, v[0], {{0, 1}}, 1); }),
            "[collective_permute] there is no partition 1: the program has 1");
  EXPECT_NE(error_of([](auto& b, auto v) {
              return ops::reduce(
                  b, {v[0]}, {ops::scalar(b, DType::kF64, 0)}, {0},
                  [](ir::Builder& c, Operands w) -> std::vector<ir::Value> {
                    return {ops::add(c, w[0], ops::all_reduce_sum(c, w[1], ops::all_replicas(4)))};
                  })[0];
            }).find("body of [reduce]"),
            std::string::npos);
  EXPECT_THROW(replicate(*program({DType::kF32, {}}, [](auto&, auto v) { return v[0]; }), 0), Error);
}

TEST(ReplicateTest, SimplifyFoldsNothingThatAReplicaDecides) {
  const Build builds[] = {
      [](auto& b, auto) { return ops::replica_id(b); },
      [](auto& b, auto) { return ops::collective_permute(b, ops::scalar(b, DType::kF32, 3), {{0, 0}}); },
      [](auto& b, auto) {
        return ops::collective_broadcast(b, ops::scalar(b, DType::kF32, 3), {.groups = {{0}}});
      }};
  for (const Build& build : builds) {
    const auto function = program({DType::kF32, {}}, build);
    EXPECT_EQ(body_text(*simplify(*function)), body_text(*function));
  }
}

TEST(ReplicateTest, RowsOfReplicasAreMixedAndSumsOverRowsAreNot) {
  constexpr std::int64_t kNumRows = 6;
  const auto function =
      make_function({{DType::kF32, {kNumRows}}, {DType::kF32, {2}}}, [](ir::Builder& b, Operands v) {
        return std::vector<ir::Value>{ops::all_reduce_sum(b, v[0], ops::all_replicas(2)),
                                      ops::all_reduce_sum(b, v[1], ops::all_replicas(2)), ops::replica_id(b)};
      });
  BatchDependenceAnalysis analysis(kNumRows);
  analysis.set(function->body.arguments()[0], BatchDependence::data());
  analysis.run(function->body);
  EXPECT_TRUE(analysis.of(function->body.results()[0]).is_mixed());
  EXPECT_TRUE(analysis.of(function->body.results()[1]).is_none());
  EXPECT_TRUE(analysis.of(function->body.results()[2]).is_none());
}

TEST(ReplicateTest, CollectivesAsJaxPrintsThemReadBack) {
  const ir::ParsedModule parsed = ops::parse_stablehlo(R"(
    func.func @main(%a: tensor<4xf32>) -> tensor<2xf32> {
      %0 = stablehlo.replica_id : tensor<ui32>
      %1 = stablehlo.partition_id : tensor<ui32>
      %2 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %s = stablehlo.add %x, %y : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) : (tensor<4xf32>) -> tensor<4xf32>
      %3 = "stablehlo.collective_permute"(%2) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
      %4 = "stablehlo.reduce_scatter"(%3) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64}> ({
      ^bb0(%x: tensor<f32>, %y: tensor<f32>):
        %s = stablehlo.add %x, %y : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) : (tensor<4xf32>) -> tensor<2xf32>
      return %4 : tensor<2xf32>
    })");
  const ir::Block& body = parsed.entry().body;
  EXPECT_EQ(ops::replica_groups(body.ops()[2]->attributes()).channel_id, 1);
  const std::string text = ir::to_stablehlo(parsed.entry());
  EXPECT_EQ(ir::to_stablehlo(ops::parse_stablehlo(text).entry()), text);
  const auto together = replicate(parsed.entry(), 2);
  const std::vector<Literal> found = backends::reference::evaluate(
      *together,
      std::vector<Literal>{Literal::of<float>({4}, {0, 1, 2, 3}), Literal::of<float>({4}, {4, 4, 4, 4})});
  EXPECT_EQ(found[0].at(1), 10);
  EXPECT_EQ(found[1].at(1), 14);
}

}  // namespace
}  // namespace cornu::inline v0::transform
