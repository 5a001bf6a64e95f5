#include <gtest/gtest.h>

#include "cornu/data/dataset.h"
#include "cornu/runtime/collective.h"
#include "tests/strategies/strategies_test_support.h"
#include "tests/strategies/training_cases_test_support.h"

// Models that several processes train as one does: each rank compares with what it computes alone.
namespace cornu::inline v0::keras {
namespace {

using distribute::MultiWorkerMirroredStrategy;

/// Whether all ranks hold the same bits.
void expect_same_everywhere(const std::vector<Variable>& variables) {
  std::uint64_t sum = 0;
  for (const Variable& variable : variables) {
    const ir::Literal literal = variable.read();
    for (const std::byte byte : literal.bytes())
      sum = sum * 1099511628211u + static_cast<std::uint64_t>(byte);
  }
  EXPECT_NO_THROW(runtime::joined_processes()->require_same("sum", sum));
}

class ProcessTrainingTest : public ::testing::TestWithParam<Case> {};

TEST_P(ProcessTrainingTest, EqualsOneProcess) {
  const Case& it = GetParam();
  distribute::first_devices(1);
  const Trained expected = run(it, nullptr, 1);
  for (const int devices : {1, 2})
    for (const std::int64_t steps_per_execution : {1, 3}) {
      SCOPED_TRACE(devices * 10 + steps_per_execution);
      set_random_seed(1);
      const MultiWorkerMirroredStrategy strategy({.devices = distribute::first_devices(devices)});
      EXPECT_EQ(strategy.num_replicas_in_sync(), devices * strategy.num_workers());
      const Trained found = run(it, &strategy, steps_per_execution);
      expect_near(found, expected, it.tolerance);
      expect_same_everywhere(found.weights);
    }
}

INSTANTIATE_TEST_SUITE_P(Models, ProcessTrainingTest, ::testing::ValuesIn(cases()),
                         [](const auto& param) { return param.param.name; });

TEST(ProcessTrainingTest, ShardsGiveTheBitsOfOneProcess) {
  for (const Case& it : cases()) {
    if (it.name != "dropout" && it.name != "synchronized_batch_normalization" && it.name != "recurrent")
      continue;
    SCOPED_TRACE(it.name);
    const distribute::MirroredStrategy one({.devices = distribute::first_devices(1), .shards = 8});
    const Trained expected = run(it, &one, 2);
    set_random_seed(1);
    const MultiWorkerMirroredStrategy several({.devices = distribute::first_devices(1), .shards = 8});
    const Trained found = run(it, &several, 2);
    EXPECT_EQ(found.losses, expected.losses);
    EXPECT_EQ(found.validation, expected.validation);
    EXPECT_EQ(found.predictions, expected.predictions);
    EXPECT_TRUE(same_bits(found.weights, expected.weights));
  }
}

TEST(ProcessTrainingTest, ShardsThatAreNoPowerOfTwoGiveTheBitsOfOneProcess) {
  const Case it = cases()[0];
  const distribute::MirroredStrategy one({.devices = distribute::first_devices(1), .shards = 12});
  const Trained expected = run(it, &one, 1);
  set_random_seed(1);
  const MultiWorkerMirroredStrategy several({.devices = distribute::first_devices(1), .shards = 12});
  const Trained found = run(it, &several, 1);
  EXPECT_EQ(found.losses, expected.losses);
  EXPECT_TRUE(same_bits(found.weights, expected.weights));
}

TEST(ProcessTrainingTest, GradientsAsHalves) {
  const Case it = cases()[0];
  distribute::first_devices(1);
  const Trained expected = run(it, nullptr, 1);
  set_random_seed(1);
  const MultiWorkerMirroredStrategy strategy(
      {.devices = distribute::first_devices(1), .gradient_compression = "bf16"});
  const Trained found = run(it, &strategy, 1);
  expect_near(found.losses, expected.losses, 2e-2);
  if (strategy.num_workers() > 1) {
    EXPECT_NE(found.losses, expected.losses);
  }
  expect_same_everywhere(found.weights);
}

TEST(ProcessTrainingTest, DataSetsAreCutAndShuffledAlike) {
  const MultiWorkerMirroredStrategy strategy({.devices = distribute::first_devices(1)});
  expect_data_sets_alike(strategy, "auto", [](const Flowers& data) {
    return data::Dataset::from_tensor_slices({data.x, data.class_id}).shuffle(45, {.seed = 3}).batch(16);
  });
}

TEST(ProcessTrainingTest, BatchesOfFewerRowsThanRanks) {
  expect_small_batches_alike(MultiWorkerMirroredStrategy({.devices = distribute::first_devices(1)}), 7, 3);
}

TEST(ProcessTrainingTest, AFaultIsNamedByAll) {
  expect_fault_is_named(MultiWorkerMirroredStrategy({.devices = distribute::first_devices(1)}));
}

TEST(ProcessTrainingTest, DifferentWeightsAreRefusedByAll) {
  const MultiWorkerMirroredStrategy strategy({.devices = distribute::first_devices(1)});
  if (strategy.num_workers() == 1) GTEST_SKIP() << "one process";
  const Flowers data(32);
  std::optional<Strategy::Scope> scope(strategy);
  Sequential model = small_model(static_cast<std::uint64_t>(strategy.rank()) + 1);
  model.compile({.optimizer = "sgd", .loss = "sparse_categorical_crossentropy"});
  scope.reset();
  const Error error = error_of([&] { model.fit(data.x, data.class_id, {.batch_size = 16, .verbose = 0}); });
  expect_contains(error, ErrorCode::kFailedPrecondition, {"rank 1 and rank 0 differ in weights"});
}

TEST(ProcessTrainingTest, DifferentProgramsAreRefusedByAll) {
  const MultiWorkerMirroredStrategy strategy({.devices = distribute::first_devices(1)});
  if (strategy.num_workers() == 1) GTEST_SKIP() << "one process";
  expect_different_programs_are_refused(strategy);
}

}  // namespace
}  // namespace cornu::inline v0::keras
