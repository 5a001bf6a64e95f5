#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cornu/data/dataset.h"
#include "cornu/distribute/connect.h"
#include "cornu/distribute/strategy/strategy.h"
#include "cornu/keras/trainer/model_test_support.h"
#include "tests/strategies/strategies_test_support.h"
#include "tests/strategies/training_cases_test_support.h"

// Models under strategies train as on one device: the same losses, weights and predictions, whatever the
// number of replicas.
namespace cornu::inline v0::keras {
namespace {

using distribute::mirrored;

class TrainingTest : public ::testing::TestWithParam<Case> {};

TEST_P(TrainingTest, EqualsOneDevice) {
  const Case& it = GetParam();
  distribute::first_devices(1);
  const Trained expected = run(it, nullptr, 1);
  const std::pair<int, std::int64_t> kinds[] = {{1, 3}, {2, 1}, {3, 3}, {4, 1}, {8, 3}};
  for (const auto& [num_replicas, steps_per_execution] : kinds) {
    SCOPED_TRACE(num_replicas);
    const Strategy strategy = mirrored(num_replicas);
    const Trained found = run(it, &strategy, steps_per_execution);
    expect_near(found, expected, it.tolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, TrainingTest, ::testing::ValuesIn(cases()),
                         [](const auto& param) { return param.param.name; });

TEST(StrategyTrainingTest, ReplicasAreOneProgramThatSaysSo) {
  const Strategy strategy = mirrored(4);
  const auto scope = strategy.scope();
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "sparse_categorical_crossentropy"});
  const Flowers data(32);
  const std::string text = model.train_program(data.x, data.class_id, {.batch_size = 16}).explain;
  EXPECT_NE(text.find("4 replicas of 4 rows each run as one program"), std::string::npos) << text;
}

TEST(StrategyTrainingTest, ABatchOfOneRowForEachReplica) {
  expect_small_batches_alike(mirrored(8), 61, 8);  // the last batch leaves three replicas without rows
}

TEST(StrategyTrainingTest, DataSetsAndSingleBatchesAreCutToo) {
  expect_data_sets_alike(mirrored(4), 2, batches_of_16);
}

TEST(StrategyTrainingTest, BatchNormalizationWithoutSynchronizationIsOfEachReplica) {
  const Flowers data(16);
  const Strategy two = mirrored(2);
  // One batch of 16 on two replicas moves the statistics by the mean of what each half gives.
  bool renorm = false;
  const auto moved = [&](const Strategy* strategy, const Tensor& x, const Tensor& y) {
    clear_session();
    set_random_seed(1);
    std::optional<Strategy::Scope> scope;
    if (strategy != nullptr) scope.emplace(*strategy);
    Sequential model = image_model(false, "", renorm);
    model.compile(
        {.optimizer = optimizers::SGD({.learning_rate = 0.0}), .loss = "sparse_categorical_crossentropy"});
    model.fit(x, y, {.batch_size = 16, .epochs = 1, .verbose = 0, .shuffle = false});
    std::vector<double> values;
    for (const Variable& weight : model.non_trainable_weights()) {
      if (renorm && weight.path().ends_with("moving_variance")) continue;  // the square of what is averaged
      const ir::Literal literal = weight.read();
      for (std::int64_t i = 0; i < literal.type().num_elements(); ++i) values.push_back(literal.at(i));
    }
    return values;
  };
  const auto half = [](const Tensor& x, std::int64_t begin) {
    return ops::slice(
        x,
        [&] {
          Dims start(x.shape().size(), 0);
          start[0] = begin;
          return start;
        }(),
        [&] {
          Dims dims = x.shape();
          dims[0] = 8;
          return dims;
        }());
  };
  for (const bool with_renorm : {false, true}) {
    SCOPED_TRACE(with_renorm);
    renorm = with_renorm;
    const std::vector<double> first = moved(nullptr, half(data.x, 0), half(data.class_id, 0)),
                              second = moved(nullptr, half(data.x, 8), half(data.class_id, 8)),
                              whole = moved(nullptr, data.x, data.class_id),
                              found = moved(&two, data.x, data.class_id);
    ASSERT_EQ(found.size(), first.size());
    ASSERT_EQ(found.size(), renorm ? 12U : 6U);
    double difference = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_NEAR(found[i], (first[i] + second[i]) / 2, 1e-6) << i;
      difference = std::max(difference, std::abs(found[i] - whole[i]));
    }
    EXPECT_GT(difference, 1e-4);
  }
}

TEST(StrategyTrainingTest, ShardsGiveTheSameBitsAtAnyNumberOfReplicas) {
  const std::vector<Case> all = cases();
  for (const char* name : {"dropout", "synchronized_batch_normalization", "synchronized_renorm"}) {
    const Case& it =
        *std::find_if(all.begin(), all.end(), [&](const Case& each) { return each.name == name; });
    SCOPED_TRACE(name);
    std::optional<Trained> first;
    for (const int num_replicas : {1, 2, 4, 8}) {
      const distribute::MirroredStrategy strategy(
          {.devices = distribute::first_devices(num_replicas), .shards = 8});
      EXPECT_EQ(strategy.num_replicas_in_sync(), num_replicas);
      Trained found = run(it, &strategy, 2);
      if (!first.has_value()) first = found;
      EXPECT_EQ(found.losses, first->losses);
      EXPECT_TRUE(same_bits(found.weights, first->weights));
    }
  }
}

TEST(StrategyTrainingTest, AFaultNamesTheRowOfWhateverReplicaHasIt) {
  const Flowers data(32);
  std::vector<std::int32_t> ids(32 * 2, 1);
  ids[29 * 2 + 1] = 77;
  ids[30 * 2] = 88;
  const Tensor x = Tensor::adopt({32, 2}, std::move(ids));
  for (const int num_replicas : {2, 3, 4}) {
    SCOPED_TRACE(num_replicas);
    const Strategy strategy = mirrored(num_replicas);
    std::optional<Strategy::Scope> scope(strategy);
    Sequential model({layers::Embedding({.input_dim = 10, .output_dim = 3}), layers::Flatten(),
                      layers::Dense({.units = 3, .activation = "softmax"})});
    model.compile({.optimizer = "sgd",
                   .loss = "sparse_categorical_crossentropy",
                   .stop_on_nan = true,
                   .check_ids = true});
    scope.reset();
    const Error error =
        error_of([&] { model.fit(x, data.class_id, {.batch_size = 16, .verbose = 0, .shuffle = false}); });
    expect_contains(error, ErrorCode::kOutOfRange, {"id 77 at (13, 1)", "step 2 of 2", "row 29"});
    expect_fault_is_named(strategy);
  }
}

TEST(StrategyTrainingTest, ReplicasOfASimulatedTpuTrainAlike) {
  const distribute::TPUClusterResolver resolver("sim:tpu_8_cores,clock=virtual");
  const distribute::TpuTopology topology = distribute::initialize_tpu_system(resolver);
  EXPECT_EQ(topology.devices.size(), 8U);
  const distribute::TPUStrategy strategy(resolver);
  EXPECT_EQ(strategy.num_replicas_in_sync(), 8);
  for (const Case& it : cases()) {
    if (it.name != "dropout" && it.name != "clipping" && it.name != "synchronized_batch_normalization")
      continue;
    SCOPED_TRACE(it.name);
    const Trained expected = run(it, nullptr, 1), found = run(it, &strategy, 3);
    expect_near(found.losses, expected.losses, it.tolerance);
    EXPECT_LT(largest_difference(found.weights, expected.weights), 20 * it.tolerance);
  }
  distribute::shutdown_tpu_system(resolver);
}

TEST(StrategyErrorTest, SayWhatAndWhere) {
  using distribute::MirroredStrategy;
  const auto devices = [](std::vector<std::string> names) {
    return error_of([&] { MirroredStrategy strategy({.devices = names}); });
  };
  distribute::first_devices(1);
  expect_contains(devices({"CPU:0", "CPU:1", "/device:CPU:0"}), ErrorCode::kInvalidArgument,
                  {"[MirroredStrategy]", "/device:CPU:0", "twice"});
  expect_contains(
      error_of([] { MirroredStrategy strategy({.devices = distribute::first_devices(4), .shards = 6}); }),
      ErrorCode::kInvalidArgument, {"[MirroredStrategy]", "multiple of the 4 replicas", "shards = 6"});
  expect_contains(devices({"CPU:0", "CPU:9"}), ErrorCode::kNotFound, {"CPU:9"});
  expect_contains(error_of([] { distribute::TPUStrategy strategy; }), ErrorCode::kFailedPrecondition,
                  {"[TPUStrategy]", "initialize_tpu_system"});

  expect_contains(
      error_of([] { distribute::TPUStrategy strategy(distribute::TPUClusterResolver("sim:tpu_8_cores")); }),
      ErrorCode::kFailedPrecondition, {"[TPUStrategy]", "sim:tpu_8_cores", "initialize_tpu_system"});

  const Strategy two = mirrored(2), four = mirrored(4);
  const Flowers data(32);
  const CompileOptions options{.optimizer = "sgd", .loss = "sparse_categorical_crossentropy"};
  {
    const auto scope = two.scope();
    expect_contains(error_of([&] { const auto nested = four.scope(); }), ErrorCode::kFailedPrecondition,
                    {"nested"});
    const auto same = two.scope();
  }
  Sequential outside = small_model();
  {
    const auto scope = two.scope();
    expect_contains(error_of([&] { outside.compile(options); }), ErrorCode::kFailedPrecondition,
                    {"[compile]", outside.name(), "outside the scope() of this MirroredStrategy"});
  }
  const layers::Dense shared({.units = 3, .activation = "softmax", .input_shape = {4}});
  (void)shared(random::uniform({2, 4}, {.seed = 1}));
  std::optional<Strategy::Scope> scope(four);
  Sequential with_shared({shared});
  with_shared.compile(options);
  scope.reset();
  expect_contains(error_of([&] { with_shared.fit(data.x, data.class_id, {.verbose = 0}); }),
                  ErrorCode::kFailedPrecondition,
                  {"[fit]", "kernel", "outside a strategy's scope()", "MirroredStrategy"});
}

}  // namespace
}  // namespace cornu::inline v0::keras
