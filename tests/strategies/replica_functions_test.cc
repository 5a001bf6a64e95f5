#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cornu/data/dataset.h"
#include "cornu/distribute/strategy/distributed_dataset.h"
#include "cornu/distribute/strategy/losses.h"
#include "cornu/distribute/strategy/strategy.h"
#include "cornu/keras/trainer/model_test_support.h"
#include "tests/strategies/strategies_test_support.h"

// Strategy::run and what replicas know, take and give.
namespace cornu::inline v0::distribute {
namespace {

using Floats = std::vector<float>;

Tensor row(std::vector<float> values) {
  const auto n = static_cast<std::int64_t>(values.size());
  return Tensor::adopt({n}, std::move(values));
}

TEST(StrategyRunTest, GivesTheSameTensorToAllAndOneResultOfEach) {
  const Strategy strategy = mirrored(3);
  const Tensor a = Tensor::adopt({2, 3}, Floats{1, 2, 3, 4, 5, 6}),
               b = Tensor::adopt({3, 2}, Floats{1, 2, 3, 4, 5, 6});
  const auto z = strategy.run([](const Tensor& x, const Tensor& y) { return ops::matmul(x, y); }, a, b);
  ASSERT_EQ(z.values.size(), 3U);
  for (const Tensor& each : z.values) EXPECT_EQ(each.to_vector<float>(), (Floats{22, 28, 49, 64}));
  EXPECT_EQ(str(strategy.run([] { return Tensor(1.0f) + 0.0f; })),
            "PerReplica:{\n  0: tf.Tensor(1.0, shape=(), dtype=float32),\n"
            "  1: tf.Tensor(1.0, shape=(), dtype=float32),\n  2: tf.Tensor(1.0, shape=(), dtype=float32)\n}");
  EXPECT_EQ(str(mirrored(1).run([] { return Tensor(1.0f) + 0.0f; })),
            "tf.Tensor(1.0, shape=(), dtype=float32)");
  EXPECT_EQ(strategy.experimental_local_results(z).size(), 3U);
}

TEST(StrategyRunTest, ReplicasKnowWhoTheyAreAndWhatOthersHave) {
  const Strategy strategy = mirrored(4);
  struct Seen {
    Tensor id, sum, mean, all;
  };
  const auto seen = strategy.run([] {
    const ReplicaContext context = get_replica_context();
    EXPECT_EQ(context.num_replicas_in_sync(), 4);
    const Tensor id = ops::cast(context.replica_id_in_sync_group(), DType::kF32);
    return Seen{id, context.all_reduce(ReduceOp::kSum, id), context.all_reduce(ReduceOp::kMean, id),
                context.all_gather(ops::reshape(id, {1}), 0)};
  });
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(seen.values[i].id.item<float>(), static_cast<float>(i));
    EXPECT_EQ(seen.values[i].sum.item<float>(), 6.0f);
    EXPECT_EQ(seen.values[i].mean.item<float>(), 1.5f);
    EXPECT_EQ(seen.values[i].all.to_vector<float>(), (Floats{0, 1, 2, 3}));
  }
  EXPECT_EQ(get_replica_context().num_replicas_in_sync(), 1);
  EXPECT_EQ(get_replica_context().all_reduce(ReduceOp::kSum, Tensor(2.0f)).item<float>(), 2.0f);
  const auto merged = strategy.run([] {
    return get_replica_context().merge_call(
        [](const Strategy& inside, const Tensor& x) {
          return x * static_cast<double>(inside.num_replicas_in_sync());
        },
        Tensor(2.0f));
  });
  EXPECT_EQ(merged.values[3].item<float>(), 8.0f);
}

TEST(StrategyRunTest, TakesPerReplicaValuesApartAndReducesThem) {
  const Strategy strategy = mirrored(2);
  const auto values = strategy.make_per_replica_values([](const ValueContext& context) {
    const auto id = static_cast<float>(context.replica_id_in_sync_group);
    return row({id, id + 10});
  });
  const auto doubled = strategy.run([](const Tensor& x) { return x * 2.0; }, values);
  EXPECT_EQ(doubled.values[1].to_vector<float>(), (Floats{2, 22}));
  EXPECT_EQ(strategy.reduce(ReduceOp::kSum, doubled).to_vector<float>(), (Floats{2, 42}));
  EXPECT_EQ(strategy.reduce(ReduceOp::kMean, doubled).to_vector<float>(), (Floats{1, 21}));
  EXPECT_EQ(strategy.reduce(ReduceOp::kSum, doubled, 0).item<float>(), 44.0f);
  EXPECT_EQ(strategy.reduce(ReduceOp::kMean, doubled, 0).item<float>(), 11.0f);
  EXPECT_EQ(strategy.gather(doubled, 0).to_vector<float>(), (Floats{0, 20, 2, 22}));
}

TEST(StrategyRunTest, VariablesBecomeOneByTheirAggregation) {
  const Strategy strategy = mirrored(4);
  const auto scope = strategy.scope();
  const auto variable = [](VariableAggregation aggregation) {
    return Variable(Tensor(10.0f), {.name = "v", .trainable = false, .aggregation = aggregation});
  };
  const Variable sum = variable(VariableAggregation::kSum), added = variable(VariableAggregation::kSum),
                 mean = variable(VariableAggregation::kMean),
                 first = variable(VariableAggregation::kOnlyFirstReplica),
                 alike = variable(VariableAggregation::kNone), none = variable(VariableAggregation::kNone);
  strategy.run([&] {
    const Tensor id = ops::cast(get_replica_context().replica_id_in_sync_group(), DType::kF32) + 1.0;
    sum.assign(id);
    added.assign_add(id);
    mean.assign_sub(id);
    first.assign(id * 5.0);
    alike.assign(alike * 2.0);
  });
  EXPECT_EQ(sum.value().item<float>(), 10.0f);
  EXPECT_EQ(added.value().item<float>(), 20.0f);
  EXPECT_EQ(mean.value().item<float>(), 7.5f);
  EXPECT_EQ(first.value().item<float>(), 5.0f);
  EXPECT_EQ(alike.value().item<float>(), 20.0f);
  const Variable read_before(Tensor(10.0f), {.aggregation = VariableAggregation::kSum});
  strategy.run(function([&] {
    const Tensor before = read_before.value();
    const GradientTape tape;  // tells what is read from now on from what was read before
    read_before.assign(before + 1.0f);
  }));
  EXPECT_EQ(read_before.value().item<float>(), 14.0f);
  const Error error = error_of([&] {
    strategy.run(
        [&] { none.assign(ops::cast(get_replica_context().replica_id_in_sync_group(), DType::kF32)); });
  });
  expect_contains(error, ErrorCode::kInvalidArgument, {"[MirroredStrategy.run]", "\"v\"", "aggregation"});
  EXPECT_EQ(error.argument(), "aggregation");
  const Variable gathered(Tensor(1.0f), {.name = "gathered",
                                         .trainable = false,
                                         .aggregation = VariableAggregation::kSum,
                                         .synchronization = VariableSynchronization::kOnRead});
  strategy.run([&] {
    gathered.assign(gathered + 1.0);
    gathered.assign(gathered * 2.0);
  });
  EXPECT_EQ(gathered.value().item<float>(), 10.0f);
  expect_contains(error_of([&] {
                    strategy.run([&] {
                      const Tensor id =
                          ops::cast(get_replica_context().replica_id_in_sync_group(), DType::kF32);
                      gathered.assign(ops::maximum(gathered, id * 100.0));
                    });
                  }),
                  ErrorCode::kInvalidArgument, {"\"gathered\"", "may only add"});
  EXPECT_EQ(none.value().item<float>(), 10.0f);
}

TEST(StrategyRunTest, RandomNumbersDifferFromReplicaToReplica) {
  const Strategy strategy = mirrored(2);
  const auto numbers = strategy.run([] { return random::uniform({3}, {.seed = 5}); });
  EXPECT_NE(numbers.values[0].to_vector<float>(), numbers.values[1].to_vector<float>());
  EXPECT_NE(numbers.values[0].to_vector<float>()[0], numbers.values[0].to_vector<float>()[1]);
  const auto of_all = strategy.run([] { return random::normal({2, 2}); });
  EXPECT_NE(of_all.values[0].to_vector<float>(), of_all.values[1].to_vector<float>());
  const auto again = strategy.run([] { return random::uniform({3}, {.seed = 5}); });
  EXPECT_EQ(numbers.values[1].to_vector<float>(), again.values[1].to_vector<float>());
}

/// A line that is fitted in a loop of one's own: its slope, after `steps` steps.
float fitted(const Strategy& strategy, std::int64_t steps, bool in_one_program) {
  const auto scope = strategy.scope();
  const Variable slope(Tensor(0.0f), {.name = "slope"});
  keras::optimizers::SGD optimizer({.learning_rate = 0.05, .momentum = 0.5});
  optimizer->build({&slope, 1});
  const auto dataset =
      data::Dataset::from_tensor_slices({row({1, 2, 3, 4, 5, 6, 7, 8}), row({3, 6, 9, 12, 15, 18, 21, 24})})
          .batch(4)
          .repeat();
  const auto step_fn = [&](const Components& batch) {
    GradientTape tape;
    const Tensor each = ops::square(slope * batch[0] - batch[1]);
    const Tensor loss = nn::compute_average_loss(each);
    const std::vector<Tensor> gradients = tape.gradient(loss, std::vector<Variable>{slope});
    optimizer->apply(gradients, {&slope, 1});
    return loss;
  };
  const auto train_step = function([&](const PerReplica<Components>& batch) {
    return strategy.reduce(ReduceOp::kSum, strategy.run(step_fn, batch));
  });
  const auto train_steps = function([&](const PerReplica<Components>& batch, const Tensor& count) {
    return fori_loop(
        0, count,
        [&](const Tensor&, const Tensor&) {
          return strategy.reduce(ReduceOp::kSum, strategy.run(step_fn, batch));
        },
        Tensor(0.0f));
  });
  auto batches = strategy.experimental_distribute_dataset(dataset).iterator();
  if (in_one_program) {
    (void)train_steps(*batches.next(), Tensor(static_cast<std::int32_t>(steps)));
  } else {
    const PerReplica<Components> first = *batches.next();
    for (std::int64_t i = 0; i < steps; ++i) (void)train_step(first);
    EXPECT_EQ(train_step.trace_count(), 1);
  }
  return slope.value().item<float>();
}

TEST(StrategyRunTest, ALoopOfOnesOwnTrainsAsOnOneDevice) {
  const float expected = fitted(Strategy(), 7, false);
  EXPECT_GT(expected, 0.5f);
  for (const int num_replicas : {1, 2, 4}) {
    EXPECT_NEAR(fitted(mirrored(num_replicas), 7, false), expected, 1e-5f) << num_replicas;
    EXPECT_NEAR(fitted(mirrored(num_replicas), 7, true), expected, 1e-5f) << num_replicas;
  }
}

/// Slopes after 7 batches of a line's points, taken by an iterator: a step a call, or several.
std::vector<float> fitted_by_iterator(const Strategy& strategy, const std::vector<int>& calls) {
  const auto scope = strategy.scope();
  const Variable slope(Tensor(0.0f), {.name = "slope"});
  keras::optimizers::SGD optimizer({.learning_rate = 0.002, .momentum = 0.5});
  optimizer->build({&slope, 1});
  std::vector<float> x, y;
  for (int i = 0; i < 56; ++i) {
    x.push_back(static_cast<float>(i % 5));
    y.push_back(static_cast<float>(3 * (i % 5) + i % 3));
  }
  const auto dataset = data::Dataset::from_tensor_slices({row(x), row(y)}).batch(8);
  const auto step_fn = [&](const Components& batch) {
    GradientTape tape;
    const Tensor loss = nn::compute_average_loss(ops::square(slope * batch[0] - batch[1]));
    optimizer->apply(tape.gradient(loss, std::vector<Variable>{slope}), {&slope, 1});
    return loss;
  };
  using Batches = DistributedDataset::Iterator;
  const auto train_step = function([&](const Batches& iterator) { strategy.run(step_fn, next(iterator)); });
  const auto train_multiple_steps = function([&](const Batches& iterator, const Tensor& steps) {
    fori_loop(0, steps, [&](const Tensor&) { strategy.run(step_fn, next(iterator)); });
  });
  const Batches iterator = strategy.experimental_distribute_dataset(dataset).iterator();
  std::vector<float> slopes;
  for (const int steps : calls) {
    if (steps == 1) {
      train_step(iterator);
    } else {
      train_multiple_steps(iterator, Tensor(steps).strong_scalar(DType::kI32));
    }
    slopes.push_back(slope.value().item<float>());
  }
  expect_contains(error_of([&] { train_step(iterator); }), ErrorCode::kOutOfRange, {"at its end"});
  EXPECT_LE(train_step.trace_count(), 1);
  EXPECT_LE(train_multiple_steps.trace_count(), 1);
  return slopes;
}

TEST(StrategyRunTest, WhatFunctionMadeIsCompiledOnceOutsideOfFunctions) {
  const Strategy strategy = mirrored(2), other = mirrored(4);
  int traces = 0;
  const auto doubled = function([&](const Tensor& x) {
    ++traces;
    return get_replica_context().all_reduce(ReduceOp::kSum, x * 2.0);
  });
  const PerReplica<Tensor> two{{row({1, 2}), row({3, 4})}}, four{{row({1}), row({2}), row({3}), row({4})}};
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(strategy.run(doubled, two).values[1].to_vector<float>(), (Floats{8, 12}));
    EXPECT_EQ(strategy.run(doubled, row({5})).values[0].to_vector<float>(), (Floats{20}));
    EXPECT_EQ(other.run(doubled, four).values[3].to_vector<float>(), (Floats{20}));
    EXPECT_EQ(Strategy().run(doubled, row({5})).values[0].to_vector<float>(), (Floats{10}));
  }
  EXPECT_EQ(traces, 4);
  float factor = 1;
  const auto scaled = [&](const Tensor& x) { return x * factor; };
  EXPECT_EQ(strategy.run(scaled, row({5})).values[1].item<float>(), 5.0f);
  factor = 2;
  EXPECT_EQ(strategy.run(scaled, row({5})).values[1].item<float>(), 10.0f) << "not compiled once: it changed";
}

TEST(StrategyRunTest, TheTpuGuidesLoopsTakeElementsFromAnIterator) {
  const std::vector<float> expected = fitted_by_iterator(Strategy(), {1, 1, 1, 1, 1, 1, 1});
  EXPECT_GT(expected[6], 0.5f);
  EXPECT_LT(expected[0], expected[6]);
  for (const int num_replicas : {0, 1, 2, 8}) {
    const Strategy strategy = num_replicas == 0 ? Strategy() : mirrored(num_replicas);
    const std::vector<float> single = fitted_by_iterator(strategy, {1, 1, 1, 1, 1, 1, 1}),
                             several = fitted_by_iterator(strategy, {3, 1, 2, 1});
    for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(single[i], expected[i], 1e-5f) << num_replicas;
    EXPECT_EQ(several, (Floats{single[2], single[3], single[5], single[6]})) << num_replicas;
  }
}

TEST(StrategyDatasetTest, BatchesOfFunctionsAreTakenByIteratorsToo) {
  const Strategy strategy = mirrored(2);
  const auto batches = strategy.distribute_datasets_from_function(
      [](const InputContext&) { return data::Dataset::range(12).batch(2); });
  const auto sum = function([&](DistributedDataset::Iterator iterator, const Tensor& steps) {
    return fori_loop(
        0, steps,
        [&](const Tensor&, const Tensor& digits) {
          return digits * 100 +
                 strategy.reduce(ReduceOp::kSum,
                                 strategy.run([](const Components& part) { return part[0][0] + part[0][1]; },
                                              next(iterator)));
        },
        Tensor::of<std::int64_t>({}, {0}));
  });
  DistributedDataset::Iterator iterator = batches.iterator();
  EXPECT_EQ(sum(iterator, Tensor(2).strong_scalar(DType::kI32)).item<std::int64_t>(), 622);
  EXPECT_EQ(iterator.read_ahead(9), 1);
  EXPECT_EQ(next(iterator).values[1][0].to_vector<std::int64_t>(), (std::vector<std::int64_t>{10, 11}));
  expect_contains(error_of([&] { next(iterator); }), ErrorCode::kOutOfRange, {"at its end"});
}

TEST(StrategyRunErrorTest, ReplicasDoNotTakeElementsThemselves) {
  const Strategy strategy = mirrored(2);
  const auto step =
      function([&](DistributedDataset::Iterator iterator) { strategy.run([&] { next(iterator); }); });
  const auto dataset = data::Dataset::range(8).batch(4);
  expect_contains(error_of([&] { step(strategy.experimental_distribute_dataset(dataset).iterator()); }),
                  ErrorCode::kUnimplemented, {"[next]", "MirroredStrategy.run", "outside"});
}

TEST(StrategyDatasetTest, BatchesAreCutInTheOrderOfTheirRows) {
  const Strategy strategy = mirrored(4);
  const auto dataset = data::Dataset::range(9).batch(6);
  std::vector<std::vector<std::int64_t>> seen;
  for (const PerReplica<Components>& batch : strategy.experimental_distribute_dataset(dataset)) {
    ASSERT_EQ(batch.values.size(), 4U);
    for (const Components& part : batch.values) seen.push_back(part[0].to_vector<std::int64_t>());
  }
  EXPECT_EQ(seen, (std::vector<std::vector<std::int64_t>>{{0, 1}, {2, 3}, {4, 5}, {}, {6}, {7}, {8}, {}}));
}

TEST(StrategyDatasetTest, AFunctionIsToldItsPart) {
  const Strategy strategy = mirrored(2);
  const auto batches = strategy.distribute_datasets_from_function([](const InputContext& context) {
    EXPECT_EQ(context.num_input_pipelines, 1);
    EXPECT_EQ(context.input_pipeline_id, 0);
    expect_contains(error_of([&] { (void)context.get_per_replica_batch_size(7); }),
                    ErrorCode::kInvalidArgument, {"multiple of the 2 replicas", "7"});
    return data::Dataset::range(8).batch(context.get_per_replica_batch_size(4));
  });
  int count = 0;
  for (const PerReplica<Components>& batch : batches) {
    EXPECT_EQ(batch.values[1][0].to_vector<std::int64_t>()[0], 4 * count + 2);
    ++count;
  }
  EXPECT_EQ(count, 2);
}

TEST(StrategyRunErrorTest, ReplicasMustMeetWhereAllGo) {
  const Strategy strategy = mirrored(2);
  const auto sum_where = [&](bool by_all) {
    return strategy.run([by_all] {
      const ReplicaContext context = get_replica_context();
      Tensor id = ops::cast(context.replica_id_in_sync_group(), DType::kF32);
      if (by_all) id = context.all_reduce(ReduceOp::kSum, id);
      return cond(
          ops::greater(id, 0.5), [&] { return context.all_reduce(ReduceOp::kSum, Tensor(2.0f)); },
          [] { return Tensor(0.0f); });
    });
  };
  EXPECT_EQ(sum_where(true).values[0].item<float>(), 4.0f);
  expect_contains(error_of([&] { sum_where(false); }), ErrorCode::kInvalidArgument,
                  {"replicas meet inside", "let all decide alike"});
  const auto count = [&](bool by_all) {
    return strategy.run([by_all] {
      const ReplicaContext context = get_replica_context();
      const Tensor id = ops::cast(context.replica_id_in_sync_group(), DType::kF32);
      return while_loop(
          [&](const Tensor& x) { return ops::less(by_all ? x : x + id, 3.0); },
          [&](const Tensor& x) { return x + context.all_reduce(ReduceOp::kMean, id * 0.0 + 1.0); },
          Tensor(0.0f));
    });
  };
  EXPECT_EQ(count(true).values[1].item<float>(), 3.0f);
  expect_contains(error_of([&] { count(false); }), ErrorCode::kInvalidArgument,
                  {"[while]", "replicas meet inside"});
}

TEST(AverageLossTest, WeightsOfOneAxisMoreOrLessBelongToTheRows) {
  const auto average = [](const Tensor& losses, const Tensor& weights) {
    return nn::compute_average_loss(losses, {.sample_weight = weights, .global_batch_size = 2}).item<float>();
  };
  const Tensor rows = row({1, 2}), matrix = Tensor::of<float>({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(average(rows, row({1, 0})), 0.5f);
  EXPECT_EQ(average(rows, Tensor::of<float>({2, 1}, {1, 0})), 0.5f);
  EXPECT_EQ(average(rows, Tensor(2.0f)), 3.0f);
  EXPECT_EQ(average(row({1, NAN}), row({1, 0})), 0.5f) << "what has the weight 0 counts nothing";
  EXPECT_EQ(average(matrix, row({1, 0})), 1.5f) << "the first row counts";
  EXPECT_EQ(average(matrix, Tensor::of<float>({2, 1}, {0, 1})), 3.5f);
  EXPECT_EQ(average(matrix, Tensor::of<float>({1, 2}, {1, 0})), 2.0f);
  EXPECT_THROW(average(rows, matrix), Error) << "two weights a row";
}

TEST(StrategyRunErrorTest, SayWhatAndWhere) {
  const Strategy strategy = mirrored(2);
  const Variable outside(Tensor(1.0f), {.name = "outside"});
  expect_contains(error_of([&] { strategy.run([&] { return outside * 2.0; }); }),
                  ErrorCode::kFailedPrecondition,
                  {"[MirroredStrategy.run]", "\"outside\"", "outside the strategy's scope"});
  expect_contains(
      error_of([&] { strategy.run([](const Tensor& x) { return x; }, PerReplica<Tensor>{{Tensor(1.0f)}}); }),
      ErrorCode::kInvalidArgument, {"[MirroredStrategy.run]", "2 replicas", "1"});
  expect_contains(error_of([&] {
                    strategy.run([](const Tensor& x) { return x; },
                                 PerReplica<Tensor>{{row({1, 2}), row({1})}});
                  }),
                  ErrorCode::kInvalidArgument, {"(2,)", "(1,)", "drop_remainder"});
  expect_contains(error_of([&] { (void)strategy.reduce(ReduceOp::kSum, Tensor(1.0f)); }),
                  ErrorCode::kInvalidArgument, {"[MirroredStrategy.reduce]"});
  expect_contains(
      error_of([&] { (void)strategy.gather(PerReplica<Tensor>{{Tensor(1.0f), Tensor(2.0f)}}, 0); }),
      ErrorCode::kInvalidArgument, {"[MirroredStrategy.gather]", "scalars"});
  expect_contains(error_of([&] { strategy.run([&] { strategy.run([] { return Tensor(1.0f); }); }); }),
                  ErrorCode::kFailedPrecondition, {"a replica cannot run replicas"});
  {
    const auto scope = strategy.scope();
    EXPECT_TRUE(in_cross_replica_context());
    expect_contains(error_of([] { (void)get_replica_context(); }), ErrorCode::kFailedPrecondition,
                    {"no replica runs"});
  }
  EXPECT_FALSE(has_strategy());
  expect_contains(error_of([] { (void)nn::compute_average_loss(Tensor(1.0f)); }), ErrorCode::kInvalidArgument,
                  {"[compute_average_loss]", "scalar"});
}

}  // namespace
}  // namespace cornu::inline v0::distribute
