#include <gtest/gtest.h>

#include "cornu/keras/trainer/model_test_support.h"

/// Metrics and steps that report arrays.
namespace cornu::inline v0::keras {
namespace {

class ArrayLogsTest : public ModelTest {};
CORNU_TEST_ON_EVERY_PLATFORM(ArrayLogsTest);

/// The sum of the predictions, column by column; its result is the variable itself.
class ColumnSums : public Metric {
 public:
  ColumnSums() : Metric("column_sums") {}
  void update_state(const Tensor&, const Tensor& y_pred, const SampleWeights& weights) override {
    sums_.assign(sums_ + ops::sum(weights.rows.zero_padding(y_pred), {.axis = 0}));
  }
  Tensor result() const override { return sums_; }

 private:
  Variable sums_ = add_variable("sums", {3});
};

void expect_near(const Tensor& a, const Tensor& b) {
  ASSERT_EQ(a.shape(), b.shape());
  for (std::int64_t i = 0; i < a.num_elements(); ++i) EXPECT_NEAR(a.at(i), b.at(i), 1e-5) << i;
}

TEST_P(ArrayLogsTest, LogsHoldWhatTheMetricsResultGives) {
  const Flowers data(17);
  for (const bool eagerly : {false, true}) {
    Sequential model = small_model();
    model.compile({.optimizer = "adam",
                   .loss = "mse",
                   .metrics = {metrics::F1Score(), MetricHandle(std::make_shared<ColumnSums>()), "accuracy"},
                   .run_eagerly = eagerly});
    const callbacks::History history =
        model.fit(data.x, data.one_hot,
                  {.batch_size = 4, .epochs = 3, .verbose = 0, .validation_data = {data.x, data.one_hot}});
    EXPECT_EQ(history.history.size(), 4u) << "loss, accuracy, and those of the validation";
    ASSERT_EQ(history.arrays.size(), 4u);
    ASSERT_EQ(history.array("f1_score").size(), 3u);
    EXPECT_EQ(history.array("column_sums")[0].shape(), (Dims{3}));
    // The last epoch's validation depends on the final weights only.
    const Logs logs = model.evaluate(data.x, data.one_hot, {.batch_size = 5, .verbose = 0});
    const Tensor predicted = model.predict(data.x, {.verbose = 0});
    const metrics::F1Score f1;
    f1.update_state(data.one_hot, predicted);
    expect_near(logs.array("f1_score"), f1.result());
    expect_near(logs.array("column_sums"), ops::sum(predicted, {.axis = 0}));
    expect_near(history.array("val_f1_score")[2], logs.array("f1_score"));
    expect_near(history.array("val_column_sums")[2], logs.array("column_sums"));
    // They are of their own: the metric goes on, they do not.
    const Tensor kept = history.array("column_sums")[2];
    const double before = kept.at(0);
    model.train_on_batch(data.x, data.one_hot);
    EXPECT_EQ(kept.at(0), before);
    EXPECT_EQ(model.get_metrics_result().array("f1_score").shape(), (Dims{3}));
  }
}

TEST_P(ArrayLogsTest, OnlyANumberCanBeWatched) {
  const Flowers data(12);
  Sequential model = small_model();
  model.compile({.optimizer = "adam", .loss = "mse", .metrics = {metrics::F1Score()}});
  expect_contains(
      error_of([&] {
        model.fit(
            data.x, data.one_hot,
            {.epochs = 2, .verbose = 0, .callbacks = {callbacks::EarlyStopping({.monitor = "f1_score"})}});
      }),
      ErrorCode::kInvalidArgument, {"[early_stopping] \"f1_score\" is an array of shape (3,)"});
}

/// Reports the change of its weights, column by column.
class Reporter : public Network {
 public:
  Reporter() : Network("Reporter", "") {}
  StepLogs train_step(StepTools& tools, const StepData& data) override {
    StepLogs logs = default_train_step(*this, tools, data);
    logs.emplace_back("norms", ops::sum(ops::square(dense_->trainable_weights()[0]), {.axis = 0}));
    return logs;
  }

 protected:
  Tensor call(const Tensor& x, const CallContext&) override { return dense_(x); }

 private:
  LayerHandle dense_ = track(layers::Dense({.units = 3}));
};

TEST_P(ArrayLogsTest, AnOwnStepMayReportArrays) {
  const Flowers data(10);
  Model model(std::make_shared<Reporter>());
  model.compile({.optimizer = "sgd", .loss = "mse", .steps_per_execution = 3});
  const auto history = model.fit(data.x, data.one_hot, {.batch_size = 4, .epochs = 2, .verbose = 0});
  const Tensor kernel = model.get_weights()[0];
  expect_near(history.array("norms")[1], ops::sum(ops::square(kernel), {.axis = 0}));
}

}  // namespace
}  // namespace cornu::inline v0::keras
