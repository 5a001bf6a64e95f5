// EinsumDense and the layers of attention against numbers of real Keras.
#include "cornu/keras/base/names.h"
#include "cornu/keras/config/serialize.h"
#include "cornu/keras/layers/layers.h"
#include "cornu/keras/testing/check_layer_test_support.h"

namespace cornu::inline v0::keras {
namespace {

using nlohmann::json;

class AttentionLayersGoldenTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, AttentionLayersGoldenTest, testing::platforms(), testing::PlatformName());

TEST_P(AttentionLayersGoldenTest, EveryLayerIsKerass) {
  const json cases = testing::load_golden("attention_layers").at("cases");
  for (const json& row : cases) {
    SCOPED_TRACE(row.at("layer").get<std::string>() + " " + row.at("config").dump() + " " +
                 row.at("call").dump());
    clear_session();
    const auto layer = saving::from_config<Layer>(row.at("layer").get<std::string>(),
                                                  Config::parse(row.at("config").dump()));
    testing::check_layer(LayerHandle(layer), row);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace cornu::inline v0::keras
