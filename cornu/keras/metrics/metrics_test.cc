#include "cornu/keras/metrics/metrics.h"

#include <gtest/gtest.h>

#include "cornu/base/error.h"
#include "cornu/keras/testing/golden.h"
#include "cornu/tensor/ops.h"

namespace cornu::keras {
namespace {

TEST(MetricsTest, ResultsAreKeras) {
  const testing::OnReferenceBackend on_reference;
  const nlohmann::json golden = testing::load_golden("metrics");
  for (const nlohmann::json& row : golden.at("cases")) {
    const std::string name = row.at("metric");
    std::shared_ptr<Metric> metric = Metric::from_name(name);
    if (row.at("config").contains("threshold")) metric = metrics::BinaryAccuracy({.threshold = row.at("config").at("threshold")}).shared();
    for (const nlohmann::json& update : row.at("updates")) {
      const Tensor y_true = testing::golden_tensor(update.at("y_true"));
      SampleWeights weights;
      if (!update.at("sample_weight").is_null()) weights.weight = testing::golden_tensor(update.at("sample_weight"));
      if (auto* mean = dynamic_cast<metrics::MeanMetric*>(metric.get()); mean != nullptr && name == "Mean") {
        mean->update(y_true, weights);
      } else if (auto* sum = dynamic_cast<metrics::SumMetric*>(metric.get())) {
        sum->update(y_true, weights);
      } else {
        metric->update_state(y_true, testing::golden_tensor(update.at("y_pred")), weights);
      }
      testing::expect_near_relative(metric->result().item<double>(), update.at("result"), 1e-6, name);
    }
    metric->reset_state();
    EXPECT_EQ(metric->result().item<float>(), 0.0F) << name;
  }
}

TEST(MetricsTest, AccuracyIsChosenByShapesAndKeepsItsSpelling) {
  const auto class_name = [](const Dims& y_true, const Dims& y_pred, const Tensor& labels, const Tensor& predictions) {
    const testing::OnReferenceBackend on_reference;
    const std::shared_ptr<Metric> metric = metrics::make_metric("acc", y_true, y_pred);
    EXPECT_EQ(metric->name(), "acc");
    metric->update_state(labels, predictions);
    return metric->result().item<float>();
  };
  const Tensor predictions = Tensor::of<float>({2, 3}, {0.2F, 0.7F, 0.1F, 0.8F, 0.1F, 0.1F});
  EXPECT_EQ(class_name({-1, 3}, {-1, 3}, Tensor::of<float>({2, 3}, {0, 1, 0, 0, 1, 0}), predictions), 0.5F);
  EXPECT_EQ(class_name({-1}, {-1, 3}, Tensor::of<std::int32_t>({2}, {1, 0}), predictions), 1.0F);
  EXPECT_EQ(class_name({-1, 1}, {-1, 3}, Tensor::of<std::int32_t>({2, 1}, {1, 1}), predictions), 0.5F);
  EXPECT_EQ(class_name({-1, 1}, {-1, 1}, Tensor::of<float>({2, 1}, {1, 1}), Tensor::of<float>({2, 1}, {0.7F, 0.2F})), 0.5F);
}

TEST(MetricsTest, PaddingRowsDoNotCount) {
  const testing::OnReferenceBackend on_reference;
  const metrics::SparseCategoricalAccuracy metric;
  const Tensor labels = Tensor::of<std::int32_t>({4}, {1, 0, 0, 0});
  const Tensor predictions = Tensor::of<float>({4, 2}, {0, 1, 0, 1, 1, 0, 1, 0});
  metric->update_state(labels, predictions, {.rows = RowMask::first_rows(2, 4)});
  EXPECT_EQ(metric->result().item<float>(), 0.5F);
  metric->update_state(labels, predictions, {.weight = Tensor::of<float>({4}, {3, 1, 9, 9}), .rows = RowMask::first_rows(2, 4)});
  EXPECT_EQ(metric->result().item<float>(), 4.0F / 6.0F);
}

TEST(MetricsTest, AMeanOfBatchLossesIsWeightedByRows) {
  const testing::OnReferenceBackend on_reference;
  const metrics::Mean mean({.name = "loss"});
  mean.update_state(2.0F, {.weight = 20.0F});
  mean.update_state(5.0F, {.weight = 10.0F});
  EXPECT_EQ(mean->result().item<float>(), 3.0F);
  EXPECT_EQ(mean->variables()[0].path(), "loss/total");
}

TEST(MetricsTest, LabelsThatDoNotFitAreNamedWithTheMetricAndWithoutThePaddedBatch) {
  const testing::OnReferenceBackend on_reference;
  const auto error_message = [](const MetricSpec& spec, const Dims& y_true, const Dims& y_pred) -> std::string {
    try {
      metrics::make_metric(spec, y_true, y_pred)->update_state(Tensor::zeros(y_true), Tensor::zeros(y_pred));
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(error_message("accuracy", {8, 4}, {8, 3}),
            "[categorical_accuracy] labels of shape (None, 4) do not fit the output of shape (None, 3); in metric \"accuracy\"");
  EXPECT_EQ(error_message("acc", {8, 2}, {8, 5, 3}),
            "[sparse_categorical_accuracy] labels of shape (None, 2) do not fit the output of shape (None, 5, 3); in metric \"acc\"");
  EXPECT_EQ(error_message(metrics::Accuracy(), {3}, {3, 3}),
            "[accuracy] labels of shape (None,) do not fit the output of shape (None, 3); in metric \"accuracy\"");
  EXPECT_EQ(error_message("binary_accuracy", {8, 2}, {8, 3}),
            "[binary_accuracy] labels of shape (None, 2) do not fit the output of shape (None, 3); in metric \"binary_accuracy\"");
  const std::string of_loss = error_message("mae", {8, 2}, {8, 3});
  EXPECT_TRUE(of_loss.starts_with("[mean_absolute_error] labels of shape (None, 2)") && of_loss.ends_with("; in metric \"mae\""))
      << of_loss;
}

TEST(MetricsTest, UnknownNameIsAnsweredWithTheNearest) {
  try {
    (void)Metric::from_name("acuracy");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean \"accuracy\"?"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace cornu::keras
