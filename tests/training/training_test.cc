#include <gtest/gtest.h>

#include <random>

#include "cornu/keras/keras.h"
#include "cornu/runtime/client.h"

// Whole models on the CPU engine: what holds for every model that the examples train.
namespace cornu::inline v0 {
namespace {

namespace layers = keras::layers;

Tensor random_rows(std::int64_t rows, std::int64_t columns, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> uniform(0, 1);
  std::vector<float> values(static_cast<std::size_t>(rows * columns));
  for (float& value : values) value = uniform(random);
  return Tensor::from<float>({rows, columns}, values);
}

Tensor random_classes(std::int64_t rows, std::int32_t classes) {
  std::mt19937 random(5);
  std::vector<std::int32_t> values(static_cast<std::size_t>(rows));
  for (std::int32_t& value : values) value = static_cast<std::int32_t>(random()) & (classes - 1);
  return Tensor::from<std::int32_t>({rows}, values);
}

keras::Sequential demo_model() {
  keras::Sequential model({layers::Dense({.units = 32, .activation = "relu"}),
                           layers::Dense({.units = 3, .activation = "softmax"})});
  model.compile({.optimizer = keras::optimizers::Adam({.learning_rate = 0.1}),
                 .loss = "log_cosh",
                 .metrics = {"accuracy"}});
  return model;
}

keras::Sequential classifier(std::int64_t width) {
  keras::Sequential model(
      {layers::Dense({.units = width, .activation = "relu"}), layers::Dropout({.rate = 0.2}),
       layers::Dense({.units = width, .activation = "relu"}), layers::Dropout({.rate = 0.2}),
       layers::Dense({.units = 8, .activation = "softmax"})});
  model.compile({.optimizer = keras::optimizers::RMSprop(),
                 .loss = "sparse_categorical_crossentropy",
                 .metrics = {"accuracy"}});
  return model;
}

std::vector<std::byte> all_bytes(const std::vector<Tensor>& tensors) {
  std::vector<std::byte> bytes;
  for (const Tensor& tensor : tensors)
    for (const float& value : tensor.data<float>()) {
      const auto* p = reinterpret_cast<const std::byte*>(&value);
      bytes.insert(bytes.end(), p, p + sizeof value);
    }
  return bytes;
}

TEST(TrainingTest, StepsOfTheExamplesRunNoReferenceKernel) {
  const Tensor x = random_rows(105, 4, 1), y = random_rows(105, 3, 2);
  keras::Sequential demo = demo_model();
  EXPECT_EQ(demo.train_executable(x, y, {.batch_size = 20}).stats().num_reference_fallbacks, 0);
  EXPECT_EQ(demo.train_executable(x, y, {.batch_size = 20}).stats().num_library_calls, 0);
  EXPECT_EQ(demo.predict_executable(x).stats().num_reference_fallbacks, 0);
  keras::Sequential model = classifier(64);
  const Tensor images = random_rows(300, 30, 3), classes = random_classes(300, 8);
  EXPECT_EQ(model.train_executable(images, classes, {.batch_size = 128}).stats().num_reference_fallbacks, 0);
}

TEST(TrainingTest, SameSeedSameBitsAtAnyNumberOfThreads) {
  const std::shared_ptr<runtime::Client> before = default_client();
  const Tensor x = random_rows(300, 100, 3), y = random_classes(300, 8);
  std::vector<std::byte> expected;
  for (int threads : {1, 2, 3, 8, 16}) {
    set_default_client(runtime::make_client("cpu", {.num_threads = threads}));
    set_random_seed(7);
    keras::Sequential model = classifier(256);
    model.fit(x, y, {.batch_size = 128, .epochs = 2, .verbose = 0});
    const std::vector<std::byte> bytes = all_bytes(model.get_weights());
    if (expected.empty()) expected = bytes;
    EXPECT_EQ(bytes, expected) << threads << " threads";
  }
  set_default_client(before);
}

TEST(TrainingTest, TheDemoLearnsFromEverySeed) {
  // Two clouds and a third between them, standardized.
  std::mt19937 random(1);
  std::normal_distribution<float> noise(0, 0.3F);
  std::vector<float> x, y;
  for (int i = 0; i < 150; ++i)
    for (int j = 0; j < 4; ++j) x.push_back(static_cast<float>(i % 3 - 1) + noise(random));
  for (int i = 0; i < 150; ++i)
    for (int c = 0; c < 3; ++c) y.push_back(i % 3 == c ? 1.0F : 0.0F);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    set_random_seed(seed);
    keras::Sequential model = demo_model();
    const auto history = model.fit(Tensor::from<float>({150, 4}, x), Tensor::from<float>({150, 3}, y),
                                   {.batch_size = 20, .epochs = 20, .verbose = 0, .validation_split = 0.3});
    EXPECT_GE(history["val_accuracy"].back(), 0.9) << "seed " << seed;
  }
}

}  // namespace
}  // namespace cornu::inline v0
