// Embedding, masking and normalization layers against numbers of real Keras.
#include <functional>
#include <map>

#include "cornu/keras/layers/layers.h"
#include "cornu/keras/names.h"
#include "cornu/keras/testing/check_layer.h"

namespace cornu::inline v0::keras {
namespace {

using nlohmann::json;

/// An initializer, regularizer or constraint by its name; unset where the case says nothing.
template <typename Spec>
Spec spec_of(const json& config, const char* key, Spec otherwise = {}) {
  return config.contains(key) ? Spec(config.at(key).get<std::string>()) : otherwise;
}

const std::map<std::string, std::function<LayerHandle(const json&)>>& norm_makers() {
  static const std::map<std::string, std::function<LayerHandle(const json&)>> all = {
      {"Embedding",
       [](const json& c) {
         return layers::Embedding({.input_dim = c.at("input_dim"),
                                   .output_dim = c.at("output_dim"),
                                   .embeddings_regularizer = spec_of<RegularizerSpec>(c, "embeddings_regularizer"),
                                   .embeddings_constraint = spec_of<ConstraintSpec>(c, "embeddings_constraint"),
                                   .mask_zero = c.value("mask_zero", false),
                                   .activity_regularizer = spec_of<RegularizerSpec>(c, "activity_regularizer")});
       }},
      {"Masking", [](const json& c) { return layers::Masking({.mask_value = c.value("mask_value", 0.0)}); }},
  };
  return all;
}

class NormLayersGoldenTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, NormLayersGoldenTest, testing::platforms(), testing::PlatformName());

TEST_P(NormLayersGoldenTest, EveryLayerIsKerass) {
  const json golden = testing::load_golden("norm_layers");
  for (const json& row : golden.at("cases")) {
    SCOPED_TRACE(row.at("layer").get<std::string>() + " " + row.at("config").dump() + " " + row.at("call").dump());
    clear_session();
    testing::check_layer(norm_makers().at(row.at("layer"))(row.at("config")), row);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace cornu::inline v0::keras
