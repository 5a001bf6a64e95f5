/// Files of quantized models, of Keras's (tools/goldens/quantized_models.py) and ours. With the environment variable
/// CORNU_QUANTIZED_FILES, the name of a folder, ours stay there, for `quantized_models.py --check FOLDER`.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "cornu/io/zip.h"
#include "tests/model_files/model_files_test_support.h"

namespace cornu::inline v0::keras {
namespace {

std::string quantized_path(const std::string& name, const char* end) {
  return "tests/data/keras/quantized_" + name + end;
}

struct QuantizedGolden {
  explicit QuantizedGolden(const std::string& name) {
    const Tensors arrays = utils::load_npz(quantized_path(name, ".npz"));
    std::map<std::string, Tensor> by_name;
    for (std::size_t i = 0; i < arrays.size(); ++i) by_name[arrays.names()[i]] = arrays[i];
    x = by_name.at("x");
    y = by_name.at("y");
    for (int i = 0; by_name.contains("before_" + std::to_string(i)); ++i)
      before.push_back(by_name.at("before_" + std::to_string(i)));
  }
  Tensor x, y;
  std::vector<Tensor> before;
};

Config architecture_in(const std::string& path) {
  const std::vector<std::byte> bytes =
      io::ZipFile(io::open_random_access(path), "a .keras").read("config.json");
  return Config::parse(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

/// Without the addresses that Keras writes for objects that several layers share.
Config without_addresses(const Config& config) {
  if (!config.is_dict()) return config;
  Config dict = Config::dict();
  for (const auto& [key, value] : config.as_dict())
    if (key != "shared_object_id") dict.set(key, without_addresses(value));
  return dict;
}

/// The policies and quantizers of the layers in a file.
std::vector<std::string> quantization_in(const std::string& path) {
  std::vector<std::string> all;
  const Config architecture = architecture_in(path);
  for (const Config& layer : architecture.at("config").at("layers").as_list()) {
    const Config& config = layer.at("config");
    for (const char* key : {"dtype", "quantization_config"})
      if (config.contains(key)) all.push_back(without_addresses(config.at(key)).json());
  }
  return all;
}

Model float_model(const std::string& name) {
  if (name.starts_with("dense"))
    return Sequential({layers::Input({.shape = {9}}), layers::Dense({.units = 7, .activation = "relu"}),
                       layers::Dropout({.rate = 0.5}), layers::Dense({.units = 3, .activation = "softmax"})});
  if (name.starts_with("half"))
    return Sequential({layers::Input({.shape = {8}}), layers::Dense({.units = 6, .dtype = "mixed_bfloat16"}),
                       layers::Dense({.units = 4, .dtype = "float32"})});
  const KerasTensor ids = Input({.shape = {4}, .dtype = DType::kI32});
  const layers::ReversibleEmbedding table({.input_dim = 11, .output_dim = 6});
  KerasTensor x = layers::EinsumDense({.equation = "abc,cde->abde",
                                       .output_shape = Dims{kUnknown, 2, 3},
                                       .activation = "tanh",
                                       .bias_axes = "de"})(table(ids));
  x = layers::EinsumDense({.equation = "abde,dec->abc", .output_shape = Dims{kUnknown, 6}, .bias_axes = "c"})(
      x);
  const KerasTensor position = layers::Embedding({.input_dim = 11, .output_dim = 6})(ids);
  const KerasTensor logits = table(layers::LayerNormalization()(x + position), {.reverse = true});
  return Model({.inputs = ids, .outputs = logits});
}

void quantize_as(Model& model, const std::string& name) {
  using quantizers::Int4QuantizationConfig;
  if (name.ends_with("_int8")) return model.quantize("int8");
  if (name.ends_with("_int4")) return model.quantize(Int4QuantizationConfig({.block_size = 4}));
  if (name.ends_with("_columns")) return model.quantize(Int4QuantizationConfig({.block_size = -1}));
  // The last layer of that name; another program may have made some before.
  const std::string last = model.layers().back().name();
  model.quantize("int8", {.filters = [last](const Layer& layer) { return layer.name() == last; }});
}

class QuantizedFilesTest : public ::testing::TestWithParam<const char*> {
 protected:
  double tolerance() const { return std::string(GetParam()).starts_with("half") ? 2e-2 : 1e-5; }
};

TEST_P(QuantizedFilesTest, AFileOfKerassPredictsTheSameAndIsWrittenAgain) {
  const std::string name = GetParam();
  const QuantizedGolden golden(name);
  Model model = load_model(quantized_path(name, ".keras"));
  EXPECT_LT(relative_difference(model.predict(golden.x, {.verbose = 0}), golden.y), tolerance());
  const TestFolder own_folder;
  const char* const given = std::getenv("CORNU_QUANTIZED_FILES");
  const std::string base = given != nullptr ? std::string(given) + "/quantized_" + name : own_folder / name;
  model.save(base + ".keras");
  model.save_weights(base + ".weights.h5");
  EXPECT_EQ(quantization_in(base + ".keras"), quantization_in(quantized_path(name, ".keras")));
  Model again = load_model(base + ".keras");
  EXPECT_EQ(again.predict(golden.x, {.verbose = 0}).to_vector<float>(),
            model.predict(golden.x, {.verbose = 0}).to_vector<float>());
}

TEST_P(QuantizedFilesTest, AModelQuantizedHereEqualsKerass) {
  const std::string name = GetParam();
  const QuantizedGolden golden(name);
  Model model = float_model(name);
  model.set_weights(golden.before);
  quantize_as(model, name);
  EXPECT_LT(relative_difference(model.predict(golden.x, {.verbose = 0}), golden.y), tolerance());
  // Of its weights, Keras's file has the same.
  const std::vector<Tensor> own = model.get_weights();
  model.load_weights(quantized_path(name, ".keras"));
  const std::vector<Tensor> kerass = model.get_weights();
  for (std::size_t i = 0; i < own.size(); ++i)
    EXPECT_LT(relative_difference(ops::cast(own[i], DType::kF32), ops::cast(kerass[i], DType::kF32)), 1e-6)
        << i;
}

INSTANTIATE_TEST_SUITE_P(Models, QuantizedFilesTest,
                         ::testing::Values("dense_int8", "dense_int4", "dense_columns", "dense_filtered",
                                           "projections_int8", "projections_int4", "half_int8"),
                         [](const auto& each) { return std::string(each.param); });

TEST(QuantizedWeightsFilesTest, WeightsOfKerassAreReadIntoAQuantizedModel) {
  for (const char* name : {"dense_int8", "projections_int4"}) {
    const QuantizedGolden golden(name);
    Model model = float_model(name);
    quantize_as(model, name);
    model.load_weights(quantized_path(name, ".weights.h5"));
    EXPECT_LT(relative_difference(model.predict(golden.x, {.verbose = 0}), golden.y), 1e-5) << name;
  }
}

TEST(QuantizedWeightsFilesTest, AFileHasTheKernelWithItsLora) {
  const QuantizedGolden golden("dense_int8");
  for (const char* name : {"dense_int8", "dense_int4"}) {
    Model model = float_model(name);
    model.set_weights(golden.before);
    quantize_as(model, name);
    const layers::LoraHandle first(model.layers().front().shared());
    first.enable_lora({.rank = 2});
    first.weight("lora_kernel_a").assign(ops::reshape(ops::sin(ops::arange(18, DType::kF32)), {9, 2}));
    first.weight("lora_kernel_b").assign(ops::full({2, 7}, 0.3));
    const Tensor expected = model.predict(golden.x, {.verbose = 0});
    const TestFolder folder;
    model.save(folder / "lora.keras");
    Model merged = load_model(folder / "lora.keras");
    const bool is_int8 = std::string(name).ends_with("int8");
    EXPECT_LT(relative_difference(merged.predict(golden.x, {.verbose = 0}), expected), is_int8 ? 0.05 : 0.5)
        << name;
    EXPECT_EQ(merged.layers().front().weight("lora_kernel_b").read().at(0), 0) << name;
  }
}

TEST(QuantizeModelTest, RefusesBeforeAnythingChanges) {
  Sequential model({layers::Input({.shape = {3}}), layers::Dense({.units = 2, .name = "a"}),
                    layers::Dense({.units = 2, .name = "b", .dtype = "float16"})});
  EXPECT_NE(error_text_of([&] { model.quantize("int8"); }).find("float16"), std::string::npos);
  EXPECT_EQ(model.layers().front().dtype_policy().name(), "float32");
  EXPECT_TRUE(error_text_of([&] {
                model.quantize("int8", {.filters = "("});
              }).starts_with("[quantize] filters must be regular expressions: "));
  model.quantize("int8", {.filters = {"^a$"}});
  EXPECT_EQ(model.layers().front().dtype_policy().name(), "int8_from_float32");
  EXPECT_EQ(error_text_of([&] { model.quantize("int4", {.filters = "a"}); }),
            "[quantize] the layer is quantized already; its policy is \"int8_from_float32\"; in layer \"a\"");
}

TEST(QuantizeModelTest, TheRestTrainsAfterCompile) {
  Sequential model({layers::Input({.shape = {4}}), layers::Dense({.units = 8, .activation = "relu"}),
                    layers::Dense({.units = 1})});
  const Tensor x = ops::reshape(ops::sin(ops::arange(64, DType::kF32)), {16, 4});
  const Tensor y = ops::sum(x, {.axis = 1, .keepdims = true});
  model.compile({.loss = "mse"});
  model.fit(x, y, {.verbose = 0});
  model.quantize("int8", {.filters = [](const Layer& layer) { return layer.name().ends_with("_1"); }});
  const TestFolder folder;
  model.save(folder / "compiled.keras");  // the optimizer's state was that of the float weights
  EXPECT_TRUE(load_model(folder / "compiled.keras").compiled());
  model.quantize("int4", {.filters = [](const Layer& layer) {
                   return layer.quantization_mode() == QuantizationMode::kNone &&
                          layer.class_name() == "Dense";
                 }});
  model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.05}), .loss = "mse"});
  const callbacks::History history = model.fit(x, y, {.epochs = 20, .verbose = 0});
  EXPECT_LT(history.history.at("loss").back(), history.history.at("loss").front());
}

}  // namespace
}  // namespace cornu::inline v0::keras
