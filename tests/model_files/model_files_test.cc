/// Files of real Keras: the model predicts what it predicted there and goes on training as it went on there;
/// and what is saved here gives the same again.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/model_files/model_files_test_support.h"

namespace cornu::inline v0::keras {
namespace {

constexpr double kPredictions = 1e-5, kLosses = 1e-5, kWeights = 1e-4;  // reference gates of real backends

class ModelFilesTest : public ::testing::TestWithParam<std::string> {
 protected:
  const std::string& name() const { return GetParam(); }
  std::string file(const std::string& end) const { return "tests/data/keras/" + name() + end; }
};

INSTANTIATE_TEST_SUITE_P(Models, ModelFilesTest,
                         ::testing::Values("dense", "multi", "convolution", "nested", "masked", "masking",
                                           "deferred", "custom", "attention"),
                         [](const auto& each) { return each.param; });

void expect_predictions(Model& model, const Tensors& x, const Tensors& expected, double limit) {
  const Tensors got = model.predict_many(x, {.verbose = 0});
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    std::size_t at = i;
    if (expected.is_named())
      at = static_cast<std::size_t>(
          std::find(expected.names().begin(), expected.names().end(), got.names()[i]) -
          expected.names().begin());
    EXPECT_LT(relative_difference(got[i], expected[at]), limit) << "output " << i;
  }
}

/// Predictions, three further steps, predictions and weights then.
void expect_as_in_keras(Model& model, const ModelGolden& golden) {
  expect_predictions(model, golden.x, golden.before, kPredictions);
  for (const double expected : golden.losses) {
    model.reset_metrics();
    const Logs logs = model.train_on_batch(golden.x, golden.y);
    EXPECT_NEAR(logs.at("loss"), expected, kLosses * std::abs(expected));
  }
  expect_predictions(model, golden.x, golden.after, kWeights);
  const std::vector<Tensor> weights = model.get_weights();
  ASSERT_EQ(weights.size(), golden.weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    // The bias of an attention's keys has no gradient: it becomes what rounding errors make of it.
    const double noise = 1e-6;
    if (ops::max(ops::absolute(golden.weights[i])).item<double>() < noise)
      EXPECT_LT(ops::max(ops::absolute(weights[i])).item<double>(), noise) << i;
    else
      EXPECT_LT(relative_difference(weights[i], golden.weights[i]), kWeights) << i;
  }
}

TEST_P(ModelFilesTest, AKerasFileGoesOnTrainingWherePythonStopped) {
  Model model = load_model(file(".keras"), {.custom_objects = demo_objects()});
  expect_as_in_keras(model, ModelGolden(name()));
}

TEST_P(ModelFilesTest, AnOldHdf5FileGoesOnTrainingWherePythonStopped) {
  if (!std::filesystem::exists(file(".h5"))) GTEST_SKIP() << "Keras writes none of this model";
  Model model = load_model(file(".h5"), {.custom_objects = demo_objects()});
  expect_as_in_keras(model, ModelGolden(name()));
}

TEST_P(ModelFilesTest, WhatIsSavedHereGivesTheSameBits) {
  const TestFolder folder;
  const ModelGolden golden(name());
  Model model = load_model(file(".keras"), {.custom_objects = demo_objects()});
  model.save(folder / "saved.keras");
  Model again = load_model(folder / "saved.keras", {.custom_objects = demo_objects()});
  const Tensors before = model.predict_many(golden.x, {.verbose = 0});
  expect_predictions(again, golden.x, before, 1e-30);
  EXPECT_EQ(again.get_compile_config(), model.get_compile_config());
  EXPECT_EQ(Config::parse(again.to_json()), Config::parse(model.to_json()));
  for (int step = 0; step < 2; ++step)
    EXPECT_EQ(again.train_on_batch(golden.x, golden.y).at("loss"),
              model.train_on_batch(golden.x, golden.y).at("loss"));
  EXPECT_EQ(again.optimizer().variables().size(), model.optimizer().variables().size());
}

TEST_P(ModelFilesTest, WeightsGoThroughEveryFormat) {
  const TestFolder folder;
  const ModelGolden golden(name());
  Model model = load_model(file(".keras"), {.custom_objects = demo_objects()});
  for (const char* format : {"w.weights.h5", "w.safetensors", "w.npz"}) {
    model.save_weights(folder / format);
    Model other = load_model(file(".keras"), {.custom_objects = demo_objects()});
    for (const Variable& variable : other->weights()) variable.load(ir::Literal(variable.type()));
    other.load_weights(folder / format);
    const std::vector<Tensor> expected = model.get_weights(), got = other.get_weights();
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_TRUE(got[i].literal() == expected[i].literal()) << format << " " << i;
  }
}

TEST(SaveTest, AnOldHdf5FileIsReadAgain) {
  const TestFolder folder;
  const ModelGolden golden("nested");
  Model model = load_model("tests/data/keras/nested.keras");
  model.save(folder / "saved.h5");
  Model again = load_model(folder / "saved.h5");
  expect_as_in_keras(again, golden);
}

TEST(SaveTest, SaysWhatCannotBeSavedAndWhereItMayNotBe) {
  const TestFolder folder;
  Sequential model({layers::Input({.shape = {3}}), layers::Dense({.units = 2})});
  EXPECT_NE(error_of([&] { model.save(folder / "model.txt"); }).find("the end of a path says the format"),
            std::string::npos);
  model.save(folder / "model.keras");
  EXPECT_NE(error_of([&] { model.save(folder / "model.keras", {.overwrite = false}); }).find("is there"),
            std::string::npos);
  model.compile(
      {.loss = [](const Tensor& y_true, const Tensor& y_pred) { return ops::mean(y_true - y_pred); }});
  EXPECT_NE(error_of([&] { model.save(folder / "model.keras"); }).find("loss"), std::string::npos);
  model.save(folder / "model.keras", {.include_optimizer = false});
  EXPECT_FALSE(load_model(folder / "model.keras").compiled());
}

TEST(LoadWeightsTest, AnotherModelsWeightsAreListedAndNothingChanges) {
  const TestFolder folder;
  Sequential small({layers::Input({.shape = {3}}), layers::Dense({.units = 2})});
  Sequential large({layers::Input({.shape = {3}}), layers::Dense({.units = 4}), layers::Dense({.units = 2})});
  small.save_weights(folder / "small.weights.h5");
  const std::vector<Tensor> before = large.get_weights();
  const std::string error = error_of([&] { large.load_weights(folder / "small.weights.h5"); });
  EXPECT_NE(error.find("the file lacks layers/dense_1/vars/0"), std::string::npos) << error;
  EXPECT_NE(error.find("of another shape are layers/dense/vars/0 ((3, 2) in the file, (3, 4) in the model)"),
            std::string::npos)
      << error;
  const std::vector<Tensor> after = large.get_weights();
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_TRUE(before[i].literal() == after[i].literal());
  large.load_weights(folder / "small.weights.h5", {.skip_mismatch = true});
}

TEST(LoadModelTest, ByNameTakesTheLayersThatAreThere) {
  const TestFolder folder;
  Sequential first({layers::Input({.shape = {3}}), layers::Dense({.units = 2, .name = "here"}),
                    layers::Dense({.units = 5, .name = "there"})});
  first.save(folder / "first.h5");
  Sequential second({layers::Input({.shape = {3}}), layers::Dense({.units = 2, .name = "other"}),
                     layers::Dense({.units = 2, .name = "more"})});
  Sequential third({layers::Input({.shape = {3}}), layers::Dense({.units = 2, .name = "here"})});
  third.load_weights(folder / "first.h5", {.by_name = true});
  EXPECT_TRUE(third.get_weights()[0].literal() == first.get_weights()[0].literal());
  second.load_weights(folder / "first.h5", {.by_name = true});
}

}  // namespace
}  // namespace cornu::inline v0::keras
