#include "cornu/keras/metrics/metrics.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cornu/base/error.h"
#include "cornu/base/error_test_support.h"
#include "cornu/keras/base/names.h"
#include "cornu/keras/config/config.h"
#include "cornu/keras/losses/losses.h"
#include "cornu/keras/testing/golden_options_test_support.h"
#include "cornu/keras/testing/golden_test_support.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/random.h"

namespace cornu::inline v0::keras {
namespace {

template <typename M, typename Options>
MetricHandle golden_metric_of(const nlohmann::json& config) {
  return M(testing::golden_options<Options>(config));
}

/// The direction in Keras's spelling; empty for none.
std::string direction_name(const Metric& metric) {
  if (metric.direction() == Metric::Direction::kNone) return "";
  return metric.direction() == Metric::Direction::kUp ? "up" : "down";
}

/// Metrics of segmentation, correlation and determination; none for other names.
std::optional<MetricHandle> golden_iou_or_correlation(const std::string& name, const nlohmann::json& config) {
  using namespace metrics;
  if (name == "IoU") return golden_metric_of<IoU, IoUOptions>(config);
  if (name == "MeanIoU") return golden_metric_of<MeanIoU, MeanIoUOptions>(config);
  if (name == "BinaryIoU") return golden_metric_of<BinaryIoU, BinaryIoUOptions>(config);
  if (name == "OneHotIoU") return golden_metric_of<OneHotIoU, OneHotIoUOptions>(config);
  if (name == "OneHotMeanIoU") return golden_metric_of<OneHotMeanIoU, OneHotMeanIoUOptions>(config);
  if (name == "PearsonCorrelation") return golden_metric_of<PearsonCorrelation, CorrelationOptions>(config);
  if (name == "ConcordanceCorrelation")
    return golden_metric_of<ConcordanceCorrelation, CorrelationOptions>(config);
  if (name == "R2Score") return golden_metric_of<R2Score, R2ScoreOptions>(config);
  return std::nullopt;
}

/// Metrics whose labels are class ids; none for other names.
std::optional<MetricHandle> golden_metric_of_ids(const std::string& name, const nlohmann::json& config) {
  using namespace metrics;
  if (name == "SparseTopKCategoricalAccuracy")
    return golden_metric_of<SparseTopKCategoricalAccuracy, SparseTopKOptions>(config);
  if (name == "SparseCategoricalCrossentropy")
    return golden_metric_of<metrics::SparseCategoricalCrossentropy,
                            metrics::SparseCategoricalCrossentropyOptions>(config);
  return std::nullopt;
}

MetricHandle golden_metric(const std::string& name, const nlohmann::json& config) {
  using namespace metrics;
  if (const std::optional<MetricHandle> made = golden_iou_or_correlation(name, config)) return *made;
  if (const std::optional<MetricHandle> made = golden_metric_of_ids(name, config)) return *made;
  if (name == "BinaryAccuracy") return golden_metric_of<BinaryAccuracy, BinaryAccuracyOptions>(config);
  if (name == "CosineSimilarity")
    return golden_metric_of<metrics::CosineSimilarity, metrics::CosineSimilarityOptions>(config);
  if (name == "BinaryCrossentropy")
    return golden_metric_of<metrics::BinaryCrossentropy, CrossentropyMetricOptions>(config);
  if (name == "TopKCategoricalAccuracy")
    return golden_metric_of<TopKCategoricalAccuracy, TopKOptions>(config);
  if (name == "TruePositives") return golden_metric_of<TruePositives, ConfusionCountOptions>(config);
  if (name == "TrueNegatives") return golden_metric_of<TrueNegatives, ConfusionCountOptions>(config);
  if (name == "FalsePositives") return golden_metric_of<FalsePositives, ConfusionCountOptions>(config);
  if (name == "FalseNegatives") return golden_metric_of<FalseNegatives, ConfusionCountOptions>(config);
  if (name == "Precision") return golden_metric_of<Precision, PrecisionOptions>(config);
  if (name == "Recall") return golden_metric_of<Recall, RecallOptions>(config);
  if (name == "SensitivityAtSpecificity")
    return golden_metric_of<SensitivityAtSpecificity, SensitivityAtSpecificityOptions>(config);
  if (name == "SpecificityAtSensitivity")
    return golden_metric_of<SpecificityAtSensitivity, SpecificityAtSensitivityOptions>(config);
  if (name == "PrecisionAtRecall")
    return golden_metric_of<PrecisionAtRecall, PrecisionAtRecallOptions>(config);
  if (name == "RecallAtPrecision")
    return golden_metric_of<RecallAtPrecision, RecallAtPrecisionOptions>(config);
  if (name == "AUC") return golden_metric_of<AUC, AUCOptions>(config);
  if (name == "F1Score") return golden_metric_of<F1Score, F1ScoreOptions>(config);
  if (name == "FBetaScore") return golden_metric_of<FBetaScore, FBetaScoreOptions>(config);
  return Metric::from_name(name);
}

SampleWeights golden_weights(const nlohmann::json& update) {
  return update.at("sample_weight").is_null()
             ? SampleWeights{}
             : SampleWeights{testing::golden_tensor(update.at("sample_weight")), {}};
}

void expect_metric_result(const Tensor& result, const nlohmann::json& expected, const std::string& what) {
  if (expected.is_number()) {
    EXPECT_NEAR(result.item<double>(), expected.get<double>(),
                2e-6 * std::max(1.0, std::fabs(expected.get<double>())))
        << what;
  } else {
    testing::expect_close(result, testing::golden_tensor(expected), 1e-5,
                          what);  // R2Score subtracts nearly equal sums
  }
}

TEST(MetricsTest, ThreeEagerUpdatesAreKerasAndAResetStartsAnew) {
  const testing::OnReferenceBackend on_reference;
  const nlohmann::json golden = testing::load_golden("metrics");
  for (const nlohmann::json& row : golden.at("cases")) {
    const std::string name = row.at("metric");
    const std::string what = name + " " + row.at("config").dump();
    clear_session();
    const MetricHandle metric = golden_metric(name, row.at("config"));
    EXPECT_EQ(metric->name(), row.at("name").get<std::string>()) << what;
    EXPECT_EQ(direction_name(*metric),
              row.at("direction").is_null() ? "" : row.at("direction").get<std::string>())
        << what;
    for (int round = 0; round < 2; ++round) {
      for (const nlohmann::json& update : row.at("updates")) {
        const Tensor y_true = testing::golden_tensor(update.at("y_true"));
        const SampleWeights weights = golden_weights(update);
        if (auto* mean = dynamic_cast<metrics::MeanMetric*>(metric.get());
            mean != nullptr && name == "Mean") {
          mean->update(y_true, weights);
        } else if (auto* sum = dynamic_cast<metrics::SumMetric*>(metric.get())) {
          sum->update(y_true, weights);
        } else {
          metric->update_state(y_true, testing::golden_tensor(update.at("y_pred")), weights);
        }
        expect_metric_result(metric.result(), update.at("result"), what);
      }
      std::vector<std::string> paths;
      for (const Variable& variable : metric->variables()) paths.push_back(variable.path());
      EXPECT_EQ(paths, row.at("paths").get<std::vector<std::string>>()) << what;
      metric.reset_states();
      for (const Variable& variable : metric->variables())
        EXPECT_EQ(ops::max(ops::abs(variable)).item<double>(), 0) << what;
    }
  }
}

TEST(MetricsTest, LossesAndFunctionsAsMetricsRiseOrFallAsInKeras) {
  const nlohmann::json directions = testing::load_golden("metrics").at("directions");
  const auto expect = [&](const char* name, const MetricSpec& spec) {
    EXPECT_EQ(direction_name(*spec.get()),
              directions.at(name).is_null() ? "" : directions.at(name).get<std::string>())
        << name;
  };
  expect("MeanSquaredError", losses::MeanSquaredError());
  expect("Huber", losses::Huber());
  expect("KLDivergence", losses::KLDivergence());
  expect("function", [](const Tensor&, const Tensor& y_pred) { return y_pred; });
}

class MetricsGoldenTest : public testing::OnEachPlatform {};
INSTANTIATE_TEST_SUITE_P(On, MetricsGoldenTest, testing::platforms(), testing::PlatformName());

TEST_P(MetricsGoldenTest, TracedUpdatesAndResultsAreKeras) {
  const nlohmann::json golden = testing::load_golden("metrics");
  for (const nlohmann::json& row : golden.at("cases")) {
    const std::string name = row.at("metric");
    if (name == "Mean" || name == "Sum") continue;
    const std::string what = name + " " + row.at("config").dump();
    const MetricHandle metric = golden_metric(name, row.at("config"));
    for (std::size_t k = 0; k < std::min<std::size_t>(2, row.at("updates").size());
         ++k) {  // without and, where there are any, with weights
      const nlohmann::json& update = row.at("updates").at(k);
      Variable result;
      testing::TracedStep step([&](Trace&) -> std::vector<Tensor> {
        metric->update_state(testing::golden_tensor(update.at("y_true")),
                             testing::golden_tensor(update.at("y_pred")), golden_weights(update));
        const Tensor value = metric.result();
        result = Variable(ir::Literal(value.type()), {.name = "result"});
        result.assign(value);
        return {};
      });
      step.run();
      expect_metric_result(Tensor(result.read()), update.at("result"), what);
    }
  }
}

TEST(MetricsTest, MasksAndPaddingRowsLeaveOut) {
  const testing::OnReferenceBackend on_reference;
  const Tensor mask = ops::not_equal(Tensor::of<float>({2, 2}, {1, 0, 1, 1}), 0);
  const Tensor y_pred = Tensor::of<float>({2, 2, 1}, {1, 9, 2, 3}).with_mask(mask);
  const metrics::MeanSquaredError mean;
  mean.update_state(Tensor::zeros({2, 2, 1}), y_pred);
  EXPECT_FLOAT_EQ(mean.result().item<float>(), (0.5F + 6.5F) / 1.5F)
      << "the rows' means over the rows' mean masks, as in Keras";
  const RowMask rows = RowMask::first_rows(2, 3);
  for (const MetricHandle& metric :
       std::vector<MetricHandle>{metrics::Precision(), metrics::Recall(), metrics::AUC(), metrics::R2Score(),
                                 metrics::F1Score({.average = "macro"})}) {
    const Tensor labels = Tensor::of<float>({3, 1}, {1, 0, 1});
    const Tensor outputs = Tensor::of<float>({3, 1}, {0.9F, 0.7F, NAN});
    metric.update_state(labels.rows(0, 2), outputs.rows(0, 2));
    const double expected = metric.result().item<double>();
    metric.reset_state();
    metric->update_state(labels, outputs, {.sample_weight = {}, .rows = rows});
    EXPECT_EQ(metric.result().item<double>(), expected) << metric->name();
  }
}

// Keras 3.15 with labels of shape (4, 1).
TEST(MetricsTest, ColumnsOfLabelsAreComparedWithAllOutputsAsLossesDo) {
  const testing::OnReferenceBackend on_reference;
  const Tensor outputs = ops::reshape(ops::arange(12), {4, 3});
  const std::vector<std::pair<MetricHandle, double>> metrics = {{metrics::RootMeanSquaredError(), 4.654747},
                                                                {metrics::CosineSimilarity(), 1.2859373},
                                                                {metrics::MeanSquaredError(), 21.666668}};
  for (const Dims& shape : {Dims{4, 1}, Dims{4}}) {
    for (const auto& [metric, expected] : metrics) {
      metric.reset_state();
      metric.update_state(ops::reshape(ops::arange(4), shape), outputs);
      EXPECT_NEAR(metric.result().item<double>(), expected, 1e-5) << metric->name() << shape.size();
    }
  }
}

TEST(MetricsTest, LabelsOfOtherRowCountsAreRefused) {
  const testing::OnReferenceBackend on_reference;
  const std::vector<std::pair<Dims, Dims>> shapes = {
      {{3}, {4, 3}}, {{1, 3}, {4, 3}}, {{1}, {4}}, {{1, 1}, {4, 1}}, {{4, 3}, {1, 3}}};
  for (const MetricHandle& metric : std::vector<MetricHandle>{
           metrics::RootMeanSquaredError(), metrics::CosineSimilarity(), metrics::MeanSquaredError(),
           metrics::MeanAbsoluteError(), metrics::LogCoshError(), metrics::Hinge()}) {
    for (const auto& [labels, output] : shapes)
      expect_contains(error_of([&] { metric.update_state(ops::ones(labels), ops::ones(output)); }),
                      ErrorCode::kInvalidArgument,
                      {fmt::format("labels of shape {} do not fit the output of shape {}",
                                   ir::shape_str(labels), ir::shape_str(output))});
  }
}

TEST(MetricsTest, OnlyMeansOfAFunctionReadTheMaskOfPredictions) {
  const testing::OnReferenceBackend on_reference;
  const Tensor labels = Tensor::of<float>({2, 1}, {1, 1});
  const Tensor outputs = Tensor::of<float>({2, 1}, {0.75F, 0.25F});  // right, and wrong
  const Tensor masked = outputs.with_mask(ops::not_equal(Tensor::of<float>({2}, {1, 0}), 0));
  const metrics::BinaryAccuracy accuracy;
  accuracy.update_state(labels, masked);
  EXPECT_EQ(accuracy.result().item<float>(), 1);
  const std::vector<std::pair<MetricHandle, float>> without = {
      {metrics::TruePositives(), 1},
      {metrics::FalseNegatives(), 1},
      {metrics::Recall(), 0.5F},
      {metrics::RecallAtPrecision({.precision = 0.5, .num_thresholds = 1}), 0.5F},
      {metrics::RootMeanSquaredError(), std::sqrt((0.0625F + 0.5625F) / 2)},
      {metrics::F1Score({.average = "micro", .threshold = 0.5}), 2.0F / 3}};
  for (const auto& [metric, expected] : without) {
    metric.update_state(labels, masked);
    EXPECT_NEAR(metric.result().item<float>(), expected, 1e-5) << metric->name();
  }
  for (const MetricHandle& metric :
       std::vector<MetricHandle>{metrics::AUC({.from_logits = true}), metrics::R2Score()}) {
    const Tensor both = Tensor::of<float>({2, 1}, {1, 0});
    metric.update_state(both, outputs);
    const float expected = metric.result().item<float>();
    metric.reset_state();
    metric.update_state(both, masked);
    EXPECT_EQ(metric.result().item<float>(), expected) << metric->name();
  }
}

TEST(MetricsTest, TheMaskOfValuesCountsBesideWeights) {
  const testing::OnReferenceBackend on_reference;
  const Tensor values =
      Tensor::of<float>({2}, {1, 9}).with_mask(ops::not_equal(Tensor::of<float>({2}, {1, 0}), 0));
  const metrics::Mean mean;
  mean.update_state(values);
  EXPECT_EQ(mean.result().item<float>(), 5);
  mean.reset_state();
  mean.update_state(values, {2, 2});
  EXPECT_EQ(mean.result().item<float>(), 1);
  const metrics::Sum sum;
  sum.update_state(values, {2, 2});
  EXPECT_EQ(sum.result().item<float>(), 2);
}

TEST(MetricsTest, AUCTakesKerassOtherSpellings) {
  for (const auto& [spelling, name] :
       {std::pair("pr", "PR"), std::pair("roc", "ROC"), std::pair("prgain", "PRGAIN")})
    EXPECT_EQ(metrics::AUC({.curve = spelling}).get_config().at("curve").as_string(), name);
  const metrics::AUC auc({.curve = "pr", .summation_method = "Majoring"});
  EXPECT_EQ(auc.get_config().at("summation_method").as_string(), "majoring");
  EXPECT_THROW(metrics::AUC({.curve = "Pr"}), Error);
  const metrics::AUC same({.curve = "PR", .summation_method = "majoring"});
  const Tensor labels = Tensor::of<float>({4}, {1, 0, 1, 0});
  const Tensor outputs = Tensor::of<float>({4}, {0.9F, 0.6F, 0.4F, 0.1F});
  auc.update_state(labels, outputs);
  same.update_state(labels, outputs);
  EXPECT_EQ(auc.result().item<float>(), same.result().item<float>());
}

TEST(MetricsTest, FunctionsAreMetricsAndStatesMerge) {
  const testing::OnReferenceBackend on_reference;
  clear_session();
  const MetricSpec spec = [](const Tensor& y_true, const Tensor& y_pred) {
    return ops::abs(y_true - y_pred);
  };
  const std::shared_ptr<Metric> metric = spec.get();
  metric->update_state(Tensor::of<float>({2}, {1, 2}), Tensor::of<float>({2}, {2, 5}));
  EXPECT_EQ(metric->result().item<float>(), 2.0F);
  const metrics::Mean mean, other({.dtype = DType::kF64});
  const metrics::Mean third;
  mean.update_state(Tensor(1.0F));
  third.update_state(Tensor(4.0F));
  mean->merge_state(std::vector<std::shared_ptr<Metric>>{third.shared()});
  EXPECT_EQ(mean.result().item<float>(), 2.5F);
  EXPECT_EQ(other.result().dtype(), DType::kF64);
  EXPECT_THROW(mean->merge_state(std::vector<std::shared_ptr<Metric>>{other.shared()}), Error);
  EXPECT_THROW(mean->merge_state(std::vector<std::shared_ptr<Metric>>{metrics::Sum().shared()}), Error);
  EXPECT_EQ(metrics::AUC()->name(), "auc");
  EXPECT_EQ(metrics::AUC()->name(), "auc_1");
}

TEST(MetricsTest, MistakesAreErrorsThatNameTheMetric) {
  const testing::OnReferenceBackend on_reference;
  const auto message = [](auto&& make) -> std::string {
    try {
      make();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message([] { metrics::Precision({.thresholds = {0.2, 1.2}}); }),
            "[precision] thresholds must be in [0, 1]; got thresholds = [0.2, 1.2]");
  EXPECT_NE(message([] {
              metrics::AUC({.curve = "RCO"});
            }).find("[auc] unknown curve; got curve = \"RCO\"; did you mean \"ROC\"?"),
            std::string::npos);
  EXPECT_NE(message([] { metrics::AUC({.num_thresholds = 1}); }).find("num_thresholds = 1"),
            std::string::npos);
  EXPECT_NE(message([] { metrics::PrecisionAtRecall({.recall = 1.5}); }).find("recall = 1.5"),
            std::string::npos);
  EXPECT_NE(message([] { metrics::F1Score({.average = "makro"}); }).find("did you mean \"macro\"?"),
            std::string::npos);
  EXPECT_NE(message([] { metrics::FBetaScore({.beta = 0}); }).find("beta = 0"), std::string::npos);
  EXPECT_NE(message([] { metrics::TopKCategoricalAccuracy({.k = 0}); }).find("k = 0"), std::string::npos);
  EXPECT_EQ(message([] {
              metrics::Recall({.name = "r"}).update_state(Tensor::zeros({4, 3}), Tensor::zeros({4, 2}));
            }),
            "[recall] labels of shape (None, 3) do not fit the output of shape (None, 2); in metric \"r\"");
  const metrics::F1Score f1;
  f1.update_state(Tensor::zeros({4, 3}), Tensor::zeros({4, 3}));
  EXPECT_EQ(message([&] { f1.update_state(Tensor::zeros({4, 2}), Tensor::zeros({4, 2})); }),
            "[f1_score] the output has 2 columns; before it had 3; in metric \"f1_score\"");
  EXPECT_NE(message([] {
              metrics::Precision({.class_id = 5}).update_state(Tensor::zeros({4, 2}), Tensor::zeros({4, 2}));
            }).find("class_id = 5 for 2 classes"),
            std::string::npos);
}

TEST(MetricsTest, TheThresholdOfABinaryAccuracyMayBeOneOfLogits) {
  const testing::OnReferenceBackend on_reference;
  const metrics::BinaryAccuracy accuracy({.threshold = 0});
  accuracy.update_state(Tensor::of<float>({4, 1}, {0, 1, 1, 0}),
                        Tensor::of<float>({4, 1}, {-2, 3, -0.1F, 0.4F}));
  EXPECT_EQ(accuracy.result().item<float>(), 0.5F);
}

TEST(MetricsTest, R2OfEachOutputIsNullInAConfigurationAsInKeras) {
  const metrics::R2Score score({.class_aggregation = "none"});
  const Config config = score.get_config();
  EXPECT_TRUE(config["class_aggregation"].is_null());
}

TEST(MetricsTest, ANegativeClassIdIsRefused) {
  const auto refused = [](auto&& make, const char* says) {
    const std::string message = error_text_of(make);
    EXPECT_NE(message.find(says), std::string::npos) << message;
  };
  refused([] { metrics::SensitivityAtSpecificity({.specificity = 0.5, .class_id = -1}); }, "class_id = -1");
  refused([] { metrics::SpecificityAtSensitivity({.sensitivity = 0.5, .class_id = -1}); }, "class_id = -1");
  refused([] { metrics::PrecisionAtRecall({.recall = 0.5, .class_id = -1}); }, "class_id = -1");
  refused([] { metrics::RecallAtPrecision({.precision = 0.5, .class_id = -1}); }, "class_id = -1");
}

TEST(MetricsTest, AccuracyIsChosenByShapesAndKeepsItsSpelling) {
  const auto class_name = [](const Dims& y_true, const Dims& y_pred, const Tensor& labels,
                             const Tensor& predictions) {
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
  EXPECT_EQ(class_name({-1, 1}, {-1, 1}, Tensor::of<float>({2, 1}, {1, 1}),
                       Tensor::of<float>({2, 1}, {0.7F, 0.2F})),
            0.5F);
}

/// Golden values in that dtype; those of f16 are representable in f16.
Tensor of_dtype(const nlohmann::json& array, const std::string& dtype) {
  const Tensor values = testing::golden_tensor(array);
  return ops::cast(values, ir::dtype_from_name(dtype).value());
}

TEST_P(MetricsGoldenTest, OutputsOfEachTypeCountAsTheirNumbersInF32) {
  const nlohmann::json golden = testing::load_golden("metrics");
  int number = 0;
  for (const nlohmann::json& row : golden.at("typed")) {
    const std::string name = row.at("metric"), dtype = row.at("dtype");
    const MetricHandle metric = golden_metric(name, {});
    const Tensor outputs = of_dtype(row.at("y_pred"), dtype);
    for (const auto& weights : {Tensor(), testing::golden_tensor(row.at("sample_weight"))})
      metric->update_state(testing::golden_tensor(row.at("y_true")), outputs, weights);
    expect_metric_result(metric.result(), row.at("result"), name + " of " + dtype);
    ++number;
  }
  EXPECT_GT(number, 150);
}

TEST(MetricsTest, LabelsAreNotNarrowedToTheOutputsType) {
  const testing::OnReferenceBackend on_reference;
  const auto result = [](const MetricHandle& metric, const Tensor& labels, const Tensor& outputs) {
    metric.update_state(labels, outputs);
    return metric.result().item<float>();
  };
  const Tensor bytes = Tensor::of<std::uint8_t>({2, 1}, {0, 1});
  EXPECT_EQ(result(metrics::Accuracy(), Tensor::of<float>({2, 1}, {0.7F, 1}), bytes), 0.5F);
  EXPECT_EQ(result(metrics::Accuracy(), Tensor::of<std::int32_t>({2, 1}, {256, 1}), bytes), 0.5F);
  EXPECT_EQ(result(metrics::BinaryAccuracy(), Tensor::of<float>({2, 1}, {0.7F, 1}), bytes), 0.5F);
  const Tensor halves = ops::cast(Tensor::of<float>({2, 1}, {2048, 1}), DType::kF16);
  EXPECT_EQ(result(metrics::Accuracy(), Tensor::of<std::int32_t>({2, 1}, {2049, 1}), halves), 0.5F);
  EXPECT_EQ(result(metrics::MeanAbsoluteError(), Tensor::of<float>({2, 1}, {70048, 1}), halves), 34000.0F);
  const Tensor ids = Tensor::of<std::int64_t>({2}, {(std::int64_t{1} << 32) + 1, 1});
  const Tensor scores = Tensor::of<float>({2, 3}, {0.1F, 0.8F, 0.1F, 0.1F, 0.8F, 0.1F});
  EXPECT_EQ(result(metrics::SparseCategoricalAccuracy(), ids, scores), 0.5F);
  EXPECT_EQ(result(metrics::SparseTopKCategoricalAccuracy({.k = 1}), ids, scores), 0.5F);
  const Tensor unsigned_ids = Tensor::of<std::uint32_t>({2}, {4294967295U, 1});
  EXPECT_EQ(result(metrics::SparseCategoricalAccuracy(), unsigned_ids, scores), 0.5F);
}

TEST(MetricsTest, InfinityAndNaNOfWeightZeroCountNowhere) {
  const testing::OnReferenceBackend on_reference;
  const Tensor weights = Tensor::of<float>({4}, {1, 0, 2, 0});
  const auto labels = [](float bad) { return Tensor::of<float>({4, 2}, {0, 1, bad, 0, 1, 0, 0, bad}); };
  const auto outputs = [](float bad) {
    return Tensor::of<float>({4, 2}, {0.25F, 0.75F, bad, 0.5F, 0.4F, 0.6F, bad, bad});
  };
  for (const char* name : {"mse",
                           "mae",
                           "mape",
                           "msle",
                           "root_mean_squared_error",
                           "cosine_similarity",
                           "log_cosh_error",
                           "kl_divergence",
                           "poisson",
                           "hinge",
                           "squared_hinge",
                           "categorical_hinge",
                           "binary_crossentropy",
                           "categorical_crossentropy",
                           "accuracy",
                           "binary_accuracy",
                           "categorical_accuracy",
                           "top_k_categorical_accuracy",
                           "true_positives",
                           "true_negatives",
                           "false_positives",
                           "false_negatives",
                           "precision",
                           "recall",
                           "auc",
                           "f1_score",
                           "fbeta_score",
                           "r2_score",
                           "huber",
                           "binary_focal_crossentropy",
                           "categorical_focal_crossentropy"})
    for (const float bad : {NAN, INFINITY}) {
      const std::shared_ptr<Metric> spoilt = Metric::from_name(name), clean = Metric::from_name(name);
      spoilt->update_state(labels(bad), outputs(bad), weights);
      clean->update_state(labels(1), outputs(0.5F), weights);
      testing::expect_close(spoilt->result(), clean->result(), 0, name);
    }
  const metrics::Mean mean;
  mean.update_state(Tensor::of<float>({3}, {1, NAN, 4}), {1, 0, 2});
  EXPECT_EQ(mean.result().item<float>(), 3);
}

TEST(MetricsTest, PaddingRowsDoNotCount) {
  const testing::OnReferenceBackend on_reference;
  const metrics::SparseCategoricalAccuracy metric;
  const Tensor labels = Tensor::of<std::int32_t>({4}, {1, 0, 0, 0});
  const Tensor predictions = Tensor::of<float>({4, 2}, {0, 1, 0, 1, 1, 0, 1, 0});
  metric->update_state(labels, predictions, {.rows = RowMask::first_rows(2, 4)});
  EXPECT_EQ(metric->result().item<float>(), 0.5F);
  metric->update_state(
      labels, predictions,
      {.sample_weight = Tensor::of<float>({4}, {3, 1, 9, 9}), .rows = RowMask::first_rows(2, 4)});
  EXPECT_EQ(metric->result().item<float>(), 4.0F / 6.0F);
}

TEST(MetricsTest, WeightsComeAsATensorAVectorALiteralListOrByName) {
  const testing::OnReferenceBackend on_reference;
  const Tensor labels = Tensor::of<float>({3, 1}, {1, 2, 3}), outputs = Tensor::of<float>({3, 1}, {2, 4, 6});
  const std::vector<float> values = {2, 4, 6}, weights = {3, 0, 1};
  const auto expect_weighted = [&](auto&&... sample_weight) {
    const metrics::MeanSquaredError metric({});
    metric.update_state(labels, outputs, sample_weight...);
    EXPECT_EQ(metric.result().item<float>(), 3.0F);
    const std::shared_ptr<Metric> same = metrics::MeanSquaredError().shared();
    same->update_state(labels, outputs, sample_weight...);
    EXPECT_EQ(same->result().item<float>(), 3.0F);
  };
  expect_weighted(weights);
  expect_weighted(Tensor(weights));
  expect_weighted(std::initializer_list<double>{3, 0, 1});
  expect_weighted(SampleWeights{.sample_weight = weights});
  const metrics::Mean mean({});
  mean.update_state(values, {3, 0, 1});
  mean.update_state(values, weights);
  mean.update_state(values, {.sample_weight = weights});
  EXPECT_EQ(mean.result().item<float>(), 3.0F);
  mean.reset_state();
  mean.update_state(values, {});
  EXPECT_EQ(mean.result().item<float>(), 4.0F);
}

TEST(MetricsTest, OfEqualOutputsTopKTakesTheFirst) {
  const testing::OnReferenceBackend on_reference;
  const Tensor labels = Tensor::of<float>({2, 4}, {0, 1, 1, 0, 1, 0, 0, 0});
  const Tensor outputs = Tensor::of<float>({2, 4}, {0.5, 0.5, 0.5, 0.1, 0.2, 0.9, 0.2, 0.2});
  const auto precision = [&](std::int64_t k) {
    const metrics::Precision metric({.top_k = k});
    metric.update_state(labels, outputs);
    return metric.result().item<float>();
  };
  EXPECT_EQ(precision(1), 0.0F);
  EXPECT_EQ(precision(2), 2 / 4.0F);
  EXPECT_EQ(precision(3), 3 / 6.0F);
  EXPECT_EQ(precision(4), 3 / 8.0F);
  EXPECT_EQ(precision(9), 3 / 8.0F) << "no more than there are";
}

TEST(MetricsTest, AMeanOfBatchLossesIsWeightedByRows) {
  const testing::OnReferenceBackend on_reference;
  const metrics::Mean mean({.name = "loss"});
  mean.update_state(2.0F, {.sample_weight = 20.0F});
  mean.update_state(5.0F, {.sample_weight = 10.0F});
  EXPECT_EQ(mean->result().item<float>(), 3.0F);
  EXPECT_EQ(mean->variables()[0].path(), "loss/total");
}

TEST(MetricsTest, LabelsThatDoNotFitAreNamedWithTheMetricAndWithoutThePaddedBatch) {
  const testing::OnReferenceBackend on_reference;
  const auto error_message = [](const MetricSpec& spec, const Dims& y_true,
                                const Dims& y_pred) -> std::string {
    try {
      metrics::make_metric(spec, y_true, y_pred)->update_state(Tensor::zeros(y_true), Tensor::zeros(y_pred));
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(error_message("accuracy", {8, 4}, {8, 3}),
            "[categorical_accuracy] labels of shape (None, 4) do not fit the output of shape (None, 3); in "
            "metric \"accuracy\"");
  EXPECT_EQ(error_message("acc", {8, 2}, {8, 5, 3}),
            "[sparse_categorical_accuracy] labels of shape (None, 2) do not fit the output of shape (None, "
            "5, 3); in metric \"acc\"");
  EXPECT_EQ(
      error_message(metrics::Accuracy(), {3}, {3, 3}),
      "[accuracy] labels of shape (None,) do not fit the output of shape (None, 3); in metric \"accuracy\"");
  EXPECT_EQ(error_message("binary_accuracy", {8, 2}, {8, 3}),
            "[binary_accuracy] labels of shape (None, 2) do not fit the output of shape (None, 3); in metric "
            "\"binary_accuracy\"");
  const std::string of_loss = error_message("mae", {8, 2}, {8, 3});
  EXPECT_TRUE(of_loss.starts_with("[mean_absolute_error] labels of shape (None, 2)") &&
              of_loss.ends_with("; in metric \"mae\""))
      << of_loss;
}

TEST(MetricsTest, WeightsThatDoNotFitTheValuesNameTheMetric) {
  try {
    metrics::Mean({.name = "mean_of_mine"})
        .update_state(Tensor::zeros({3, 2}), {.sample_weight = Tensor::zeros({4}), .rows = {}});
    FAIL();
  } catch (const Error& error) {
    EXPECT_TRUE(std::string_view(error.what()).ends_with("; in metric \"mean_of_mine\"")) << error.what();
  }
}

TEST(MetricsTest, AThresholdIsANumberOrAListAsInKeras) {
  const Tensor labels = Tensor::of<float>({4}, {0, 1, 1, 0}),
               predictions = Tensor::of<float>({4}, {0.1F, 0.6F, 0.8F, 0.75F});
  const metrics::Precision one({.thresholds = 0.7}), listed({.thresholds = {0.7}});
  for (const metrics::Precision& metric : {one, listed}) {
    metric.update_state(labels, predictions);
    EXPECT_EQ(metric.result().item<float>(), 0.5F);
  }
}

TEST(MetricsTest, CorrelationsTakeSeveralAxes) {
  const Tensor labels = random::normal({3, 4, 5}, {.seed = 1}),
               outputs = labels + random::normal({3, 4, 5}, {.seed = 2});
  for (const auto function : {&metrics::pearson_correlation, &metrics::concordance_correlation}) {
    const Tensor flat = function(ops::reshape(labels, {3, 20}), ops::reshape(outputs, {3, 20}), {});
    const Tensor by_axes = function(labels, outputs, {.axis = {-2, -1}});
    EXPECT_EQ(by_axes.shape(), flat.shape());
    EXPECT_TRUE(ops::allclose(by_axes, flat).item<bool>());
  }
}

TEST(MetricsTest, UnknownNameIsAnsweredWithTheNearest) {
  try {
    (void)Metric::from_name("acuracy");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean \"accuracy\"?"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace cornu::inline v0::keras
