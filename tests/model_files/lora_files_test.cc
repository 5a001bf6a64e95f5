/// Layers with LoRA in files: Keras's hold the weight with its addition, the others all weights.
#include <gtest/gtest.h>

#include "cornu/base/log_test_support.h"
#include "cornu/io/hdf5.h"
#include "tests/model_files/model_files_test_support.h"

namespace cornu::inline v0::keras {
namespace {

layers::LoraHandle lora_layer(const std::string& class_name, std::optional<std::int64_t> rank) {
  if (class_name == "Dense") return layers::Dense({.units = 2, .lora_rank = rank, .name = "tuned"});
  if (class_name == "EinsumDense")
    return layers::EinsumDense({.equation = "abc,cd->abd",
                                .output_shape = {3, 2},
                                .bias_axes = "d",
                                .lora_rank = rank,
                                .name = "tuned"});
  if (class_name == "Embedding")
    return layers::Embedding({.input_dim = 5, .output_dim = 3, .lora_rank = rank, .name = "tuned"});
  return layers::Conv1D({.filters = 2, .kernel_size = 2, .lora_rank = rank, .name = "tuned"});
}

Sequential lora_model(const layers::LoraHandle& layer) {
  const bool takes_ids = layer->class_name() == "Embedding";
  Sequential model({layers::Input({.shape = takes_ids ? Dims{3} : Dims{3, 4},
                                   .dtype = takes_ids ? DType::kI32 : DType::kF32}),
                    layer});
  return model;
}

/// Other numbers in each weight, so that the addition counts.
void set_numbers(const LayerHandle& layer, std::uint64_t seed) {
  for (const Variable& weight : layer.weights())
    weight.load(random::uniform(weight.shape(), {.minval = -1, .seed = seed++}).literal());
}

void expect_same_weights(const LayerHandle& got, const LayerHandle& expected, const std::string& what) {
  const std::vector<Tensor> a = got.get_weights(), b = expected.get_weights();
  ASSERT_EQ(a.size(), b.size()) << what;
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_TRUE(a[i].literal() == b[i].literal()) << what << " " << i;
}

class LoraFilesTest : public ::testing::TestWithParam<std::string> {
 protected:
  static Tensor predicted(Model& model) {
    if (GetParam() == "Embedding")
      return model.predict(Tensor::of<std::int32_t>({2, 3}, {0, 1, 2, 3, 4, 1}), {.verbose = 0});
    return model.predict(random::uniform({2, 3, 4}, {.minval = -1, .seed = 1}), {.verbose = 0});
  }
};

INSTANTIATE_TEST_SUITE_P(Layers, LoraFilesTest,
                         ::testing::Values("Dense", "EinsumDense", "Embedding", "Conv1D"),
                         [](const auto& each) { return each.param; });

TEST_P(LoraFilesTest, AModelPredictsTheSameAfterItsFileAndMayBeSavedAgain) {
  const TestFolder folder;
  const layers::LoraHandle layer = lora_layer(GetParam(), {});
  Sequential model = lora_model(layer);
  layer.enable_lora({.rank = 2, .lora_alpha = 3});
  set_numbers(layer, 10);
  model.save(folder / "tuned.keras");
  Model loaded = load_model(folder / "tuned.keras");
  EXPECT_LT(relative_difference(predicted(loaded), predicted(model)), 1e-5);
  const LayerHandle tuned = loaded.get_layer("tuned");
  EXPECT_EQ(tuned.get_config().at("lora_rank"), Config(2));
  EXPECT_EQ(tuned.get_config().at("lora_alpha"), Config(3));
  EXPECT_EQ(tuned.trainable_weights().size() + 1, tuned.weights().size());
  const std::vector<Tensor> weights = tuned.get_weights();
  ASSERT_EQ(weights.size(), layer.weights().size());
  for (std::size_t i = weights.size() - 2; i < weights.size(); ++i)
    EXPECT_EQ(ops::max(ops::abs(weights[i])).item<float>(), 0) << i;
  loaded.save(folder / "again.keras");
  expect_same_weights(load_model(folder / "again.keras"), loaded, "again.keras");
}

TEST_P(LoraFilesTest, WeightsGoToAndFromAModelWithoutLora) {
  const TestFolder folder;
  const layers::LoraHandle plain_layer = lora_layer(GetParam(), {}), tuned_layer = lora_layer(GetParam(), 2);
  Sequential plain = lora_model(plain_layer), tuned = lora_model(tuned_layer);
  for (const std::string name : {"w.weights.h5", "w.weights.json"}) {
    SaveWeightsOptions options;
    if (name == "w.weights.json") options.max_shard_size = 1;
    set_numbers(plain_layer, 20);
    set_numbers(tuned_layer, 30);
    plain.save_weights(folder / name, options);
    tuned.load_weights(folder / name);
    EXPECT_LT(relative_difference(predicted(tuned), predicted(plain)), 1e-5) << name;
    set_numbers(tuned_layer, 40);
    tuned.save_weights(folder / name, options);
    plain.load_weights(folder / name);
    EXPECT_LT(relative_difference(predicted(plain), predicted(tuned)), 1e-5) << name;
  }
}

TEST_P(LoraFilesTest, OtherFormatsHoldAllWeights) {
  const TestFolder folder;
  const layers::LoraHandle layer = lora_layer(GetParam(), 2);
  Sequential model = lora_model(layer);
  for (const std::string name : {"w.safetensors", "w.npz"}) {
    set_numbers(layer, 50);
    model.save_weights(folder / name);
    const layers::LoraHandle other_layer = lora_layer(GetParam(), 2);
    Sequential other = lora_model(other_layer);
    set_numbers(other_layer, 60);
    other.load_weights(folder / name);
    expect_same_weights(other_layer, layer, name);
  }
  model.save(folder / "m.h5");
  expect_same_weights(load_model(folder / "m.h5"), model, "m.h5");
}

TEST(LoraWeightsFileTest, OfADenseItHoldsTheSumAndTheBias) {
  const TestFolder folder;
  const layers::Dense dense({.units = 2});
  Sequential model({layers::Input({.shape = {2}}), dense});
  dense.enable_lora({.rank = 1, .lora_alpha = 2});
  dense.set_weights({Tensor::of<float>({2, 2}, {1, 2, 3, 4}), Tensor::of<float>({2}, {5, 6}),
                     Tensor::of<float>({2, 1}, {1, 2}), Tensor::of<float>({1, 2}, {10, 20})});
  model.save_weights(folder / "w.weights.h5");
  const io::Hdf5File file(io::open_random_access(folder / "w.weights.h5"));
  const io::Hdf5Group* const vars = file.root().find_group("layers/dense/vars");
  ASSERT_NE(vars, nullptr);
  ASSERT_EQ(vars->datasets.size(), 2U);
  const auto numbers = [&](const char* name) {
    const io::Hdf5Dataset* const dataset = vars->find_dataset(name);
    if (dataset == nullptr) return std::vector<float>();
    std::vector<float> values(static_cast<std::size_t>(dataset->size_bytes) / sizeof(float));
    file.read(*dataset, std::as_writable_bytes(std::span(values)));
    return values;
  };
  EXPECT_EQ(numbers("0"), (std::vector<float>{21, 42, 43, 84}));  // kernel + 2 * a . b
  EXPECT_EQ(numbers("1"), (std::vector<float>{5, 6}));
}

TEST(LoraWeightsFileTest, ATrainedModelGoesOnFromItsFile) {
  const TestFolder folder;
  set_random_seed(3);
  const layers::Dense dense({.units = 2});
  Sequential model({layers::Input({.shape = {3}}), dense});
  dense.enable_lora({.rank = 2});
  model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.05}), .loss = "mse"});
  const Tensor x = random::uniform({16, 3}, {.minval = -1, .seed = 1});
  const Tensor y = random::uniform({16, 2}, {.minval = -1, .seed = 2});
  model.fit(x, y, {.batch_size = 8, .epochs = 5, .verbose = 0});
  EXPECT_GT(ops::max(ops::abs(dense.get_weights()[3])).item<float>(), 0);
  model.save(folder / "tuned.keras");
  Model loaded = load_model(folder / "tuned.keras");
  EXPECT_LT(relative_difference(loaded.predict(x, {.verbose = 0}), model.predict(x, {.verbose = 0})), 1e-5);
  EXPECT_EQ(loaded.optimizer().variables().size(), model.optimizer().variables().size());
  loaded.train_on_batch(x, y);
  loaded.save(folder / "again.keras");
  Model again = load_model(folder / "again.keras");
  EXPECT_LT(relative_difference(again.predict(x, {.verbose = 0}), loaded.predict(x, {.verbose = 0})), 1e-5);
}

TEST(LoraWeightsFileTest, AWeightThatIsSkippedKeepsItsAddition) {
  const TestFolder folder;
  Sequential narrow({layers::Input({.shape = {3}}), layers::Dense({.units = 2})});
  narrow.save_weights(folder / "narrow.weights.h5");
  const layers::Dense dense({.units = 4, .lora_rank = 1});
  Sequential wide({layers::Input({.shape = {3}}), dense});
  set_numbers(dense, 70);
  const std::vector<Tensor> before = dense.get_weights();
  const CapturedLog log;
  wide.load_weights(folder / "narrow.weights.h5", {.skip_mismatch = true});
  const std::vector<Tensor> after = dense.get_weights();
  for (std::size_t i = 0; i < before.size(); ++i) EXPECT_TRUE(after[i].literal() == before[i].literal()) << i;
}

}  // namespace
}  // namespace cornu::inline v0::keras
