// The programs of docs/guide/quantization.md, run and checked: tools/check_guide.py sees that the guide
// shows what stands here.

#include <filesystem>

#include "cornu/keras/keras.h"
#include "examples/guide_program.h"

namespace {

using namespace cornu;
using examples::expect;
using namespace cornu::keras;

Tensor numbers(const Dims& shape, std::uint64_t seed) { return random::normal(shape, {.seed = seed}); }

double largest_difference(const Tensor& a, const Tensor& b) {
  return (ops::max(ops::abs(a - b)) / ops::max(ops::abs(b))).item<double>();
}

Sequential trained() {
  Sequential model({Input({.shape = {16}}),
                    layers::Dense({.units = 64, .activation = "relu", .name = "hidden"}),
                    layers::Dense({.units = 3, .name = "scores"})});
  const Tensor x = numbers({256, 16}, 1), y = ops::matmul(x, numbers({16, 3}, 2));
  model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.01}), .loss = "mse"});
  model.fit(x, y, {.batch_size = 32, .epochs = 10, .verbose = 0});
  return model;
}

void a_model() {
  Sequential model = trained();
  const Tensor x = numbers({8, 16}, 3);
  const Tensor before = model.predict(x, {.verbose = 0});
  model.quantize("int8");
  const Tensor after = model.predict(x, {.verbose = 0});
  expect(largest_difference(after, before) < 0.05, "int8 is close");
  const LayerHandle hidden = model.get_layer("hidden");
  expect(hidden.dtype_policy().name() == "int8_from_float32", "the policy");
  expect(hidden.kernel().dtype() == DType::kI8, "the kernel");
}

void four_bits() {
  Sequential model = trained();
  const Tensor x = numbers({8, 16}, 3);
  const Tensor before = model.predict(x, {.verbose = 0});
  model.quantize(quantizers::Int4QuantizationConfig({.block_size = 8}), {.filters = "hidden"});
  const Tensor after = model.predict(x, {.verbose = 0});
  expect(largest_difference(after, before) < 0.25, "int4 is less close");
  expect(model.get_layer("hidden").dtype_policy().name() == "int4/8_from_float32", "the policy");
  expect(model.get_layer("scores").dtype_policy().name() == "float32", "the filter");
}

void calibrated() {
  const KerasTensor ids = Input({.shape = {8}, .dtype = DType::kI32});
  const layers::Embedding embedding({.input_dim = 50, .output_dim = 16});
  const Sequential block({Input({.shape = {8, 16}}), layers::Dense({.units = 32, .activation = "relu"}),
                          layers::Dense({.units = 16})});
  Model model({.inputs = ids, .outputs = layers::Dense({.units = 50})(block(embedding(ids)))});
  const Tensor tokens = random::randint({400}, 0, 50, {.seed = 7});
  const Tensor x = ops::reshape(tokens, {50, 8}), before = model.predict(x, {.verbose = 0});
  const quantizers::QuantizationLayerStructure structure{.pre_block_layers = {embedding},
                                                         .sequential_blocks = {block}};
  model.quantize(quantizers::GPTQConfig({.dataset = tokens,
                                         .num_samples = 32,
                                         .sequence_length = 8,
                                         .group_size = 16,
                                         .quantization_layer_structure = structure}));
  expect(largest_difference(model.predict(x, {.verbose = 0}), before) < 0.25, "GPTQ is close");
  const Model inside(block);
  expect(inside.layers()[0].dtype_policy().name() == "gptq/4/16_from_float32", "the policy");
  expect(inside.layers()[0].kernel().shape() == Dims{16, 16}, "two columns in a byte");
}

void quantizers_of_choice() {
  Sequential model = trained();
  const quantizers::Int8QuantizationConfig config(
      {.weight_quantizer = quantizers::AbsMaxQuantizer({.axis = 0}), .activation_quantizer = {}});
  model.quantize(config);
  expect(model.predict(numbers({8, 16}, 3), {.verbose = 0}).shape() == Dims{8, 3}, "it predicts");
}

void a_file() {
  const std::string path = (std::filesystem::temp_directory_path() / "cornu_quantized.keras").string();
  Sequential model = trained();
  model.quantize("int8");
  model.save(path);
  Model same = load_model(path);
  const Tensor x = numbers({8, 16}, 3);
  expect(largest_difference(same.predict(x, {.verbose = 0}), model.predict(x, {.verbose = 0})) == 0,
         "the file");
  std::filesystem::remove(path);
}

void training_on() {
  Sequential model = trained();
  model.quantize("int8");
  const layers::LoraHandle hidden(model.get_layer("hidden").shared());
  hidden.enable_lora({.rank = 4});
  model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.01}), .loss = "mse"});
  const Tensor x = numbers({256, 16}, 4), y = ops::matmul(x, numbers({16, 3}, 5));
  const auto history = model.fit(x, y, {.epochs = 20, .verbose = 0});
  expect(history.history["loss"].back() < history.history["loss"].front(), "the addition learns");
}

void by_hand() {
  const Tensor weights = numbers({16, 3}, 6);
  const quantizers::QuantizedTensor quantized = quantizers::abs_max_quantize(weights, {.axis = 0});
  const Tensor again = ops::cast(quantized.values, DType::kF32) / quantized.scale;
  expect(largest_difference(again, weights) < 0.01, "a scale a column");
  const auto small = quantizers::abs_max_quantize(weights, {.axis = 0, .value_range = {-8, 7}});
  const quantizers::PackedInt4 packed = quantizers::pack_int4(small.values, {.axis = 0});
  const Tensor unpacked = quantizers::unpack_int4(packed.packed, packed.orig_len, {.axis = 0});
  expect(packed.packed_shape == Dims{8, 3} && unpacked.shape() == Dims{16, 3}, "two in a byte");
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run_guide_program(
      "quantization", argc, argv,
      {a_model, four_bits, calibrated, quantizers_of_choice, a_file, training_on, by_hand});
}
