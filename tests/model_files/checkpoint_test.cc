/// Models that are saved while they train, and runs that go on from a file.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "cornu/base/log_test_support.h"
#include "tests/model_files/model_files_test_support.h"

namespace cornu::inline v0::keras {
namespace {

Tensor rows() {
  std::vector<float> values;
  for (int i = 0; i < 96; ++i) values.push_back(static_cast<float>((i * 37) % 19) / 19.0F - 0.5F);
  return Tensor::from({24, 4}, std::span<const float>(values));
}
Tensor labels() { return ops::sum(rows(), {.axis = 1, .keepdims = true}); }

Sequential small_model() {
  Sequential model({layers::Input({.shape = {4}}),
                    layers::Dense({.units = 3, .activation = "tanh", .kernel_initializer = "ones"}),
                    layers::Dropout({.rate = 0.25, .seed = 5}),
                    layers::Dense({.units = 1, .kernel_initializer = "ones"})});
  model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.05}), .loss = "mse", .seed = 3});
  return model;
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

TEST(ModelCheckpointTest, SavesEachEpochUnderTheNamesOfItsLogs) {
  const TestFolder folder;
  Sequential model = small_model();
  model.fit(rows(), labels(),
            {.batch_size = 8,
             .epochs = 3,
             .verbose = 0,
             .callbacks = {callbacks::ModelCheckpoint({.filepath = folder / "e{epoch:02d}.keras"})}});
  EXPECT_EQ(names_in(folder / ""), (std::vector<std::string>{"e01.keras", "e02.keras", "e03.keras"}));
  Model last = load_model(folder / "e03.keras");
  EXPECT_TRUE(last.get_weights()[0].literal() == model.get_weights()[0].literal());
}

TEST(ModelCheckpointTest, KeepsTheBestAndSavesAfterBatches) {
  const TestFolder folder;
  Sequential model = small_model();
  const auto best = std::make_shared<callbacks::ModelCheckpoint>(
      callbacks::ModelCheckpointOptions{.filepath = folder / "best.weights.h5",
                                        .monitor = "loss",
                                        .save_best_only = true,
                                        .save_weights_only = true});
  const auto history =
      model.fit(rows(), labels(),
                {.batch_size = 8,
                 .epochs = 4,
                 .verbose = 0,
                 .callbacks = {best, callbacks::ModelCheckpoint(
                                         {.filepath = folder / "b{epoch}_{batch}.keras", .save_freq = 2})}});
  const std::vector<double>& losses = history["loss"];
  EXPECT_EQ(best->best(), *std::min_element(losses.begin(), losses.end()));
  EXPECT_EQ(names_in(folder / ""),
            (std::vector<std::string>{"b1_2.keras", "b2_1.keras", "b2_3.keras", "b3_2.keras", "b4_1.keras",
                                      "b4_3.keras", "best.weights.h5"}));
}

TEST(ModelCheckpointTest, AFileHoldsTheWeightsOfItsTime) {
  const TestFolder folder;
  Sequential model = small_model();
  // Keeps what the weights were when the file of that epoch was begun.
  struct Keeper : callbacks::Callback {
    explicit Keeper(std::vector<ir::Literal>& all) : seen(all) {}
    void on_epoch_end(std::int64_t, Logs&) override { seen.push_back(model()->get_weights()[0].literal()); }
    std::vector<ir::Literal>& seen;
  };
  std::vector<ir::Literal> seen;
  const auto keeper = std::make_shared<Keeper>(seen);
  model.fit(rows(), labels(),
            {.batch_size = 2,
             .epochs = 6,
             .verbose = 0,
             .callbacks = {callbacks::ModelCheckpoint({.filepath = folder / "e{epoch}.keras"}), keeper}});
  for (std::size_t epoch = 1; epoch <= 6; ++epoch) {
    const Model saved = load_model(folder / ("e" + std::to_string(epoch) + ".keras"));
    EXPECT_TRUE(saved.get_weights()[0].literal() == seen[epoch - 1]) << epoch;
  }
  EXPECT_FALSE(seen[4] == seen[5]);
}

TEST(ModelCheckpointTest, AFileThatCannotBeWrittenEndsTheRunWithItsError) {
  const TestFolder folder;
  Sequential model = small_model();
  std::ofstream(folder / "none") << "no folder";
  const std::string file = folder / "none/e{epoch}.keras";
  EXPECT_NE(error_text_of([&] {
              model.fit(rows(), labels(),
                        {.verbose = 0, .callbacks = {callbacks::ModelCheckpoint({.filepath = file})}});
            }).find("none/e1.keras"),
            std::string::npos);
}

TEST(ModelCheckpointTest, MakesTheFolderOfItsPath) {
  const TestFolder folder;
  Sequential model = small_model();
  const std::string file = folder / "runs/{epoch}/model.keras";
  model.fit(rows(), labels(),
            {.epochs = 2, .verbose = 0, .callbacks = {callbacks::ModelCheckpoint({.filepath = file})}});
  EXPECT_EQ(names_in(folder / "runs"), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(names_in(folder / "runs/2"), (std::vector<std::string>{"model.keras"}));
}

TEST(ModelCheckpointTest, SavesEachModelWithoutANumberToWatch) {
  for (const char* monitor : {"val_loss", "f1_score"}) {  // the first is missing, the second an array
    const TestFolder folder;
    Sequential model({layers::Input({.shape = {4}}), layers::Dense({.units = 2})});
    model.compile({.optimizer = "sgd", .loss = "mse", .metrics = {metrics::F1Score()}});
    const auto checkpoint = std::make_shared<callbacks::ModelCheckpoint>(callbacks::ModelCheckpointOptions{
        .filepath = folder / "{epoch}.keras", .monitor = monitor, .save_best_only = true});
    CapturedLog log;
    model.fit(rows(), ops::concatenate({labels(), labels()}, 1),
              {.epochs = 2, .verbose = 0, .callbacks = {checkpoint}});
    EXPECT_EQ(names_in(folder / ""), (std::vector<std::string>{"1.keras", "2.keras"})) << monitor;
    EXPECT_FALSE(checkpoint->best().has_value());
    const std::string said = log.take();
    EXPECT_NE(said.find("save_best_only"), std::string::npos) << said;
    EXPECT_EQ(said.find("save_best_only"), said.rfind("save_best_only")) << said;
  }
}

TEST(ModelCheckpointTest, SaysWhatIsWrongWithAPath) {
  EXPECT_NE(
      error_text_of([] { callbacks::ModelCheckpoint({.filepath = "model"}); }).find("ends in .keras or .h5"),
      std::string::npos);
  EXPECT_NE(error_text_of([] {
              callbacks::ModelCheckpoint({.filepath = "m.keras", .save_weights_only = true});
            }).find(".weights.h5"),
            std::string::npos);
  const TestFolder folder;
  Sequential model = small_model();
  const std::string error = error_text_of([&] {
    model.fit(
        rows(), labels(),
        {.verbose = 0, .callbacks = {callbacks::ModelCheckpoint({.filepath = folder / "{val_los}.keras"})}});
  });
  EXPECT_NE(error.find("there are: epoch, loss"), std::string::npos) << error;
}

/// A model for random rows, with or without moving averages.
Sequential model_with_averages(bool use_ema = true) {
  set_random_seed(7);
  clear_session();
  Sequential model(
      {layers::Input({.shape = {4}}), layers::Dense({.units = 1, .kernel_initializer = "zeros"})});
  model.compile(
      {.optimizer = optimizers::SGD({.learning_rate = 0.1, .use_ema = use_ema, .ema_momentum = 0.5}),
       .loss = "mse"});
  return model;
}

Tensor random_rows() { return random::uniform({32, 4}, {.seed = 1}); }

TEST(SwapEMAWeightsTest, EvaluatesTheAveragesAndTrainsTheWeights) {
  const TestFolder folder;
  const Tensor x = random_rows(), y = ops::sum(x, {.axis = 1, .keepdims = true});
  const auto trained = [&](bool use_ema, const FitOptions& options) {
    Sequential model = model_with_averages(use_ema);
    return std::pair(model, model.fit(x, y, options));
  };
  const FitOptions plain{.epochs = 3, .verbose = 0, .validation_data = {x, y}, .shuffle = false};
  FitOptions swapping = plain;
  swapping.callbacks = {callbacks::SwapEMAWeights()};
  auto [bare, bare_history] = trained(true, plain);
  auto [model, history] = trained(true, swapping);
  EXPECT_EQ(history.history["loss"], bare_history.history["loss"]);
  EXPECT_NE(history.history["val_loss"], bare_history.history["val_loss"]);
  // Behind fit the averages are the weights, with the callback and without.
  EXPECT_TRUE(model.get_weights()[0].literal() == bare.get_weights()[0].literal());
  // What it validated last is what the model is now.
  EXPECT_NEAR(model.evaluate(x, y, {.verbose = 0}).at("loss"), history.history["val_loss"].back(), 1e-7);
  FitOptions saving = plain;
  saving.callbacks = {
      callbacks::SwapEMAWeights({.swap_on_epoch = true}),
      callbacks::ModelCheckpoint({.filepath = folder / "{epoch}.weights.h5", .save_weights_only = true})};
  auto [third, third_history] = trained(true, saving);
  EXPECT_EQ(third_history.history["loss"], bare_history.history["loss"]);
  EXPECT_TRUE(third.get_weights()[0].literal() == bare.get_weights()[0].literal());
  Sequential saved({layers::Input({.shape = {4}}), layers::Dense({.units = 1})});
  saved.load_weights(folder / "3.weights.h5");
  EXPECT_TRUE(saved.get_weights()[0].literal() == bare.get_weights()[0].literal());
  EXPECT_NE(error_text_of([&] { trained(false, swapping); }).find("use_ema"), std::string::npos);
}

void expect_same_values(const std::vector<Variable>& a, const std::vector<Variable>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(a[i].read() == b[i].read()) << a[i].path();
}

TEST(SwapEMAWeightsTest, ARunThatACallbackBehindItStopsEndsWithTheAverages) {
  const Tensor x = random_rows(), y = ops::sum(x, {.axis = 1, .keepdims = true});
  Sequential model = model_with_averages(), plain = model_with_averages();
  FitOptions options{.epochs = 10, .verbose = 0, .shuffle = false};
  // The loss falls, so that the second epoch is the last.
  options.callbacks = {callbacks::SwapEMAWeights({.swap_on_epoch = true}),
                       callbacks::EarlyStopping({.monitor = "loss", .mode = "max"})};
  EXPECT_EQ(model.fit(x, y, options).epoch.size(), 2U);
  plain.fit(x, y, {.epochs = 2, .verbose = 0, .shuffle = false});
  expect_same_values(model.weights(), plain.weights());
  expect_same_values(model.optimizer().variables(), plain.optimizer().variables());
}

TEST(SwapEMAWeightsTest, ARunThatFailsHasTheWeightsAndTheAveragesInTheirPlaces) {
  const Tensor x = random_rows(), y = ops::sum(x, {.axis = 1, .keepdims = true});
  struct Failing : callbacks::Callback {
    void on_epoch_end(std::int64_t, Logs&) override { throw std::runtime_error("a callback fails"); }
  };
  Sequential model = model_with_averages(), plain = model_with_averages();
  FitOptions options{.epochs = 3, .verbose = 0, .shuffle = false};
  options.callbacks = {Failing()};
  EXPECT_THROW(plain.fit(x, y, options), std::runtime_error);
  options.callbacks = {callbacks::SwapEMAWeights({.swap_on_epoch = true}), Failing()};
  EXPECT_THROW(model.fit(x, y, options), std::runtime_error);
  expect_same_values(model.weights(), plain.weights());
  expect_same_values(model.optimizer().variables(), plain.optimizer().variables());
}

TEST(TrainingStateTest, ARunGoesOnFromAFileToTheBit) {
  const TestFolder folder;
  /// Saves behind the second step of the second epoch.
  class Saver : public callbacks::Callback {
   public:
    explicit Saver(std::string path) : path_(std::move(path)) {}
    void on_epoch_begin(std::int64_t epoch) override { epoch_ = epoch; }
    void on_train_batch_end(const callbacks::BatchRange& batches, LazyLogs&) override {
      if (epoch_ == 1 && batches.last == 1) save_training_state(path_, model()->training_state());
    }

   private:
    std::string path_;
    std::int64_t epoch_ = 0;
  };
  FitOptions options{.batch_size = 5, .epochs = 3, .verbose = 0};
  Sequential whole = small_model();
  options.callbacks = {Saver(folder / "run.state")};
  whole.fit(rows(), labels(), options);
  Sequential resumed = small_model();
  options.callbacks = {Saver(folder / "again.state")};
  options.resume_from = load_training_state(folder / "run.state");
  resumed.fit(rows(), labels(), options);
  for (std::size_t i = 0; i < whole.get_weights().size(); ++i)
    EXPECT_TRUE(whole.get_weights()[i].literal() == resumed.get_weights()[i].literal()) << i;
}

TEST(TrainingStateTest, ADamagedFileIsFound) {
  const TestFolder folder;
  save_training_state(folder / "a.state", {{"x", Tensor::of<float>({3}, {1, 2, 3})}});
  EXPECT_EQ(load_training_state(folder / "a.state").at("x").to_vector<float>(),
            (std::vector<float>{1, 2, 3}));
  {
    std::fstream file(folder / "a.state", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-1, std::ios::end);
    file.put('\x7F');
  }
  EXPECT_NE(error_text_of([&] { load_training_state(folder / "a.state"); }).find("the CRC of \"x\" differs"),
            std::string::npos);
  Sequential model = small_model();
  model.save_weights(folder / "w.safetensors");
  EXPECT_NE(error_text_of([&] { load_training_state(folder / "w.safetensors"); }).find("no training state"),
            std::string::npos);
}

}  // namespace
}  // namespace cornu::inline v0::keras
