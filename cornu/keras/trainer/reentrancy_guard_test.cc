#include "cornu/keras/trainer/reentrancy_guard.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <latch>
#include <thread>
#include <utility>

#include "cornu/keras/trainer/model_test_support.h"

namespace cornu::inline v0::keras {
namespace {

using RunClaimsTest = ModelTest;
CORNU_TEST_ON_EVERY_PLATFORM(RunClaimsTest);

/// Runs `f` once, in a thread, at the first batch of a run.
class Meanwhile : public callbacks::Callback {
 public:
  explicit Meanwhile(std::function<void()> f) : f_(std::move(f)) {}
  void on_train_batch_begin(const callbacks::BatchRange&) override { run(); }
  void on_predict_batch_begin(const callbacks::BatchRange&) override { run(); }

 private:
  void run() {
    if (const auto f = std::exchange(f_, nullptr)) std::thread(f).join();
  }
  std::function<void()> f_;
};

TEST_P(RunClaimsTest, WhatAnotherThreadWouldDoWithAModelThatTrainsIsRefused) {
  const Flowers data(20);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "mse"});
  const auto before = model.fit(data.x, data.one_hot, {.batch_size = 5, .verbose = 0}).history;
  const auto others = [&] {
    const auto refused = [](const char* caller, const std::function<void()>& f) {
      expect_contains(error_of(f), ErrorCode::kFailedPrecondition,
                      {caller, "another thread", "model \"sequential\""});
    };
    refused("[fit]", [&] { model.fit(data.x, data.one_hot, {.verbose = 0}); });
    refused("[evaluate]", [&] { model.evaluate(data.x, data.one_hot, {.verbose = 0}); });
    refused("[predict]", [&] { model.predict(data.x, {.verbose = 0}); });
    refused("[predict_on_batch]", [&] { model.predict_on_batch(data.x); });
    refused("[train_on_batch]", [&] { model.train_on_batch(data.x, data.one_hot); });
    refused("[test_on_batch]", [&] { model.test_on_batch(data.x, data.one_hot); });
    refused("[compile]", [&] { model.compile({.optimizer = "sgd", .loss = "mse"}); });
    refused("[add]", [&] { model.add(layers::Dense({.units = 2})); });
    refused("[pop]", [&] { model.pop(); });
    refused("[reset_metrics]", [&] { model.reset_metrics(); });
    refused("[get_metrics_result]", [&] { (void)model.get_metrics_result(); });
    refused("[train_program]", [&] { (void)model.train_program(data.x, data.one_hot); });
  };
  EXPECT_EQ(model.fit(data.x, data.one_hot, {.batch_size = 5, .verbose = 0, .callbacks = {Meanwhile(others)}})
                .num_steps,
            4);
  std::thread([&] {
    EXPECT_NO_THROW(model.fit(data.x, data.one_hot, {.batch_size = 5, .verbose = 0}));
  }).join();
}

TEST_P(RunClaimsTest, SeveralThreadsMayPredictAtOnceAndNothingElseBesideThem) {
  const Flowers data(20);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "mse"});
  const Tensor alone = model.predict(data.x, {.verbose = 0});
  const auto others = [&] {
    EXPECT_TRUE(model.predict(data.x, {.verbose = 0}).literal() == alone.literal());
    expect_contains(error_of([&] { model.fit(data.x, data.one_hot, {.verbose = 0}); }),
                    ErrorCode::kFailedPrecondition, {"another thread"});
  };
  EXPECT_TRUE(model.predict(data.x, {.verbose = 0, .callbacks = {Meanwhile(others)}}).literal() ==
              alone.literal());
}

/// Predicts again in each hook, on the same thread.
class PredictsAgain : public callbacks::Callback {
 public:
  explicit PredictsAgain(Tensor x) : x_(std::move(x)) {}
  void on_predict_begin() override { again(); }
  void on_predict_batch_begin(const callbacks::BatchRange&) override { again(); }
  void on_predict_batch_end(const callbacks::BatchRange&) override { again(); }
  void on_predict_end() override { again(); }
  int num_calls = 0;

 private:
  void again() {
    ++num_calls;
    EXPECT_EQ(model()->predict(x_, {.batch_size = 4, .verbose = 0}).num_rows(), x_.num_rows());
    EXPECT_EQ(model()->predict_on_batch(x_).num_rows(), x_.num_rows());
  }
  Tensor x_;
};

TEST_P(RunClaimsTest, HooksOfAPredictionMayPredictAlsoWhereItsStepRunsAlone) {
  const Flowers data(20);
  for (const bool run_eagerly : {false, true}) {
    // A step that draws random numbers changes their generator.
    Sequential model(
        {layers::Dense({.units = 3}), layers::Lambda(layers::LambdaOptions{.function = [](const Tensor& x) {
           return x + random::normal(x.shape()) * 0.0;
         }})});
    model.compile({.optimizer = "sgd", .loss = "mse", .run_eagerly = run_eagerly});
    const Tensor alone = model.predict(data.x, {.batch_size = 8, .verbose = 0});
    PredictsAgain again(data.x.rows(0, 6));
    EXPECT_TRUE(model.predict(data.x, {.batch_size = 8, .verbose = 0, .callbacks = {&again}}).literal() ==
                alone.literal());
    EXPECT_EQ(again.num_calls, 8) << "3 batches";
  }
}

TEST_P(RunClaimsTest, ARunThatThrowsLetsGoOfTheModel) {
  const Flowers data(20);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "mse"});
  EXPECT_THROW(model.fit(data.x, Tensor::zeros({7, 3}), {.verbose = 0}), Error);
  std::thread([&] { EXPECT_NO_THROW(model.fit(data.x, data.one_hot, {.verbose = 0})); }).join();
}

TEST_P(RunClaimsTest, OfTwoThreadsThatFitAtOnceOneTrains) {
  const Flowers data(40);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "mse"});
  for (int round = 0; round < 10; ++round) {
    std::latch both(2);
    std::atomic<int> trained{0};
    const auto fit = [&] {
      both.arrive_and_wait();
      try {
        model.fit(data.x, data.one_hot, {.batch_size = 5, .epochs = 3, .verbose = 0});
        ++trained;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kFailedPrecondition) << error.what();
      }
    };
    std::thread other(fit);
    fit();
    other.join();
    EXPECT_GE(trained, 1);
  }
}

}  // namespace
}  // namespace cornu::inline v0::keras
