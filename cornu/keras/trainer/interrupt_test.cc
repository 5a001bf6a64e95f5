#include "cornu/keras/trainer/interrupt.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "cornu/base/error.h"
#include "cornu/keras/keras.h"

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

}  // namespace
}  // namespace cornu::inline v0::keras
