#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "cornu/base/log_test_support.h"
#include "cornu/keras/trainer/execution_tuner.h"
#include "cornu/keras/trainer/model_test_support.h"
#include "cornu/keras/trainer/slow_callback.h"

/// Compares fit with a plain loop: the rows of each step, at any number of steps per execution.
namespace cornu::inline v0::keras {
namespace {

constexpr std::int64_t kMostSteps = 128;

/// Records, for each step, a number that depends on its rows and their positions: sum over valid rows of (row
/// + 1) * (position + 1).
class Witness : public Network {
 public:
  Witness() : Network("Witness", "") {
    seen_ =
        Variable(ir::Literal(TensorType{DType::kF32, {kMostSteps}}), {.name = "seen", .trainable = false});
    count_ = Variable(ir::Literal(TensorType{DType::kI32, {}}), {.name = "count", .trainable = false});
  }

  StepLogs train_step(StepTools&, const StepData& data) override {
    const std::int64_t batch = data.x[0].shape()[0];
    const Tensor places = ops::cast(ops::arange(batch), DType::kF32) + 1.0;
    const Tensor rows = ops::reshape(data.x[0], {batch});
    const Tensor mark = ops::sum(data.rows.zero_padding((rows + 1.0) * places));
    const Tensor here = ops::cast(ops::equal(ops::arange(kMostSteps), count_), DType::kF32);
    seen_.assign(seen_ + here * mark);
    count_.assign(count_ + 1);
    return {{"mark", mark}};
  }

  std::vector<double> marks() const {
    std::vector<double> all;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(count_.read().at(0)); ++i)
      all.push_back(seen_.read().at(i));
    return all;
  }

 private:
  Variable seen_, count_;
};

/// Keras's loop in its simplest form.
std::vector<double> oracle(std::int64_t num_rows, std::int64_t batch, std::int64_t steps_per_epoch,
                           std::int64_t epochs) {
  std::vector<double> marks;
  std::int64_t next = 0;
  const std::int64_t in_a_pass = (num_rows + batch - 1) / batch;
  for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
    const std::int64_t wanted = steps_per_epoch > 0 ? steps_per_epoch : in_a_pass;
    if (next == in_a_pass) next = 0;  // a pass has ended: the data are shuffled, or not, and begin again
    for (std::int64_t step = 0; step < wanted && next < in_a_pass; ++step, ++next) {
      double mark = 0;
      for (std::int64_t row = next * batch; row < std::min((next + 1) * batch, num_rows); ++row)
        mark += static_cast<double>((row + 1) * (row - next * batch + 1));
      marks.push_back(mark);
    }
  }
  return marks;
}

class StepsOracleTest : public ModelTest {};
CORNU_TEST_ON_EVERY_PLATFORM(StepsOracleTest);

/// Checks that batch hooks cover each epoch without gaps up to its end.
class Contract : public callbacks::Callback {
 public:
  std::int64_t steps = 0;
  void on_epoch_begin(std::int64_t) override { next_ = 0; }
  void on_train_batch_begin(const callbacks::BatchRange& batches) override {
    EXPECT_EQ(batches.first, next_);
  }
  void on_train_batch_end(const callbacks::BatchRange& batches, LazyLogs&) override {
    EXPECT_EQ(batches.first, next_);
    EXPECT_EQ(batches.count, batches.last - batches.first + 1);
    EXPECT_LT(batches.last, params().steps) << "never beyond the epoch";
    next_ = batches.last + 1;
    steps += batches.count;
  }

 private:
  std::int64_t next_ = 0;
};

TEST_P(StepsOracleTest, EveryNumberOfStepsAnExecutionSeesTheRowsOfAPlainLoop) {
  const RandomStream random(17);
  std::uint64_t counter = 0;
  const auto pick = [&](std::int64_t from, std::int64_t to) {
    return from +
           static_cast<std::int64_t>(random.bits(counter++) % static_cast<std::uint64_t>(to - from + 1));
  };
  const int rounds = std::string(GetParam()) == "reference" ? 40 : 6;
  for (int round = 0; round < rounds; ++round) {
    const std::int64_t num_rows = pick(1, 40), batch = pick(1, 9), epochs = pick(1, 4);
    const std::int64_t in_a_pass = (num_rows + batch - 1) / batch;
    const std::int64_t steps_per_epoch = pick(0, 1) == 0 ? 0 : pick(1, in_a_pass + 2);
    std::vector<float> ids(static_cast<std::size_t>(num_rows));
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<float>(i);
    const Tensor x = Tensor::adopt({num_rows, 1}, std::move(ids));
    const std::vector<double> expected = oracle(num_rows, batch, steps_per_epoch, epochs);
    if (expected.size() > kMostSteps) continue;
    for (const std::int64_t k : {std::int64_t{1}, pick(2, 5), in_a_pass, in_a_pass + pick(1, 50)}) {
      SCOPED_TRACE(fmt::format("{} rows, batch {}, {} steps an epoch, {} epochs, K = {}", num_rows, batch,
                               steps_per_epoch, epochs, k));
      const auto network = std::make_shared<Witness>();
      Model model(network);
      model.compile({.steps_per_execution = k});
      Contract contract;
      FitOptions options{
          .batch_size = batch, .epochs = epochs, .verbose = 0, .callbacks = {&contract}, .shuffle = false};
      if (steps_per_epoch > 0) options.steps_per_epoch = steps_per_epoch;
      CapturedLog log;
      const auto history = model.fit(x, {}, options);
      const std::string warnings = log.take();
      EXPECT_LE(std::count(warnings.begin(), warnings.end(), '\n'), 1) << warnings;
      EXPECT_EQ(network->marks(), expected);
      EXPECT_EQ(history.num_steps, static_cast<std::int64_t>(expected.size()));
      EXPECT_EQ(contract.steps, history.num_steps);
      EXPECT_EQ(history.num_compiles, 1);
    }
  }
}

TEST_P(StepsOracleTest, FourEpochsOfThreeStepsOverSixBatchesAreTwelveSteps) {
  for (const int k : {1, 3, 5, 50}) {
    const auto network = std::make_shared<Witness>();
    Model model(network);
    model.compile({.steps_per_execution = k});
    const auto history = model.fit(Tensor::zeros({24, 1}), {},
                                   {.batch_size = 4, .epochs = 4, .verbose = 0, .steps_per_epoch = 3});
    EXPECT_EQ(history.num_steps, 12) << k;
  }
}

std::atomic<double> fake_now{0};
double fake_clock() { return fake_now; }

TEST(SlowCallbackTest, IsNamedOnceWithItsShareAndTheKThatHidesIt) {
  class Dawdler : public callbacks::Callback {
   public:
    void on_train_batch_end(const callbacks::BatchRange&, LazyLogs&) override { fake_now = fake_now + 0.03; }
  };
  Dawdler slow;
  callbacks::Callback quick;
  callbacks::CallbackList callbacks({&quick, &slow}, {.add_history = true});
  SlowCallbackWatch watch(callbacks, &fake_clock);
  LazyLogs logs;
  std::string said;
  int times = 0;
  for (int i = 0; i < 20; ++i) {
    watch.call([&](callbacks::Callback& callback) { callback.on_train_batch_end({i, i, 1}, logs); });
    const std::string warning = watch.is_measuring() ? watch.record(1, 0.01) : "";
    if (warning.empty()) continue;
    said = warning;
    ++times;
  }
  EXPECT_EQ(times, 1);
  for (const char* part : {"callback Dawdler takes 75 %", "30.0 ms a call beside 10.0 ms a step",
                           "steps_per_execution = 57", "5 %"})
    EXPECT_NE(said.find(part), std::string::npos) << part << " in " << said;
  EXPECT_FALSE(watch.is_measuring());
}

TEST(SlowCallbackTest, AfterTheFirstExecutionsOneOfSixteenIsMeasured) {
  const auto callback = std::make_shared<callbacks::Callback>();
  callbacks::CallbackList callbacks({callback}, {});
  SlowCallbackWatch watch(callbacks, &fake_clock);
  int measured = 0;
  for (int i = 0; i < 64 + 160; ++i) measured += watch.begin_execution() ? 1 : 0;
  EXPECT_EQ(measured, 64 + 10);
}

TEST(SlowCallbackTest, QuickCallbacksAndNoneAtAllSayNothing) {
  callbacks::Callback quick;
  callbacks::CallbackList some({&quick}), none({}, {.add_history = true});
  SlowCallbackWatch watch(some, &fake_clock);
  for (int i = 0; i < 100; ++i) {
    const std::string warning = watch.is_measuring() ? watch.record(1, 0.01) : "";
    EXPECT_EQ(warning, "");
  }
  EXPECT_FALSE(watch.is_measuring());
  EXPECT_FALSE(SlowCallbackWatch(none, &fake_clock).is_measuring());
}

TEST(ExecutionTunerTest, TriesFewerStepsToo) {
  // Growth in leaps of eight lands beyond the best number; each execution costs 10 us, and beyond 40 steps a
  // step costs 1 % more, which is noise, beyond 400 five times as much.
  ExecutionTuner tuner(0);
  const auto cost = [](std::int64_t k) {
    return (k > 400 ? 1e-3 : k > 40 ? 2.1e-4 : 2e-4) * static_cast<double>(k) + 1e-5;
  };
  for (int i = 0; i < 300; ++i) tuner.record(tuner.steps(), cost(tuner.steps()));
  const double chosen = cost(tuner.steps()) / static_cast<double>(tuner.steps());
  EXPECT_LE(chosen, 1.02 * cost(8) / 8);
  EXPECT_LE(tuner.steps(), 40);
}

}  // namespace
}  // namespace cornu::inline v0::keras
