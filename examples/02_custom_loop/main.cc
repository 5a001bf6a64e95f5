// A training loop written by hand, as the guides for TPUs write it: a function that does one step, then one
// that does many steps a call, because on a fast device the time between two calls is what is left to save.
//
// The data are made here: points of the plane on three arms of a spiral, with some noise, 1,500 to train on
// and 600 to test with. A linear model cannot tell the arms apart (0.33 would be guessing, it reaches about
// 0.5); the small network below can.
//
// Both trainings start from the same weights and see the same rows, so they must end with the same accuracy.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <numbers>
#include <numeric>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cornu/keras/keras.h"
#include "examples/device_option.h"

namespace {

using cornu::Tensor;
namespace keras = cornu::keras;
namespace layers = cornu::keras::layers;
namespace ops = cornu::ops;

constexpr std::int64_t kArms = 3;
constexpr std::int64_t kTrainRows = 1500;
constexpr std::int64_t kTestRows = 600;
constexpr std::int64_t kBatch = 50;
constexpr std::int64_t kSteps = kTrainRows / kBatch;
constexpr int kEpochs = 12;
constexpr double kWantedAccuracy = 0.95;

struct Points {
  Tensor x;  // [rows, 2]
  Tensor y;  // [rows], the arm
};

/// The generator's bits are the same everywhere; the distributions of the standard library are not.
Points make_points(std::int64_t rows, std::uint32_t seed) {
  std::mt19937 generator(seed);
  const auto uniform = [&] { return static_cast<double>(generator()) / 4294967296.0; };
  std::vector<float> x;
  std::vector<std::int32_t> y;
  for (std::int64_t row = 0; row < rows; ++row) {
    const auto arm = static_cast<std::int32_t>(row % kArms);
    const double radius = 0.1 + 0.9 * uniform();
    const double angle = 4 * radius + 2 * std::numbers::pi * arm / kArms + 0.4 * (uniform() - 0.5);
    x.push_back(static_cast<float>(radius * std::cos(angle)));
    x.push_back(static_cast<float>(radius * std::sin(angle)));
    y.push_back(arm);
  }
  return {Tensor::adopt({rows, 2}, std::move(x)), Tensor::adopt({rows}, std::move(y))};
}

/// The rows in another order each epoch.
Tensor shuffled_rows(std::mt19937& generator) {
  std::vector<std::int32_t> order(kTrainRows);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[generator() % (i + 1)]);
  return Tensor::adopt({kTrainRows}, std::move(order));
}

/// Dense with an L2 penalty on its kernel, which becomes one of the model's losses.
class PenalizedDense : public keras::Layer {
 public:
  explicit PenalizedDense(std::int64_t units)
      : Layer("PenalizedDense", ""),
        dense_(track(keras::LayerHandle(layers::Dense({.units = units, .activation = "relu"})))) {}

 protected:
  Tensor call(const Tensor& input, const keras::CallContext& context) override {
    const Tensor output = dense_(input, {.training = context.training});
    add_loss(penalty_(dense_->weights()[0]));
    return output;
  }

 private:
  keras::LayerHandle dense_;
  keras::regularizers::L2 penalty_ = keras::regularizers::L2({.l2 = 1e-4});
};

keras::LayerHandle hidden_layer() { return keras::LayerHandle(std::make_shared<PenalizedDense>(32)); }

/// Model, optimizer and metrics, and what is computed with them.
class Experiment {
 public:
  Experiment() { model_.build({keras::kUnknown, 2}); }

  /// One step of training. Everything it needs beside the rows is state: weights, the optimizer's slots, the
  /// metrics' sums.
  void train_step(const Tensor& x, const Tensor& y) {
    cornu::GradientTape tape;
    const Tensor logits = model_(x, {.training = true});
    Tensor loss = ops::mean(keras::losses::sparse_categorical_crossentropy(y, logits, {.from_logits = true}));
    const std::vector<Tensor> penalties = model_->losses();
    if (penalties.size() != 2) throw std::logic_error("the two hidden layers must add an L2 loss each");
    for (const Tensor& penalty : penalties) loss = loss + penalty;
    const std::vector<cornu::Variable> weights = model_.trainable_weights();
    optimizer_.apply(tape.gradient(loss, weights), weights);
    training_loss_.update_state(loss);
    training_accuracy_->update_state(y, logits);
  }

  /// One step a call.
  void train_step_by_step(const Points& points) {
    const auto step = cornu::function([this](const Tensor& x, const Tensor& y) { train_step(x, y); },
                                      {.name = "train_step"});
    std::mt19937 generator(1);
    for (int epoch = 0; epoch < kEpochs; ++epoch) {
      const Tensor rows = shuffled_rows(generator);
      for (std::int64_t i = 0; i < kSteps; ++i) {
        const Tensor batch = rows.rows(i * kBatch, (i + 1) * kBatch);
        step(ops::take(points.x, batch, {.axis = 0}), ops::take(points.y, batch, {.axis = 0}));
      }
      report(epoch);
    }
    std::printf("train_step was traced %lld time(s)\n", static_cast<long long>(step.trace_count()));
  }

  /// Many steps a call: the loop stands inside the function, and its bound is a tensor, so that another
  /// number of steps is no other program.
  bool train_many_steps_a_call(const Points& points) {
    const auto train = cornu::function(
        [&](const Tensor& rows, const Tensor& first, const Tensor& steps) {
          cornu::fori_loop(0, steps, [&](const Tensor& i) {
            const Tensor batch =
                ops::take(rows, (first + i) * static_cast<int>(kBatch) + ops::arange(kBatch), {.axis = 0});
            train_step(ops::take(points.x, batch, {.axis = 0}), ops::take(points.y, batch, {.axis = 0}));
          });
        },
        {.name = "train_multiple_steps"});
    std::mt19937 generator(1);
    const auto number = [](std::int64_t value) {
      return Tensor::of<std::int32_t>({}, {static_cast<std::int32_t>(value)});
    };
    for (int epoch = 0; epoch < kEpochs; ++epoch) {
      const Tensor rows = shuffled_rows(generator);
      // 20 steps, then what is left of the epoch: 10.
      for (std::int64_t first = 0; first < kSteps; first += 20)
        train(rows, number(first), number(std::min<std::int64_t>(20, kSteps - first)));
      report(epoch);
    }
    std::printf("train_multiple_steps was traced %lld time(s)\n",
                static_cast<long long>(train.trace_count()));
    return train.trace_count() == 1;
  }

  double evaluate(const Points& points) {
    keras::metrics::SparseCategoricalAccuracy accuracy;
    const auto step = cornu::function(
        [&](const Tensor& x, const Tensor& y) { accuracy->update_state(y, model_(x, {.training = false})); },
        {.name = "test_step"});
    step(points.x, points.y);
    return accuracy->result().item<double>();
  }

 private:
  /// Prints and resets the epoch's metrics.
  void report(int epoch) {
    if (epoch % 4 == 3)
      std::printf("  step %4lld: loss %.4f, accuracy %.4f\n",
                  static_cast<long long>(optimizer_.iterations().item<std::int64_t>()),
                  training_loss_->result().item<double>(), training_accuracy_->result().item<double>());
    training_loss_->reset_state();
    training_accuracy_->reset_state();
  }

  keras::Sequential model_ =
      keras::Sequential({hidden_layer(), hidden_layer(), layers::Dense({.units = kArms})});
  keras::optimizers::Adam optimizer_ = keras::optimizers::Adam({.learning_rate = 0.01});
  keras::metrics::Mean training_loss_ = keras::metrics::Mean({.name = "training_loss"});
  keras::metrics::SparseCategoricalAccuracy training_accuracy_ =
      keras::metrics::SparseCategoricalAccuracy({.name = "training_accuracy"});
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (!cornu::examples::take_device_option(argc, argv)) return EXIT_SUCCESS;
    const Points train = make_points(kTrainRows, 1), test = make_points(kTestRows, 2);
    double accuracies[2] = {};
    bool traced_once = true;
    for (const bool many : {false, true}) {
      cornu::set_random_seed(1);
      Experiment experiment;
      std::printf(many ? "\nMany steps a call:\n" : "One step a call:\n");
      const auto start = std::chrono::steady_clock::now();
      if (many) {
        traced_once = experiment.train_many_steps_a_call(train);
      } else {
        experiment.train_step_by_step(train);
      }
      const double seconds = seconds_since(start);
      accuracies[many] = experiment.evaluate(test);
      std::printf(
          "accuracy on rows that were not trained on: %.4f; %d steps in %.0f ms, compiling included\n",
          accuracies[many], static_cast<int>(kEpochs * kSteps), seconds * 1e3);
    }
    for (const double accuracy : accuracies) {
      if (accuracy >= kWantedAccuracy) continue;
      std::fprintf(stderr, "accuracy %.4f is below %.2f\n", accuracy, kWantedAccuracy);
      return EXIT_FAILURE;
    }
    if (std::fabs(accuracies[0] - accuracies[1]) > 0.01 || !traced_once) {
      std::fprintf(stderr, "one step and many steps a call must train alike, each traced once\n");
      return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "example_02_custom_loop: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
