// Layers after quantize() against numbers of real Keras.
#include <gtest/gtest.h>

#include "cornu/base/error_test_support.h"
#include "cornu/keras/config/serialize.h"
#include "cornu/keras/layers/attention/multi_head_attention.h"
#include "cornu/keras/layers/core/dense.h"
#include "cornu/keras/layers/core/einsum_dense.h"
#include "cornu/keras/layers/core/embedding.h"
#include "cornu/keras/layers/core/input_layer.h"
#include "cornu/keras/models/sequential.h"
#include "cornu/keras/optimizers/optimizers.h"
#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/tensor/gradient_tape.h"

namespace cornu::inline v0::keras::layers {
namespace {

using testing::golden_tensor;

class QuantizedLayersGolden : public testing::OnEachPlatform {};

Config config_in(const nlohmann::json& json) { return Config::parse(json.dump()); }

std::shared_ptr<Layer> made_layer(const nlohmann::json& row) {
  const std::shared_ptr<Layer> layer =
      saving::from_config<Layer>(row.at("name").get<std::string>(), config_in(row.at("options")));
  const bool is_reverse = row.at("reverse").get<bool>();
  Dims shape = golden_tensor(row.at("x")).shape();
  if (!is_reverse) shape[0] = kUnknown;
  layer->build_once(shape);
  layer->set_weights(testing::golden_tensors(row.at("before")));
  return layer;
}

void quantize_as(Layer& layer, const nlohmann::json& row) {
  layer.quantize(row.contains("mode") ? QuantizationConfig::from_name(row.at("mode").get<std::string>())
                                      : saving::deserialize<QuantizationConfig>(config_in(row.at("config"))));
}

void expect_weights(const Layer& layer, const nlohmann::json& row) {
  const std::vector<Variable> weights = layer.weights();
  ASSERT_EQ(weights.size(), row.at("weights").size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const nlohmann::json& expected = row.at("weights").at(i);
    const std::string name = expected.at("name").get<std::string>();
    EXPECT_EQ(weights[i].name(), name);
    EXPECT_EQ(ir::numpy_name(weights[i].dtype()), expected.at("dtype").get<std::string>()) << name;
    EXPECT_EQ(weights[i].shape(), expected.at("shape").get<Dims>()) << name;
    testing::expect_close(ops::cast(Tensor(weights[i].read()), DType::kF32),
                          ops::cast(golden_tensor(expected), DType::kF32), 1e-6, name);
  }
  std::vector<std::string> trainable;
  for (const Variable& variable : layer.trainable_weights()) trainable.push_back(variable.name());
  EXPECT_EQ(trainable, row.at("trainable").get<std::vector<std::string>>());
}

void expect_results(Layer& layer, const nlohmann::json& row, const std::string& what) {
  const Tensor x = golden_tensor(row.at("x"));
  const bool is_half = layer.compute_dtype() == DType::kBF16;
  GradientTape tape;
  tape.watch(x);
  const Tensor y = layer(x, {.reverse = row.at("reverse").get<bool>()});
  testing::expect_close(ops::cast(y, DType::kF32), golden_tensor(row.at("y")), is_half ? 2e-2 : 2e-6, what);
  if (!row.contains("dx")) return;
  const Tensor total = ops::sum(ops::cast(y, DType::kF32) * golden_tensor(row.at("dy")));
  testing::expect_close(tape.gradient(total, x), golden_tensor(row.at("dx")), is_half ? 2e-2 : 2e-6,
                        "gradient of " + what);
}

TEST_P(QuantizedLayersGolden, QuantizeGivesKerassWeightsResultsAndGradients) {
  for (const nlohmann::json& row : testing::load_golden("quantized_layers").at("cases")) {
    const std::string what = row.at("name").get<std::string>() + " " + row.at("options").dump() + " " +
                             row.at("policy").get<std::string>();
    SCOPED_TRACE(what);
    const std::shared_ptr<Layer> layer = made_layer(row);
    quantize_as(*layer, row);
    EXPECT_EQ(layer->dtype_policy().name(), row.at("policy").get<std::string>());
    expect_weights(*layer, row);
    expect_results(*layer, row, what);
  }
}

// A configuration that Keras wrote makes a layer with the same weights.
TEST_P(QuantizedLayersGolden, ConfigurationsOfQuantizedLayersAreReadAndWritten) {
  for (const nlohmann::json& row : testing::load_golden("quantized_layers").at("cases")) {
    SCOPED_TRACE(row.at("written").dump());
    const std::shared_ptr<Layer> first = made_layer(row);
    quantize_as(*first, row);
    Config written = config_in(row.at("written"));
    written.set("name", first->name());
    EXPECT_EQ(first->get_config().at("dtype").json(), written.at("dtype").json());
    EXPECT_EQ(first->get_config().at("quantization_config").json(), written.at("quantization_config").json());
    const std::shared_ptr<Layer> second =
        saving::from_config<Layer>(row.at("name").get<std::string>(), written);
    second->build_once(golden_tensor(row.at("x")).shape());
    std::vector<std::string> names;
    for (const Variable& variable : first->saved_weights()) names.push_back(variable.name());
    std::vector<std::string> names_read;
    for (const Variable& variable : second->saved_weights()) names_read.push_back(variable.name());
    EXPECT_EQ(names_read, names);
    second->set_weights(first->get_weights());
    expect_results(*second, row, "read layer");
  }
}

/// The first and last three steps of a history; other values as they are.
Tensor ends_of(const Tensor& value) {
  if (value.rank() != 1 || value.shape()[0] < 1000) return value;
  return ops::concatenate({ops::slice(value, {0}, {3}), ops::slice(value, {value.shape()[0] - 3}, {3})},
                          {.axis = 0});
}

TEST_P(QuantizedLayersGolden, Float8TrainsAsKerasDoes) {
  for (const nlohmann::json& row : testing::load_golden("quantized_layers").at("float8")) {
    const DTypePolicy policy(row.at("policy").get<std::string>());
    SCOPED_TRACE(policy.name());
    Sequential model({Input({.shape = {3, 6}}),
                      Dense({.units = 5, .activation = "tanh", .name = "first", .dtype = policy}),
                      EinsumDense({.equation = "abc,cd->abd",
                                   .output_shape = Dims{kUnknown, 4},
                                   .bias_axes = "d",
                                   .name = "second",
                                   .dtype = policy})});
    model.set_weights(testing::golden_tensors(row.at("before")));
    model.quantize("float8");
    model.compile({.optimizer = optimizers::SGD({.learning_rate = 0.1}), .loss = "mse"});
    const Tensor x = golden_tensor(row.at("x")), y = golden_tensor(row.at("y"));
    const double tolerance = policy.name() == "float32" ? 1e-5 : 5e-2;
    for (const nlohmann::json& loss : row.at("losses"))
      testing::expect_near_relative(model.train_on_batch(x, y).at("loss"), loss.get<double>(), tolerance,
                                    "loss");
    for (const nlohmann::json& weight : row.at("after")) {
      const std::string path = weight.at("path").get<std::string>();
      const std::size_t slash = path.find('/');
      const Variable variable = model.get_layer(path.substr(0, slash)).weight(path.substr(slash + 1));
      testing::expect_close(ends_of(Tensor(variable.read())), golden_tensor(weight), tolerance, path);
    }
    testing::expect_close(ops::cast(model.predict(x, {.verbose = 0}), DType::kF32),
                          golden_tensor(row.at("predictions")), tolerance, "predictions");
  }
}

TEST_P(QuantizedLayersGolden, AttentionHasKerassWeightsAndResults) {
  for (const nlohmann::json& row : testing::load_golden("quantized_attention").at("cases")) {
    const std::string mode = row.at("mode").get<std::string>();
    SCOPED_TRACE(mode);
    const KerasTensor x = Input({.shape = {3, 6}});
    Model model({.inputs = x, .outputs = MultiHeadAttention({.num_heads = 2, .key_dim = 3})({x, x})});
    model.set_weights(testing::golden_tensors(row.at("before")));
    model.quantize(mode == "int8" ? QuantizationConfigSpec("int8")
                                  : quantizers::Int4QuantizationConfig({.block_size = 4}));
    const std::vector<Variable> weights = model.weights();
    ASSERT_EQ(weights.size(), row.at("weights").size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const nlohmann::json& expected = row.at("weights").at(i);
      EXPECT_EQ(weights[i].name(), expected.at("name").get<std::string>()) << i;
      EXPECT_EQ(weights[i].shape(), expected.at("shape").get<Dims>()) << i;
      testing::expect_close(ops::cast(Tensor(weights[i].read()), DType::kF32),
                            ops::cast(golden_tensor(expected), DType::kF32), 1e-6, weights[i].path());
    }
    testing::expect_close(model.predict(golden_tensor(row.at("x")), {.verbose = 0}),
                          golden_tensor(row.at("y")), 1e-5, mode);
  }
}

INSTANTIATE_TEST_SUITE_P(Platforms, QuantizedLayersGolden, testing::platforms(), testing::PlatformName());

TEST(QuantizedLayersTest, EquationsWithDotsAreThoseWithLetters) {
  const Tensor x = ops::reshape(ops::sin(ops::arange(24, DType::kF32)), {2, 3, 4});
  const Tensor kernel = ops::reshape(ops::cos(ops::arange(20, DType::kF32)), {4, 5});
  std::vector<Tensor> results;
  for (const char* equation : {"abx,xy->aby", "...x,xy->...y"}) {
    const bool has_dots = equation[0] == '.';
    EinsumDense layer({.equation = equation, .output_shape = has_dots ? Dims{5} : Dims{3, 5}});
    layer->build_once({kUnknown, 3, 4});
    layer.set_weights({kernel});
    layer.quantize("int8");
    results.push_back(layer(x));
  }
  testing::expect_close(results[1], results[0], 0, "dots");
}

TEST(QuantizedLayersTest, RefusesLayersThatCannotBeQuantized) {
  Dense dense({.units = 2, .name = "d"});
  EXPECT_EQ(
      error_text_of([&] { dense.quantize("int8"); }),
      "[quantize] the weights are made when the input shape is known: call build(), or the layer on data, "
      "first; in layer \"d\"");
  dense->build_once({kUnknown, 3});
  dense.quantize("int8");
  EXPECT_EQ(error_text_of([&] { dense.quantize("int8"); }),
            "[quantize] the layer is quantized already; its policy is \"int8_from_float32\"; in layer \"d\"");
  EXPECT_NE(error_text_of([] { Dense({.units = 2, .dtype = "int8_from_float16"}); }).find("float16"),
            std::string::npos);
  EXPECT_EQ(
      error_text_of([] {
        Dense({.units = 2,
               .quantization_config = quantizers::Int4QuantizationConfig(),
               .name = "d",
               .dtype = "int8_from_float32"});
      }),
      "[dense] quantization_config is of the mode \"int4\", the policy is \"int8_from_float32\"; in layer "
      "\"d\"");
}

TEST(QuantizedLayersTest, LoraTrainsBesideAQuantizedKernel) {
  const Tensor x = ops::reshape(ops::sin(ops::arange(12, DType::kF32)), {4, 3});
  for (const char* mode : {"int8", "int4"}) {
    Dense dense({.units = 5, .use_bias = false});
    dense(x);
    dense.quantize(mode);
    const Tensor before = dense(x);
    dense.enable_lora({.rank = 2, .lora_alpha = 4});
    std::vector<std::string> names;
    for (const Variable& variable : dense.trainable_weights()) names.push_back(variable.name());
    EXPECT_EQ(names, (std::vector<std::string>{"lora_kernel_a", "lora_kernel_b"}));
    EXPECT_EQ(dense.weight("lora_kernel_a").shape(), (Dims{3, 2}));
    EXPECT_EQ(dense.weight("lora_kernel_b").shape(), (Dims{2, 5}));
    testing::expect_close(dense(x), before, 0, mode);  // b is zero
    dense.weight("lora_kernel_b").assign(ops::ones({2, 5}));
    const Tensor added =
        ops::matmul(ops::matmul(x, Tensor(dense.weight("lora_kernel_a").read())), ops::ones({2, 5})) * 2.0;
    testing::expect_close(dense(x), before + added, 1e-5, mode);
  }
}

}  // namespace
}  // namespace cornu::inline v0::keras::layers
