/// Files of real Keras: the model predicts what it predicted there and goes on training as it went on there;
/// and what is saved here gives the same again.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

#include "cornu/base/log_test_support.h"
#include "cornu/io/file.h"
#include "cornu/keras/files/weight_tree.h"
#include "tests/model_files/model_files_test_support.h"

namespace cornu::inline v0::keras {
namespace {

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

constexpr double kPredictions = 1e-5, kLosses = 1e-5, kWeights = 1e-4;  // reference gates of real backends

class ModelFilesTest : public ::testing::TestWithParam<std::string> {
 protected:
  const std::string& name() const { return GetParam(); }
  /// How many times wider the gates are: of half precision reference backends meet 2e-2.
  double slack() const { return name() == "mixed" || name().starts_with("scaled") ? 2e3 : 1; }
  std::string file(const std::string& end) const { return "tests/data/keras/" + name() + end; }
};

INSTANTIATE_TEST_SUITE_P(Models, ModelFilesTest,
                         ::testing::Values("dense", "multi", "convolution", "nested", "masked", "masking",
                                           "deferred", "custom", "attention", "mixed", "scaled",
                                           "scaled_sequential", "video"),
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
void expect_as_in_keras(Model& model, const ModelGolden& golden, double slack = 1) {
  expect_predictions(model, golden.x, golden.before, slack * kPredictions);
  for (const double expected : golden.losses) {
    model.reset_metrics();
    const Logs logs = model.train_on_batch(golden.x, golden.y);
    EXPECT_NEAR(logs.at("loss"), expected, slack * kLosses * std::abs(expected));
  }
  expect_predictions(model, golden.x, golden.after, slack * kWeights);
  const std::vector<Tensor> weights = model.get_weights();
  ASSERT_EQ(weights.size(), golden.weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    // The bias of an attention's keys has no gradient: it becomes what rounding errors make of it.
    const double noise = 1e-6;
    if (ops::max(ops::absolute(golden.weights[i])).item<double>() < noise)
      EXPECT_LT(ops::max(ops::absolute(weights[i])).item<double>(), noise) << i;
    else
      EXPECT_LT(relative_difference(ops::cast(weights[i], DType::kF32), golden.weights[i]), slack * kWeights)
          << i;
  }
}

TEST_P(ModelFilesTest, AKerasFileGoesOnTrainingWherePythonStopped) {
  Model model = load_model(file(".keras"), {.custom_objects = demo_objects()});
  expect_as_in_keras(model, ModelGolden(name()), slack());
}

TEST_P(ModelFilesTest, AnOldHdf5FileGoesOnTrainingWherePythonStopped) {
  if (!std::filesystem::exists(file(".h5"))) GTEST_SKIP() << "Keras writes none of this model";
  Model model = load_model(file(".h5"), {.custom_objects = demo_objects()});
  expect_as_in_keras(model, ModelGolden(name()), slack());
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
  for (const std::string format : {"w.weights.h5", "w.weights.json", "w.safetensors", "w.npz"}) {
    if (format == "w.npz" && name() == "mixed") continue;  // NumPy has no bfloat16
    SaveWeightsOptions options;
    if (format == "w.weights.json") options.max_shard_size = 3e-6;  // about 3,200 bytes
    if (options.max_shard_size.has_value() && name() != "dense" && name() != "mixed") continue;
    model.save_weights(folder / format, options);
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
  EXPECT_NE(error_text_of([&] {
              model.save(folder / "model.txt");
            }).find("the extension of a path selects the format"),
            std::string::npos);
  model.save(folder / "model.keras");
  EXPECT_NE(error_text_of([&] { model.save(folder / "model.keras", {.overwrite = false}); }).find("is there"),
            std::string::npos);
  model.compile(
      {.loss = [](const Tensor& y_true, const Tensor& y_pred) { return ops::mean(y_true - y_pred); }});
  const std::string of_function = error_text_of([&] { model.save(folder / "model.keras"); });
  EXPECT_NE(of_function.find("loss"), std::string::npos) << of_function;
  EXPECT_NE(of_function.find("{.include_optimizer = false}"), std::string::npos) << of_function;
  model.save(folder / "model.keras", {.include_optimizer = false});
  EXPECT_FALSE(load_model(folder / "model.keras").compiled());
}

TEST(ShardedWeightsTest, EachFileIsWithinTheLimitAndTheListSaysWhereAllIs) {
  const TestFolder folder;
  Sequential model(
      {layers::Input({.shape = {10}}), layers::Dense({.units = 20}), layers::Dense({.units = 4})});
  model.compile({.optimizer = "adam", .loss = "mse"});
  model.train_on_batch(ops::ones({2, 10}), ops::ones({2, 4}));
  model.save_weights(folder / "w.weights.json", {.max_shard_size = 1000.0 / (1 << 30)});
  const Config list = Config::parse(text_of_file(folder / "w.weights.json"));
  EXPECT_EQ(list.at("weight_map").at("/layers/dense/vars"), Config("w_00000.weights.h5"));
  EXPECT_TRUE(list.at("weight_map").at("/optimizer/vars").is_list());
  std::int64_t total = 0;
  for (const Variable& variable : model.weights())
    total += static_cast<std::int64_t>(variable.type().size_bytes());
  for (const Variable& variable : model.optimizer().variables())
    total += static_cast<std::int64_t>(variable.type().size_bytes());
  EXPECT_EQ(list.at("metadata").at("total_size").as_integer(), total);
  const std::vector<Tensor> expected = model.get_weights();
  const double rate_before = model.optimizer().iterations().item<double>();
  Sequential other(
      {layers::Input({.shape = {10}}), layers::Dense({.units = 20}), layers::Dense({.units = 4})});
  other.compile({.optimizer = "adam", .loss = "mse"});
  other.load_weights(folder / "w.weights.json");
  EXPECT_EQ(other.optimizer().iterations().item<double>(), rate_before);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_TRUE(other.get_weights()[i].literal() == expected[i].literal());
  for (std::size_t i = 0; i < model.optimizer().variables().size(); ++i)
    EXPECT_TRUE(other.optimizer().variables()[i].read() == model.optimizer().variables()[i].read());
}

TEST(ShardedWeightsTest, AFileThatIsTooLongForAListIsReplaced) {
  const TestFolder folder;
  const std::string path = folder / "w.weights.json";
  write_text(path, "");
  std::filesystem::resize_file(path, (std::uintmax_t{64} << 20) + 1);
  Sequential model({layers::Input({.shape = {3}}), layers::Dense({.units = 2})});
  EXPECT_NE(error_text_of([&] { model.load_weights(path); }).find("not that long"), std::string::npos);
  model.save_weights(path, {.max_shard_size = 1.0});
  model.load_weights(path);
}

int renames_before_failure = 0;

/// Fails before a file takes its place.
void fail_at_rename(const char* step) {
  if (std::string_view(step) == "rename" && renames_before_failure-- == 0)
    throw std::runtime_error("the disk is gone");
}

TEST(ShardedWeightsTest, ASaveThatFailsHalfWayLeavesWhatWasThere) {
  const TestFolder folder;
  const SaveWeightsOptions options{.max_shard_size = 1000.0 / (1 << 30)};
  const std::string path = folder / "w.weights.json";
  Sequential model(
      {layers::Input({.shape = {10}}), layers::Dense({.units = 20}), layers::Dense({.units = 10})});
  model.save_weights(path, options);
  const auto num_files = [&] { return std::distance(std::filesystem::directory_iterator(folder / ""), {}); };
  const auto num_before = num_files();
  const auto expect_loads = [&](const std::vector<Tensor>& expected) {
    Sequential other(
        {layers::Input({.shape = {10}}), layers::Dense({.units = 20}), layers::Dense({.units = 10})});
    other.load_weights(path);
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_TRUE(other.get_weights()[i].literal() == expected[i].literal()) << i;
  };
  const std::vector<Tensor> first = model.get_weights();
  std::vector<Tensor> second;
  for (const Tensor& weight : first) second.push_back(weight + 1.0);
  model.set_weights(second);
  for (const int renames : {0, 1, 2}) {
    renames_before_failure = renames;
    io::whole_file_step_for_tests = &fail_at_rename;
    EXPECT_THROW(model.save_weights(path, options), std::runtime_error);
    io::whole_file_step_for_tests = nullptr;
    expect_loads(first);
  }
  model.save_weights(path, options);
  expect_loads(second);
  EXPECT_EQ(num_files(), num_before) << "what the old list named is gone";
}

TEST(ShardedWeightsTest, WhatCannotBeIsRefused) {
  const TestFolder folder;
  Sequential model({layers::Input({.shape = {10}}), layers::Dense({.units = 20})});
  const auto saved = [&](const std::string& name, std::optional<double> size) {
    return error_text_of([&] { model.save_weights(folder / name, {.max_shard_size = size}); });
  };
  EXPECT_NE(saved("w.weights.h5", 1.0).find("max_shard_size"), std::string::npos);
  EXPECT_NE(saved("w.weights.json", std::nullopt).find("max_shard_size"), std::string::npos);
  EXPECT_NE(saved("w.weights.json", -1.0).find("positive"), std::string::npos);
  EXPECT_NE(saved("w.weights.json", 1e-7).find("largest array"), std::string::npos);
  for (const char* place : {"../w_00000.weights.h5", "/etc/passwd", "sub/w.weights.h5", "w.txt"}) {
    write_text(folder / "bad.weights.json",
               fmt::format(R"({{"weight_map": {{"/layers/dense/vars": "{}"}}}})", place));
    const std::string error = error_text_of([&] { model.load_weights(folder / "bad.weights.json"); });
    EXPECT_NE(error.find("no .h5 file of its own folder"), std::string::npos) << error;
  }
  write_text(folder / "gone.weights.json",
             R"({"weight_map": {"/layers/dense/vars": ["gone_00000.weights.h5"]}})");
  const std::string gone = error_text_of([&] { model.load_weights(folder / "gone.weights.json"); });
  EXPECT_NE(gone.find("gone_00000.weights.h5"), std::string::npos) << gone;
  write_text(folder / "empty.weights.json", "{}");
  EXPECT_NE(error_text_of([&] { model.load_weights(folder / "empty.weights.json"); }).find("no weight_map"),
            std::string::npos);
}

TEST(LoadWeightsTest, AnotherModelsWeightsAreListedAndNothingChanges) {
  const TestFolder folder;
  Sequential small({layers::Input({.shape = {3}}), layers::Dense({.units = 2})});
  Sequential large({layers::Input({.shape = {3}}), layers::Dense({.units = 4}), layers::Dense({.units = 2})});
  small.save_weights(folder / "small.weights.h5");
  const std::vector<Tensor> before = large.get_weights();
  const std::string error = error_text_of([&] { large.load_weights(folder / "small.weights.h5"); });
  EXPECT_NE(error.find("the file lacks layers/dense_1/vars/0"), std::string::npos) << error;
  EXPECT_NE(error.find("of another shape are layers/dense/vars/0 ((3, 2) in the file, (3, 4) in the model)"),
            std::string::npos)
      << error;
  const std::vector<Tensor> after = large.get_weights();
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_TRUE(before[i].literal() == after[i].literal());
  CapturedLog log;
  large.load_weights(folder / "small.weights.h5", {.skip_mismatch = true});
  const std::string said = log.take();
  EXPECT_TRUE(said.starts_with("warning: [load_weights] ")) << said;
  EXPECT_NE(said.find("small.weights.h5 fits the model in part: the file lacks"), std::string::npos) << said;
}

TEST(LoadWeightsTest, SkippingLeavesTheStateOfAnotherOptimizerOut) {
  const TestFolder folder;
  const auto compiled = [](const OptimizerHandle& optimizer) {
    Sequential model({layers::Input({.shape = {3}}), layers::Dense({.units = 2})});
    model.compile({.optimizer = optimizer, .loss = "mse"});
    return model;
  };
  Sequential saved = compiled(optimizers::Adam({.learning_rate = 0.01}));
  saved.fit(ops::ones({4, 3}), ops::zeros({4, 2}), {.verbose = 0});
  saved.save_weights(folder / "w.weights.h5");
  saved.save_weights(folder / "w.weights.json", {.max_shard_size = 1});
  saved.save(folder / "m.keras");
  saved.save(folder / "m.h5");
  for (const std::string name : {"w.weights.h5", "w.weights.json", "m.keras", "m.h5"}) {
    SCOPED_TRACE(name);
    Sequential other = compiled(optimizers::SGD({.learning_rate = 0.5}));
    CapturedLog log;
    other.load_weights(folder / name, {.skip_mismatch = true});
    EXPECT_EQ(other.optimizer().learning_rate().item<double>(), 0.5);
    EXPECT_EQ(other.optimizer().iterations().item<int>(), 0);
    EXPECT_TRUE(other.get_weights()[0].literal() == saved.get_weights()[0].literal());
    const std::string said = log.take();
    EXPECT_NE(said.find("it has 2 variables, the saved one 6"), std::string::npos) << said;
    EXPECT_NE(error_text_of([&] { other.load_weights(folder / name); }).find("no place for"),
              std::string::npos);
  }
}

/// Keras's dense.h5 with another text, of the same length or shorter, in its description.
std::string altered_dense_file(const TestFolder& folder, const std::string& from, const std::string& to) {
  std::string bytes = text_of_file("tests/data/keras/dense.h5");
  const std::size_t at = bytes.find(from);
  EXPECT_NE(at, std::string::npos);
  bytes.replace(at, from.size(), to + std::string(from.size() - to.size(), ' '));
  write_text(folder / "altered.h5", bytes);
  return folder / "altered.h5";
}

TEST(LoadModelTest, TheDecayOfAnOldOptimizerIsASchedule) {
  const TestFolder folder;
  for (const bool has_decay : {false, true}) {
    const Model model = load_model(altered_dense_file(folder, "\"weight_decay\": null, ",
                                                      has_decay ? "\"decay\": 0.25, " : "\"decay\": 0.0, "));
    ASSERT_TRUE(model.compiled());
    const float rate = model.optimizer().learning_rate().item<float>();
    model.optimizer()->iteration_variable().assign(3);
    // Keras 2: lr * 1 / (1 + decay * iterations)
    EXPECT_NEAR(model.optimizer().learning_rate().item<float>(), rate / (has_decay ? 1.75F : 1), 1e-9);
  }
}

TEST(LoadModelTest, AnOptimizerWhoseStateAnOldFileDoesNotHaveBeginsAnew) {
  const TestFolder folder;
  CapturedLog log;
  const Model model = load_model(altered_dense_file(folder, "\"amsgrad\": false", "\"amsgrad\": true"));
  EXPECT_EQ(model.optimizer().iterations().item<int>(), 0);
  const std::string said = log.take();
  EXPECT_NE(said.find("the optimizer begins anew"), std::string::npos) << said;
  EXPECT_TRUE(model.get_weights()[0].literal() ==
              load_model("tests/data/keras/dense.h5").get_weights()[0].literal());
}

TEST(SaveModelTest, AModelThatIsNotBuiltIsSavedWithoutWeightsAndAWarning) {
  const TestFolder folder;
  const Sequential model({layers::Dense({.units = 2})});
  for (const std::string name : {"m.keras", "m.h5"}) {
    CapturedLog log;
    model.save(folder / name);
    EXPECT_NE(log.take().find("has no weights yet"), std::string::npos) << name;
    const Model again = load_model(folder / name);
    EXPECT_FALSE(again->built()) << name;
    again.build({kUnknown, 3});
    EXPECT_EQ(again.weights().size(), 2U) << name;
  }
}

// As Keras's files of such a class: first/vars/0, blocks/dense/vars/0, blocks/dense_1/vars/0, head/vars/0.
TEST(SaveWeightsTest, LayersOfAModelOfTheUsersAreCalledWhatItSays) {
  class Named : public Network {
   public:
    Named() : Network("Named", "") {}
    Tensor call(const Tensor& x, const CallContext&) override {
      return head_(blocks_[1](blocks_[0](first_(x))));
    }

   private:
    LayerHandle first_ = track(LayerHandle(layers::Dense({.units = 2})), "first");
    std::vector<LayerHandle> blocks_ =
        track(std::vector<LayerHandle>{layers::Dense({.units = 2}), layers::Dense({.units = 2})}, "blocks");
    LayerHandle head_ = track(layers::Dense({.units = 1}), "head");
  };
  std::vector<std::string> paths;
  const Model model(std::make_shared<Named>());
  for (const SavedLayer& saved : weight_tree(*model)) paths.push_back(saved.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"", "first", "blocks/dense", "blocks/dense_1", "head"}));
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
