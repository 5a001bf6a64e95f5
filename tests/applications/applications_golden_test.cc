#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "cornu/keras/applications/applications.h"
#include "cornu/keras/keras.h"
#include "cornu/keras/layer/node.h"
#include "cornu/keras/testing/golden_test_support.h"

namespace cornu::inline v0::keras::applications {
namespace {

const nlohmann::json& golden() {
  static const nlohmann::json kGolden = testing::load_golden("applications");
  return kGolden;
}

/// Numbers in [-1, 1) by a hash, as tools/goldens/applications.py makes them.
std::vector<float> uniform(std::int64_t count, std::uint32_t stream) {
  std::vector<float> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint32_t x = static_cast<std::uint32_t>(i) + stream * 0x9E3779B9U;
    x = (x ^ (x >> 16)) * 0x7FEB352DU;
    x = (x ^ (x >> 15)) * 0x846CA68BU;
    x ^= x >> 16;
    values[i] = static_cast<float>(x / 2147483648.0 - 1);
  }
  return values;
}

Tensor weight(const std::string& name, const Dims& shape, std::uint32_t stream, const std::string& network,
              double gain) {
  const bool is_depthwise = shape.size() == 4 && shape[3] == 1;
  std::int64_t inputs = 1, count = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    count *= shape[i];
    if (is_depthwise ? i < 2 : i + 1 < shape.size()) inputs *= shape[i];
  }
  const bool has_small_windows = network.starts_with("EfficientNet") || network.starts_with("MobileNet");
  if (is_depthwise && has_small_windows) inputs = 4;
  float factor = static_cast<float>(std::sqrt(gain / static_cast<double>(inputs)));
  float offset = 0;
  if (name == "bias" || name == "beta" || name == "moving_mean" || name == "mean") factor = 0.1F;
  if (name == "gamma" || name == "moving_variance" || name == "variance") {
    factor = 0.3F;
    offset = 1;
  }
  std::vector<float> values = uniform(count, stream);
  for (float& value : values) value = offset + factor * value;
  return Tensor::adopt(shape, std::move(values));
}

void set_weights(const Model& model, const std::string& network, double gain) {
  std::uint32_t stream = 0;
  for (const Variable& variable : model.weights()) {
    ++stream;
    const std::string name = variable.path().substr(variable.path().rfind('/') + 1);
    if (name != "count") variable.assign(weight(name, variable.shape(), stream, network, gain));
  }
}

Tensor images(const std::string& network, std::int64_t size, std::int64_t rows) {
  std::vector<float> values = uniform(rows * size * size * 3, 0);
  const bool takes_pixels = network.starts_with("EfficientNet") || network.starts_with("ConvNeXt") ||
                            network.starts_with("MobileNetV3");
  if (takes_pixels)
    for (float& value : values) value = 127.5F * (value + 1);
  return Tensor::adopt({rows, size, size, 3}, std::move(values));
}

/// A configuration's value as the script writes it.
std::string text(const Config& value) {
  if (value.is_null()) return "none";
  if (value.is_bool()) return value.as_bool() ? "true" : "false";
  if (value.is_string()) return value.as_string();
  if (value.is_number()) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.6g", value.as_number());
    return digits;
  }
  std::string all;
  if (value.is_list()) {
    for (const Config& each : value.as_list()) all += (all.empty() ? "" : ",") + text(each);
    return "[" + all + "]";
  }
  for (const char* key : {"scale", "mode", "distribution"}) {
    if (const Config* entry = value.at("config").find(key))
      all += (all.empty() ? "" : ",") + std::string(key) + "=" + text(*entry);
  }
  return value.at("class_name").as_string() + "(" + all + ")";
}

std::string line(const Node& node) {
  const Config config = node.layer->get_config();
  std::string all = node.layer->class_name() + " " + node.layer->name();
  for (const nlohmann::json& key : golden().at("keys")) {
    const Config* entry = config.find(key.get<std::string>());
    if (entry == nullptr) continue;
    const bool is_one_axis = key == "axis" && entry->is_list() && entry->size() == 1;
    all += " " + key.get<std::string>() + "=" + text(is_one_axis ? entry->at(0) : *entry);
  }
  all += " from";
  for (const KerasTensor& input : node.inputs) all += " " + input.node().layer->name();
  all += " weights";
  for (const Variable& variable : node.layer->weights()) {
    std::string shape;
    for (const std::int64_t extent : variable.shape()) shape += (shape.empty() ? "" : ",") + text(extent);
    all += " [" + shape + "]";
  }
  return all;
}

std::string description(const Model& model) {
  std::set<std::string> layers;
  for (const LayerHandle& layer : model.layers()) layers.insert(layer.name());
  std::set<const Node*> seen;
  std::vector<const Node*> open = {&model.outputs()[0].node()};
  std::vector<std::string> lines;
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    if (!seen.insert(node).second || node->inputs.empty()) continue;
    lines.push_back(layers.contains(node->layer->name()) ? line(*node) : "operation " + node->layer->name());
    for (const KerasTensor& input : node->inputs) open.push_back(&input.node());
  }
  std::ranges::sort(lines);
  std::string all;
  for (const std::string& each : lines) all += (all.empty() ? "" : "\n") + each;
  return all;
}

std::string digest(const std::string& all) {
  std::uint64_t value = 0xCBF29CE484222325U;
  for (const char c : all) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(value));
  return digits;
}

class NetworkTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    clear_session();
    for (const nlohmann::json& each : golden().at("cases"))
      if (each.at("name") == GetParam()) case_ = each;
    ASSERT_FALSE(case_.is_null()) << GetParam();
  }

  Model small_model() const {
    const auto size = case_.at("size").get<std::int64_t>();
    return make(
        GetParam(),
        {.input_shape = {size, size, 3}, .classes = golden().at("classes"), .classifier_activation = {}});
  }

  nlohmann::json case_;
};
class LayersTest : public NetworkTest {};
class LogitsTest : public NetworkTest {};
class LossesTest : public NetworkTest {};

TEST_P(LayersTest, NamesOptionsInputsAndWeightsAreKerass) {
  const Model model = small_model();
  EXPECT_EQ(model.name(), case_.at("model"));
  EXPECT_EQ(model.count_params(), case_.at("params"));
  const std::string all = description(model);
  EXPECT_EQ(digest(all), case_.at("digest")) << all;
}

TEST_P(LayersTest, TheUsualNetworkHasKerassNumberOfParameters) {
  EXPECT_EQ(make(GetParam()).count_params(), case_.at("all_params"));
}

TEST_P(LogitsTest, AreKerass) {
  Model model = small_model();
  set_weights(model, GetParam(), case_.at("gain"));
  const Tensor logits = model.predict(images(GetParam(), case_.at("size"), 2), {.verbose = 0});
  testing::expect_close(logits, testing::golden_tensor(case_.at("logits")),
                        std::max(1e-4, 10 * case_.at("movement").get<double>()), GetParam());
}

TEST_P(LossesTest, OfTrainingStepsAreKerass) {
  // Without dropout, whose random numbers differ.
  std::string json =
      make(GetParam(), {.input_shape = {64, 64, 3}, .classes = golden().at("classes")}).to_json();
  const std::string rate = "\"rate\": ";
  for (std::size_t at = json.find(rate); at != std::string::npos; at = json.find(rate, at + 1)) {
    const std::size_t begin = at + rate.size();
    json.replace(begin, json.find_first_of(",}", begin) - begin, "0.0");
  }
  Model model = model_from_json(json);
  set_weights(model, GetParam(), case_.at("gain"));
  model.compile(
      {.optimizer = optimizers::SGD({.learning_rate = 0.001}), .loss = "sparse_categorical_crossentropy"});
  const Tensor x = images(GetParam(), 64, 8), y = Tensor::of<std::int32_t>({8}, {0, 1, 2, 3, 4, 5, 6, 7});
  for (const nlohmann::json& loss : case_.at("losses"))
    testing::expect_near_relative(model.train_on_batch(x, y)["loss"], loss, 5e-3, GetParam());
}

const auto kName = [](const auto& info) { return std::string(info.param); };
INSTANTIATE_TEST_SUITE_P(All, LayersTest, ::testing::ValuesIn(names()), kName);
INSTANTIATE_TEST_SUITE_P(All, LogitsTest, ::testing::ValuesIn(names()), kName);
INSTANTIATE_TEST_SUITE_P(Of, LossesTest,
                         ::testing::Values("DenseNet121", "EfficientNetB0", "MobileNetV2", "ResNet50"),
                         kName);

TEST(ApplicationsTest, WithoutTopTheFeaturesArePooledAsAsked) {
  const Dims shape = {64, 64, 3};
  EXPECT_EQ(MobileNet({.include_top = false, .input_shape = shape}).outputs()[0].shape(),
            (Dims{kUnknown, 2, 2, 1024}));
  EXPECT_EQ(MobileNet({.include_top = false, .input_shape = shape, .pooling = "avg"}).outputs()[0].shape(),
            (Dims{kUnknown, 1024}));
  EXPECT_EQ(ResNet50({.include_top = false, .pooling = "max"}).outputs()[0].shape(), (Dims{kUnknown, 2048}));
  EXPECT_EQ(ResNet50({.include_top = false}).inputs()[0].shape(), (Dims{kUnknown, kUnknown, kUnknown, 3}));
}

TEST(ApplicationsTest, AnInputTensorMayBeInTheMiddleOfAGraph) {
  const Input images({.shape = {64, 64, 1}});
  const KerasTensor colors = layers::Conv2D({.filters = 3, .kernel_size = 1})(images);
  const Model model = MobileNetV2({.include_top = false, .input_tensor = colors, .pooling = "avg"});
  EXPECT_EQ(model.inputs()[0], images);
  EXPECT_EQ(model.outputs()[0].shape(), (Dims{kUnknown, 1280}));
}

TEST(ApplicationsTest, WidthsAndNamesFollowAlpha) {
  const Model model = MobileNet({.input_shape = {128, 128, 3}, .alpha = 0.25});
  EXPECT_EQ(model.name(), "mobilenet_0.25_128");
  EXPECT_EQ(model.count_params(), 475'544);
  EXPECT_EQ(MobileNetV3Small({.alpha = 0.75, .minimalistic = true}).count_params(), 1'742'192);
}

void expect_refused(const std::function<void()>& call, const std::string& argument) {
  try {
    call();
    FAIL() << "nothing was thrown for " << argument;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument) << error.what();
    EXPECT_EQ(error.argument(), argument) << error.what();
  }
}

TEST(ApplicationsTest, BadArgumentsAreRefusedByName) {
  expect_refused([] { ResNet50({.input_shape = {16, 64, 3}}); }, "input_shape");
  expect_refused([] { ResNet50({.input_shape = {64, 64}}); }, "input_shape");
  expect_refused([] { ResNet50({.input_shape = {kUnknown, 64, 3}}); }, "input_shape");
  expect_refused([] { VGG16({.classes = 0}); }, "classes");
  expect_refused([] { VGG16({.include_top = false, .pooling = "mean"}); }, "pooling");
  expect_refused([] { make("ResNet51"); }, "name");
  expect_refused(
      [] { imagenet_utils::preprocess_input(Tensor::adopt({2}, std::vector<float>(2)), {.mode = "rgb"}); },
      "mode");
}

TEST(ApplicationsTest, PixelsBecomeKerass) {
  const Tensor x = testing::golden_tensor(golden().at("pixels"));
  for (const auto& [mode, expected] : golden().at("preprocessed").items())
    testing::expect_close(imagenet_utils::preprocess_input(x, {.mode = mode}),
                          testing::golden_tensor(expected), 1e-6, mode);
}

TEST(ApplicationsTest, PredictionsGetTheNamesOfTheFile) {
  const std::string path = ::testing::TempDir() + "classes.json";
  std::string json;
  for (int i = 0; i < 1000; ++i)
    json += fmt::format("{}\"{}\": [\"n{}\", \"class {}\"]", i == 0 ? "{" : ", ", i, i, i);
  std::ofstream(path) << json << "}";
  std::vector<float> scores(2000, 0.0F);
  scores[7] = 0.75F;
  scores[999] = 0.25F;
  scores[1000] = 1.0F;
  const auto rows =
      vgg16::decode_predictions(Tensor::adopt({2, 1000}, scores), {.top = 2, .class_index = path});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0][0].description, "class 7");
  EXPECT_EQ(rows[0][0].score, 0.75);
  EXPECT_EQ(rows[0][1].id, "n999");
  EXPECT_EQ(rows[1][0].id, "n0");
  std::ofstream(path) << "{\"0\": [\"n0\", \"a\"]}";
  EXPECT_THROW(vgg16::decode_predictions(Tensor::adopt({2, 1000}, scores), {.class_index = path}), Error);
}

}  // namespace
}  // namespace cornu::inline v0::keras::applications
