// Real data that the tree carries: 1,797 handwritten digits of 8 x 8 pixels, read from IDX files. The first
// 1,500 train a small network, the other 297, which other people wrote, test it.
//
// The files are made from scikit-learn's digits.csv.gz by tools/make_digits.py; examples/README.md says where
// the data come from.

#include "cornu/io/idx.h"
#include "cornu/keras/keras.h"
#include "examples/support/data.h"

namespace {

using cornu::Tensor;
namespace keras = cornu::keras;
namespace layers = cornu::keras::layers;
namespace examples = cornu::examples;

constexpr std::int64_t kTrainRows = 1500;
constexpr float kDarkest = 16.0F;

struct Digits {
  Tensor x;  // [rows, 64], 0 to 1
  Tensor y;  // [rows]
};

Digits read_digits(const std::string& folder) {
  const cornu::io::Array images = cornu::io::read_idx(folder + "/digits-images-idx3-ubyte.gz");
  const cornu::io::Array labels = cornu::io::read_idx(folder + "/digits-labels-idx1-ubyte.gz");
  const std::vector<std::int64_t> rows = {labels.num_elements(), 8, 8};
  if (images.dims != rows)
    throw std::runtime_error(folder + ": the pictures and the labels of the digits do not belong together");
  const auto pixels = images.values<std::uint8_t>();
  const auto ids = labels.values<std::uint8_t>();
  std::vector<float> x(pixels.begin(), pixels.end());
  for (float& value : x) value /= kDarkest;
  return {Tensor::adopt({rows[0], 64}, std::move(x)),
          Tensor::adopt({rows[0]}, std::vector<std::int32_t>(ids.begin(), ids.end()))};
}

}  // namespace

int main(int argc, char** argv) {
  examples::Program program("example_05_digits",
                            "Trains on 1,500 real handwritten digits and tests on 297 others",
                            "about a second");
  std::string folder = CORNU_EXAMPLE_FOLDER;
  std::int64_t epochs = 30;
  program.option("--data", &folder,
                 "Folder with digits-images-idx3-ubyte.gz and digits-labels-idx1-ubyte.gz");
  program.option("--epochs", &epochs, "Passes over the data");
  return program.main(argc, argv, [&] {
    const Digits digits = read_digits(folder);
    const std::int64_t rows = digits.x.num_rows();
    const Tensor x_test = digits.x.rows(kTrainRows, rows), y_test = digits.y.rows(kTrainRows, rows);

    keras::Sequential model({layers::Dense({.units = 128, .activation = "relu"}),
                             layers::Dropout({.rate = 0.3}),
                             layers::Dense({.units = 64, .activation = "relu"}),
                             layers::Dense({.units = 10, .activation = "softmax"})});
    model.compile({.optimizer = keras::optimizers::Adam({.learning_rate = 0.002}),
                   .loss = keras::losses::SparseCategoricalCrossentropy(),
                   .metrics = {"accuracy"},
                   .steps_per_execution = 47});
    const auto history =
        model.fit(digits.x.rows(0, kTrainRows), digits.y.rows(0, kTrainRows),
                  {.batch_size = 32, .epochs = epochs, .verbose = 2, .validation_data = {x_test, y_test}});
    examples::print_time(program, history);
    program.check("test accuracy", model.evaluate(x_test, y_test, {.verbose = 0})["accuracy"], 0.9);
  });
}
