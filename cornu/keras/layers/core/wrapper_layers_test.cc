// Wrapper, SpectralNormalization, ReversibleEmbedding and Pipeline; numbers of real Keras are from
// tools/goldens/wrapper_layers.py.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/keras/keras.h"
#include "cornu/keras/layers/core/wrapper.h"
#include "cornu/keras/testing/check_layer_test_support.h"

namespace cornu::inline v0::keras {
namespace {

using nlohmann::json;
using testing::expect_close;
using testing::golden_tensor;

class WrapperLayersTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, WrapperLayersTest, testing::platforms(), testing::PlatformName());

LayerHandle layer_from(const std::string& class_name, const json& config) {
  return LayerHandle(saving::from_config<Layer>(class_name, Config::parse(config.dump())));
}

void load_values(const std::vector<Variable>& weights, const json& values) {
  ASSERT_EQ(weights.size(), values.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    EXPECT_EQ(weights[i].path(), values[i].at("path").get<std::string>());
    weights[i].load(golden_tensor(values[i].at("value")).literal());
  }
}

/// Calls the layer as in a case; `in_step`: in a compiled step.
void check_spectral(const json& row, bool in_step) {
  clear_session();
  const json& config = row.at("config");
  const layers::SpectralNormalization layer(
      layer_from(row.at("inner").get<std::string>(), config.at("layer")),
      {.power_iterations = config.at("options").value("power_iterations", std::int64_t{1})});
  const Tensor x = golden_tensor(row.at("input"));
  layer->build_once(x.shape());
  load_values(layer->weights(), row.at("weights"));
  for (const json& call : row.at("calls")) {
    const CallArguments arguments{.training = call.at("training").get<bool>()};
    const Tensor wanted = golden_tensor(call.at("y"));
    if (in_step) {
      const Variable y(ir::Literal(wanted.type()), {.name = "y"});
      testing::TracedStep step([&](Trace&) -> std::vector<Tensor> {
        y.assign(layer(x, arguments));
        return {};
      });
      step.run();
      expect_close(Tensor(y.read()), wanted, 1e-5, "y");
    } else {
      expect_close(layer(x, arguments), wanted, 1e-5, "y");
    }
    const std::vector<Variable> weights = layer->weights();
    for (std::size_t i = 0; i < weights.size(); ++i)
      expect_close(Tensor(weights[i].read()), golden_tensor(call.at("weights")[i]), 1e-5, weights[i].path());
  }
}

TEST_P(WrapperLayersTest, SpectralNormalizationIsKerass) {
  const json golden = testing::load_golden("wrapper_layers");
  for (const json& row : golden.at("spectral")) {
    SCOPED_TRACE(row.at("inner").get<std::string>() + " " + row.at("config").dump());
    check_spectral(row, false);
    check_spectral(row, true);
  }
}

TEST_P(WrapperLayersTest, SpectrallyNormalizedLayersTrain) {
  set_random_seed(3);
  Sequential model({Input({.shape = {6}}), layers::SpectralNormalization(layers::Dense({.units = 5})),
                    layers::Dense({.units = 1})});
  model.compile({.optimizer = "adam", .loss = "mse"});
  const Tensor x = random::normal({32, 6}, {.seed = 1}), y = ops::sum(x, {.axis = 1, .keepdims = true});
  const callbacks::History history = model.fit(x, y, {.batch_size = 8, .epochs = 20, .verbose = 0});
  const std::vector<double>& losses = history["loss"];
  EXPECT_LT(losses.back(), losses.front() * 0.9);
}

TEST_P(WrapperLayersTest, SpectralNormalizationComputesInAMixedPolicy) {
  const layers::SpectralNormalization layer(layers::Dense({.units = 3, .dtype = "mixed_bfloat16"}),
                                            {.dtype = "mixed_bfloat16"});
  EXPECT_EQ(layer(ops::ones({2, 4}), {.training = true}).dtype(), DType::kBF16);
  for (const Variable& weight : layer->weights()) EXPECT_EQ(weight.dtype(), DType::kF32);
}

TEST(WrapperErrorsTest, LayersWithoutAKernelAreRefused) {
  const layers::SpectralNormalization plain{layers::Flatten()};
  EXPECT_THROW((void)plain(ops::ones({2, 3, 4})), Error);
  EXPECT_THROW(layers::SpectralNormalization(layers::Dense({.units = 2}), {.power_iterations = 0}), Error);
  EXPECT_THROW(layers::SpectralNormalization(LayerHandle{}), Error);
}

void check_reversible(const json& row) {
  const LayerHandle layer = layer_from("ReversibleEmbedding", row.at("config"));
  const Tensor ids = golden_tensor(row.at("ids")), of_rows = golden_tensor(row.at("of_rows")),
               of_logits = golden_tensor(row.at("of_logits"));
  const Variable hidden(golden_tensor(row.at("hidden")).literal(), VariableOptions{.name = "hidden"});
  layer->build_once(ids.shape());
  load_values(layer->weights(), row.at("weights"));
  expect_close(layer(ids), golden_tensor(row.at("rows")), 1e-6, "rows");
  expect_close(layer(hidden.value(), {.reverse = true}), golden_tensor(row.at("logits")), 1e-5, "logits");
  std::vector<Variable> variables = layer->weights();
  variables.push_back(hidden);
  std::vector<Variable> results;
  for (const Variable& variable : variables)
    results.emplace_back(ir::Literal(variable.type()), VariableOptions{.name = "gradient"});
  testing::TracedStep step([&](Trace&) -> std::vector<Tensor> {
    const Tensor total =
        ops::sum(layer(ids) * of_rows) + ops::sum(layer(hidden.value(), {.reverse = true}) * of_logits);
    const std::vector<Tensor> gradients = gradient(total, variables);
    for (std::size_t i = 0; i < gradients.size(); ++i) results[i].assign(gradients[i]);
    return {};
  });
  step.run();
  std::vector<Tensor> wanted = testing::golden_tensors(row.at("weight_gradients"));
  wanted.push_back(golden_tensor(row.at("hidden_gradient")));
  for (std::size_t i = 0; i < results.size(); ++i)
    expect_close(Tensor(results[i].read()), wanted[i], 1e-4, "gradient of " + variables[i].path());
}

TEST_P(WrapperLayersTest, ReversibleEmbeddingIsKerass) {
  const json golden = testing::load_golden("wrapper_layers");
  for (const json& row : golden.at("reversible")) {
    SCOPED_TRACE(row.at("config").dump());
    clear_session();
    check_reversible(row);
  }
}

TEST_P(WrapperLayersTest, AReverseCallIsPartOfAModelAndItsConfiguration) {
  clear_session();
  const layers::ReversibleEmbedding embedding({.input_dim = 9, .output_dim = 4, .mask_zero = true});
  const KerasTensor tokens = Input({.shape = {5}, .dtype = DType::kI32});
  const KerasTensor hidden = layers::Dense({.units = 4})(embedding(tokens));
  const KerasTensor logits = embedding(hidden, {.reverse = true});
  EXPECT_EQ(logits.shape(), (Dims{kUnknown, 5, 9}));
  Model model({.inputs = tokens, .outputs = logits});
  Model again = model_from_json(model.to_json());
  again.set_weights(model.get_weights());
  const Tensor ids = Tensor::of<std::int32_t>({1, 5}, {1, 2, 3, 4, 0});
  expect_close(again.predict(ids), model.predict(ids), 0, "the model of its configuration");
}

TEST(ReversibleEmbeddingTest, OptionsThatCannotHoldAreRefused) {
  EXPECT_THROW(layers::ReversibleEmbedding({.input_dim = 9, .output_dim = 4, .logit_soft_cap = 0}), Error);
  EXPECT_THROW(layers::ReversibleEmbedding({.input_dim = 9, .output_dim = 4, .reverse_dtype = DType::kI32}),
               Error);
  const layers::ReversibleEmbedding embedding(
      {.input_dim = 9, .output_dim = 4, .reverse_dtype = DType::kF64, .dtype = "mixed_bfloat16"});
  EXPECT_THROW((void)embedding(ops::ones({2, 3}), {.reverse = true}), Error);
  EXPECT_EQ(embedding(ops::ones({2, 4}), {.reverse = true}).dtype(), DType::kF64);
  EXPECT_EQ(embedding(ops::ones({2, 4})).dtype(), DType::kBF16);
}

TEST_P(WrapperLayersTest, APipelineCallsItsLayersAndTrainsUnlessToldOtherwise) {
  const layers::Pipeline pipeline(
      {layers::Rescaling({.scale = 2.0}), layers::RandomInvert({.factor = {1, 1}})});
  const Tensor x = ops::ones({2, 3, 3, 1});
  expect_close(pipeline(x), ops::full({2, 3, 3, 1}, 253.0), 0, "without an argument");
  expect_close(pipeline(x, {.training = false}), ops::full({2, 3, 3, 1}, 2.0), 0, "without training");
  const LayerHandle again(saving::from_config<Layer>("Pipeline", pipeline->get_config()));
  expect_close(again(x), pipeline(x), 0, "the layer of its configuration");
  EXPECT_EQ(again->get_config().json(), pipeline->get_config().json());
  Sequential model({Input({.shape = {3, 3, 1}}), pipeline, layers::Flatten()});
  expect_close(model.predict(x), ops::full({2, 9}, 2.0), 0, "as a layer of a model");
  EXPECT_THROW(layers::Pipeline({LayerHandle()}), Error);
}

/// A user's layer that changes another one.
class Doubled : public layers::Wrapper {
 public:
  explicit Doubled(const LayerHandle& layer) : Wrapper(layer, {.class_name = "Doubled"}) {}

 protected:
  Tensor call(const Tensor& x, const CallContext&) override { return layer()(x) * 2.0; }
};

TEST_P(WrapperLayersTest, AWrapperBuildsAndTracksItsLayer) {
  const LayerHandle doubled(
      std::make_shared<Doubled>(layers::Dense({.units = 2, .kernel_initializer = "ones", .name = "inside"})));
  expect_close(doubled(ops::ones({1, 3})), ops::full({1, 2}, 6.0), 0, "twice the layer");
  EXPECT_EQ(doubled->weights().size(), 2U);
  EXPECT_EQ(doubled->sublayers().at(0)->name(), "inside");
}

}  // namespace
}  // namespace cornu::inline v0::keras
