/// Models that train on separate threads at the same time: each gives the results that it gives alone.
#include <gtest/gtest.h>

#include <functional>
#include <latch>
#include <thread>
#include <vector>

#include "cornu/keras/trainer/model_test_support.h"

namespace cornu::inline v0::keras {
namespace {

class TwoModelsTest : public ModelTest {
 protected:
  void SetUp() override {
    ModelTest::SetUp();
    // More threads than one, so that the models' loops compete for one pool on any machine.
    if (std::string(GetParam()) == "cpu") set_default_client(runtime::make_client("cpu", {.num_threads = 3}));
  }
};
CORNU_TEST_ON_EVERY_PLATFORM(TwoModelsTest);

constexpr std::uint64_t kSeed = 11;

InitializerSpec kernel(std::uint64_t seed) { return initializers::GlorotUniform({.seed = seed}); }

/// Adam, dropout, shuffled batches of which the last is partial, several steps in each execution. Wide enough
/// that loops and products run on the pool.
Sequential dense_model() {
  Sequential model(
      {layers::Input({.shape = {4}}),
       layers::Dense(
           {.units = 256, .activation = "tanh", .kernel_initializer = kernel(kSeed), .name = "wide"}),
       layers::Dropout({.rate = 0.25, .seed = kSeed, .name = "dropout"}),
       layers::Dense({.units = 3,
                      .activation = "softmax",
                      .kernel_initializer = kernel(kSeed + 1),
                      .name = "scores"})});
  model.compile({.optimizer = "adam",
                 .loss = "categorical_crossentropy",
                 .metrics = {"accuracy"},
                 .steps_per_execution = 3,
                 .seed = kSeed});
  return model;
}

/// SGD with momentum through a convolution and a BatchNormalization, one step in each execution.
Sequential convolutional_model() {
  Sequential model({layers::Input({.shape = {4}}), layers::Reshape({.target_shape = {4, 1}, .name = "line"}),
                    layers::Conv1D({.filters = 32,
                                    .kernel_size = 3,
                                    .padding = "same",
                                    .kernel_initializer = kernel(kSeed + 2),
                                    .name = "convolution"}),
                    layers::BatchNormalization({.name = "normalization"}), layers::Flatten({.name = "flat"}),
                    layers::Dense({.units = 3, .kernel_initializer = kernel(kSeed + 3), .name = "scores"})});
  model.compile({.optimizer = optimizers::SGD({.learning_rate = 0.05, .momentum = 0.9}),
                 .loss = "mse",
                 .seed = kSeed + 1});
  return model;
}

/// The result of a training run: the losses of its epochs, and all state of model and optimizer.
struct Outcome {
  std::vector<double> losses;
  StateValues state;
};

Outcome train(const std::function<Sequential()>& make, const Flowers& data) {
  Sequential model = make();
  const auto history = model.fit(data.x, data.one_hot, {.batch_size = 48, .epochs = 4, .verbose = 0});
  return {history["loss"], model.training_state()};
}

void expect_same_outcome(const Outcome& expected, const Outcome& actual) {
  EXPECT_EQ(actual.losses, expected.losses);
  ASSERT_EQ(actual.state.size(), expected.state.size());
  for (const auto& [path, value] : expected.state) {
    ASSERT_TRUE(actual.state.contains(path)) << path;
    EXPECT_TRUE(actual.state.at(path).literal() == value.literal()) << path;
  }
}

TEST_P(TwoModelsTest, TrainingOnTwoThreadsAtOnceGivesTheBitsOfEachAlone) {
  const Flowers data(500);
  const std::vector<std::function<Sequential()>> makers = {dense_model, convolutional_model};
  const Outcome alone[] = {train(makers[0], data), train(makers[1], data)};
  ASSERT_EQ(alone[0].losses.size(), 4U);
  EXPECT_LT(alone[0].losses.back(), alone[0].losses.front());
  EXPECT_LT(alone[1].losses.back(), alone[1].losses.front());
  for (int round = 0; round < 3; ++round) {
    // Making, tracing and compiling run at once too.
    Outcome together[2];
    std::latch both(2);
    const auto run = [&](std::size_t i) {
      both.arrive_and_wait();
      together[i] = train(makers[i], data);
    };
    std::jthread other(run, 1);
    run(0);
    other.join();
    for (std::size_t i = 0; i < 2; ++i) {
      SCOPED_TRACE(i == 0 ? "dense" : "convolutional");
      expect_same_outcome(alone[i], together[i]);
    }
  }
}

TEST_P(TwoModelsTest, FourModelsOfOneKindTrainAtOnceAsOneDoes) {
  const Flowers data(200);
  const Outcome alone = train(dense_model, data);
  std::vector<Outcome> together(4);
  {
    std::latch all(4);
    std::vector<std::jthread> threads;
    for (Outcome& outcome : together)
      threads.emplace_back([&] {
        all.arrive_and_wait();
        outcome = train(dense_model, data);
      });
  }
  for (const Outcome& outcome : together) expect_same_outcome(alone, outcome);
}

}  // namespace
}  // namespace cornu::inline v0::keras
