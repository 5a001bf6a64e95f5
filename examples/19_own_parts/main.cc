// The programs of docs/guide/own_parts.md, run and checked: tools/check_guide.py sees that the guide shows
// what stands here.

#include <cmath>
#include <memory>
#include <vector>

#include "cornu/keras/keras.h"
#include "examples/guide_program.h"

namespace {

using namespace cornu;
using examples::expect;
using namespace cornu::keras;

/// Numbers in [-1, 1) that follow from the seed.
Tensor numbers(const Dims& shape, std::uint64_t seed) {
  return random::uniform(shape, {.minval = -1, .maxval = 1, .seed = seed});
}

/// 50 points, whose last batch of 16 is short, and the sum of their coordinates.
Tensor points() { return numbers({50, 3}, 1); }
Tensor values() { return ops::sum(points(), {.axis = -1, .keepdims = true}); }

Sequential small_model() { return Sequential({layers::Input({.shape = {3}}), layers::Dense({.units = 1})}); }

void functions_as_losses_and_metrics() {
  Sequential model = small_model();
  const auto quartic = [](const Tensor& y_true, const Tensor& y_pred) {
    return ops::mean(ops::power(y_true - y_pred, 4), {.axis = -1});  // a value a row
  };
  model.compile({.optimizer = "adam", .loss = quartic, .metrics = {"mae", quartic}});

  const auto history = model.fit(points(), values(), {.batch_size = 16, .epochs = 3, .verbose = 0});
  expect(history["loss"].back() < history["loss"].front(), "a function is a loss");
  expect(history.contains("lambda"), "a lambda is logged as one");

  model.compile({.optimizer = "adam",
                 .loss = quartic,
                 .metrics = {metrics::MeanMetricWrapper({.fn = quartic, .name = "quartic"})}});

  const Logs logs = model.evaluate(points(), values(), {.verbose = 0});
  expect(logs.contains("quartic"), "a metric has the name that it is given");
}

/// Pulls down more where the prediction is too low: the quantile loss.
class Quantile : public Loss {
 public:
  explicit Quantile(double q) : Loss("quantile"), q_(q) {}
  Tensor call(const Tensor& y_true, const Tensor& y_pred) const override {
    const Tensor error = y_true - y_pred;
    return ops::mean(ops::maximum(q_ * error, (q_ - 1) * error), {.axis = -1});
  }

 private:
  double q_;
};

/// The share of rows whose error is within a tolerance: a mean of values.
class Within : public metrics::MeanMetric {
 public:
  explicit Within(double tolerance) : MeanMetric("within"), tolerance_(tolerance) {
    set_direction(Direction::kUp);
  }
  using Metric::update_state;
  void update_state(const Tensor& y_true, const Tensor& y_pred, const SampleWeights& weights) override {
    const Tensor error = ops::max(ops::abs(y_true - y_pred), {.axis = -1});
    update(ops::cast(ops::less_equal(error, tolerance_), DType::kF32), weights);
  }

 private:
  double tolerance_;
};

/// The largest error of all rows: a variable of its own.
class LargestError : public Metric {
 public:
  LargestError() : Metric("largest_error"), largest_(add_variable("largest")) {
    set_direction(Direction::kDown);
  }
  using Metric::update_state;
  void update_state(const Tensor& y_true, const Tensor& y_pred, const SampleWeights& weights) override {
    // Rows that pad a short batch do not count.
    const Tensor errors = weights.rows.zero_padding(ops::abs(y_true - y_pred));
    largest_.assign(ops::maximum(largest_, ops::max(errors)));
  }
  Tensor result() const override { return largest_; }

 private:
  Variable largest_;
};

/// The sign of a moving average of gradients, times the learning rate.
class SignedMomentum : public Optimizer {
 public:
  explicit SignedMomentum(LearningRate learning_rate, double beta = 0.9)
      : Optimizer("SignedMomentum", {.learning_rate = learning_rate}), beta_(beta) {}

 protected:
  std::vector<SlotGroup> slot_groups() const override { return {{.names = {"momentum"}}}; }
  void update_step(const Tensor& gradient, const Variable& variable, std::size_t index,
                   const Tensor& learning_rate) override {
    const Variable& momentum = slot("momentum", index);
    momentum.assign(beta_ * momentum + (1 - beta_) * gradient);
    variable.assign(variable - learning_rate * ops::sign(momentum));
  }

 private:
  double beta_;
};

void classes_as_losses_metrics_and_optimizers() {
  const Tensor x = points(), y = values();
  Sequential model = small_model();
  model.compile({.optimizer = std::make_shared<SignedMomentum>(0.01),
                 .loss = std::make_shared<Quantile>(0.5),
                 .metrics = {std::make_shared<Within>(0.1), std::make_shared<LargestError>()}});
  const auto history = model.fit(x, y, {.batch_size = 16, .epochs = 80, .verbose = 0});

  const Logs logs = model.evaluate(x, y, {.batch_size = 16, .verbose = 0});
  const double largest = ops::max(ops::abs(model.predict(x, {.verbose = 0}) - y)).item<float>();
  expect(std::abs(logs["largest_error"] - largest) < 1e-6, "a metric of a variable, over all batches");
  expect(history["within"].back() > 0.9 && history["loss"].back() < 0.1, "an optimizer of one's own");
}

/// Ends a run when the loss is below a bound, and looks every 100 batches at the most.
class StopBelow : public callbacks::Callback {
 public:
  explicit StopBelow(double bound) : bound_(bound) {}
  std::int64_t max_batches_per_call() const override { return 100; }  // of steps_per_execution = "auto"
  void on_train_batch_end(const callbacks::BatchRange& batches, LazyLogs& logs) override {
    if (logs.get()["loss"] >= bound_) return;  // get() reads the values from the device
    last_batch_ = batches.last;
    model()->set_stop_training(true);
  }
  void on_epoch_end(std::int64_t epoch, Logs& logs) override {
    logs.set("epochs_done", static_cast<double>(epoch + 1));  // stands in history, too
  }
  std::int64_t last_batch() const { return last_batch_; }

 private:
  double bound_;
  std::int64_t last_batch_ = -1;
};

void own_callback() {
  Sequential model = small_model();
  model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.1}), .loss = "mse"});
  StopBelow stop(0.05);
  const auto history =
      model.fit(points(), values(), {.batch_size = 10, .epochs = 100, .verbose = 0, .callbacks = {&stop}});

  expect(stop.last_batch() >= 0 && history.epoch.size() < 100, "a callback of one's own ends the run");
  expect(history["epochs_done"].back() == static_cast<double>(history.epoch.size()), "and adds to the logs");
}

void smaller_parts() {
  const layers::Dense dense(
      {.units = 2,
       .activation = [](const Tensor& x) { return x * ops::sigmoid(1.7 * x); },
       .kernel_regularizer = [](const Tensor& w) { return 0.01 * ops::sum(ops::abs(w)); },
       .kernel_constraint = [](const Tensor& w) { return ops::clip(w, -1, 1); }});

  const Tensor y = dense(points());
  expect(y.shape() == Dims{50, 2} && dense.losses().size() == 1,
         "functions as activation, regularizer and constraint");
}

}  // namespace

int main(int argc, char** argv) {
  return cornu::examples::run_guide_program(
      "own parts", argc, argv,
      {functions_as_losses_and_metrics, classes_as_losses_metrics_and_optimizers, own_callback,
       smaller_parts});
}
