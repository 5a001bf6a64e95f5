/// GPTQ and AWQ against real Keras (tools/goldens/calibrated_quantization.py), and files of such models. With the environment variable
/// CORNU_QUANTIZED_FILES, the name of a folder, the files stay there, for `calibrated_quantization.py --check FOLDER`.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tests/model_files/model_files_test_support.h"

namespace cornu::inline v0::keras {
namespace {

constexpr std::int64_t kVocabulary = 11, kLength = 6, kFeatures = 8;

Config golden_cases() {
  std::ifstream file("tests/goldens/calibrated_quantization.json");
  std::ostringstream text;
  text << file.rdbuf();
  return Config::parse(text.str());
}

/// An array of a golden: i32 if its numbers are integers, else f32.
Tensor golden_array(const Config& array) {
  Dims shape;
  for (const Config& extent : array.at("shape").as_list()) shape.push_back(extent.as_integer());
  std::vector<float> numbers;
  bool is_integer = true;
  for (const Config& number : array.at("data").as_list()) {
    numbers.push_back(static_cast<float>(number.as_number()));
    is_integer = is_integer && number.is_integer();
  }
  const Tensor tensor = Tensor::adopt(shape, std::move(numbers));
  return is_integer ? ops::cast(tensor, DType::kI32) : tensor;
}

std::vector<Tensor> golden_arrays(const Config& arrays) {
  std::vector<Tensor> tensors;
  for (const Config& array : arrays.as_list()) tensors.push_back(golden_array(array));
  return tensors;
}

/// A model, and the parts that a configuration names.
struct Parts {
  Model model;
  quantizers::QuantizationLayerStructure structure;
};

Parts model_of_blocks(const std::vector<LayerHandle>& blocks, std::int64_t features, std::int64_t head = 0) {
  const KerasTensor ids = Input({.shape = {kLength}, .dtype = DType::kI32});
  const layers::Embedding embedding({.input_dim = kVocabulary, .output_dim = features});
  Parts parts;
  parts.structure.pre_block_layers = {embedding};
  KerasTensor x = embedding(ids);
  for (const LayerHandle& block : blocks) {
    x = block(x);
    parts.structure.sequential_blocks.push_back(block);
  }
  if (head > 0) x = layers::Dense({.units = head, .name = "head"})(x);
  parts.model = Model({.inputs = ids, .outputs = x});
  return parts;
}

Parts dense_model() {
  const layers::Input input({.shape = {kLength, kFeatures}});
  const Sequential first({input, layers::Dense({.units = 13, .activation = "relu", .name = "up"}),
                          layers::Dense({.units = kFeatures, .name = "down"})});
  const Sequential second(
      {input, layers::Dense({.units = 9, .activation = "tanh", .use_bias = false, .name = "only"})});
  return model_of_blocks({first, second}, kFeatures, 3);
}

Parts einsum_model() {
  const Sequential first(
      {layers::Input({.shape = {kLength, kFeatures}}),
       layers::EinsumDense({.equation = "abc,cde->abde",
                            .output_shape = Dims{kUnknown, 2, 3},
                            .activation = "tanh",
                            .bias_axes = "de",
                            .name = "split"}),
       layers::EinsumDense(
           {.equation = "abde,dec->abc", .output_shape = Dims{kUnknown, kFeatures}, .name = "join"})});
  const layers::EinsumDense second(
      {.equation = "abc,cd->abd", .output_shape = Dims{kUnknown, 5}, .bias_axes = "d", .name = "second"});
  return model_of_blocks({first, second}, kFeatures);
}

Parts attention_model() {
  const KerasTensor x = Input({.shape = {kLength, kFeatures}});
  const KerasTensor y = layers::MultiHeadAttention({.num_heads = 2, .key_dim = 3})({x, x});
  return model_of_blocks({Model({.inputs = x, .outputs = x + y})}, kFeatures);
}

Parts made_model(const std::string& name) {
  if (name == "dense") return dense_model();
  if (name == "einsum") return einsum_model();
  if (name == "attention") return attention_model();
  return model_of_blocks({layers::Dense({.units = 4, .name = "only"})}, 150);
}

QuantizationConfigSpec config_of(const Config& golden, const Config& row, const Parts& parts) {
  const auto set = [&](const char* key, auto& option) {
    const Config* value = row.at("options").find(key);
    if (value == nullptr) value = golden.at("common").find(key);
    if (value == nullptr) return;
    using Type = std::remove_reference_t<decltype(option)>;
    if constexpr (std::is_same_v<Type, bool>)
      option = value->as_bool();
    else
      option = static_cast<Type>(value->as_number());
  };
  const auto common = [&](auto& options) {
    options.dataset = golden_array(row.at("dataset"));
    options.quantization_layer_structure = parts.structure;
    set("num_samples", options.num_samples);
    set("sequence_length", options.sequence_length);
    set("group_size", options.group_size);
  };
  if (row.at("mode").as_string() == "awq") {
    quantizers::AWQConfigOptions options;
    common(options);
    set("num_grid_points", options.num_grid_points);
    return quantizers::AWQConfig(options);
  }
  quantizers::GPTQConfigOptions options;
  common(options);
  set("weight_bits", options.weight_bits);
  set("per_channel", options.per_channel);
  set("symmetric", options.symmetric);
  set("activation_order", options.activation_order);
  set("hessian_damping", options.hessian_damping);
  return quantizers::GPTQConfig(options);
}

/// The layers with weights inside a layer, by name.
void collect(const Layer& layer, std::map<std::string, const Layer*>& found) {
  found[layer.name()] = &layer;
  for (const auto& inside : layer.sublayers()) collect(*inside, found);
}

void expect_weights(const Model& model, const Config& row) {
  std::map<std::string, const Layer*> layers;
  collect(*model, layers);
  for (const auto& [name, expected] : row.at("weights").as_dict()) {
    SCOPED_TRACE(name);
    ASSERT_TRUE(layers.contains(name));
    const std::vector<Variable> weights = layers.at(name)->weights();
    ASSERT_EQ(weights.size(), expected.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const Config& weight = expected.at(i);
      EXPECT_EQ(layers.at(name)->dtype_policy().name(), weight.at("policy").as_string());
      EXPECT_EQ(weights[i].name(), weight.at("name").as_string());
      EXPECT_EQ(ir::numpy_name(weights[i].dtype()), weight.at("dtype").as_string());
      const Tensor wanted = golden_array(weight);
      EXPECT_EQ(weights[i].shape(), wanted.shape());
      const Tensor difference = ops::abs(ops::cast(Tensor(weights[i].read()), DType::kF32) - wanted);
      EXPECT_LE(ops::max(difference).item<float>(), weights[i].dtype() == DType::kU8 ? 0.0F : 1e-5F)
          << weights[i].name();
    }
  }
}

TEST(CalibratedQuantizationGolden, WeightsPredictionsAndFilesAreKerass) {
  const Config golden = golden_cases();
  const TestFolder own_folder;
  const char* const given = std::getenv("CORNU_QUANTIZED_FILES");
  int number = -1;
  for (const Config& row : golden.at("cases").as_list()) {
    ++number;
    const std::string name = row.at("model").as_string();
    SCOPED_TRACE(name + " " + row.at("mode").as_string() + " " + row.at("options").json());
    Parts parts = made_model(name);
    parts.model.set_weights(golden_arrays(row.at("before")));
    parts.model.quantize(config_of(golden, row, parts));
    expect_weights(parts.model, row);
    const Tensor ids = golden_array(row.at("ids")), expected = golden_array(row.at("y"));
    EXPECT_LT(relative_difference(parts.model.predict(ids, {.verbose = 0}), expected), 1e-5);
    if (name == "attention") continue;  // such files cannot be read, as in Keras
    const std::string file = "calibrated_" + std::to_string(number) + ".keras";
    const std::string path = given != nullptr ? std::string(given) + "/" + file : own_folder / file;
    parts.model.save(path);
    Model again = load_model(path);
    EXPECT_LT(relative_difference(again.predict(ids, {.verbose = 0}), expected), 1e-5);
  }
}

TEST(CalibratedQuantizationTest, GradientsPassThroughCalibratedLayers) {
  for (const char* mode : {"gptq/4/4_from_float32", "gptq/8/-1_from_float32", "awq/4/4_from_float32"}) {
    layers::Dense dense({.units = 5, .dtype = mode});
    const Tensor x = ops::reshape(ops::sin(ops::arange(18, DType::kF32)), {3, 6});
    dense(x);
    dense.kernel().assign(ops::cast(
        ops::reshape(ops::arange(dense.kernel().shape()[0] * 6, DType::kI32) * 29, dense.kernel().shape()),
        DType::kU8));
    const Tensor kernel = dense(ops::eye(6)) - dense(ops::zeros({6, 6}));
    GradientTape tape;
    tape.watch(x);
    const Tensor total = ops::sum(dense(x) * ops::cos(ops::reshape(ops::arange(15, DType::kF32), {3, 5})));
    const Tensor expected =
        ops::matmul(ops::cos(ops::reshape(ops::arange(15, DType::kF32), {3, 5})), ops::transpose(kernel));
    EXPECT_LT(relative_difference(tape.gradient(total, x), expected), 1e-6) << mode;
  }
}

TEST(CalibratedQuantizationTest, ErrorsComeBeforeChanges) {
  const Parts parts = dense_model();
  Model model = parts.model;
  const auto quantized = [&](const quantizers::GPTQConfigOptions& options) {
    return error_text_of([&] { model.quantize(quantizers::GPTQConfig(options)); });
  };
  EXPECT_EQ(quantized({.dataset = Tensor(1)}),
            "[quantize] quantization_layer_structure needs at least one of sequential_blocks");
  EXPECT_EQ(quantized({.quantization_layer_structure = parts.structure}),
            "[quantize] the configuration needs a dataset with at least one token");
  EXPECT_EQ(quantized({.dataset = {"a text"}, .quantization_layer_structure = parts.structure}),
            "[quantize] a dataset of texts needs a tokenizer, a function that returns token ids");
  EXPECT_NE(quantized({.dataset = Tensor(1),
                       .num_samples = 1,
                       .sequence_length = kLength,
                       .quantization_layer_structure = {.sequential_blocks = {parts.model.layers().back()}}}),
            "");  // token ids have other features than the layer
  EXPECT_NE(error_text_of([&] { model.quantize("gptq"); }).find("GPTQConfig"), std::string::npos);
  EXPECT_NE(error_text_of([&] {
              model.get_layer("head").quantize(quantizers::AWQConfig({.dataset = Tensor(1)}));
            }).find("call the model's quantize()"),
            std::string::npos);
  for (const LayerHandle& layer : model.layers()) EXPECT_EQ(layer.dtype_policy().name(), "float32");
}

TEST(CalibratedQuantizationTest, FiltersChooseLayersAndTextsAreTokenized) {
  const Parts parts = dense_model();
  Model model = parts.model;
  int num_texts = 0;
  model.quantize(quantizers::GPTQConfig({.dataset = {"one", "two"},
                                         .tokenizer =
                                             [&](const std::string& text) {
                                               ++num_texts;
                                               return Tensor(std::vector<std::int32_t>(text.size(), 3));
                                             },
                                         .num_samples = 2,
                                         .sequence_length = kLength,
                                         .quantization_layer_structure = parts.structure}),
                 {.filters = "up"});
  EXPECT_EQ(num_texts, 2);
  std::map<std::string, const Layer*> layers;
  collect(*model, layers);
  EXPECT_EQ(layers.at("up")->dtype_policy().name(), "gptq/4/128_from_float32");
  EXPECT_EQ(layers.at("down")->dtype_policy().name(), "float32");
  EXPECT_NE(error_text_of([&] {
              layers::LoraHandle(std::const_pointer_cast<Layer>(layers.at("up")->shared_from_this()))
                  .enable_lora({.rank = 2});
            }).find("LoRA needs a kernel of floats, int8 or int4"),
            std::string::npos);
}

}  // namespace
}  // namespace cornu::inline v0::keras
