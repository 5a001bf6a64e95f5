#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <unistd.h>

#include "cornu/data/dataset.h"
#include "cornu/distribute/strategy/distributed_dataset.h"
#include "cornu/distribute/strategy/losses.h"
#include "cornu/distribute/strategy/strategy.h"
#include "cornu/keras/trainer/model_test_support.h"
#include "cornu/runtime/partition.h"
#include "cornu/tensor/trace/replicas.h"
#include "tests/strategies/strategies_test_support.h"

// What fit has besides plain training, under strategies: precision, masks, callbacks, files, steps of one's
// own.
namespace cornu::inline v0::keras {
namespace {

using distribute::mirrored;
using distribute::Strategy;

/// What `make` gives, made and compiled in the strategy's scope; null: in none.
template <typename Make>
auto made_in(const Strategy* strategy, Make make) {
  clear_session();
  set_random_seed(42);
  std::optional<Strategy::Scope> scope;
  if (strategy != nullptr) scope.emplace(*strategy);
  return make();
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance * (1 + std::abs(b[i]))) << i;
}

double value_of(const OptimizerHandle& optimizer, const std::string& name) {
  for (const Variable& variable : optimizer.variables())
    if (variable.path().ends_with(name)) return variable.value().item<double>();
  ADD_FAILURE() << "no " << name;
  return 0;
}

TEST(StrategyPrecisionTest, ReplicasSkipAStepTogetherAndScaleAlike) {
  const Flowers data(64);
  std::vector<float> values = data.x.to_vector<float>();
  values[21 * 4] = std::numeric_limits<float>::infinity();  // batch 2 of 4; of 4 replicas the second has it
  const Tensor x = Tensor::adopt({64, 4}, std::move(values));
  struct Result {
    double scale, iterations;
    std::vector<Variable> weights;
  };
  const auto trained = [&](const Strategy* strategy, std::int64_t steps_per_execution) {
    Sequential model = made_in(strategy, [&] {
      Sequential it = small_model(3);
      it.compile({.optimizer = optimizers::LossScaleOptimizer(
                      {.inner_optimizer = optimizers::Adam({.learning_rate = 0.05}), .initial_scale = 1024}),
                  .loss = "sparse_categorical_crossentropy",
                  .steps_per_execution = steps_per_execution});
      return it;
    });
    model.fit(x, data.class_id, {.batch_size = 16, .epochs = 2, .verbose = 0, .shuffle = false});
    return Result{value_of(model.optimizer(), "dynamic_scale"), model.optimizer().iterations().item<double>(),
                  model.weights()};
  };
  const Result expected = trained(nullptr, 1);
  EXPECT_EQ(expected.scale, 256) << "halved once an epoch";
  EXPECT_EQ(expected.iterations, 6);
  for (const auto& [num_replicas, steps] : {std::pair(2, 1), {4, 3}, {8, 8}}) {
    SCOPED_TRACE(num_replicas);
    const Strategy strategy = mirrored(num_replicas);
    const Result found = trained(&strategy, steps);
    EXPECT_EQ(found.scale, expected.scale);
    EXPECT_EQ(found.iterations, expected.iterations);
    EXPECT_LT(largest_difference(found.weights, expected.weights), 1e-4);
  }
}

TEST(StrategyPrecisionTest, MixedPoliciesTrainAsOnOneDevice) {
  const Flowers data(61);
  for (const char* policy : {"mixed_float16", "mixed_bfloat16"}) {
    SCOPED_TRACE(policy);
    const DTypePolicyScope precision{policy};
    const auto losses = [&](const Strategy* strategy) {
      Sequential model = made_in(strategy, [] {
        Sequential it({layers::Dense({.units = 8,
                                      .activation = "relu",
                                      .kernel_initializer = initializers::GlorotUniform({.seed = 1})}),
                       layers::Dense({.units = 3,
                                      .kernel_initializer = initializers::GlorotUniform({.seed = 2}),
                                      .dtype = "float32"})});
        it.compile({.optimizer = "adam",
                    .loss = losses::SparseCategoricalCrossentropy({.from_logits = true}),
                    .steps_per_execution = 2,
                    .seed = 3});
        return it;
      });
      std::vector<double> all =
          model.fit(data.x, data.class_id, {.batch_size = 16, .epochs = 4, .verbose = 0})["loss"];
      EXPECT_LT(all.back(), all.front());
      all.push_back(model.evaluate(data.x, data.class_id, {.batch_size = 16, .verbose = 0})["loss"]);
      return all;
    };
    const std::vector<double> expected = losses(nullptr);
    for (const int num_replicas : {2, 4, 8}) {
      SCOPED_TRACE(num_replicas);
      const Strategy strategy = mirrored(num_replicas);
      expect_near(losses(&strategy), expected, 1e-2);
    }
  }
}

TEST(StrategyMaskTest, PaddedSequencesCountAsOnOneDevice) {
  constexpr std::int64_t kRows = 45, kSteps = 6;
  const RandomStream random(3);
  std::vector<std::int32_t> ids, targets;
  for (std::int64_t row = 0; row < kRows; ++row) {
    const auto length = static_cast<std::int64_t>(random.bits(static_cast<std::uint64_t>(row)) % kSteps) + 1;
    for (std::int64_t step = 0; step < kSteps; ++step) {
      const auto id =
          static_cast<std::int32_t>(random.bits(1000 + static_cast<std::uint64_t>(row * kSteps + step)) % 7);
      ids.push_back(step < length ? id + 1 : 0);
      targets.push_back(id % 3);
    }
  }
  const Tensor x = Tensor::adopt({kRows, kSteps}, std::move(ids)),
               y = Tensor::adopt({kRows, kSteps}, std::move(targets));
  const auto losses = [&](const Strategy* strategy) {
    Sequential model = made_in(strategy, [] {
      const auto seeded = [](std::uint64_t seed) { return initializers::GlorotUniform({.seed = seed}); };
      Sequential it(
          {layers::Embedding(
               {.input_dim = 8, .output_dim = 4, .embeddings_initializer = seeded(1), .mask_zero = true}),
           layers::LSTM({.units = 5,
                         .kernel_initializer = seeded(2),
                         .recurrent_initializer = seeded(3),
                         .return_sequences = true}),
           layers::Dense({.units = 3, .activation = "softmax", .kernel_initializer = seeded(4)})});
      it.compile({.optimizer = optimizers::Adam({.learning_rate = 0.05}),
                  .loss = "sparse_categorical_crossentropy",
                  .weighted_metrics = {"accuracy"},
                  .seed = 3});
      return it;
    });
    const auto history = model.fit(x, y, {.batch_size = 16, .epochs = 3, .verbose = 0});
    std::vector<double> all = history["loss"];
    all.insert(all.end(), history["accuracy"].begin(), history["accuracy"].end());
    all.push_back(model.evaluate(x, y, {.batch_size = 16, .verbose = 0})["loss"]);
    return all;
  };
  const std::vector<double> expected = losses(nullptr);
  for (const int num_replicas : {2, 4, 8}) {
    SCOPED_TRACE(num_replicas);
    const Strategy strategy = mirrored(num_replicas);
    expect_near(losses(&strategy), expected, 5e-5);
  }
}

/// Its step and its criterion are its own.
class OwnStep : public Network {
 public:
  OwnStep() : Network("OwnStep", "") {}

  Tensor call(const Tensor& x, const CallContext&) override { return dense_(x); }
  StepLogs train_step(StepTools& tools, const StepData& data) override {
    GradientTape tape;
    const Tensors pred = {dense_(data.x[0])};
    const Tensor loss = tools.compute_loss(data, pred) * 3.0;
    tools.apply(tape.gradient(loss, tools.trainable_variables()), tools.trainable_variables());
    return tools.compute_metrics(data, pred, loss);
  }

 private:
  LayerHandle dense_ = track(layers::Dense(
      {.units = 3, .activation = "softmax", .kernel_initializer = initializers::GlorotUniform({.seed = 1})}));
};

TEST(StrategyStepTest, AStepOfOnesOwnTrainsAsOnOneDevice) {
  const Flowers data(45);
  const auto losses = [&](const Strategy* strategy) {
    Model model = made_in(strategy, [] {
      Model it(std::make_shared<OwnStep>());
      it.compile({.optimizer = "adam",
                  .loss = "sparse_categorical_crossentropy",
                  .metrics = {"accuracy"},
                  .steps_per_execution = 2});
      return it;
    });
    const auto history = model.fit(data.x, data.class_id, {.batch_size = 16, .epochs = 3, .verbose = 0});
    std::vector<double> all = history["loss"];
    all.insert(all.end(), history["accuracy"].begin(), history["accuracy"].end());
    return all;
  };
  const std::vector<double> expected = losses(nullptr);
  for (const int num_replicas : {2, 8}) {
    SCOPED_TRACE(num_replicas);
    const Strategy strategy = mirrored(num_replicas);
    expect_near(losses(&strategy), expected, 2e-5);
  }
}

struct CallbackFolder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("cornu_strategies_" + std::to_string(::getpid()));
  CallbackFolder() { std::filesystem::create_directories(path); }
  ~CallbackFolder() { std::filesystem::remove_all(path); }
};

Sequential classifier() {
  Sequential model = small_model(3, 0.3);
  model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.1}),
                 .loss = "sparse_categorical_crossentropy",
                 .metrics = {"accuracy"},
                 .steps_per_execution = 2,
                 .seed = 7});
  return model;
}

TEST(StrategyCallbacksTest, EarlyStoppingAndModelCheckpointSeeWhatOneDeviceShows) {
  const CallbackFolder folder;
  const Flowers data(61), validation(21, 8);
  const auto trained = [&](const Strategy* strategy, const std::string& name) {
    Sequential model = made_in(strategy, classifier);
    const std::string file = (folder.path / (name + ".keras")).string();
    const auto history =
        model.fit(data.x, data.class_id,
                  {.batch_size = 16,
                   .epochs = 30,
                   .verbose = 0,
                   .callbacks = {callbacks::EarlyStopping({.patience = 2, .restore_best_weights = true}),
                                 callbacks::ModelCheckpoint({.filepath = file, .save_best_only = true})},
                   .validation_data = {validation.x, validation.class_id}});
    const Model loaded = load_model(file);
    EXPECT_TRUE(same_bits(loaded.weights(), model.weights())) << "the best weights, in the file and restored";
    return history["val_loss"];
  };
  const std::vector<double> expected = trained(nullptr, "one");
  EXPECT_LT(expected.size(), 30U) << "stopped early";
  for (const int num_replicas : {2, 4}) {
    SCOPED_TRACE(num_replicas);
    const Strategy strategy = mirrored(num_replicas);
    expect_near(trained(&strategy, "replicas" + std::to_string(num_replicas)), expected, 1e-3);
  }
}

/// Ends a run as a crash would.
class Ends : public callbacks::Callback {
 public:
  explicit Ends(std::int64_t epoch) : epoch_(epoch) {}
  void on_epoch_begin(std::int64_t epoch) override {
    if (epoch == epoch_) throw std::runtime_error("ended");
  }

 private:
  std::int64_t epoch_;
};

TEST(StrategyCallbacksTest, ARunThatEndedGoesOnToTheBit) {
  const CallbackFolder folder;
  const Flowers data(61);
  const Strategy strategy = mirrored(4);
  const FitOptions options{.batch_size = 16, .epochs = 5, .verbose = 0};
  Sequential whole = made_in(&strategy, classifier);
  const auto expected = whole.fit(data.x, data.class_id, options);

  const auto with_backup = [&](const Strategy& on, std::int64_t end) {
    Sequential model = made_in(&on, classifier);
    FitOptions backed = options;
    Ends ends(end);
    backed.callbacks = {callbacks::BackupAndRestore({.backup_dir = (folder.path / "backup").string()}),
                        &ends};
    std::vector<double> losses;
    try {
      losses = model.fit(data.x, data.class_id, backed)["loss"];
    } catch (const std::runtime_error&) {
      EXPECT_LT(end, 5);
    }
    return std::pair(model.weights(), losses);
  };
  with_backup(strategy, 3);
  const auto [weights, losses] = with_backup(strategy, 9);
  EXPECT_EQ(losses.size(), 2U) << "three epochs were done";
  EXPECT_EQ(losses, std::vector<double>(expected["loss"].begin() + 3, expected["loss"].end()));
  EXPECT_TRUE(same_bits(weights, whole.weights()));

  // Also with another number of replicas, but for the order of sums.
  with_backup(strategy, 3);
  const auto [of_two, losses_of_two] = with_backup(mirrored(2), 9);
  expect_near(losses_of_two, losses, 1e-4);
  EXPECT_LT(largest_difference(of_two, weights), 1e-3);
}

TEST(StrategyDatasetTest, FitTakesDistributedDataSets) {
  const Flowers data(48);
  const auto rows = data::Dataset::from_tensor_slices({data.x, data.class_id});
  const Strategy strategy = mirrored(4);
  const auto losses = [&](const Strategy* of, const data::Dataset& batches) {
    Sequential model = made_in(of, classifier);
    std::vector<double> all = model.fit(batches, {.epochs = 2, .verbose = 0})["loss"];
    all.push_back(model.evaluate(batches, {.verbose = 0})["loss"]);
    return all;
  };
  const std::vector<double> expected = losses(nullptr, rows.batch(16));
  expect_near(losses(&strategy, strategy.experimental_distribute_dataset(rows.batch(16))), expected, 2e-5);
  const auto cut = strategy.distribute_datasets_from_function([&](const distribute::InputContext& context) {
    return rows.batch(context.get_per_replica_batch_size(16));
  });
  EXPECT_EQ(data::Dataset(cut).cardinality(), 3);
  expect_near(losses(&strategy, cut), expected, 2e-5);

  Sequential model = made_in(&strategy, classifier);
  EXPECT_EQ(model.fit(cut, {.epochs = 1, .verbose = 0}).num_steps, 3);
  EXPECT_EQ(model
                .predict(strategy.experimental_distribute_dataset(
                             data::Dataset::from_tensor_slices(data.x).batch(16)),
                         {.verbose = 0})
                .shape(),
            Dims({48, 3}));
}

TEST(StrategyDatasetTest, CutDataSetsWithoutEndAreKnownToHaveNone) {
  const Flowers data(48);
  const Strategy strategy = mirrored(4);
  const auto endless = strategy.distribute_datasets_from_function([&](const distribute::InputContext&) {
    return data::Dataset::from_tensor_slices({data.x, data.class_id}).repeat().batch(4);
  });
  ASSERT_EQ(data::Dataset(endless).cardinality(), data::kInfiniteCardinality);
  Sequential model = made_in(&strategy, classifier);
  expect_contains(error_of([&] { model.fit(endless, {.epochs = 1, .verbose = 0}); }),
                  ErrorCode::kInvalidArgument, {"repeats without end", "steps_per_epoch"});
  EXPECT_EQ(model.fit(endless, {.epochs = 1, .verbose = 0, .steps_per_epoch = 5}).num_steps, 5);
}

TEST(StrategyStepTest, BatchesSmallerThanTheReplicasTrain) {
  const Flowers data(8);
  const auto losses = [&](const Strategy* strategy) {
    Sequential model = made_in(strategy, classifier);
    return model.fit(data.x, data.class_id, {.batch_size = 3, .epochs = 3, .verbose = 0})["loss"];
  };
  const std::vector<double> expected = losses(nullptr);
  for (const int num_replicas : {2, 4, 8}) {
    SCOPED_TRACE(num_replicas);
    const Strategy strategy = mirrored(num_replicas);
    expect_near(losses(&strategy), expected, 2e-5);
  }
}

/// Outputs the number of the replica that computes a row.
class ReplicaOfRow final : public Layer {
 public:
  ReplicaOfRow() : Layer("ReplicaOfRow", "") {}

 protected:
  Tensor call(const Tensor& x, const CallContext&) override {
    return 0 * x + ops::cast(cornu::detail::replica_id(), x.dtype());
  }
};

TEST(StrategyStepTest, ProgramsCutABatchAsThePartitionSays) {
  for (const int num_replicas : {2, 3, 4})
    for (const std::int64_t num_rows : {4, 5, 6, 7, 9}) {
      SCOPED_TRACE(std::to_string(num_rows) + " rows for " + std::to_string(num_replicas));
      const Strategy strategy = mirrored(num_replicas);
      Sequential model = made_in(&strategy, [] {
        Sequential it({LayerHandle(std::make_shared<ReplicaOfRow>())});
        it.compile({.optimizer = "sgd", .loss = "mse"});
        return it;
      });
      const Tensor found = model.predict(ops::ones({num_rows, 1}), {.batch_size = num_rows, .verbose = 0});
      const runtime::Partition partition{.num_rows = num_rows, .num_parts = num_replicas};
      std::vector<float> expected;
      for (std::int64_t part = 0; part < num_replicas; ++part)
        expected.insert(expected.end(), static_cast<std::size_t>(partition.size(part)),
                        static_cast<float>(part));
      EXPECT_EQ(found.to_vector<float>(), expected);
    }
}

/// Reports how many replicas a step is told of.
class CountsReplicas : public OwnStep {
 public:
  StepLogs train_step(StepTools& tools, const StepData& data) override {
    StepLogs logs = OwnStep::train_step(tools, data);
    const Tensor rows = ops::ones({data.x[0].shape()[0]});
    logs.emplace_back(
        "replicas",
        ops::cast(Tensor(distribute::get_replica_context().num_replicas_in_sync()).strong_scalar(DType::kI64),
                  DType::kF32));
    logs.emplace_back("average", nn::compute_average_loss(rows));
    return logs;
  }
};

TEST(StrategyStepTest, StepsThatRunOpByOpOrKeepStatesRunOnOneReplica) {
  const Flowers data(24);
  const Strategy strategy = mirrored(4);
  const auto eagerly = [&](const Strategy* of, bool run_eagerly) {
    Model model = made_in(of, [&] {
      Model it(std::make_shared<CountsReplicas>());
      it.compile(
          {.optimizer = "adam", .loss = "sparse_categorical_crossentropy", .run_eagerly = run_eagerly});
      return it;
    });
    const auto history = model.fit(data.x, data.class_id, {.batch_size = 8, .epochs = 2, .verbose = 0});
    EXPECT_EQ(history["replicas"].back(), run_eagerly ? 1 : 4);
    EXPECT_NEAR(history["average"].back(), run_eagerly ? 1 : 0.25, 1e-6);
    return history["loss"];
  };
  const std::vector<double> expected = eagerly(&strategy, false);
  expect_near(eagerly(&strategy, true), expected, 2e-5);
  expect_near(eagerly(nullptr, true), expected, 2e-5);

  const auto stateful = [&](const Strategy* of) {
    Sequential model = made_in(of, [] {
      const auto seeded = [](std::uint64_t seed) { return initializers::GlorotUniform({.seed = seed}); };
      Sequential it({layers::Input({.batch_shape = {8, 4, 1}}),
                     layers::LSTM({.units = 4,
                                   .kernel_initializer = seeded(1),
                                   .recurrent_initializer = seeded(2),
                                   .stateful = true}),
                     layers::Dense({.units = 3, .activation = "softmax", .kernel_initializer = seeded(3)})});
      it.compile({.optimizer = "adam", .loss = "sparse_categorical_crossentropy", .seed = 1});
      return it;
    });
    return model.fit(ops::reshape(data.x, {24, 4, 1}), data.class_id,
                     {.batch_size = 8, .epochs = 3, .verbose = 0, .shuffle = false})["loss"];
  };
  EXPECT_EQ(stateful(&strategy), stateful(nullptr));
}

}  // namespace
}  // namespace cornu::inline v0::keras
