#include "cli/metric_training.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "cli/study_cost.h"
#include "cornu/base/error.h"

namespace cornu::inline v0::cli {
namespace {

/// A training of 20 epochs of 30 ms whose backup is the number of epochs in a file.
constexpr const char* kTraining =
    "mkdir -p \"$0\"; n=$(cat \"$0/epoch\" 2>/dev/null || echo 0); echo starts; "
    "while [ $n -lt 20 ]; do sleep 0.03; n=$((n + 1)); echo $n > \"$0/new\"; mv \"$0/new\" \"$0/epoch\"; "
    "echo \"epoch $n: loss: 0.$((99 - n)) - accuracy: 0.$((10 + n))\"; done";

std::vector<std::string> training() { return {"sh", "-c", kTraining, "{BACKUP}"}; }

std::string refused(const std::vector<std::string>& command, const std::string& target, double limit = 0) {
  try {
    train_to_metric(command, study::parse_metric_target(target), 1, limit);
  } catch (const Error& error) {
    return error.what();
  }
  return "reached";
}

TEST(MetricTrainingTest, ATrainingIsMeasuredUntilTheMetricIsReachedAndEndedThen) {
  const MetricTraining reached =
      train_to_metric(training(), study::parse_metric_target("accuracy=0.15"), 1, 0);
  EXPECT_EQ(reached.value, 0.15);
  EXPECT_EQ(reached.line_seconds.size(), 5U);
  EXPECT_GE(reached.seconds, 5 * 0.03);
  EXPECT_EQ(reached.seconds, reached.line_seconds.back());
  // It would go on for an hour.
  const MetricTraining first = train_to_metric({"sh", "-c", "echo loss=0.5; sleep 3600"},
                                               study::parse_metric_target("loss=0.5"), 1, 0);
  EXPECT_LT(first.seconds, 600);
}

TEST(MetricTrainingTest, AMetricThatIsNeverReachedIsOneSentence) {
  EXPECT_NE(refused(training(), "accuracy=0.98")
                .find("\"sh\" never reached accuracy >= 0.98: the best of its 20 values was 0.3"),
            std::string::npos)
      << refused(training(), "accuracy=0.98");
  EXPECT_NE(refused(training(), "val_loss=0.1").find("its output has no val_loss; it has accuracy, loss"),
            std::string::npos);
  EXPECT_NE(refused({"true"}, "loss=0.1").find("it printed nothing"), std::string::npos);
  EXPECT_NE(refused({"echo", "hello"}, "loss=0.1").find("none of its 1 lines of output has a metric"),
            std::string::npos);
  EXPECT_NE(refused({"sh", "-c", "echo loss=1; exit 3"}, "loss=0.1").find("it ended with 3"),
            std::string::npos);
  EXPECT_NE(refused({"sh", "-c", "echo loss=1; sleep 3600"}, "loss=0.1", 0.3)
                .find("it was ended after 0.3 s (--limit)"),
            std::string::npos);
  EXPECT_NE(refused({"/no/such/program"}, "loss=0.1").find("there is no program"), std::string::npos);
}

TEST(MetricTrainingTest, InterruptedTrainingsGoOnFromTheirBackups) {
  const study::MetricTarget target = study::parse_metric_target("accuracy=0.30");
  // As on an idle machine, so that no machine is too slow for a kill: 0.3 s until the first epoch begins.
  MetricTraining undisturbed{.seconds = 0.9, .line_seconds = {}, .value = 0.3};
  for (int i = 1; i <= 20; ++i) undisturbed.line_seconds.push_back(0.3 + 0.03 * i);
  const PlayOptions options{.plays = 2, .interruptions = 3};
  const PlayedTrainings played = play_interruptions(training(), target, 1, 0, undisturbed, options);
  ASSERT_EQ(played.seconds.size(), 2U);
  EXPECT_GT(played.num_kills, 0);
  for (const double seconds : played.seconds) EXPECT_GE(seconds, 20 * 0.03) << "no epoch is skipped";
  const std::string text = compare_with_closed_form("train", undisturbed, played, options);
  EXPECT_EQ(text.find("train: 2 trainings that were killed "), 0U) << text;
  EXPECT_NE(text.find("the closed form expects "), std::string::npos) << text;
  // Without backups it never ends.
  const std::string lost = "echo starts; sleep 0.5; echo accuracy: 0.4; sleep 0.5; echo accuracy: 0.6";
  const std::vector<std::string> without = {"sh", "-c", lost};
  const study::MetricTarget late = study::parse_metric_target("accuracy=0.5");
  try {
    play_interruptions(without, late, 1, 0, {.seconds = 0.1, .line_seconds = {0.05, 0.1}, .value = 0.5},
                       {.plays = 1, .interruptions = 10});
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("did not go on from its backups"), std::string::npos)
        << error.what();
  }
}

TEST(MetricTrainingTest, ClosedFormAndPlayAgreeOrNot) {
  MetricTraining undisturbed{.seconds = 12, .line_seconds = {}, .value = 1};
  for (int i = 1; i <= 10; ++i) undisturbed.line_seconds.push_back(2 + i);
  const PlayOptions options{.plays = 3, .interruptions = 2};
  const auto sentence = [&](double seconds) {
    return compare_with_closed_form("x", undisturbed,
                                    {.seconds = {seconds, seconds, seconds}, .num_kills = 5}, options);
  };
  EXPECT_NE(compare_with_closed_form("x", undisturbed, {.seconds = {12, 12}}, options)
                .find("no interruption fell into the 2 trainings"),
            std::string::npos);
  EXPECT_NE(sentence(17).find("with 2 interruptions in 10 s of work and a backup each 1.0 s: they agree."),
            std::string::npos)
      << sentence(17);
  undisturbed.repeats = {12, 6, 120};
  EXPECT_NE(sentence(100).find("they agree."), std::string::npos)
      << "a repeat took ten times as long: " << sentence(100);
  undisturbed.repeats.clear();
  EXPECT_NE(sentence(100).find("as more work was repeated"), std::string::npos) << sentence(100);
  EXPECT_NE(sentence(1).find("as less work was repeated"), std::string::npos) << sentence(1);
}

TEST(MetricTrainingTest, CostIsUntilTheMetricAndNamesTheBestWithinLimits) {
  const std::string prices =
      (std::filesystem::temp_directory_path() / ("cornu_metric_prices_" + std::to_string(getpid()) + ".json"))
          .string();
  std::ofstream(prices) << R"({"version": 1, "date": "2026-11-01", "currency": "USD", "source": "made",
      "reference": "one", "billing_seconds": 1, "assume_measured_processor": true, "machines": [
      {"name": "one", "vcpus": 1, "price_per_hour": 1.0}, {"name": "two", "vcpus": 2, "price_per_hour": 3.0}]})";
  StudyCostOptions options{.threads = {1}, .command = training(), .repeats = 3};
  options.to = study::parse_metric_target("accuracy=0.14");
  options.play = {.plays = 2, .interruptions = 4};
  options.rental = {.prices = {prices}, .limits = {.budget = 2.0}};
  const study::Report report = study_cost(options);
  EXPECT_EQ(report.tables[0].title, "Measured on this machine, until accuracy >= 0.14");
  ASSERT_EQ(report.tables[0].rows.size(), 1U);
  const auto has = [&](const std::string& text) {
    for (const std::string& sentence : report.conclusions)
      if (sentence.find(text) != std::string::npos) return true;
    return false;
  };
  EXPECT_TRUE(has("the fastest machine that costs at most $2.0 with 90 % certainty is one in "))
      << study::to_text(report);
  EXPECT_TRUE(has("trainings that were ")) << study::to_text(report);
  options.to = study::parse_metric_target("accuracy=0.99");
  try {
    study_cost(options);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("never reached accuracy >= 0.99"), std::string::npos)
        << error.what();
  }
  options.command.clear();
  EXPECT_THROW(study_cost(options), Error) << "workloads have no metric that can be reached";
  std::filesystem::remove(prices);
}

}  // namespace
}  // namespace cornu::inline v0::cli
