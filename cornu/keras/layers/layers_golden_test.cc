// Every layer against numbers of real Keras.
#include <functional>
#include <map>

#include "cornu/keras/base/names.h"
#include "cornu/keras/layers/layers.h"
#include "cornu/keras/testing/check_layer_test_support.h"

namespace cornu::inline v0::keras {
namespace {

using nlohmann::json;

Tensor number_or_list(const json& value) {
  if (value.is_number()) return value.get<double>();
  const auto values = value.get<std::vector<float>>();
  return Tensor::from<float>({static_cast<std::int64_t>(values.size())}, values);
}

ops::Axes axes_of(const json& value) {
  return value.is_number() ? ops::Axes(value.get<int>()) : ops::Axes(value.get<std::vector<std::int64_t>>());
}

std::string text_or(const json& config, const char* key, const std::string& otherwise = {}) {
  return config.value(key, otherwise);
}

RegularizerSpec regularizer_of(const json& config, const char* key) {
  return config.contains(key) ? RegularizerSpec(config.at(key).get<std::string>()) : RegularizerSpec();
}

using Maker = std::function<LayerHandle(const json&)>;

const std::map<std::string, Maker>& makers() {
  static const std::map<std::string, Maker> all = {
      {"Dense",
       [](const json& c) {
         layers::DenseOptions options{.units = c.at("units"),
                                      .activation = text_or(c, "activation", "linear"),
                                      .use_bias = c.value("use_bias", true),
                                      .kernel_regularizer = regularizer_of(c, "kernel_regularizer"),
                                      .bias_regularizer = regularizer_of(c, "bias_regularizer"),
                                      .activity_regularizer = regularizer_of(c, "activity_regularizer")};
         if (c.contains("lora_rank")) options.lora_rank = c.at("lora_rank").get<std::int64_t>();
         return layers::Dense(options);
       }},
      {"Activation",
       [](const json& c) { return layers::Activation({.activation = text_or(c, "activation")}); }},
      {"Flatten",
       [](const json& c) {
         return layers::Flatten({.data_format = text_or(c, "data_format"),
                                 .activity_regularizer = regularizer_of(c, "activity_regularizer")});
       }},
      {"Rescaling",
       [](const json& c) {
         layers::RescalingOptions options{.scale = number_or_list(c.at("scale"))};
         if (c.contains("offset")) options.offset = number_or_list(c.at("offset"));
         return layers::Rescaling(options);
       }},
      {"Reshape",
       [](const json& c) { return layers::Reshape({.target_shape = c.at("target_shape").get<Dims>()}); }},
      {"Permute", [](const json& c) { return layers::Permute({.dims = c.at("dims").get<Dims>()}); }},
      {"RepeatVector", [](const json& c) { return layers::RepeatVector({.n = c.at("n")}); }},
      {"Identity", [](const json&) { return layers::Identity(); }},
      {"ActivityRegularization",
       [](const json& c) { return layers::ActivityRegularization({.l1 = c.at("l1"), .l2 = c.at("l2")}); }},
      {"UnitNormalization",
       [](const json& c) {
         return c.contains("axis") ? layers::UnitNormalization({.axis = axes_of(c.at("axis"))})
                                   : layers::UnitNormalization();
       }},
      {"ReLU",
       [](const json& c) {
         layers::ReLUOptions options{.negative_slope = c.value("negative_slope", 0.0),
                                     .threshold = c.value("threshold", 0.0)};
         if (c.contains("max_value")) options.max_value = c.at("max_value").get<double>();
         return layers::ReLU(options);
       }},
      {"LeakyReLU",
       [](const json& c) {
         return c.contains("negative_slope") ? layers::LeakyReLU({.negative_slope = c.at("negative_slope")})
                                             : layers::LeakyReLU();
       }},
      {"PReLU",
       [](const json& c) {
         return layers::PReLU({.alpha_regularizer = regularizer_of(c, "alpha_regularizer"),
                               .shared_axes = c.value("shared_axes", std::vector<std::int64_t>{})});
       }},
      {"ELU",
       [](const json& c) {
         return c.contains("alpha") ? layers::ELU({.alpha = c.at("alpha")}) : layers::ELU();
       }},
      {"Softmax",
       [](const json& c) {
         layers::SoftmaxOptions options{.activity_regularizer = regularizer_of(c, "activity_regularizer")};
         if (c.contains("axis")) options.axis = axes_of(c.at("axis"));
         return layers::Softmax(options);
       }},
      {"Concatenate",
       [](const json& c) {
         return c.contains("axis") ? layers::Concatenate({.axis = c.at("axis")}) : layers::Concatenate();
       }},
      {"Add",
       [](const json& c) {
         return layers::Add({.activity_regularizer = regularizer_of(c, "activity_regularizer")});
       }},
      {"Subtract", [](const json&) { return layers::Subtract(); }},
      {"Multiply", [](const json&) { return layers::Multiply(); }},
      {"Average", [](const json&) { return layers::Average(); }},
      {"Maximum", [](const json&) { return layers::Maximum(); }},
      {"Minimum", [](const json&) { return layers::Minimum(); }},
      {"Dot",
       [](const json& c) {
         const json& axes = c.at("axes");
         return layers::Dot(
             {.axes = axes.is_number() ? layers::DotAxes(axes.get<int>()) : layers::DotAxes(axes[0], axes[1]),
              .normalize = c.value("normalize", false)});
       }},
  };
  return all;
}

class LayersGoldenTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, LayersGoldenTest, testing::platforms(), testing::PlatformName());

void check_plain_layers(const json& cases) {
  for (const json& row : cases) {
    SCOPED_TRACE(row.at("layer").get<std::string>() + " " + row.at("config").dump());
    clear_session();
    testing::check_layer(makers().at(row.at("layer"))(row.at("config")), row);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST_P(LayersGoldenTest, EveryLayerIsKerass) {
  check_plain_layers(testing::load_golden("layers").at("cases"));
}

TEST_P(LayersGoldenTest, LoraAndRegularizedActivitiesAreKerass) {
  check_plain_layers(testing::load_golden("layer_options").at("plain"));
}

}  // namespace
}  // namespace cornu::inline v0::keras
