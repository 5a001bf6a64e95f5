#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "cornu/keras/keras.h"

/// A small training with noise and statistics, whose numbers are compared bit by bit.
namespace cornu::inline v0 {

/// What a training gave.
struct Result {
  keras::callbacks::History history;
  std::vector<std::vector<float>> weights;
};

inline std::vector<std::vector<float>> weights_of(const keras::Model& model) {
  std::vector<std::vector<float>> values;
  for (const Variable& weight : model.weights()) values.push_back(weight.value().to_vector<float>());
  return values;
}

inline void expect_equal(const Result& a, const Result& b) {
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.history.epoch, b.history.epoch);
  for (const auto& [name, values] : b.history.history) EXPECT_EQ(a.history[name], values) << name;
}

/// A model with state of all kinds, built and not compiled: weights, statistics, the bits of Dropout.
inline keras::Sequential make_model(keras::layers::DenseOptions last) {
  set_random_seed(11);
  keras::Sequential model({keras::layers::Dense({.units = 8, .activation = "tanh"}),
                           keras::layers::BatchNormalization(), keras::layers::Dropout({.rate = 0.25}),
                           keras::layers::Dense(std::move(last))});
  model.build({keras::kUnknown, 3});
  return model;
}

/// The 80 rows of a regression: x (80, 3) and y (80, 1).
inline std::pair<Tensor, Tensor> regression_rows() {
  std::vector<float> x(240), y(80);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 0.1F * static_cast<float>(i * 7 % 19);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] = x[3 * i] - x[3 * i + 1];
  return {Tensor::from<float>({80, 3}, x), Tensor::from<float>({80, 1}, y)};
}

/// Compiled for them.
inline keras::Sequential make_regression(const keras::StepsPerExecution& steps = 2) {
  keras::Sequential model = make_model({.units = 1});
  model.compile(
      {.optimizer = "adam", .loss = "mse", .metrics = {"mae"}, .steps_per_execution = steps, .seed = 5});
  return model;
}

inline Result fit_regression(keras::Model& model, const keras::FitOptions& options) {
  const auto [x, y] = regression_rows();
  Result result{.history = model.fit(x, y, options)};
  result.weights = weights_of(model);
  return result;
}

/// Trains a regression of 80 rows.
inline Result train(const keras::FitOptions& options, const keras::StepsPerExecution& steps = 2) {
  keras::Sequential model = make_regression(steps);
  return fit_regression(model, options);
}

inline keras::FitOptions fit_options() {
  return {.batch_size = 8, .epochs = 4, .verbose = 0, .validation_split = 0.2};
}

/// Calls something behind so many steps of the run.
class After : public keras::callbacks::Callback {
 public:
  After(std::vector<std::int64_t> steps, std::function<void()> work)
      : steps_(std::move(steps)), work_(std::move(work)) {}
  void on_train_batch_end(const keras::callbacks::BatchRange& batches, keras::LazyLogs&) override {
    steps_run_ += batches.count;
    if (steps_.empty() || steps_run_ < steps_.front()) return;
    steps_.erase(steps_.begin());
    work_();
  }

 private:
  std::vector<std::int64_t> steps_;
  std::function<void()> work_;
  std::int64_t steps_run_ = 0;
};

}  // namespace cornu::inline v0
