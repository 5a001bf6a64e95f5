// Trains a small classifier on Fisher's Iris measurements and checks that it learned.
//
// The model and its settings are those of a program that was written for TensorFlow to compare a TPU with a
// CPU: Dense 32 relu, Dense 3 softmax, Adam with rate 0.1, log-cosh loss, batches of 20, 20 epochs, 30 % of
// the rows for validation. Taken literally that program cannot learn, for reasons that nothing warned its
// author of:
//
//  * The file is sorted by species, and the split takes the last 30 % of the rows unshuffled. So the
//    validation set is one species only, of which the training set has 5 rows of 105.
//  * Its labels are the numbers 0, 1 and 2, shape (n,), and the output is (n, 3). The loss broadcasts them:
//    each of the three outputs is pulled towards the number of the species. Outputs of a softmax add up to 1;
//    they cannot all be 2.
//  * With both mended, Adam at rate 0.1 on features in centimetres still saturates the softmax in its first
//    steps on an unlucky start, and stays there: real Keras ended below 0.9 from five of eight seeds, and
//    above 0.9 from all eight with standardized features.
//
// This program shuffles before it splits, makes one-hot labels of the numbers and standardizes the features.
// Then it runs the literal port.
//
// Usage: example_01_iris [--device D] [iris.csv]

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "cornu/keras/keras.h"
#include "examples/device_option.h"

namespace {

using cornu::Tensor;
namespace keras = cornu::keras;
namespace layers = cornu::keras::layers;

constexpr std::int64_t kFeatures = 4;
constexpr std::int64_t kSpecies = 3;
constexpr double kValidationSplit = 0.3;
constexpr double kWantedAccuracy = 0.9;

struct Iris {
  std::vector<float> features;  // rows of four, in cm
  std::vector<std::int32_t> species;
  std::int64_t num_rows() const { return static_cast<std::int64_t>(species.size()); }
};

Iris read_iris(const std::string& path) {
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error("cannot read " + path + "; say where iris.csv is: example_01_iris PATH");
  Iris iris;
  std::string line;
  std::getline(file, line);  // the header
  while (std::getline(file, line)) {
    const char* next = line.data();
    const char* const end = next + line.size();
    float values[kFeatures + 1];
    for (float& value : values) {
      const auto [stop, error] = std::from_chars(next, end, value);
      if (error != std::errc()) throw std::runtime_error(path + ": not five numbers: \"" + line + "\"");
      next = std::min(stop + 1, end);
    }
    iris.features.insert(iris.features.end(), values, values + kFeatures);
    iris.species.push_back(static_cast<std::int32_t>(values[kFeatures]));
  }
  return iris;
}

/// The rows in another order.
Iris reordered(const Iris& iris, const std::vector<std::int64_t>& order) {
  Iris result;
  for (const std::int64_t row : order) {
    const auto first = iris.features.begin() + row * kFeatures;
    result.features.insert(result.features.end(), first, first + kFeatures);
    result.species.push_back(iris.species[static_cast<std::size_t>(row)]);
  }
  return result;
}

/// Gives each feature mean 0 and standard deviation 1 over the first `num_rows` rows.
void standardize(Iris& iris, std::int64_t num_rows) {
  for (std::int64_t feature = 0; feature < kFeatures; ++feature) {
    const auto value = [&](std::int64_t row) -> float& {
      return iris.features[static_cast<std::size_t>(row * kFeatures + feature)];
    };
    double sum = 0;
    double sum_of_squares = 0;
    for (std::int64_t row = 0; row < num_rows; ++row) {
      sum += value(row);
      sum_of_squares += value(row) * value(row);
    }
    const double mean = sum / static_cast<double>(num_rows);
    const double deviation = std::sqrt(sum_of_squares / static_cast<double>(num_rows) - mean * mean);
    for (std::int64_t row = 0; row < iris.num_rows(); ++row)
      value(row) = static_cast<float>((value(row) - mean) / deviation);
  }
}

Tensor features_of(const Iris& iris) {
  return Tensor::from<float>({iris.num_rows(), kFeatures}, iris.features);
}

Tensor one_hot_labels(const Iris& iris) {
  const Tensor species = Tensor::from<std::int32_t>({iris.num_rows()}, iris.species);
  return cornu::ops::one_hot(species, kSpecies);
}

keras::Sequential make_model() {
  keras::Sequential model({layers::Dense({.units = 32, .activation = "relu"}),
                           layers::Dense({.units = kSpecies, .activation = "softmax"})});
  model.compile({.optimizer = keras::optimizers::Adam({.learning_rate = 0.1}),
                 .loss = "log_cosh",
                 .metrics = {"accuracy"}});
  return model;
}

/// Prints what the model is, its accuracy on all rows, and what it says of the first one.
void use(keras::Sequential& model, const Iris& iris) {
  model.summary();
  keras::Logs logs = model.evaluate(features_of(iris), one_hot_labels(iris), {.verbose = 0});
  const double accuracy = logs["accuracy"];
  const Tensor probabilities = model.predict(features_of(iris), {.verbose = 0});  // [150, 3]
  const auto first = probabilities.data<float>();
  std::printf("all flowers: accuracy %.4f; the first: %.2f, %.2f, %.2f\n", accuracy,
              static_cast<double>(first[0]), static_cast<double>(first[1]), static_cast<double>(first[2]));
}

/// The program as it should have been. Returns its validation accuracy.
double train(const Iris& iris) {
  std::vector<std::int64_t> order(iris.species.size());
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(1));
  Iris shuffled = reordered(iris, order);
  standardize(shuffled,
              static_cast<std::int64_t>(static_cast<double>(iris.num_rows()) * (1 - kValidationSplit)));

  keras::Sequential model = make_model();
  const auto history = model.fit(features_of(shuffled), one_hot_labels(shuffled),
                                 {.batch_size = 20, .epochs = 20, .validation_split = kValidationSplit});
  const double accuracy = history["val_accuracy"].back();
  std::printf("\nvalidation accuracy %.4f; %.2f us a step over %lld steps; compiled in %.1f ms\n", accuracy,
              history.microseconds_per_step(), static_cast<long long>(history.num_steps),
              history.compile_seconds * 1e3);
  use(model, shuffled);
  return accuracy;
}

/// The program as it was: rows sorted by species, features in centimetres, numbers as labels.
void train_literal_port(const Iris& iris) {
  std::printf("\nThe literal port:\n");
  keras::Sequential model = make_model();
  const std::vector<float> labels(iris.species.begin(), iris.species.end());
  const keras::FitOptions options{
      .batch_size = 20, .epochs = 20, .verbose = 0, .validation_split = kValidationSplit};
  try {
    model.fit(features_of(iris), Tensor::from<float>({iris.num_rows()}, labels), options);
  } catch (const cornu::Error& error) {
    std::printf("  Cornu refuses it: %s\n", error.what());
  }
  // tf.keras 2 made a column of such labels without a word, and broadcast it.
  const Tensor column = Tensor::from<float>({iris.num_rows(), 1}, labels);
  const auto history = model.fit(features_of(iris), column, options);
  const double overall = model.evaluate(features_of(iris), column, {.verbose = 0})["accuracy"];
  std::printf(
      "  With a column of labels, as tf.keras 2 took them: accuracy %.4f on its training rows, %.4f on its "
      "validation rows, which are\n",
      history["accuracy"].back(), history["val_accuracy"].back());
  std::printf("  one species; %.4f on all flowers. Always naming one species gives 0.3333.\n", overall);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (!cornu::examples::take_device_option(argc, argv, "[iris.csv]")) return EXIT_SUCCESS;
    cornu::set_random_seed(1);
    const Iris iris = read_iris(argc > 1 ? argv[1] : CORNU_EXAMPLE_FOLDER "/iris.csv");
    const double accuracy = train(iris);
    train_literal_port(iris);
    if (!(accuracy >= kWantedAccuracy)) {
      std::fprintf(stderr, "validation accuracy %.4f is below %.2f\n", accuracy, kWantedAccuracy);
      return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "example_01_iris: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
