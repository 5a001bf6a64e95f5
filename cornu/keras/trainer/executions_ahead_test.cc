#include "cornu/keras/trainer/executions_ahead.h"

#include <gtest/gtest.h>

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/keras/trainer/model_test_support.h"
#include "cornu/runtime/fake_device_test_support.h"

namespace cornu::inline v0::keras {
namespace {

/// An event that is done after finish(), or once it was waited for.
class PlannedEvent final : public runtime::Event::State {
 public:
  explicit PlannedEvent(std::vector<int>* waits, int number) : waits_(waits), number_(number) {}
  bool is_ready() override { return is_done_; }
  void wait() override {
    if (!is_done_) waits_->push_back(number_);
    is_done_ = true;
    if (!error_.empty()) throw Error(ErrorCode::kUnavailable, error_, {.op = "planned"});
  }
  void finish() { is_done_ = true; }
  void fail_with(std::string error) { error_ = std::move(error); }

 private:
  std::vector<int>* waits_;
  int number_;
  bool is_done_ = false;
  std::string error_;
};

/// A step of rows of 1 KiB, 1,024 in a batch.
class PlannedStep final : public StepRunner {
 public:
  PlannedStep()
      : StepRunner({.batch_size = 1024,
                    .x = {TensorType{DType::kF32, {128}}},
                    .y = {TensorType{DType::kF32, {128}}},
                    .sample_weight = {std::nullopt},
                    .placement = Placement(std::make_shared<runtime::FakeClient>())}) {}
  const std::vector<LogSource>& logs() const override { return logs_; }
  std::int64_t run(const Batches& batches, runtime::Progress&) override {
    static_cast<runtime::FakeClient&>(*key().placement.client()).pass_time(seconds);
    return batches.num_steps;
  }
  std::optional<StepFault> fault() const override { return std::nullopt; }
  runtime::Submission submit(const Batches& batches, runtime::Progress& progress) override {
    if (refuses) throw Error(ErrorCode::kUnavailable, "refused", {.op = "planned"});
    events.push_back(std::make_shared<PlannedEvent>(&waits, static_cast<int>(events.size())));
    progresses.push_back(&progress);
    return {.done = runtime::Event(events.back()), .num_steps = batches.num_steps};
  }

  std::vector<std::shared_ptr<PlannedEvent>> events;
  std::vector<runtime::Progress*> progresses;
  std::vector<int> waits;  // the executions that were waited for while they ran
  bool refuses = false;
  double seconds = 0;  // of an execution that is waited for, by the device's clock

 private:
  std::vector<LogSource> logs_;
};

struct ExecutionsAheadTest : ::testing::Test {
  std::int64_t submit(std::int64_t num_steps, std::int64_t first_step) {
    return ahead.run({.batch_size = 1024, .num_rows = num_steps * 1024, .num_steps = num_steps}, first_step,
                     is_timed);
  }
  PlannedStep step;
  runtime::Progress progress;
  ExecutionsAhead ahead{step, progress};
  bool is_timed = false;
};

TEST_F(ExecutionsAheadTest, TheOldestIsWaitedForWhenThereAreMany) {
  for (int i = 0; i < 18; ++i) EXPECT_EQ(submit(1, i), 1);
  EXPECT_EQ(step.waits, (std::vector<int>{0, 1}));
  ahead.finish();
  EXPECT_EQ(step.waits.size(), 18U);
}

TEST_F(ExecutionsAheadTest, RowsTakeALimitedMemory) {
  submit(40, 0);  // 40 MiB
  submit(20, 40);
  EXPECT_TRUE(step.waits.empty());
  submit(30, 60);
  EXPECT_EQ(step.waits, (std::vector<int>{0}));
  submit(500, 90);
  EXPECT_EQ(step.waits, (std::vector<int>{0, 1, 2})) << "an execution of any size runs";
}

TEST_F(ExecutionsAheadTest, WhatIsDoneIsNotWaitedFor) {
  for (int i = 0; i < 40; ++i) {
    submit(1, i);
    step.events.back()->finish();
  }
  EXPECT_TRUE(step.waits.empty());
}

TEST_F(ExecutionsAheadTest, TheFirstFailureIsTheOneThatCounts) {
  submit(2, 0);
  submit(3, 2);
  submit(3, 5);
  step.progresses[1]->steps_done = 1;
  step.events[1]->fail_with("broken");
  step.events[2]->fail_with("broken after that");
  EXPECT_THROW(ahead.finish(), Error);
  const std::optional<ExecutionsAhead::Failure> failure = ahead.take_failure();
  ASSERT_TRUE(failure.has_value());
  EXPECT_EQ(failure->first_step, 2);
  EXPECT_EQ(failure->steps_done, 1);
  EXPECT_EQ(error_of([&] { std::rethrow_exception(failure->error); }).message(), "broken");
  EXPECT_EQ(step.waits, (std::vector<int>{0, 1, 2})) << "none runs on";
  EXPECT_FALSE(ahead.take_failure().has_value());
  submit(1, 8);
  EXPECT_NO_THROW(ahead.finish());
}

TEST_F(ExecutionsAheadTest, AnErrorOfAnEarlierExecutionIsNotTheLaterOnes) {
  submit(2, 0);
  step.events[0]->fail_with("broken");
  step.refuses = true;
  EXPECT_THROW(submit(2, 2), Error);
  EXPECT_EQ(ahead.take_failure()->first_step, 0);
}

TEST_F(ExecutionsAheadTest, AnExecutionThatCannotBeginHasFailed) {
  submit(2, 0);
  step.refuses = true;
  EXPECT_THROW(submit(2, 2), Error);
  EXPECT_EQ(ahead.take_failure()->first_step, 2);
}

TEST_F(ExecutionsAheadTest, AllSeeARequestToStop) {
  submit(2, 0);
  submit(2, 2);
  EXPECT_FALSE(step.progresses[1]->is_stopping());
  progress.stop = true;
  EXPECT_TRUE(step.progresses[0]->is_stopping() && step.progresses[1]->is_stopping());
}

TEST_F(ExecutionsAheadTest, TimedAndLongExecutionsAreWaitedFor) {
  submit(2, 0);
  is_timed = true;
  step.seconds = 0.11;
  EXPECT_EQ(submit(2, 2), 2);
  EXPECT_EQ(step.waits, (std::vector<int>{0})) << "the clock starts when the device has nothing else to do";
  is_timed = false;
  step.seconds = 0;
  EXPECT_EQ(submit(2, 4), 2);
  EXPECT_EQ(step.events.size(), 1U) << "the last one was long";
  submit(2, 6);
  EXPECT_EQ(step.events.size(), 2U);
}

/// fit on a device that works by itself.
struct FitAheadTest : ::testing::Test {
  void TearDown() override { set_default_client(nullptr); }
  static Sequential compiled_model(const std::string& device) {
    set_default_client(runtime::make_client(device, {.num_threads = 1}));
    clear_session();
    set_random_seed(42);
    Sequential model = small_model(1, 0.2);
    CompileOptions options{.optimizer = "adam", .loss = "categorical_crossentropy", .metrics = {"accuracy"}};
    options.seed = 3;
    model.compile(options);
    return model;
  }
  Flowers data{90};  // five batches of 20
};

TEST_F(FitAheadTest, CallbacksThatReadSeeTheirOwnStep) {
  // After the first 64 executions most are not timed, and so are submitted ahead.
  const FitOptions quiet{.batch_size = 20, .epochs = 30, .verbose = 0};
  std::vector<double> read[2];
  std::vector<Tensor> weights[2];
  int i = 0;
  for (const char* device : {"cpu", "sim:ideal"}) {
    Sequential model = compiled_model(device);
    FitOptions options = quiet;
    callbacks::LambdaCallback reader(
        {.on_train_batch_end = [&](const callbacks::BatchRange&, LazyLogs& logs) {
          read[i].push_back(logs.get().at("loss"));
        }});
    options.callbacks = {&reader};
    model.fit(data.x, data.one_hot, options);
    weights[i] = model.get_weights();
    ++i;
  }
  EXPECT_EQ(read[0].size(), 150U);
  EXPECT_EQ(read[0], read[1]);
  for (std::size_t k = 0; k < weights[0].size(); ++k)
    EXPECT_EQ(weights[0][k].to_vector<float>(), weights[1][k].to_vector<float>());
}

TEST_F(FitAheadTest, ALinkThatWorksBesideTheDeviceTakesTheTimeThatItsProfilePredicts) {
  const auto seconds_of_ten_epochs = [&](const std::string& device) {
    Sequential model = compiled_model(device);
    const auto seconds_of = [&](std::int64_t epochs) {
      const double start = default_client()->now();
      model.fit(data.x, data.one_hot, {.batch_size = 20, .epochs = epochs, .verbose = 0});
      return default_client()->now() - start;
    };
    seconds_of(3);  // compiles, and writes weights and rows
    const double ten = seconds_of(10);
    return seconds_of(20) - ten;
  };
  const std::string profile = "sim:ideal,rows=kept,link_latency_seconds=0.060,step_seconds=0.001";
  // Nothing waits for the logs of an epoch but the last one's, so that the device is always at work.
  EXPECT_NEAR(seconds_of_ten_epochs(profile + ",calls=overlapping"), 10 * 5 * 0.001, 1e-9);
  EXPECT_GT(seconds_of_ten_epochs(profile), 10 * (5 * (0.060 + 0.001) + 0.060) - 1e-9);
}

TEST_F(FitAheadTest, PredictionsAreSubmittedAheadWithTheirOwnRows) {
  std::vector<float> read[2];
  double seconds = 0;
  int i = 0;
  for (const char* device :
       {"cpu", "sim:ideal,rows=kept,calls=overlapping,link_latency_seconds=0.060,step_seconds=0.001"}) {
    Sequential model = compiled_model(device);
    model.predict(data.x, {.batch_size = 20, .verbose = 0});
    const double start = default_client()->now();
    read[i++] = model.predict(data.x, {.batch_size = 20, .verbose = 0}).to_vector<float>();
    seconds = default_client()->now() - start;
  }
  EXPECT_EQ(read[0], read[1]);
  // The rows are written once more; the four full batches go together, the last one follows.
  EXPECT_LE(seconds, 3 * 0.060 + 5 * 0.001 + 1e-9);
}

TEST_F(FitAheadTest, AFailureIsToldWithItsStepAndTrainingGoesOnFromThere) {
  Sequential model = compiled_model("sim:ideal,fail_at_launch=8");
  const FitOptions options{.batch_size = 20, .epochs = 2, .verbose = 0};
  const Error error = error_of([&] { model.fit(data.x, data.one_hot, options); });
  EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
  EXPECT_NE(std::string(error.what()).find("in epoch 2, step 3 of 5; all weights are as they were"),
            std::string::npos)
      << error.what();
  EXPECT_EQ(model.optimizer().iterations().item<std::int64_t>(), 7)
      << "the executions after it changed nothing";
  EXPECT_NO_THROW(model.fit(data.x, data.one_hot, options));
}

}  // namespace
}  // namespace cornu::inline v0::keras
