#include <gtest/gtest.h>

#include "cornu/keras/trainer/model_test_support.h"

/// Losses and metrics that return one number for a batch: padding cannot be masked, so partial batches get
/// their own programs.
namespace cornu::inline v0::keras {
namespace {

class ExactStepTest : public ModelTest {};
CORNU_TEST_ON_EVERY_PLATFORM(ExactStepTest);

/// A loss that is not a mean of values for each row.
Tensor root_of_mean(const Tensor& y_true, const Tensor& y_pred) {
  return ops::sqrt(ops::mean(ops::square(y_pred - y_true)));
}
Tensor largest(const Tensor& y_true, const Tensor& y_pred) { return ops::max(ops::abs(y_pred - y_true)); }

CompileOptions exact_options(int steps_per_execution = 1) {
  return {.optimizer = optimizers::Adam({.learning_rate = 0.02}),
          .loss = root_of_mean,
          .metrics = {largest, "accuracy"},
          .steps_per_execution = steps_per_execution,
          .seed = 3};
}

TEST_P(ExactStepTest, PartialBatchesGiveWhatBatchesOfTheirSizeGive) {
  const Flowers data(27);
  const auto eager_model = [] {
    Sequential made = small_model(1, 0.2);
    CompileOptions eager_options = exact_options();
    eager_options.run_eagerly = true;
    made.compile(eager_options);
    return made;
  };
  Sequential eager = eager_model();
  const FitOptions options{
      .batch_size = 6, .epochs = 3, .verbose = 0, .validation_split = 0.3};  // 18 rows; 9 for validation
  const FitOptions partial{.batch_size = 8, .epochs = 3, .verbose = 0, .validation_split = 0.3};
  const callbacks::History wanted_full = eager.fit(data.x, data.one_hot, options),
                           wanted = eager.fit(data.x, data.one_hot, partial);
  for (const int steps : {1, 2, 50}) {
    Sequential model = small_model(1, 0.2);
    model.compile(exact_options(steps));
    const auto expect_near = [](const callbacks::History& a, const callbacks::History& b) {
      ASSERT_EQ(a.history.size(), b.history.size());
      auto other = b.history.begin();  // the function's name differs
      for (const auto& [name, values] : a.history) {
        for (std::size_t epoch = 0; epoch < values.size(); ++epoch)
          EXPECT_NEAR(values[epoch], other->second[epoch], 3e-5) << name;
        ++other;
      }
    };
    const callbacks::History full_history = model.fit(data.x, data.one_hot, options);
    EXPECT_EQ(full_history.num_compiles, 3) << "6 rows; 6 and 3 rows of validation";
    expect_near(full_history, wanted_full);
    const callbacks::History history = model.fit(data.x, data.one_hot, partial);
    EXPECT_EQ(history.num_compiles, 4) << "8 and 2 rows; 8 and 1 rows of validation";
    EXPECT_EQ(history.num_steps, 9);
    expect_near(history, wanted);
    EXPECT_LT(largest_difference(model.weights(), eager.weights()), 3e-5);
    EXPECT_EQ(model.fit(data.x, data.one_hot, partial).num_compiles, 0);
    Sequential same = eager_model();
    same.set_weights(model.get_weights());
    const EvaluateOptions by_eight{.batch_size = 8, .verbose = 0};
    const Logs logs = model.evaluate(data.x, data.one_hot, by_eight),
               wanted_logs = same.evaluate(data.x, data.one_hot, by_eight);
    EXPECT_NEAR(logs["loss"], wanted_logs["loss"], 3e-5);
    EXPECT_NEAR((logs.begin() + 1)->second, (wanted_logs.begin() + 1)->second, 3e-5) << "of the function";
  }
}

TEST_P(ExactStepTest, CallbacksSeeOneExecution) {
  class Counter : public callbacks::Callback {
   public:
    std::vector<std::int64_t> counts;
    void on_train_batch_end(const callbacks::BatchRange& batches, LazyLogs&) override {
      counts.push_back(batches.count);
    }
  };
  const Flowers data(10);
  Sequential model = small_model();
  model.compile(exact_options(3));
  Counter counter;
  model.fit(data.x, data.one_hot, {.batch_size = 4, .verbose = 0, .callbacks = {&counter}});
  EXPECT_EQ(counter.counts, std::vector<std::int64_t>{3});
}

TEST_P(ExactStepTest, ExplainSaysWhy) {
  const Flowers data(10);
  Sequential model = small_model(), plain = small_model();
  model.compile(exact_options());
  plain.compile({.optimizer = "sgd", .loss = "mse"});
  EXPECT_NE(
      model.train_program(data.x, data.one_hot)
          .explain.find(
              "partial batches: a program for each size, compiled in the background when one is expected, "
              "because loss \"function"),
      std::string::npos);
  EXPECT_EQ(plain.train_program(data.x, data.one_hot).explain.find("partial batches"), std::string::npos);
  // A metric is reason enough.
  plain.compile({.optimizer = "sgd", .loss = "mse", .metrics = {largest}});
  EXPECT_NE(plain.train_program(data.x, data.one_hot).explain.find("because metric \"function"),
            std::string::npos);
}

TEST_P(ExactStepTest, BatchesOfAnySizeAndFaultsInPartialOnes) {
  Flowers data(10);
  Sequential model = small_model();
  CompileOptions options = exact_options(50);
  options.stop_on_nan = true;
  model.compile(options);
  // Many sizes: programs are evicted, and the results are still those of the size.
  for (std::int64_t rows = 1; rows <= 10; ++rows) {
    const Tensor x = data.x.rows(0, rows), y = data.one_hot.rows(0, rows);
    EXPECT_NEAR(model.test_on_batch(x, y)["loss"], root_of_mean(y, model.predict_on_batch(x)).item<double>(),
                1e-5);
  }
  std::vector<float> x(data.x.data<float>().begin(), data.x.data<float>().end());
  x[9 * 4] = std::numeric_limits<float>::infinity();
  data.x = Tensor::adopt({10, 4}, std::move(x));
  expect_contains(
      error_of([&] { model.fit(data.x, data.one_hot, {.batch_size = 4, .verbose = 0, .shuffle = false}); }),
      ErrorCode::kDataLoss, {"epoch 1, step 3 of 3", "row 9 of x, element 0, is inf"});
  EXPECT_EQ(model.optimizer()->iteration_variable().read().at(0), 2);
}

TEST_P(ExactStepTest, ALossIsAMetricAsInKeras) {
  const Flowers data(10);
  Sequential model = small_model();
  model.compile({.optimizer = "sgd", .loss = "mse", .metrics = {losses::MeanAbsoluteError()}});
  const Logs logs = model.evaluate(data.x, data.one_hot, {.batch_size = 4, .verbose = 0});
  // The mean of three batches' numbers, not of ten rows'.
  double sum = 0;
  for (const auto& [begin, end] : {std::pair(0, 4), std::pair(4, 8), std::pair(8, 10)})
    sum += losses::MeanAbsoluteError()(data.one_hot.rows(begin, end),
                                       model.predict_on_batch(data.x.rows(begin, end)))
               .item<double>();
  EXPECT_NEAR(logs["mean_absolute_error"], sum / 3, 1e-5);
  EXPECT_EQ(model.train_program(data.x, data.one_hot).explain.find("partial batches"), std::string::npos)
      << "it leaves padding out";
  EXPECT_EQ(MetricSpec(losses::Huber()).get()->direction(), Metric::Direction::kDown);
  EXPECT_EQ(MetricSpec(largest).get()->direction(), Metric::Direction::kNone);
}

}  // namespace
}  // namespace cornu::inline v0::keras
