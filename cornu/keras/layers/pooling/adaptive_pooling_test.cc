// Layers of adaptive pooling against real Keras (tools/goldens/adaptive_pooling_layers.py).
#include "cornu/keras/layers/pooling/adaptive_pooling.h"

#include <gtest/gtest.h>

#include "cornu/base/error.h"
#include "cornu/keras/keras.h"
#include "cornu/keras/testing/check_layer_test_support.h"

namespace cornu::inline v0::keras {
namespace {

class AdaptivePoolingTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, AdaptivePoolingTest, testing::platforms(), testing::PlatformName());

TEST_P(AdaptivePoolingTest, EveryLayerIsKerass) {
  const nlohmann::json goldens = testing::load_golden("adaptive_pooling_layers");
  for (const nlohmann::json& row : goldens.at("cases")) {
    SCOPED_TRACE(row.at("layer").get<std::string>() + " " + row.at("config").dump());
    clear_session();
    const LayerHandle layer(saving::from_config<Layer>(row.at("layer").get<std::string>(),
                                                       Config::parse(row.at("config").dump())));
    testing::check_layer(layer, row);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(AdaptivePoolingErrorsTest, SizesThatDoNotFitAreRefused) {
  EXPECT_THROW(layers::AdaptiveMaxPooling1D(layers::AdaptiveMaxPooling1DOptions{}), Error);
  EXPECT_THROW(layers::AdaptiveMaxPooling2D({.output_size = {2, 3, 4}}), Error);
  EXPECT_THROW(layers::AdaptiveAveragePooling2D({.output_size = 2, .data_format = "channels"}), Error);
  const layers::AdaptiveAveragePooling1D wide({.output_size = 5});
  EXPECT_THROW((void)wide(ops::ones({2, 4, 3})), Error);
  EXPECT_NO_THROW((void)wide(ops::ones({2, 5, 3})));
}

}  // namespace
}  // namespace cornu::inline v0::keras
