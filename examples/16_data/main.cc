// The programs of docs/guide/data.md, run and checked: tools/check_guide.py sees that the guide shows what
// stands here.

#include "cornu/keras/keras.h"
#include "examples/guide_program.h"

namespace {

using namespace cornu;
using examples::expect;
using namespace cornu::keras;

void pictures() {
  // Made data, so that this runs without files;
  // datasets::mnist::load_data({.path = "data/mnist"}) reads the real ones.
  const auto [train, test] = datasets::mnist::make_data({.num_train = 2000, .num_test = 500});
  const auto images = [](const Tensor& bytes) {  // uint8 [rows, 28, 28], 0 to 255
    return ops::reshape(ops::cast(bytes, DType::kF32) / 255.0, {bytes.num_rows(), 784});
  };
  const Tensor x = images(train.x), y = ops::cast(train.y, DType::kI32);
  const Tensor x_test = images(test.x), y_test = ops::cast(test.y, DType::kI32);

  Sequential model({layers::Dense({.units = 64, .activation = "relu"}),
                    layers::Dense({.units = 10, .activation = "softmax"})});
  model.compile({.optimizer = "adam", .loss = "sparse_categorical_crossentropy", .metrics = {"accuracy"}});
  model.fit(x, y, {.batch_size = 50, .epochs = 8, .verbose = 0, .validation_data = {x_test, y_test}});
  const double accuracy = model.evaluate(x_test, y_test, {.verbose = 0})["accuracy"];

  expect(accuracy > 0.8, "the pictures are learned");
}

void reviews() {
  const auto [train, test] =
      datasets::imdb::make_data({.num_train = 3000, .num_test = 500}, {.num_words = 5000});
  const auto words = [](const Sequences& reviews) {
    return utils::pad_sequences(reviews, {.maxlen = 200});
  };  // i32 [rows, 200]
  const auto labels = [](const Tensor& y) { return ops::cast(y, DType::kF32); };

  Sequential model({layers::Embedding({.input_dim = 5000, .output_dim = 16}),
                    layers::GlobalAveragePooling1D(), layers::Dense({.units = 1, .activation = "sigmoid"})});
  model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.01}),
                 .loss = "binary_crossentropy",
                 .metrics = {"accuracy"}});
  model.fit(words(train.x), labels(train.y), {.batch_size = 32, .epochs = 8, .verbose = 0});
  const double accuracy = model.evaluate(words(test.x), labels(test.y), {.verbose = 0})["accuracy"];

  expect(accuracy > 0.7, "the reviews are learned");
}

}  // namespace

int main(int argc, char** argv) {
  return cornu::examples::run_guide_program("data", argc, argv, {pictures, reviews});
}
