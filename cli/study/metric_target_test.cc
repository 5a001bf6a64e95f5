#include "cli/study/metric_target.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "cornu/base/error.h"

namespace cornu::inline v0::study {
namespace {

TEST(MetricTargetTest, LossesAreUpperBoundsAndTheSignDecidesWhereItIsGiven) {
  EXPECT_EQ(parse_metric_target("val_accuracy=0.98").text(), "val_accuracy >= 0.98");
  EXPECT_EQ(parse_metric_target("val_loss=0.1").text(), "val_loss <= 0.1");
  EXPECT_EQ(parse_metric_target("mean_absolute_error=2").text(), "mean_absolute_error <= 2");
  EXPECT_EQ(parse_metric_target("score<=3").text(), "score <= 3");
  EXPECT_EQ(parse_metric_target("loss>=1e-3").text(), "loss >= 0.001");
  EXPECT_TRUE(parse_metric_target("loss=0.5").is_reached_by(0.5));
  EXPECT_FALSE(parse_metric_target("loss=0.5").is_reached_by(NAN));
  EXPECT_FALSE(parse_metric_target("accuracy=0.5").is_reached_by(0.49));
}

TEST(MetricTargetTest, AnythingElseIsRefusedWithAnExample) {
  for (const char* const text :
       {"", "loss", "=1", "loss=", "loss=x", "loss=1x", "loss<1", "loss=inf", "a b=1"}) {
    try {
      parse_metric_target(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("as in val_accuracy=0.98"), std::string::npos) << text;
    }
  }
}

TEST(MetricTargetTest, MetricsAreReadAsProgramsWriteThem) {
  const std::string keras =
      "469/469 - 2s - 4ms/step - accuracy: 0.9245 - loss: 0.2474 - val_accuracy: 0.9643 - val_loss: 1.2e-01";
  EXPECT_EQ(value_of_metric(keras, "loss"), 0.2474);
  EXPECT_EQ(value_of_metric(keras, "val_loss"), 0.12);
  EXPECT_EQ(value_of_metric(keras, "accuracy"), 0.9245);
  EXPECT_EQ(value_of_metric(keras, "acc"), std::nullopt);
  EXPECT_EQ(metrics_in(keras), (std::vector<std::string>{"accuracy", "loss", "val_accuracy", "val_loss"}));
  EXPECT_EQ(value_of_metric("epoch 3: loss=0.5, loss = -0.25;", "loss"), -0.25) << "the last one";
  EXPECT_EQ(value_of_metric(R"({"epoch": 2, "loss": 0.125})", "loss"), 0.125);
  EXPECT_EQ(value_of_metric("loss: 3x", "loss"), std::nullopt);
  EXPECT_EQ(value_of_metric("the loss", "loss"), std::nullopt);
  EXPECT_EQ(value_of_metric("loss:", "loss"), std::nullopt);
  EXPECT_TRUE(std::isnan(value_of_metric("loss: nan", "loss").value_or(0)));
}

}  // namespace
}  // namespace cornu::inline v0::study
