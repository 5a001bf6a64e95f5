#include "cornu/keras/activations/activations.h"

#include <gtest/gtest.h>

#include "cornu/base/error.h"
#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras {
namespace {

/// The function that the golden's options describe.
activations::ActivationFunction golden_activation(const std::string& name, const nlohmann::json& config) {
  const auto number = [&](const char* option) { return config.at(option).get<double>(); };
  using namespace activations;
  if (name == "gelu") return [](const Tensor& x) { return gelu(x, true); };
  if (name == "relu") {
    ReluOptions options = {.negative_slope = config.value("negative_slope", 0.0),
                           .threshold = config.value("threshold", 0.0)};
    if (config.contains("max_value")) options.max_value = number("max_value");
    return [options](const Tensor& x) { return relu(x, options); };
  }
  if (name == "leaky_relu")
    return [v = number("negative_slope")](const Tensor& x) { return leaky_relu(x, v); };
  if (name == "elu") return [v = number("alpha")](const Tensor& x) { return elu(x, v); };
  if (name == "celu") return [v = number("alpha")](const Tensor& x) { return celu(x, v); };
  if (name == "hard_shrink") return [v = number("threshold")](const Tensor& x) { return hard_shrink(x, v); };
  if (name == "soft_shrink") return [v = number("threshold")](const Tensor& x) { return soft_shrink(x, v); };
  if (name == "sparsemax") return [](const Tensor& x) { return sparsemax(x, 0); };
  if (name == "squareplus") return [v = number("b")](const Tensor& x) { return squareplus(x, v); };
  if (name == "glu") return [](const Tensor& x) { return glu(x, 1); };
  return [=](const Tensor& x) { return threshold(x, number("threshold"), number("default_value")); };
}

class ActivationsGoldenTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, ActivationsGoldenTest, testing::platforms(), testing::PlatformName());

TEST_P(ActivationsGoldenTest, ValuesAndGradientsAreKeras) {
  const nlohmann::json golden = testing::load_golden("activations");
  const Tensor x = testing::golden_tensor(golden.at("x"));
  const Tensor weights = testing::golden_tensor(golden.at("weights"));
  std::vector<float> half;  // of glu, which has half the columns
  for (std::int64_t i = 0; i < weights.num_elements(); ++i)
    if (i % 6 < 3) half.push_back(static_cast<float>(weights.at(i)));
  const Tensor weights_of_half = Tensor::adopt({5, 3}, half);
  for (const nlohmann::json& row : golden.at("cases")) {
    const std::string name = row.at("name");
    if (row.contains("config")) {
      const activations::ActivationFunction function = golden_activation(name, row.at("config"));
      testing::expect_close(function(x), testing::golden_tensor(row.at("y")), 1e-5,
                            name + row.at("config").dump());
      continue;
    }
    const ActivationSpec activation = name;
    testing::expect_close(activation(x), testing::golden_tensor(row.at("y")), 1e-5, name);
    const Tensor gradient = testing::gradient_at(x, [&](const Tensor& input) {
      const Tensor y = activation(input);
      const Tensor first_weights = y.shape() == weights.shape() ? weights : Tensor(weights_of_half.literal());
      return ops::sum(y * first_weights);
    });
    testing::expect_close(gradient, testing::golden_tensor(row.at("gradient")), 1e-5, name + " gradient");
  }
}

// Numbers of Keras 3.15 on JAX.
TEST(ActivationsTest, GradientsAtCornersAreKerass) {
  const auto of_name = [](const char* name) -> activations::ActivationFunction {
    return ActivationSpec(name);
  };
  const auto of_relu = [](const activations::ReluOptions& options) -> activations::ActivationFunction {
    return [=](const Tensor& x) { return activations::relu(x, options); };
  };
  struct Row {
    std::string name;
    activations::ActivationFunction function;
    std::vector<float> x;
    std::vector<float> gradient;
  };
  const Row rows[] = {
      {"relu", of_name("relu"), {0}, {0}},
      {"relu6", of_name("relu6"), {0, 6}, {0, 0}},
      {"relu up to 6", of_relu({.max_value = 6.0}), {0, 6}, {0, 0}},
      {"relu up to 5", of_relu({.max_value = 5.0}), {0, 5}, {0, 0.5F}},
      {"relu from 1", of_relu({.threshold = 1.0}), {1}, {0}},
      {"relu from 1 to 6",
       of_relu({.negative_slope = 0.1, .max_value = 6.0, .threshold = 1.0}),
       {0, 1, 6},
       {0.1F, 0, 0.5F}},
      {"leaky_relu", of_name("leaky_relu"), {0}, {1}},
      {"elu", of_name("elu"), {0}, {1}},
      {"celu", of_name("celu"), {0}, {1}},
      {"selu", of_name("selu"), {0}, {1.7580993F}},
      {"hard_tanh", of_name("hard_tanh"), {-1, 1}, {1, 1}},
      {"hard_sigmoid", of_name("hard_sigmoid"), {-3, 3}, {0, 0}},
      {"hard_silu", of_name("hard_silu"), {-3, 3}, {0, 1}},
      {"sparse_sigmoid", of_name("sparse_sigmoid"), {-1, 1}, {0.25F, 0.25F}},
      {"sparse_plus", of_name("sparse_plus"), {-1, 1}, {0, 1}},
      {"hard_shrink", of_name("hard_shrink"), {-0.5F, 0.5F}, {0, 0}},
      {"soft_shrink", of_name("soft_shrink"), {-0.5F, 0.5F}, {0, 0}},
      {"softsign", of_name("softsign"), {0}, {1}},
  };
  for (const Row& row : rows) {
    const auto size = static_cast<std::int64_t>(row.x.size());
    const Tensor gradient = testing::gradient_at(Tensor::adopt({size}, row.x),
                                                 [&](const Tensor& x) { return ops::sum(row.function(x)); });
    testing::expect_close(gradient, Tensor::adopt({size}, row.gradient), 1e-6, row.name);
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
    EXPECT_NE(std::string(error.what()).find("unknown name; got name = \"rellu\"; did you mean \"relu\"?"),
              std::string::npos)
        << error.what();
  }
}

TEST(ActivationsTest, UnsetAndLinearPassThrough) {
  EXPECT_TRUE(ActivationSpec().is_linear());
  EXPECT_TRUE(ActivationSpec("linear").is_linear());
  const Tensor x = 3.0F;
  EXPECT_EQ(ActivationSpec("linear")(x).id(), x.id());
}

TEST(ActivationsTest, SoftmaxTakesAnAxis) {
  const Tensor x = ops::reshape(ops::arange(6), {2, 3}) * 0.5;
  const Tensor down = activations::softmax(x, {.axis = 0});
  testing::expect_close(ops::sum(down, {.axis = 0}), ops::ones({3}), 1e-6, "sums");
  testing::expect_close(activations::log_softmax(x, {.axis = 0}), ops::log(down), 1e-6, "logarithms");
}

TEST(ActivationsTest, AnyFunctionWillDo) {
  const ActivationSpec twice = activations::ActivationFunction([](const Tensor& x) { return x * 2.0; });
  EXPECT_EQ(twice(Tensor(3.0F)).item<float>(), 6.0F);
  const ActivationSpec thrice = [](const Tensor& x) { return x * 3.0; };
  EXPECT_EQ(thrice(Tensor(3.0F)).item<float>(), 9.0F);
  EXPECT_EQ(ActivationSpec(thrice)(Tensor(3.0F)).item<float>(), 9.0F);
  const ActivationSpec overloaded = &ops::relu;
  EXPECT_EQ(overloaded(Tensor(-3.0F)).item<float>(), 0.0F);
}

}  // namespace
}  // namespace cornu::inline v0::keras
