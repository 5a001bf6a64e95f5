#include "cornu/keras/optimizers/multi_optimizer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "cornu/base/error.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/config/config.h"
#include "cornu/keras/keras.h"
#include "cornu/keras/testing/golden_test_support.h"

/// Numbers of real Keras: tools/goldens/multi_optimizer.py.
namespace cornu::inline v0::keras::optimizers {
namespace {

using nlohmann::json;

OptimizerMap golden_map() {
  return OptimizerMap(SGD({.learning_rate = 0.1, .momentum = 0.5}),
                      {{"encoder/.*", Adam({.learning_rate = 0.01, .clipnorm = 0.5})},
                       {"head/bias", RMSprop({.learning_rate = 0.05})}});
}

/// The optimizer of a row of the golden file; by a function, it has no map.
MultiOptimizer golden_optimizer(const json& row, bool by_function) {
  clear_session();
  MultiOptimizerOptions options;
  if (row.at("options").contains("loss_scale_factor"))
    options.loss_scale_factor = row.at("options").at("loss_scale_factor").get<double>();
  if (by_function)
    return MultiOptimizer(
        [map = golden_map()](const Variable& variable) { return OptimizerHandle(map.at(variable.path())); },
        options);
  options.optimizer_map = golden_map();
  return MultiOptimizer(options);
}

struct GoldenRun {
  GoldenRun(const json& row_of, bool by_function)
      : row(row_of), optimizer(golden_optimizer(row_of, by_function)) {
    for (std::size_t i = 0; i < row.at("starts").size(); ++i) {
      const std::string path = row.at("names")[i];
      variables.emplace_back(testing::golden_tensor(row.at("starts")[i]).literal(),
                             VariableOptions{.name = path.substr(path.rfind('/') + 1), .path = path});
    }
  }
  void check(const json& step) const {
    for (std::size_t i = 0; i < variables.size(); ++i)
      testing::expect_close(Tensor(variables[i].read()), testing::golden_tensor(step.at("variables")[i]),
                            3e-6, variables[i].path());
  }

  const json& row;
  MultiOptimizer optimizer;
  std::vector<Variable> variables;
};

class MultiOptimizerTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, MultiOptimizerTest, testing::platforms(), testing::PlatformName());

TEST_P(MultiOptimizerTest, StepsAreKerassByMapAndByFunction) {
  const json golden = testing::load_golden("multi_optimizer");
  for (const json& row : golden.at("cases")) {
    for (const bool by_function : {false, true}) {
      const GoldenRun run(row, by_function);
      for (const json& step : row.at("steps")) {
        run.optimizer.apply(testing::golden_tensors(step.at("gradients")), run.variables);
        run.check(step);
      }
      EXPECT_EQ(run.optimizer.iterations().item<int>(), row.at("iterations").get<int>());
      if (by_function) continue;
      const std::vector<Variable> slots = run.optimizer.variables();
      ASSERT_EQ(slots.size(), row.at("slots").size());
      for (std::size_t i = 0; i < slots.size(); ++i)
        testing::expect_close(ops::cast(Tensor(slots[i].read()), DType::kF32),
                              ops::cast(testing::golden_tensor(row.at("slots")[i]), DType::kF32), 1e-5,
                              slots[i].path());
    }
  }
}

TEST(MultiOptimizerConfigTest, ConfigurationsAreKerassAndMakeTheSame) {
  const json golden = testing::load_golden("multi_optimizer");
  clear_session();
  const MultiOptimizer optimizer({.optimizer_map = golden_map(), .name = "several"});
  const Config written = Config::parse(golden.at("object").dump());
  EXPECT_EQ(saving::serialize<Optimizer>(*optimizer), written);
  EXPECT_EQ(saving::serialize(*saving::deserialize<Optimizer>(written)), written);
}

TEST(MultiOptimizerFitTest, ModelsTrainAndStopWithUndefinedRates) {
  const Tensor x = random::normal({64, 4}, {.seed = 1}), y = ops::sum(x, {.axis = 1, .keepdims = true});
  Sequential model({Input({.shape = {4}}),
                    layers::Dense({.units = 8, .activation = "tanh", .name = "encoder"}),
                    layers::Dense({.units = 1, .name = "head"})});
  const MultiOptimizer optimizer(
      OptimizerMap(SGD({.learning_rate = 0.05}), {{".*encoder/.*", Adam({.learning_rate = 0.02})}}));
  model.compile({.optimizer = optimizer, .loss = "mse"});
  const callbacks::History history = model.fit(x, y, {.epochs = 15, .verbose = 0});
  EXPECT_LT(history["loss"].back(), 0.3 * history["loss"].front());
  ASSERT_EQ(optimizer.optimizers().size(), 2U);
  EXPECT_EQ(optimizer.optimizers()[0].iterations().item<int>(), 30);
  EXPECT_THROW((void)optimizer.learning_rate(), Error);
  EXPECT_THROW(optimizer.set_learning_rate(0.1), Error);
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("multi_{}.keras", ::getpid())).string();
  model.save(path);
  const Model again = load_model(path);
  std::filesystem::remove(path);
  const std::vector<Variable> saved = optimizer.variables(), loaded = again.optimizer().variables();
  ASSERT_EQ(loaded.size(), saved.size());
  for (std::size_t i = 0; i < saved.size(); ++i)
    testing::expect_close(ops::cast(Tensor(loaded[i].read()), DType::kF32),
                          ops::cast(Tensor(saved[i].read()), DType::kF32), 0, saved[i].path());
}

TEST(MultiOptimizerFitTest, AveragesAreSwappedOfTheOptimizersThatKeepThem) {
  const Variable averaged(Tensor::of<float>({1}, {1}), {.name = "averaged"}),
      plain(Tensor::of<float>({1}, {1}), {.name = "plain"});
  const MultiOptimizer optimizer(
      OptimizerMap(SGD({.learning_rate = 1}),
                   {{"averaged", SGD({.learning_rate = 1, .use_ema = true, .ema_momentum = 0.5})}}));
  const Tensor one = Tensor::of<float>({1}, {1});
  for (int step = 0; step < 2; ++step) optimizer.apply({one, one}, {averaged, plain});
  optimizer->swap_averages();
  EXPECT_EQ(averaged.read().at(0), -0.5);
  EXPECT_EQ(plain.read().at(0), -1);
  optimizer->swap_averages();
  EXPECT_EQ(averaged.read().at(0), -1);
  const MultiOptimizer without(OptimizerMap("sgd"));
  EXPECT_THROW(without->swap_averages(), Error);
}

TEST(MultiOptimizerFitTest, APlateauReducesTheRateOfEachOptimizer) {
  const Tensor x = random::normal({8, 4}, {.seed = 1}), y = ops::sum(x, {.axis = 1, .keepdims = true});
  Sequential model({Input({.shape = {4}}), layers::Dense({.units = 3, .name = "encoder"}),
                    layers::Dense({.units = 1, .name = "head"})});
  const MultiOptimizer optimizer(
      OptimizerMap(SGD({.learning_rate = 0.2, .name = "slow"}),
                   {{".*encoder/.*", Adam({.learning_rate = 0.02, .name = "fast"})}}));
  model.compile({.optimizer = optimizer, .loss = "mse"});
  callbacks::ReduceLROnPlateau plateau(
      {.monitor = "loss", .factor = 0.5, .patience = 1, .min_delta = 1e6});  // nothing is an improvement
  const callbacks::History history = model.fit(x, y, {.epochs = 3, .verbose = 0, .callbacks = {&plateau}});
  for (const auto& [name, rate] :
       {std::pair("learning_rate_slow", 0.2), std::pair("learning_rate_fast", 0.02)}) {
    ASSERT_EQ(history[name].size(), 3U);
    EXPECT_NEAR(history[name][1], rate, 1e-6) << name;
    EXPECT_NEAR(history[name][2], rate / 2, 1e-6) << name;
  }
  EXPECT_NEAR(optimizer.optimizers()[0].learning_rate().item<double>(), 0.005, 1e-6) << "the map's first one";
}

TEST(MultiOptimizerErrorsTest, RefusesWhatCannotBe) {
  OptimizerMap map("sgd", {{"a/.*", "adam"}});
  EXPECT_THROW(map.set("a/.*", "adam"), Error);
  map.set("a/b.*", "adam");
  EXPECT_THROW((void)map.at("a/bc"), Error);
  EXPECT_EQ(map.at("a/b.*"), map.entries()[1].second);
  EXPECT_EQ(map.at("other"), map.default_optimizer());
  EXPECT_THROW(map.set("c", LossScaleOptimizer({.inner_optimizer = "sgd"})), Error);
  EXPECT_THROW(map.set("c", MultiOptimizer(OptimizerMap("sgd"))), Error);
  EXPECT_THROW(MultiOptimizer(MultiOptimizerOptions{}), Error);
  map.set("(", "adam");
  EXPECT_THROW((void)map.at("other"), Error);
}

}  // namespace
}  // namespace cornu::inline v0::keras::optimizers
