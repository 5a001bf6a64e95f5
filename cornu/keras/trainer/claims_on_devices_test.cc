/// Access by other threads to variables of a fit that runs on a device.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <latch>
#include <optional>
#include <thread>

#include "cornu/keras/trainer/fake_device_test_support.h"

namespace cornu::inline v0::keras {
namespace {

using namespace std::chrono_literals;

class ClaimsOnDevicesTest : public FakeDeviceTest {
 protected:
  /// Calls `work` once, in a thread, in the middle of the execution of this step.
  void in_the_middle_of(int step, const std::function<void(std::thread)>& keep,
                        const std::function<void()>& work) {
    gpu_->in_executions([this, step, keep, work] {
      if (step_ == step && !has_worked_.exchange(true)) keep(std::thread(work));
    });
  }
  /// Fits on the device.
  void fit(Sequential& model) {
    callbacks::LambdaCallback steps(
        {.on_train_batch_begin = [this](const callbacks::BatchRange&) { ++step_; },
         .on_train_batch_end =
             [&](const callbacks::BatchRange&, LazyLogs&) {
               if (has_worked_ && after_.empty()) after_ = model.get_weights();
             }});
    with_device(name_, [&] {
      model.fit(data_.x, data_.one_hot, {.batch_size = 10, .verbose = 0, .callbacks = {&steps}});
    });
    EXPECT_TRUE(has_worked_);
  }

  Flowers data_{60};
  std::atomic<int> step_{0};
  std::atomic<bool> has_worked_{false};
  std::vector<Tensor> after_;  // the weights after the step in which other threads worked
};

constexpr auto kJoin = [](std::thread thread) { thread.join(); };

TEST_F(ClaimsOnDevicesTest, WhatAnExecutionWritesIsRefusedAndItsRateIsReplacedForTheNextStep) {
  for (const bool is_on_device : {false, true}) {
    Sequential model = small_model();
    model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.1}), .loss = "mse"});
    step_ = 0, has_worked_ = false, after_.clear();
    in_the_middle_of(3, kJoin, [&] {
      const auto refused = [](const std::function<void()>& f) {
        expect_contains(error_of(f), ErrorCode::kFailedPrecondition, {"another thread", "[fit] of model"});
      };
      refused([&] { (void)model.optimizer().iterations(); });
      refused([&] { (void)model.optimizer()->iteration_variable().read(); });
      with_device(name_, [&] { refused([&] { (void)model.optimizer().iterations(); }); });
      const Variable& rate = model.optimizer()->learning_rate_variable();
      for (const double next : {0.5, 0.0}) {
        if (is_on_device) {
          with_device(name_, [&] {
            const Tensor there = Tensor(static_cast<float>(next)) * 1.0F;
            rate.assign(there);
            EXPECT_EQ(rate.value().item<float>(), next) << "moved there";
          });
        } else {
          model.optimizer().set_learning_rate(next);
        }
        EXPECT_EQ(model.optimizer().learning_rate().item<float>(), next);
      }
    });
    fit(model);
    EXPECT_EQ(gpu_->num_races(), 0);
    ASSERT_FALSE(after_.empty());
    const std::vector<Tensor> weights = model.get_weights();
    for (std::size_t i = 0; i < weights.size(); ++i)
      EXPECT_TRUE(weights[i].literal() == after_[i].literal()) << "the later steps have the rate 0";
  }
}

TEST_F(ClaimsOnDevicesTest, CallbacksReadAndWriteTheNumbersOfTheirRun) {
  Sequential model = small_model();
  model.compile({.optimizer = optimizers::Adam({.learning_rate = 0.1}), .loss = "mse"});
  std::vector<std::int64_t> seen;
  callbacks::LambdaCallback callback({.on_train_batch_end = [&](const callbacks::BatchRange&, LazyLogs&) {
    seen.push_back(model.optimizer().iterations().item<std::int64_t>());
    model.optimizer()->learning_rate_variable().assign(model.optimizer().learning_rate() * 0.5F);
  }});
  with_device(name_, [&] {
    model.fit(data_.x, data_.one_hot, {.batch_size = 20, .verbose = 0, .callbacks = {&callback}});
  });
  EXPECT_EQ(seen, (std::vector<std::int64_t>{1, 2, 3}));
  EXPECT_FLOAT_EQ(model.optimizer().learning_rate().item<float>(), 0.0125F);
  EXPECT_EQ(gpu_->num_races(), 0);
}

Sequential drawing_model() {
  Sequential model({layers::Dense({.units = 3}),
                    layers::Lambda([](const Tensor& x) { return x + random::normal(x.shape()) * 0.01; })});
  model.compile({.optimizer = "sgd", .loss = "mse"});
  return model;
}

TEST_F(ClaimsOnDevicesTest, AThreadThatDrawsWaitsForTheExecutionThatDraws) {
  Sequential model = drawing_model();
  std::thread other;
  std::atomic<bool> has_drawn{false};
  std::uint32_t num_before = 0;  // draws before that of the other thread
  in_the_middle_of(
      3,
      [&](std::thread thread) {
        other = std::move(thread);
        std::this_thread::sleep_for(100ms);
        EXPECT_FALSE(has_drawn);
      },
      [&] {
        num_before = default_seed_generator()->next().item<std::uint32_t>();
        has_drawn = true;
      });
  fit(model);
  other.join();
  EXPECT_TRUE(has_drawn);
  const auto num_draws = static_cast<std::uint32_t>(default_seed_generator()->counter().read().at(0));
  EXPECT_EQ(num_draws - num_before, 4U) << "its own, and those of steps 4, 5 and 6";
  EXPECT_EQ(gpu_->num_races(), 0);
}

using Train = std::function<void()>;

/// Runs two fits of 75 steps each at the same time. Returns the steps that one had done when the other ended.
int fit_drawing_models(const std::function<void(const Train&)>& first,
                       const std::function<void(const Train&)>& second, const Flowers& data) {
  std::latch both_run(2);
  std::atomic<int> num_done{0}, of_first{0}, of_second{0};
  const auto train = [&](std::atomic<int>& steps_beside) {
    Sequential model = drawing_model();
    int num_steps = 0;
    callbacks::LambdaCallback steps({.on_train_batch_end = [&](const callbacks::BatchRange&, LazyLogs& logs) {
      if (++num_steps == 1) both_run.arrive_and_wait();
      if (num_done == 0) steps_beside = num_steps;
      (void)logs.get();
    }});
    EXPECT_NO_THROW(
        model.fit(data.x, data.one_hot, {.batch_size = 4, .epochs = 5, .verbose = 0, .callbacks = {&steps}}));
    ++num_done;
  };
  std::thread other([&] { second([&] { train(of_second); }); });
  first([&] { train(of_first); });
  other.join();
  const auto counter = default_seed_generator()->counter().read().at(0);
  EXPECT_GE(counter, 150) << "each step of both has drawn";
  return std::min<int>(of_first, of_second);
}

TEST_F(ClaimsOnDevicesTest, FitsOnTwoDevicesDrawFromTheProcessesGeneratorSideBySide) {
  gpu_->in_executions([] { std::this_thread::sleep_for(1ms); });
  fit_drawing_models([](const Train& train) { train(); },
                     [&](const Train& train) { with_device(name_, train); }, data_);
  EXPECT_EQ(gpu_->num_races(), 0);
}

TEST_F(ClaimsOnDevicesTest, FitsOnOneDeviceDrawFromTheProcessesGeneratorSideBySide) {
  gpu_->in_executions([] { std::this_thread::sleep_for(1ms); });
  const auto there = [&](const Train& train) { with_device(name_, train); };
  EXPECT_GE(fit_drawing_models(there, there, data_), 10) << "they take turns";
  EXPECT_EQ(gpu_->num_races(), 0);
}

}  // namespace
}  // namespace cornu::inline v0::keras
