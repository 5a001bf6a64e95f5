// Embedding, masking and normalization layers against numbers of real Keras.
#include <functional>
#include <map>

#include "cornu/keras/base/names.h"
#include "cornu/keras/layers/layers.h"
#include "cornu/keras/testing/check_layer_test_support.h"

namespace cornu::inline v0::keras {
namespace {

using nlohmann::json;

/// An initializer, regularizer or constraint by its name; unset if the case has none.
template <typename Spec>
Spec norm_spec_of(const json& config, const char* key, const Spec& otherwise = {}) {
  return config.contains(key) ? Spec(config.at(key).get<std::string>()) : otherwise;
}

ops::Axes norm_axes(const json& config) {
  if (!config.contains("axis")) return -1;
  const json& axis = config.at("axis");
  return axis.is_number() ? ops::Axes(axis.get<int>()) : ops::Axes(axis.get<std::vector<std::int64_t>>());
}

/// The options that the normalization layers share.
template <typename Options>
Options norm_options(const json& c) {
  Options options;
  options.epsilon = c.value("epsilon", options.epsilon);
  options.center = c.value("center", true);
  options.scale = c.value("scale", true);
  options.beta_regularizer = norm_spec_of<RegularizerSpec>(c, "beta_regularizer");
  options.gamma_regularizer = norm_spec_of<RegularizerSpec>(c, "gamma_regularizer");
  options.beta_constraint = norm_spec_of<ConstraintSpec>(c, "beta_constraint");
  options.gamma_constraint = norm_spec_of<ConstraintSpec>(c, "gamma_constraint");
  options.activity_regularizer = norm_spec_of<RegularizerSpec>(c, "activity_regularizer");
  return options;
}

LayerHandle batch_normalization_of(const json& c) {
  auto options = norm_options<layers::BatchNormalizationOptions>(c);
  options.axis = c.value("axis", std::int64_t{-1});
  options.momentum = c.value("momentum", options.momentum);
  options.trainable = c.value("trainable", true);
  options.renorm = c.value("renorm", false);
  options.renorm_momentum = c.value("renorm_momentum", options.renorm_momentum);
  const json clipping = c.value("renorm_clipping", json::object());
  const auto limit = [&](const char* name) {
    return clipping.contains(name) ? std::optional(clipping.at(name).get<double>()) : std::nullopt;
  };
  options.renorm_clipping = {.rmin = limit("rmin"), .rmax = limit("rmax"), .dmax = limit("dmax")};
  return layers::BatchNormalization(options);
}

using NormMakers = std::map<std::string, std::function<LayerHandle(const json&)>>;

const NormMakers& norm_makers() {
  static const NormMakers all = {
      {"Embedding",
       [](const json& c) {
         layers::EmbeddingOptions options{
             .input_dim = c.at("input_dim"),
             .output_dim = c.at("output_dim"),
             .embeddings_regularizer = norm_spec_of<RegularizerSpec>(c, "embeddings_regularizer"),
             .embeddings_constraint = norm_spec_of<ConstraintSpec>(c, "embeddings_constraint"),
             .mask_zero = c.value("mask_zero", false),
             .activity_regularizer = norm_spec_of<RegularizerSpec>(c, "activity_regularizer")};
         if (c.contains("lora_rank")) options.lora_rank = c.at("lora_rank").get<std::int64_t>();
         return layers::Embedding(options);
       }},
      {"Masking", [](const json& c) { return layers::Masking({.mask_value = c.value("mask_value", 0.0)}); }},
      {"BatchNormalization", batch_normalization_of},
      {"LayerNormalization",
       [](const json& c) {
         auto options = norm_options<layers::LayerNormalizationOptions>(c);
         options.axis = norm_axes(c);
         options.rms_scaling = c.value("rms_scaling", false);
         return layers::LayerNormalization(options);
       }},
      {"RMSNormalization",
       [](const json& c) {
         return layers::RMSNormalization({.axis = norm_axes(c), .epsilon = c.value("epsilon", 1e-6)});
       }},
      {"GroupNormalization",
       [](const json& c) {
         auto options = norm_options<layers::GroupNormalizationOptions>(c);
         options.groups = c.at("groups");
         options.axis = c.value("axis", std::int64_t{-1});
         return layers::GroupNormalization(options);
       }},
      {"SpatialDropout1D", [](const json& c) { return layers::SpatialDropout1D({.rate = c.at("rate")}); }},
      {"SpatialDropout2D",
       [](const json& c) {
         return layers::SpatialDropout2D(
             {.rate = c.at("rate"), .data_format = c.value("data_format", std::string())});
       }},
      {"SpatialDropout3D", [](const json& c) { return layers::SpatialDropout3D({.rate = c.at("rate")}); }},
      {"GaussianNoise", [](const json& c) { return layers::GaussianNoise({.stddev = c.at("stddev")}); }},
      {"GaussianDropout", [](const json& c) { return layers::GaussianDropout({.rate = c.at("rate")}); }},
      {"AlphaDropout", [](const json& c) { return layers::AlphaDropout({.rate = c.at("rate")}); }},
  };
  return all;
}

class NormLayersGoldenTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, NormLayersGoldenTest, testing::platforms(), testing::PlatformName());

void check_norm_layers(const json& cases) {
  for (const json& row : cases) {
    SCOPED_TRACE(row.at("layer").get<std::string>() + " " + row.at("config").dump() + " " +
                 row.at("call").dump());
    clear_session();
    testing::check_layer(norm_makers().at(row.at("layer"))(row.at("config")), row);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST_P(NormLayersGoldenTest, EveryLayerIsKerass) {
  check_norm_layers(testing::load_golden("norm_layers").at("cases"));
}

TEST_P(NormLayersGoldenTest, AxesOfMixedSignLoraAndRegularizedActivitiesAreKerass) {
  check_norm_layers(testing::load_golden("layer_options").at("normalizations"));
}

}  // namespace
}  // namespace cornu::inline v0::keras
