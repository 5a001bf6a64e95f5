#include "cornu/keras/config/global_settings.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "cornu/base/error.h"
#include "cornu/keras/applications/applications.h"
#include "cornu/keras/keras.h"
#include "cornu/keras/testing/golden_test_support.h"

/// Numbers of real Keras: tools/goldens/global_settings.py.
namespace cornu::inline v0::keras::config {
namespace {

using nlohmann::json;

/// Restores the settings at the end of a test.
class GlobalSettingsTest : public ::testing::Test {
 protected:
  void TearDown() override {
    set_floatx("float32");
    set_epsilon(1e-7);
    set_image_data_format("channels_last");
    set_max_epochs({});
    set_max_steps_per_epoch({});
    set_matmul_precision("auto");
  }
};

TEST_F(GlobalSettingsTest, DefaultsAreKerass) {
  EXPECT_EQ(floatx(), "float32");
  EXPECT_EQ(epsilon(), 1e-7);
  EXPECT_EQ(image_data_format(), "channels_last");
  EXPECT_EQ(max_epochs(), std::nullopt);
  EXPECT_EQ(max_steps_per_epoch(), std::nullopt);
}

TEST_F(GlobalSettingsTest, MatmulPrecisionIsThatOfModelsThatStateNone) {
  EXPECT_EQ(matmul_precision(), "auto");
  set_matmul_precision("high");
  EXPECT_EQ(matmul_precision(), "high");
  const Tensor x = random::normal({128, 256}, {.seed = 1});
  Sequential model({layers::Dense({.units = 256, .use_bias = false})});
  const auto predictions = [&](const char* precision) {
    model.compile({.loss = "mse", .precision = precision});
    return model.predict(x, {.batch_size = 128, .verbose = 0}).to_vector<float>();
  };
  EXPECT_EQ(predictions("auto"), predictions("high"));
  set_matmul_precision("auto");
  const std::vector<float> by_auto = predictions("auto");
  set_matmul_precision("highest");
  EXPECT_EQ(predictions("auto"), predictions("highest"));
  set_matmul_precision("auto");
  EXPECT_EQ(predictions("auto"), by_auto);
  EXPECT_THROW(set_matmul_precision("medium"), Error);
}

TEST_F(GlobalSettingsTest, LossesMetricsAndConstraintsTakeTheEpsilon) {
  const json golden = testing::load_golden("global_settings").at("epsilon");
  const Tensor labels = testing::golden_tensor(golden.at("labels")),
               scores = testing::golden_tensor(golden.at("scores"));
  set_epsilon(0.1);
  EXPECT_EQ(epsilon(), 0.1);
  for (const auto& [name, wanted] : golden.at("losses").items()) {
    const LossHandle loss(saving::from_config<Loss>(name, Config::dict()));
    EXPECT_NEAR(loss(labels, scores).item<double>(), wanted.get<double>(),
                1e-5 * std::max(1.0, std::fabs(wanted.get<double>())))
        << name;
  }
  const metrics::F1Score f1({.average = "macro"});
  f1.update_state(labels, scores);
  EXPECT_NEAR(f1.result().item<double>(), golden.at("metrics").at("F1Score").get<double>(), 1e-5);
  const metrics::MeanIoU iou({.num_classes = 2});
  iou.update_state(labels, ops::round(scores));
  EXPECT_NEAR(iou.result().item<double>(), golden.at("metrics").at("MeanIoU").get<double>(), 1e-5);
  const Tensor weights = testing::golden_tensor(golden.at("weights"));
  for (const auto& [name, wanted] : golden.at("constraints").items())
    testing::expect_close((*saving::from_config<Constraint>(name, Config::dict()))(weights),
                          testing::golden_tensor(wanted), 1e-5, name);
  const layers::Normalization normal({.mean = Tensor(std::vector<float>{0.5F, 0.5F, 0.25F}),
                                      .variance = Tensor(std::vector<float>{1e-6F, 4.0F, 1e-4F})});
  testing::expect_close(normal(scores), testing::golden_tensor(golden.at("normalization")), 1e-5,
                        "normalization");
}

TEST_F(GlobalSettingsTest, LayersMadeLaterHaveTheirChannelsFirst) {
  const json golden = testing::load_golden("global_settings").at("channels");
  const Tensor x = testing::golden_tensor(golden.at("x"));
  const layers::MaxPooling2D before({.pool_size = 2});
  set_image_data_format("channels_first");
  for (const json& row : golden.at("rows")) {
    const std::string name = row.at("class_name");
    const LayerHandle layer(saving::from_config<Layer>(name, Config::parse(row.at("arguments").dump())));
    testing::expect_close(layer(x), testing::golden_tensor(row.at("y")), 1e-5, name);
    EXPECT_EQ(layer->get_config().at("data_format").as_string(), row.at("data_format")) << name;
  }
  testing::expect_close(layers::UpSampling1D({.size = 2})(ops::take(x, 0, {.axis = 1})),
                        testing::golden_tensor(golden.at("up_sampling_1d")), 1e-6, "UpSampling1D");
  EXPECT_EQ(before(x).shape(), (Dims{2, 1, 3, 5})) << "a layer keeps its format";
  EXPECT_EQ(layers::MaxPooling2D({.pool_size = 2, .data_format = "channels_last"})(x).shape(),
            (Dims{2, 1, 3, 5}));
  EXPECT_THROW(applications::VGG16({.include_top = false, .weights = {}, .input_shape = {32, 32, 3}}), Error);
  set_image_data_format("channels_last");
  EXPECT_EQ(layers::MaxPooling2D({.pool_size = 2})(x).shape(), (Dims{2, 1, 3, 5}));
}

TEST_F(GlobalSettingsTest, FunctionsWithoutAFormatHaveIt) {
  const json golden = testing::load_golden("global_settings").at("channels");
  const Tensor x = testing::golden_tensor(golden.at("x")), kernel = ops::ones({2, 2, 3, 2});
  const ops::ImageOptions before;
  set_image_data_format("channels_first");
  const std::map<std::string, Tensor> results = {
      {"conv", ops::conv(x, kernel)},
      {"depthwise_conv", ops::depthwise_conv(x, kernel)},
      {"max_pool", ops::max_pool(x, 2, {.strides = 1})},
      {"average_pool", ops::average_pool(x, 2, {.strides = 1})},
      {"adaptive_max_pool", ops::adaptive_max_pool(x, 2)},
      {"resize", ops::resize(x, {3, 4})},
      {"rgb_to_grayscale", ops::rgb_to_grayscale(x)},
      {"rgb_to_hsv", ops::rgb_to_hsv(ops::absolute(x))},
      {"pad_images",
       ops::pad_images(x, {.top_padding = 1, .left_padding = 2, .target_height = 9, .target_width = 8})},
      {"crop_images",
       ops::crop_images(x, {.top_cropping = 1, .left_cropping = 2, .target_height = 3, .target_width = 2})},
      {"gaussian_blur", ops::gaussian_blur(x)}};
  EXPECT_EQ(results.size(), golden.at("functions").size());
  for (const auto& [name, wanted] : golden.at("functions").items())
    testing::expect_close(results.at(name), testing::golden_tensor(wanted), 1e-5, name);
  EXPECT_EQ(before.data_format, "channels_last") << "options keep the format of their time";
  // An operation of a functional model keeps its format, also in a file.
  const Input images({.shape = {3, 6, 5}});
  const Model pools({.inputs = images, .outputs = ops::max_pool(images, 2)});
  const std::string json_of_pools = pools.to_json();
  set_image_data_format("channels_last");
  EXPECT_EQ(pools(x).shape(), (Dims{2, 3, 3, 2}));
  EXPECT_EQ(model_from_json(json_of_pools)(x).shape(), (Dims{2, 3, 3, 2}));
}

// Layers of images that call functions give these their own format.
TEST_F(GlobalSettingsTest, LayersOfImagesComputeTheSameWithEitherFormat) {
  const Tensor x = random::uniform({2, 6, 5, 3}, {.seed = 1}), first = ops::transpose(x, {0, 3, 1, 2});
  const auto compare = [&](const auto& make) {
    const auto options = [&](const char* format) { return make(format); };
    const CallArguments call{.training = true, .random_counter = Tensor::of<std::uint32_t>({}, {3})};
    set_image_data_format("channels_last");
    const LayerHandle with_last = options("channels_last");
    const Tensor wanted = with_last(x, call);
    set_image_data_format("channels_first");
    const LayerHandle with_first = options("channels_first");
    testing::expect_close(ops::transpose(with_first(first, call), {0, 2, 3, 1}), wanted, 1e-5,
                          with_first.name());
  };
  compare([](const char* format) {
    return layers::RandomGrayscale({.factor = 1, .data_format = format, .seed = 1});
  });
  compare([](const char* format) {
    return layers::RandomHue({.factor = {0.5, 0.5}, .value_range = {0, 1}, .data_format = format, .seed = 1});
  });
  compare([](const char* format) {
    return layers::RandomSharpness(
        {.factor = {0.7, 0.7}, .value_range = {0, 1}, .data_format = format, .seed = 1});
  });
  compare([](const char* format) {
    return layers::RandomGaussianBlur(
        {.sigma = {1, 1}, .value_range = {0, 1}, .data_format = format, .seed = 1});
  });
  compare([](const char* format) {
    return layers::RandomElasticTransform({.value_range = {0, 1}, .seed = 1, .data_format = format});
  });
}

TEST_F(GlobalSettingsTest, FloatxIsThePolicyUntilOneIsSet) {
  const json golden = testing::load_golden("global_settings").at("floatx");
  for (const auto& [name, row] : golden.items()) {
    set_floatx(name);
    EXPECT_EQ(floatx(), name);
    EXPECT_EQ(dtype_policy().name(), row.at("policy"));
    const layers::Dense layer({.units = 2});
    EXPECT_EQ(ir::numpy_name(layer->compute_dtype()), row.at("compute").get<std::string>());
    EXPECT_EQ(ir::numpy_name(layer->variable_dtype()), row.at("variable").get<std::string>());
    EXPECT_EQ(ir::numpy_name(Input({.shape = {2}}).dtype()), row.at("input").get<std::string>());
  }
  const DTypePolicyScope scope("mixed_bfloat16");
  EXPECT_EQ(dtype_policy().name(), "mixed_bfloat16");
}

TEST_F(GlobalSettingsTest, RunsStopAtTheLimits) {
  Sequential model({Input({.shape = {2}}), layers::Dense({.units = 1})});
  model.compile({.optimizer = "sgd", .loss = "mse"});
  const Tensor x = ops::ones({100, 2}), y = ops::ones({100, 1});
  std::vector<std::string> messages;
  const LogSink before = set_log_sink([&](const LogMessage& message) { messages.push_back(message.text); });
  set_max_epochs(2);
  set_max_steps_per_epoch(3);
  const callbacks::History history = model.fit(
      x, y, {.batch_size = 10, .epochs = 5, .verbose = 0, .validation_data = {x, y}, .validation_steps = 9});
  EXPECT_EQ(history["loss"].size(), 2U);
  EXPECT_EQ(model.optimizer().iterations().item<int>(), 6);
  EXPECT_EQ(model.predict(x, {.batch_size = 10, .verbose = 0}).shape()[0], 30);
  EXPECT_EQ(messages.size(), 4U) << fmt::format("{}", fmt::join(messages, "\n"));
  messages.clear();
  model.fit(x, y, {.batch_size = 50, .verbose = 0});
  EXPECT_TRUE(messages.empty()) << "two steps are within the limit";
  EXPECT_EQ(model.optimizer().iterations().item<int>(), 8);
  set_log_sink(before);
}

TEST_F(GlobalSettingsTest, DtypesHaveKerassNames) {
  EXPECT_EQ(utils::standardize_dtype(DType::kBF16), "bfloat16");
  EXPECT_EQ(utils::standardize_dtype(DType::kI1), "bool");
  EXPECT_EQ(utils::standardize_dtype("int64"), "int64");
  set_floatx("float64");
  EXPECT_EQ(utils::standardize_dtype(), "float64");
  EXPECT_THROW((void)utils::standardize_dtype("real"), Error);
}

TEST_F(GlobalSettingsTest, RefusesOtherValues) {
  EXPECT_THROW(set_floatx("int32"), Error);
  EXPECT_THROW(set_floatx("real"), Error);
  EXPECT_THROW(set_epsilon(0), Error);
  EXPECT_THROW(set_epsilon(std::numeric_limits<double>::infinity()), Error);
  EXPECT_THROW(set_image_data_format("channels"), Error);
  EXPECT_THROW(set_max_epochs(0), Error);
  EXPECT_THROW(set_max_steps_per_epoch(-1), Error);
}

}  // namespace
}  // namespace cornu::inline v0::keras::config
