#include "cornu/keras/trainer/interrupt.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "cornu/base/error.h"
#include "cornu/keras/keras.h"
#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras {
namespace {

TEST(InterruptTest, FitEndsWithTheStepThatRunsAndKeepsItsWeights) {
  Sequential model({layers::Dense({.units = 64, .activation = "relu"}), layers::Dense({.units = 1})});
  model.compile({.optimizer = "sgd", .loss = "mse", .steps_per_execution = 1000000});
  const Tensor x = Tensor::of<float>({2, 1}, {0, 1}), y = Tensor::of<float>({2, 1}, {1, 0});
  std::thread key;
  callbacks::LambdaCallback press({.on_train_begin = [&] {
    key = std::thread([] {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      kill(getpid(), SIGINT);
    });
  }});
  try {
    model.fit(x, y, {.epochs = 100000000, .verbose = 0, .callbacks = {&press}});
    ADD_FAILURE() << "fit ended by itself";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCancelled) << error.what();
  }
  key.join();
  for (const Tensor& weight : model.get_weights())
    for (float value : weight.data<float>()) EXPECT_TRUE(std::isfinite(value));
  // Afterwards the default is back: nothing of ours handles the signal.
  struct sigaction now = {};
  sigaction(SIGINT, nullptr, &now);
  EXPECT_TRUE(now.sa_handler == SIG_DFL);
}

TEST(InterruptTest, AProgramsOwnHandlerStays) {
  static std::atomic<int> calls{0};
  struct sigaction action = {};
  action.sa_handler = [](int) { ++calls; };
  sigaction(SIGINT, &action, nullptr);
  std::atomic<bool> step{false};
  {
    std::atomic<bool>* const flags[] = {&step};
    const InterruptScope scope(flags);
    raise(SIGINT);
  }
  EXPECT_EQ(calls.load(), 1);
  EXPECT_FALSE(step.load());
  action.sa_handler = SIG_DFL;
  sigaction(SIGINT, &action, nullptr);
}

TEST(InterruptTest, ARunInsideARunIsInterruptedWithIt) {
  class Evaluator : public callbacks::Callback {
   public:
    void on_train_batch_end(const callbacks::BatchRange&, LazyLogs&) override {
      const Tensor x = Tensor::zeros({4, 1});
      model()->evaluate(x, x, {.verbose = 0});  // leaves the scope of fit in place
      raise(SIGINT);
      try {
        model()->evaluate(x, x, {.verbose = 0});
      } catch (const Error& error) {
        inner = error.code();
      }
    }
    ErrorCode inner = ErrorCode::kInternal;
  };
  Sequential model({layers::Dense({.units = 1})});
  model.compile({.optimizer = "sgd", .loss = "mse"});
  const Tensor x = Tensor::zeros({4, 1});
  Evaluator evaluator;
  try {
    model.fit(x, x, {.epochs = 3, .verbose = 0, .callbacks = {&evaluator}});
    ADD_FAILURE() << "fit ended by itself";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCancelled) << error.what();
  }
  EXPECT_EQ(evaluator.inner, ErrorCode::kCancelled);
  EXPECT_NO_THROW(model.evaluate(x, x, {.verbose = 0})) << "the next run starts afresh";
}

/// A model that takes some time to compile, and whose partial batches need separate programs.
Sequential slow_to_compile() {
  Sequential model;
  for (int i = 0; i < 30; ++i) model.add(layers::Dense({.units = 8 + i, .activation = "tanh"}));
  model.add(layers::Lambda([](const Tensor& x) { return x - ops::mean(x, {.axis = 0}); }));
  model.add(layers::Dense({.units = 1}));
  model.compile({.optimizer = "sgd", .loss = "mse"});
  return model;
}

/// The code of the Error that `run` throws; kInternal if it throws none.
template <typename F>
ErrorCode code_of(F&& run) {
  try {
    run();
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode::kInternal;
}

TEST(InterruptTest, WhileTheFirstStepIsCompiledFitEndsAndLeavesNoTrace) {
  Sequential model = slow_to_compile();
  const Tensor x = Tensor::zeros({4, 3}), y = Tensor::zeros({4, 1});
  std::thread key([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    kill(getpid(), SIGINT);
  });
  bool trained = false;
  callbacks::LambdaCallback begin({.on_train_begin = [&] { trained = true; }});
  EXPECT_EQ(code_of([&] { model.fit(x, y, {.verbose = 0, .callbacks = {&begin}}); }), ErrorCode::kCancelled);
  key.join();
  EXPECT_FALSE(trained);
  EXPECT_TRUE(model.get_weights().empty()) << "it was not built before";
  EXPECT_NO_THROW(model.fit(x, y, {.verbose = 0}));
}

TEST(InterruptTest, ACompilationInTheBackgroundEndsWithItsRunAndIsTakenUpByTheNext) {
  Sequential model = slow_to_compile();
  const Tensor x = Tensor::zeros({37, 3}), y = Tensor::zeros({37, 1});
  callbacks::LambdaCallback press(
      {.on_train_batch_begin = [](const callbacks::BatchRange&) { raise(SIGINT); }});
  EXPECT_EQ(code_of([&] { model.fit(x, y, {.batch_size = 16, .verbose = 0, .callbacks = {&press}}); }),
            ErrorCode::kCancelled);
  EXPECT_NO_THROW(model.fit(x, y, {.batch_size = 16, .verbose = 0}));
  EXPECT_NO_THROW(model.train_executable(x, y, {.batch_size = 8}))
      << "what comes after the run is not interrupted";
}

TEST(InterruptTest, InTheLastCallbacksItIsNotLost) {
  Sequential model({layers::Dense({.units = 1})});
  model.compile({.optimizer = "sgd", .loss = "mse"});
  const Tensor x = Tensor::zeros({4, 1});
  callbacks::LambdaCallback in_epoch_end({.on_epoch_end = [](std::int64_t, Logs&) { raise(SIGINT); }});
  callbacks::LambdaCallback in_train_end({.on_train_end = [](Logs&) { raise(SIGINT); }});
  for (callbacks::Callback* callback : {&in_epoch_end, &in_train_end})
    EXPECT_EQ(code_of([&] { model.fit(x, x, {.verbose = 0, .callbacks = {callback}}); }),
              ErrorCode::kCancelled);
  callbacks::LambdaCallback in_test({.on_test_end = [](Logs&) { raise(SIGINT); }});
  EXPECT_EQ(code_of([&] { model.evaluate(x, x, {.verbose = 0, .callbacks = {&in_test}}); }),
            ErrorCode::kCancelled);
  callbacks::LambdaCallback in_predict({.on_predict_end = [] { raise(SIGINT); }});
  EXPECT_EQ(code_of([&] { model.predict(x, {.verbose = 0, .callbacks = {&in_predict}}); }),
            ErrorCode::kCancelled);
  EXPECT_NO_THROW(model.predict(x, {.verbose = 0}));
}

TEST(InterruptTest, BetweenRunsAndInStepsOfTheProgramsOwnLoopItIsTheSystems) {
  EXPECT_EXIT(
      {
        Sequential model({layers::Dense({.units = 1})});
        model.compile({.optimizer = "sgd", .loss = "mse"});
        const Tensor x = Tensor::zeros({4, 1});
        model.fit(x, x, {.verbose = 0});
        model.train_on_batch(x, x);
        raise(SIGINT);
      },
      testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace cornu::inline v0::keras
