#include "cornu/keras/activations/activations.h"

#include <gtest/gtest.h>

#include "cornu/base/error.h"
#include "cornu/keras/testing/golden.h"
#include "cornu/tensor/ops.h"

namespace cornu::keras {
namespace {

class ActivationsGoldenTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, ActivationsGoldenTest, testing::platforms(), testing::PlatformName());

TEST_P(ActivationsGoldenTest, ValuesAndGradientsAreKeras) {
  const nlohmann::json golden = testing::load_golden("activations");
  const Tensor x = testing::golden_tensor(golden.at("x"));
  const Tensor weights = testing::golden_tensor(golden.at("weights"));
  for (const nlohmann::json& row : golden.at("cases")) {
    const std::string name = row.at("name");
    const ActivationSpec activation = name;
    testing::expect_close(activation(x), testing::golden_tensor(row.at("y")), 1e-5, name);
    const Tensor gradient = testing::gradient_at(x, [&](const Tensor& input) { return ops::sum(activation(input) * weights); });
    testing::expect_close(gradient, testing::golden_tensor(row.at("gradient")), 1e-5, name + " gradient");
  }
}

TEST(ActivationsTest, UnknownNameIsAnsweredWithTheNearest) {
  try {
    const ActivationSpec activation = "rellu";
    EXPECT_FALSE(activation.is_linear());
    (void)activation(3.0F);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_NE(std::string(error.what()).find("unknown activation \"rellu\"; did you mean \"relu\"?"), std::string::npos) << error.what();
  }
}

TEST(ActivationsTest, UnsetAndLinearPassThrough) {
  EXPECT_TRUE(ActivationSpec().is_linear());
  EXPECT_TRUE(ActivationSpec("linear").is_linear());
  const Tensor x = 3.0F;
  EXPECT_EQ(ActivationSpec("linear")(x).id(), x.id());
}

TEST(ActivationsTest, AnyFunctionWillDo) {
  const ActivationSpec twice = activations::Function([](const Tensor& x) { return x * 2.0; });
  EXPECT_EQ(twice(Tensor(3.0F)).item<float>(), 6.0F);
  const ActivationSpec thrice = [](const Tensor& x) { return x * 3.0; };
  EXPECT_EQ(thrice(Tensor(3.0F)).item<float>(), 9.0F);
  EXPECT_EQ(ActivationSpec(thrice)(Tensor(3.0F)).item<float>(), 9.0F);
  const ActivationSpec overloaded = &ops::relu;
  EXPECT_EQ(overloaded(Tensor(-3.0F)).item<float>(), 0.0F);
}

}  // namespace
}  // namespace cornu::keras
