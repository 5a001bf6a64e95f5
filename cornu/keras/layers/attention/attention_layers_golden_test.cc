// EinsumDense and the layers of attention against numbers of real Keras.
#include "cornu/base/error.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/config/serialize.h"
#include "cornu/keras/layers/layers.h"
#include "cornu/keras/models/model.h"
#include "cornu/keras/testing/check_layer_test_support.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/random.h"

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

TEST(AttentionInputsTest, KeyAndMaskMayBeLeftOut) {
  const testing::OnReferenceBackend on_reference;
  const Tensor query = random::normal({2, 3, 4}, {.seed = 1}), value = random::normal({2, 5, 4}, {.seed = 2});
  const Tensor mask = ops::broadcast_to(ops::less(ops::arange(5), 3), {2, 3, 5});
  const layers::MultiHeadAttention attention({.num_heads = 2, .key_dim = 3});
  const Tensor plain = attention({query, value}), masked = attention({query, value, value, mask});
  EXPECT_FALSE(plain.literal() == masked.literal());
  EXPECT_TRUE(attention({{"value", value}, {"query", query}}).literal() == plain.literal());
  EXPECT_TRUE(attention({{"query", query}, {"attention_mask", mask}, {"value", value}}).literal() ==
              masked.literal());
  EXPECT_THROW(attention({{"query", query}, {"key", value}}), Error);
  EXPECT_THROW(attention({{"query", query}, {"value", value}, {"mask", mask}}), Error);

  Model model(attention.shared());
  testing::expect_close(model.predict({query, value}, {.verbose = 0}), plain, 1e-5, "by position");
  testing::expect_close(model.predict({{"query", query}, {"value", value}}, {.verbose = 0}), plain, 1e-5,
                        "by name");
  testing::expect_close(
      model.predict({{"query", query}, {"attention_mask", mask}, {"value", value}}, {.verbose = 0}), masked,
      1e-5, "with a mask");
  try {
    model.predict(query, {.verbose = 0});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("takes 2 to 4 inputs"), std::string::npos) << error.what();
  }
}

TEST(GroupQueryAttentionTest, RegularizesItsOutputBesidesThoseOfTheProjections) {
  const testing::OnReferenceBackend on_reference;
  const Tensor x = random::normal({2, 3, 4}, {.seed = 1});
  const layers::GroupQueryAttention attention(
      {.head_dim = 2, .num_query_heads = 2, .num_key_value_heads = 1, .activity_regularizer = "l2"});
  const Tensor y = attention({x, x});
  const std::vector<Tensor> losses = attention->losses();
  ASSERT_EQ(losses.size(), 5U);
  const double of_output = 0.01 * ops::sum(ops::square(y)).item<double>() / 2;
  EXPECT_NEAR(losses[0].item<double>(), of_output, 1e-6 * of_output);
  EXPECT_NEAR(losses[4].item<double>(), of_output, 1e-6 * of_output);  // its last projection has that output
}

}  // namespace
}  // namespace cornu::inline v0::keras
