#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <thread>

#include "cli/advice.h"
#include "cli/calibration.h"
#include "cli/study_cost.h"
#include "cli/study_scaling.h"
#include "cli/study_steps.h"
#include "cli/timed_command.h"
#include "cli/timed_training.h"
#include "cornu/base/error.h"
#include "cornu/base/error_test_support.h"
#include "cornu/runtime/client.h"
#include "cornu/tensor/device.h"

namespace cornu::inline v0::cli {
namespace {

struct StudiesTest : testing::Test {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("cornu_studies_test_" + std::to_string(getpid()));
  StudiesTest() { std::filesystem::create_directories(folder); }
  ~StudiesTest() override {
    std::filesystem::remove_all(folder);
    set_default_client(nullptr);
  }
  std::string path(const std::string& name) const { return (folder / name).string(); }
};

/// The cells of a column.
std::vector<nlohmann::ordered_json> column(const study::Table& table, const std::string& name) {
  std::vector<nlohmann::ordered_json> cells;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (table.columns[i].name == name)
      for (const auto& row : table.rows) cells.push_back(row[i]);
  EXPECT_EQ(cells.size(), table.rows.size()) << "no column " << name;
  return cells;
}

const study::PriceList& prices_of_2017() {
  static const study::PriceList list = study::read_prices(std::vector<std::string>{"gcp-2017-07"});
  return list;
}

StudyStepsOptions few_steps(std::vector<std::string> devices) {
  return {.networks = {"iris_mlp"},
          .batch_sizes = {20},
          .steps_per_execution = {1, 10},
          .steps = 40,
          .repeats = 3,
          .devices = std::move(devices)};
}

TEST_F(StudiesTest, StepsFindsThatCallsOfADistantDeviceAreDear) {
  const study::Report report = study_steps(few_steps({"sim:call_60ms,clock=virtual"}));
  const study::Table& table = report.tables[0];
  ASSERT_EQ(table.rows.size(), 2U);
  const double at_one = column(table, "median")[0].get<double>(),
               at_ten = column(table, "median")[1].get<double>();
  EXPECT_NEAR(at_one - at_ten, 36 * 0.06, 1e-6) << "40 launches against 4";
  EXPECT_EQ(column(table, "against_smallest")[1], "faster");
  EXPECT_EQ(column(table, "simulated")[0], true);
  EXPECT_TRUE(column(table, "document")[0].is_null());
  ASSERT_EQ(report.conclusions.size(), 1U);
  EXPECT_NE(report.conclusions[0].find("K = 10 is the fastest"), std::string::npos) << report.conclusions[0];
  EXPECT_NE(report.conclusions[0].find("as a call costs about 60 ms and 4 calls replace 40."),
            std::string::npos)
      << report.conclusions[0];
  EXPECT_TRUE(report.warnings.empty());
}

TEST_F(StudiesTest, StepsWarnsWhereNothingDiffers) {
  const study::Report report = study_steps(few_steps({"sim:ideal,step_seconds=0.01"}));
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_NE(report.warnings[0].find("no conclusion"), std::string::npos) << report.warnings[0];
  EXPECT_NE(report.conclusions[0].find("no K wins"), std::string::npos);
}

TEST_F(StudiesTest, ALeadOverTheSmallestKThatIsNoiseIsNoVictoryAndTellsNothingOfCalls) {
  StudyStepsOptions options = few_steps({"sim:call_60ms,clock=virtual"});
  options.steps_per_execution = {1, 2, 10};
  options.output.prefix = path("noise");
  study_steps(options);
  std::ifstream file(path("noise.log"));
  std::string header;
  std::getline(file, header);
  file.close();
  std::ofstream log(path("noise.log"));
  log << header << "\n";
  const auto add = [&](int k, const std::string& what, double seconds) {
    log << nlohmann::json{{"name", options.devices[0] + "/iris_mlp/20/" + std::to_string(k) + "/" + what},
                          {"value", seconds}}
        << "\n";
  };
  const std::pair<int, std::vector<double>> measured[] = {
      {1, {1.0, 1.3, 1.6}}, {2, {1.7, 1.71, 1.72}}, {10, {0.9, 1.1, 1.2}}};
  for (const auto& [k, seconds] : measured) {
    add(k, "first", 2);
    for (std::size_t i = 0; i < seconds.size(); ++i) add(k, "repeat " + std::to_string(i + 1), seconds[i]);
  }
  log.close();
  options.output.resumes = true;
  const study::Report report = study_steps(options);
  EXPECT_EQ(column(report.tables[0], "median")[2], 1.1) << "of the log";
  EXPECT_EQ(column(report.tables[0], "against_smallest")[2], "noise");
  const std::string& text = report.conclusions[0];
  EXPECT_NE(text.find("no K wins, 1.1 s (90 %: "), std::string::npos) << text;
  EXPECT_NE(
      text.find("of K = 10 is the least median; the repeats differ by 46 %, no conclusion; run on a quiet "
                "machine or with --repeats 20."),
      std::string::npos)
      << text;
  EXPECT_EQ(text.find("costs about"), std::string::npos) << text;
}

TEST_F(StudiesTest, WhatTakesNoTimeHasNoShares) {
  const study::Report report = study_steps(few_steps({"sim:ideal"}));
  ASSERT_EQ(column(report.tables[0], "median")[0], 0.0);
  for (const auto& share : column(report.tables[0], "share_of_smallest")) EXPECT_TRUE(share.is_null());
  EXPECT_EQ(study::to_text(report).find("nan"), std::string::npos) << study::to_text(report);
}

TEST_F(StudiesTest, FilesOfAStudyAreNotWrittenIntoAFolderWithoutNames) {
  StudyStepsOptions options = few_steps({"sim:call_60ms,clock=virtual"});
  options.output.prefix = folder.string();
  try {
    study_steps(options);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    EXPECT_NE(std::string(error.what()).find("is a folder"), std::string::npos) << error.what();
  }
  EXPECT_FALSE(std::filesystem::exists(folder.string() + ".log"));
}

TEST_F(StudiesTest, ADeviceThatDiesIsLeftOutAndTheRestGoesOn) {
  const study::Report report =
      study_steps(few_steps({"sim:ideal,lose_at_launch=3", "sim:call_60ms,clock=virtual"}));
  EXPECT_EQ(report.tables[0].rows.size(), 2U);
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_NE(report.warnings[0].find("lose_at_launch"), std::string::npos) << report.warnings[0];
  EXPECT_THROW(study_steps(few_steps({"sim:ideal,lose_at_launch=3"})), Error);
  EXPECT_THROW(study_steps(few_steps({})), Error);
}

TEST_F(StudiesTest, AStudyGoesOnWithItsLogAndNotWithAnothers) {
  StudyStepsOptions options = few_steps({"sim:call_60ms,clock=virtual"});
  options.output.prefix = path("steps");
  const study::Report whole = study_steps(options);
  // The last measurements are lost.
  std::ifstream file(path("steps.log"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  ASSERT_EQ(lines.size(), 1U + 2 + 6);
  file.close();
  std::ofstream cut(path("steps.log"));
  for (int i = 0; i < 5; ++i) cut << lines[static_cast<std::size_t>(i)] << "\n";
  cut.close();
  options.output.resumes = true;
  const study::Report resumed = study_steps(options);
  ASSERT_EQ(resumed.tables[0].rows.size(), whole.tables[0].rows.size());
  for (const char* const name : {"first_fit", "median", "low_quartile", "high_quartile"})
    for (std::size_t i = 0; i < whole.tables[0].rows.size(); ++i)
      EXPECT_NEAR(column(resumed.tables[0], name)[i].get<double>(),
                  column(whole.tables[0], name)[i].get<double>(), 1e-9)
          << name;
  options.steps = 50;
  try {
    study_steps(options);
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kFailedPrecondition);
    EXPECT_NE(std::string(error.what()).find("steps: 40 there, 50 here"), std::string::npos) << error.what();
  }
}

TEST_F(StudiesTest, CostTurnsAtThePriceThatItSays) {
  study::PriceList prices = study::parse_prices(
      R"({"version": 1, "date": "2026-01", "currency": "EUR", "reference": "gpu", "billing_seconds": 0.001,
        "machines": [{"name": "gpu", "vcpus": 1, "device": "sim:k80", "price_per_hour": 1},
        {"name": "cpu", "vcpus": 8, "price_per_hour": 0.2}]})",
      "test");
  const auto forecasts = [&] {
    std::vector found{forecast(prices, prices.machines[0], 3600, {}),
                      forecast(prices, prices.machines[1], 7200, {})};
    for (Forecast& each : found) each.interval = study::Interval{each.seconds, each.seconds};
    return found;
  };
  const std::string text = best_value("x", prices, forecasts());
  EXPECT_EQ(text,
            "x: €0.40 on cpu in 2.0 h (predicted); cheaper than gpu until cpu costs 2.5 times as much.");
  prices.machines[1].price_per_hour = 0.51;
  EXPECT_EQ(best_value("x", prices, forecasts()),
            "x: €1.0 on gpu in 60 min (predicted); cheaper than cpu until gpu costs 1.02 times as much.");
  prices.machines[1].price_per_hour = 1.45;
  EXPECT_NE(best_value("x", prices, forecasts()).find("until gpu costs 2.9 times as much."),
            std::string::npos);
  // A free machine has no multiple of its price.
  prices.machines[1].price_per_hour = 0;
  EXPECT_EQ(best_value("x", prices, forecasts()), "x: €0 on cpu in 2.0 h (predicted).");
}

TEST_F(StudiesTest, StepsFindTheKnownOptimumIn20Of20RunsWith20PercentNoise) {
  // Calls of 60 ms: fewer calls take less time. The noise is of the measurement, which the log has.
  StudyStepsOptions options = few_steps({"sim:call_60ms,clock=virtual"});
  options.steps_per_execution = {1, 5, 20};
  options.repeats = 20;
  const study::Report quiet = study_steps(options);
  EXPECT_NE(quiet.conclusions[0].find("K = 20 is the fastest"), std::string::npos) << quiet.conclusions[0];
  const auto exact = column(quiet.tables[0], "median");
  options.output.prefix = path("noisy");
  study_steps(options);
  std::ifstream file(path("noisy.log"));
  std::string header;
  std::getline(file, header);
  options.output.resumes = true;
  std::mt19937_64 random(5);
  for (int run = 0; run < 20; ++run) {
    std::ofstream log(path("noisy.log"));
    log << header << "\n";
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string key =
          options.devices[0] + "/iris_mlp/20/" + std::to_string(options.steps_per_execution[i]) + "/";
      log << nlohmann::json{{"name", key + "first"}, {"value", 1.0}} << "\n";
      for (int repeat = 1; repeat <= 20; ++repeat) {
        const double noise = std::normal_distribution<double>(1, 0.2)(random);
        log << nlohmann::json{{"name", key + "repeat " + std::to_string(repeat)},
                              {"value", std::max(0.0, exact[i].get<double>() * noise)}}
            << "\n";
      }
    }
    log.close();
    const study::Report noisy = study_steps(options);
    EXPECT_NE(noisy.conclusions[0].find("K = 20 is the fastest"), std::string::npos)
        << "run " << run << ": " << noisy.conclusions[0];
  }
}

TEST_F(StudiesTest, SpotMachinesPayForInterruptionsAndNoMore) {
  const study::PriceList& prices = prices_of_2017();
  const Forecast spot =
      forecast(prices, prices.find("highcpu-8"), 10 * 3600, {.checkpoint_interval_seconds = 600});
  EXPECT_GT(spot.spot_seconds, spot.seconds);
  EXPECT_LT(spot.spot_seconds, 1.01 * spot.seconds);
  EXPECT_NEAR(spot.simulated_seconds, spot.spot_seconds, 0.01 * spot.spot_seconds);
  EXPECT_LT(spot.spot_cost, 0.21 * spot.cost);
  EXPECT_EQ(forecast(prices, prices.find("k80"), 3600, {}).spot_seconds, 0) << "not offered so";
}

TEST_F(StudiesTest, ASpotMachineThatWouldNeverEndKeepsItsRowWithAReason) {
  study::PricedMachine machine = prices_of_2017().find("highcpu-8");
  machine.spot_interruptions_per_hour = 100;
  Forecast found = forecast(prices_of_2017(), machine, 10 * 3600, {});
  EXPECT_EQ(found.spot_seconds, 0);
  EXPECT_NE(found.why_no_spot.find("never end"), std::string::npos) << found.why_no_spot;
  EXPECT_GT(found.cost, 0);
  machine.spot_interruptions_per_hour = 0.01;
  machine.spot_longest_life_hours = 0.1;  // shorter than a checkpoint interval
  EXPECT_NE(forecast(prices_of_2017(), machine, 10 * 3600, {}).why_no_spot, "");
  // It ends, and would take a long time to play 2,000 times.
  machine = prices_of_2017().find("highcpu-8");
  machine.spot_interruptions_per_hour = 45;
  found = forecast(prices_of_2017(), machine, 1000 * 3600, {});
  EXPECT_GT(found.spot_seconds, 1000 * 3600);
  EXPECT_EQ(found.simulated_seconds, 0) << "not even twice";
  machine.spot_interruptions_per_hour = 35;
  found = forecast(prices_of_2017(), machine, 1000 * 3600, {});
  EXPECT_NEAR(found.simulated_seconds / found.spot_seconds, 1, 0.1) << "so many intervals that few runs tell";
}

TEST_F(StudiesTest, CostMeasuresAndPredictsAndComparesWithTheReference) {
  const study::Report report =
      study_cost({.workloads = {"imdb_fasttext"},
                  .threads = {1, 2},
                  .isas = {"sse2"},
                  .seconds = 0.05,
                  .repeats = 3,
                  .rental = {.prices = {"gcp-2017-07"}, .machines = {"k80", "highcpu-8", "highcpu-64"}}});
  EXPECT_EQ(report.tables[0].rows.size(), 2U);
  ASSERT_EQ(report.tables.size(), 4U);
  const study::Table& forecast_of = report.tables[1];
  ASSERT_EQ(forecast_of.rows.size(), 3U);
  ASSERT_EQ(report.tables[2].rows.size(), 3U);
  EXPECT_EQ(column(report.tables[2], "time_to_reference")[0], 1.0);
  EXPECT_EQ(column(forecast_of, "law_and_error")[1],
            "Amdahl, error not known; processors assumed to be like the measured ones");
  EXPECT_TRUE(column(forecast_of, "high")[1].is_null()) << "two numbers of threads tell no error";
  EXPECT_LE(column(forecast_of, "training")[2].get<double>(),
            column(forecast_of, "training")[1].get<double>());
  EXPECT_TRUE(forecast_of.columns[3].is_predicted);
  ASSERT_EQ(report.conclusions.size(), 1U);
  EXPECT_NE(report.conclusions[0].find("imdb_fasttext, sse2: $"), std::string::npos) << report.conclusions[0];
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_NE(report.warnings[0].find("The prices \"gcp-2017-07\" are of 2017-07, "), std::string::npos)
      << report.warnings[0];
  EXPECT_EQ(column(report.tables[3], "date")[0], "2017-07");
  ASSERT_FALSE(report.scatters.empty());
  EXPECT_NE(study::to_html(report).find("cost against time"), std::string::npos);
  EXPECT_NO_THROW(study::to_html(report));
}

/// A price list of this machine's processors and of a device.
std::string prices_with_device(const std::string& device) {
  return R"({"version": 1, "date": "9999-01", "currency": "EUR", "assume_measured_processor": true,
      "reference": "gpu", "machines": [
      {"name": "gpu", "vcpus": 1, "device": ")" +
         device + R"(", "price_per_hour": 1}, {"name": "cpu", "vcpus": 8, "price_per_hour": 0.2}]})";
}

StudyCostOptions quick_cost() {
  return {.workloads = {"iris_mlp"}, .threads = {1}, .isas = {"sse2"}, .seconds = 0.02, .repeats = 1};
}

TEST_F(StudiesTest, CostOfSimulatedDevicesIsByTheirOwnClockAndApartFromForecasts) {
  std::ofstream(path("prices.json")) << prices_with_device("sim:ideal,step_seconds=0.002");
  StudyCostOptions options = quick_cost();
  options.devices = {"sim:gpu_in_this_machine,step_seconds=0.5", "sim:ideal,step_seconds=0.002"};
  options.rental.prices = {path("prices.json")};
  options.output.prefix = path("cost");
  options.repeats = 2;
  const study::Report report = study_cost(options);
  const study::Table& measured = report.tables[0];
  ASSERT_EQ(measured.rows.size(), 3U);
  EXPECT_EQ(column(measured, "device")[1], options.devices[0] + " (simulated)");
  EXPECT_GT(column(measured, "step")[1].get<double>(), 500) << "no test waits for it";
  EXPECT_LT(column(measured, "step")[1].get<double>(), 505);
  EXPECT_NEAR(column(measured, "step")[2].get<double>(), 2, 1e-6);
  std::ifstream file(path("cost.log"));
  const std::string log{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(log.find(R"("iris_mlp/sim:ideal,step_seconds=0.002,clock=virtual")"), std::string::npos) << log;
  EXPECT_NE(log.find(R"("iris_mlp/sim:ideal,step_seconds=0.002,clock=virtual/forecast")"), std::string::npos)
      << log;
}

TEST_F(StudiesTest, CostBesideAReferenceThatTakesNoTimeHasNoPlot) {
  std::ofstream(path("prices.json")) << prices_with_device("sim:ideal");
  StudyCostOptions options = quick_cost();
  options.rental.prices = {path("prices.json")};
  const study::Report report = study_cost(options);
  EXPECT_EQ(column(report.tables[1], "training")[0], 0.0);
  EXPECT_TRUE(report.plots.empty());
  EXPECT_EQ(study::to_html(report).find("nan"), std::string::npos);
}

TEST_F(StudiesTest, CostLeavesOutADeviceThatFailsAndKeepsItsRow) {
  std::ofstream(path("prices.json")) << prices_with_device("sim:ideal,lose_at_launch=3");
  StudyCostOptions options = quick_cost();
  options.devices = {"pjrt:no_such_plugin", "sim:ideal,lose_at_launch=2"};
  options.rental.prices = {path("prices.json")};
  const study::Report report = study_cost(options);
  EXPECT_EQ(report.tables[0].rows.size(), 1U) << "the processors";
  const study::Table& forecasts = report.tables[1];
  ASSERT_EQ(forecasts.rows.size(), 2U);
  EXPECT_TRUE(column(forecasts, "training")[0].is_null());
  EXPECT_EQ(column(forecasts, "law_and_error")[0], "the device failed");
  EXPECT_EQ(column(forecasts, "law_and_error")[1], "takes two numbers of threads");
  ASSERT_EQ(report.warnings.size(), 4U) << study::to_text(report);
  EXPECT_NE(study::to_text(report).find("nothing is compared with gpu, the reference"), std::string::npos);
  // What is no device's string ends the study before it measures.
  options.devices = {"sim:ideal,lauch_seconds=1"};
  options.output.prefix = path("refused");
  EXPECT_THROW(study_cost(options), Error);
  EXPECT_FALSE(std::filesystem::exists(path("refused.log")));
}

TEST_F(StudiesTest, CostRefusesMoreThreadsThanProcessorsAndDevicesBesideACommand) {
  const auto refused = [](const StudyCostOptions& options) -> std::string {
    try {
      study_cost(options);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(
      refused({.workloads = {"iris_mlp"}, .threads = {1, 1024}}).find("1024 threads cannot be measured"),
      std::string::npos);
  EXPECT_NE(refused({.threads = {1024}, .command = {"true"}}).find("1024 threads cannot be measured"),
            std::string::npos);
  EXPECT_NE(refused({.threads = {1}, .devices = {"sim:ideal"}, .command = {"/no/such/program"}})
                .find("a command runs on processors only"),
            std::string::npos);
}

TEST_F(StudiesTest, OneKAndTooFewRepeatsAreNotCompared) {
  StudyStepsOptions options = few_steps({"sim:call_60ms"});
  options.repeats = 1;
  study::Report report = study_steps(options);
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_NE(report.warnings[0].find("too few repeats"), std::string::npos) << report.warnings[0];
  EXPECT_EQ(column(report.tables[0], "against_smallest")[1], "too few repeats");
  options.steps_per_execution = {10};
  report = study_steps(options);
  EXPECT_TRUE(report.warnings.empty());
  EXPECT_NE(report.conclusions[0].find("nothing to compare"), std::string::npos) << report.conclusions[0];
}

TEST_F(StudiesTest, TheWinnerIsNotLevelWithItself) {
  StudyStepsOptions options = few_steps({"sim:ideal,launch_seconds=0.06"});
  options.steps_per_execution = {1, 20, 39};  // two calls each of the last two
  const study::Report report = study_steps(options);
  EXPECT_NE(report.conclusions[0].find("K = 20 is enough"), std::string::npos) << report.conclusions[0];
  EXPECT_NE(report.conclusions[0].find("; the repeats tell no difference from K = 39."), std::string::npos)
      << report.conclusions[0];
}

TEST_F(StudiesTest, CostRefusesWhatItDoesNotKnow) {
  EXPECT_THROW(study_cost({.workloads = {"mnist_mpl"}}), Error);
  EXPECT_THROW(study_cost({.rental = {.machines = {"k81"}}}), Error);
  EXPECT_THROW(study_cost({.rental = {.prices = {path("none.json")}}}), Error);
}

TEST_F(StudiesTest, ScalingAddsTheRingToTheStep) {
  const StudyScalingOptions options{.networks = {"iris_mlp"},
                                    .device = "sim:ideal,clock=virtual,step_seconds=0.001",
                                    .replicas = {1, 2, 8, 64},
                                    .link_bytes_per_second = 1e6,
                                    .link_latency_seconds = 1e-4,
                                    .seconds = 0.01};
  const study::Report report = study_scaling(options);
  const study::Table& measured = report.tables[0];
  ASSERT_EQ(measured.rows.size(), 4U) << "batches of 20, 10, 5, 2";
  const double megabytes = column(measured, "gradients")[0].get<double>();
  EXPECT_GT(megabytes, 0);
  const study::Table& predicted = report.tables[1];
  ASSERT_EQ(predicted.rows.size(), 4U);
  EXPECT_EQ(column(predicted, "efficiency")[0], 100.0);
  const double exchange = 2 * 7 * 1e-4 + 2 * 7.0 / 8 * megabytes;  // at 1 MB/s
  EXPECT_NEAR(column(predicted, "all_reduce")[2].get<double>(), 1e3 * exchange, 1e-6);
  EXPECT_NEAR(column(predicted, "efficiency")[2].get<double>(), 100 * 0.001 / (0.001 + exchange), 1e-3);
  EXPECT_GE(column(predicted, "efficiency_overlapped")[2].get<double>(),
            column(predicted, "efficiency")[2].get<double>());
  EXPECT_TRUE(column(predicted, "speedup")[3].is_null()) << "64 replicas have no 20 rows to share";
  EXPECT_TRUE(predicted.columns[3].is_predicted);
  ASSERT_EQ(report.conclusions.size(), 1U);
  EXPECT_NE(
      report.conclusions[0].find("iris_mlp: no number of replicas reaches 80 % efficiency; 64 reach 6."),
      std::string::npos)
      << report.conclusions[0];
  EXPECT_NE(report.conclusions[0].find("adding up 1.04 kB of gradients takes 15 ms beside a step of 1.0 ms"),
            std::string::npos)
      << report.conclusions[0];
  EXPECT_NO_THROW(study::to_html(report));
}

TEST_F(StudiesTest, ScalingTakesItsLinkFromCalls) {
  std::ofstream(path("calls.json")) << R"({"calls": [{"replicas": 2, "bytes": 1000, "seconds": 0.0021},
      {"replicas": 2, "bytes": 1000000, "seconds": 0.003}, {"replicas": 4, "bytes": 1000, "seconds": 0.006}]})";
  const StudyScalingOptions options{.networks = {"iris_mlp"},
                                    .device = "sim:ideal,clock=virtual,step_seconds=0.001",
                                    .replicas = {1, 4},
                                    .calls = path("calls.json"),
                                    .seconds = 0.01};
  EXPECT_NE(study_scaling(options).notes[0].find("3 measured calls"), std::string::npos);
  EXPECT_THROW(study_scaling({.networks = {"iris_mpl"}}), Error);
  EXPECT_THROW(study_scaling({.networks = {"iris_mlp"}, .replicas = {0}}), Error);
  EXPECT_THROW(study_scaling({.networks = {"iris_mlp"}, .calls = path("none.json")}), Error);
}

TEST_F(StudiesTest, AnyCommandIsTimed) {
  EXPECT_GE(time_command({"sleep", "0.05"}, 1), 0.05);
  EXPECT_LT(time_command({"true"}, 1), 10);
  // As many threads as processors are asked for.
  EXPECT_NO_THROW(time_command({"sh", "-c", "test \"$OMP_NUM_THREADS\" = 1 && test \"$(nproc)\" = 1"}, 1));
  const auto refused = [](const std::vector<std::string>& command, int num_cpus) -> std::string {
    try {
      time_command(command, num_cpus);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(refused({"false"}, 1).find("ended with 1"), std::string::npos);
  EXPECT_NE(refused({"sh", "-c", "kill -9 $$"}, 1).find("signal 9"), std::string::npos);
  EXPECT_NE(refused({"/no/such/program"}, 1).find("no program"), std::string::npos);
  EXPECT_NE(refused({"/etc/passwd"}, 1).find("cannot start \"/etc/passwd\": Permission denied"),
            std::string::npos);
  EXPECT_NE(refused({"sh", "-c", "exit 127"}, 1).find("\"sh\" ended with 127"), std::string::npos);
  EXPECT_NE(refused({"true"}, 100000).find("100000 processors; there are"), std::string::npos);
  EXPECT_NE(refused({}, 1).find("no command"), std::string::npos);
  const study::Report report = study_cost({.threads = {1}, .command = {"true"}, .repeats = 2});
  EXPECT_EQ(report.tables[0].rows.size(), 1U);
}

TEST_F(StudiesTest, TheEngineCountsConvolutionsAndSequencesApart) {
  const auto work_of = [](const std::string& workload) {
    TimedTraining training(find_workload(workload), runtime::make_client("cpu"), 1);
    training.fit(1);
    return training.stats();
  };
  const runtime::CompileStats dense = work_of("mnist_mlp"), images = work_of("cifar10_cnn"),
                              letters = work_of("lstm_textgen");
  EXPECT_GT(dense.flops, 0);
  EXPECT_EQ(dense.convolution_flops + dense.sequence_flops, 0);
  EXPECT_GT(images.convolution_flops, 0.8 * images.flops);
  EXPECT_LT(images.convolution_flops, images.flops);
  EXPECT_EQ(images.sequence_flops, 0);
  // The recurrent kernels of four gates of 128, over 40 steps of 128 rows; forward and its gradient.
  EXPECT_GE(letters.sequence_flops, 2 * 2.0 * 128 * 40 * 128 * 128 * 4);
  EXPECT_LT(letters.sequence_flops, letters.flops);
  EXPECT_EQ(letters.convolution_flops, 0);
}

TEST_F(StudiesTest, CalibrationFindsTheCostsOfADeviceThatIsKnown) {
  std::ofstream(path("known.json")) << R"({"link_latency_seconds": 0.001, "link_bytes_per_second": 1e9,
      "launch_seconds": 0.002, "step_seconds": 0.003, "flops_per_second": 5e10, "state_bytes_per_second": 2e9,
      "convolution_flops_per_second": 1e11, "compile_seconds": 0.5, "device_type": "TPU",
      "rows": "kept"})";
  const CalibrationOptions options{.machine = {.device = "sim:" + path("known.json") + ",clock=virtual"},
                                   .workloads = {"iris_mlp", "mnist_mlp", "imdb_fasttext", "cifar10_cnn"},
                                   .held_out = {"wide_deep"},
                                   .seconds = 0.01,
                                   .repeats = 1,
                                   .steps_per_execution = 10,
                                   .output = path("copy.json")};
  const study::Report report = calibrate(options);
  std::ifstream file(path("copy.json"));
  const nlohmann::json copy = nlohmann::json::parse(file);
  EXPECT_EQ(copy["device_type"], "TPU");
  EXPECT_EQ(copy["rows"], "kept");
  EXPECT_NEAR(copy["flops_per_second"].get<double>(), 5e10, 1e9) << "rows that are sent are no products";
  EXPECT_NEAR(column(report.tables[0], "travels")[1].get<double>(), 128 * 785 * 4e-3 * 16 / 10, 1)
      << "kilobytes of a step's rows; those of 10 steps fill a stack of 16";
  EXPECT_NEAR(copy["link_latency_seconds"].get<double>(), 0.001, 1e-6);
  EXPECT_NEAR(copy["link_bytes_per_second"].get<double>(), 1e9, 1e6);
  EXPECT_NEAR(copy["launch_seconds"].get<double>(), 0.002, 5e-4);
  EXPECT_NEAR(copy["step_seconds"].get<double>(), 0.003, 5e-4);
  EXPECT_NEAR(copy["compile_seconds"].get<double>(), 0.5, 0.05);
  EXPECT_NEAR(copy["convolution_flops_per_second"].get<double>(), 1e11, 5e9);
  EXPECT_FALSE(copy.contains("sequence_flops_per_second")) << "no workload has any";
  const auto off = column(report.tables[0], "off_by");
  ASSERT_EQ(off.size(), 5U);
  for (const auto& percent : off) EXPECT_LT(std::abs(percent.get<double>()), 10) << study::to_text(report);
}

TEST_F(StudiesTest, CalibrationRefusesTooFewWorkloads) {
  EXPECT_THROW(calibrate({.workloads = {"iris_mlp"}}), Error);
  EXPECT_THROW(calibrate({.steps_per_execution = 1}), Error);
  EXPECT_THROW(calibrate({.held_out = {"nothing"}}), Error);
  const auto refused = [](const CalibrationOptions& options) -> std::string {
    try {
      calibrate(options);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_NE(refused({.workloads = {"iris_mlp", "mnist_mlp", "imdb_fasttext"}, .held_out = {"mnist_mlp"}})
                .find("mnist_mlp cannot be held out"),
            std::string::npos);
  const std::string no_folder = path("no/such/x.json");
  EXPECT_NE(refused({.machine = {.device = "grpc://nobody:1"}, .output = no_folder})
                .find("x.json\": No such file or directory"),
            std::string::npos)
      << "said before the device is looked for";
}

TEST_F(StudiesTest, WhatTakesNoTimeCannotBeFitted) {
  const auto refused = [](const auto& work) -> std::string {
    try {
      work();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kFailedPrecondition);
      return error.what();
    }
    return "accepted";
  };
  const std::string scaling = refused([&] {
    study_scaling({.networks = {"iris_mlp"},
                   .device = "sim:ideal",
                   .replicas = {8},
                   .seconds = 0.01,
                   .output = {.prefix = path("scaling")}});
  });
  EXPECT_NE(scaling.find("a step of iris_mlp with a batch of 20 took no time on sim:ideal"),
            std::string::npos)
      << scaling;
  std::ifstream log(path("scaling.log"));
  std::string header, measurement;
  EXPECT_TRUE(std::getline(log, header));
  EXPECT_FALSE(std::getline(log, measurement)) << "a resumed study would fail by it again: " << measurement;
  const std::string calibration = refused([&] {
    calibrate({.machine = {.device = "sim:ideal,clock=virtual"},
               .seconds = 0.01,
               .repeats = 1,
               .output = path("none.json")});
  });
  EXPECT_NE(calibration.find("a step of iris_mlp took no time on sim:ideal,clock=virtual"), std::string::npos)
      << calibration;
  EXPECT_FALSE(std::filesystem::exists(path("none.json")));
}

TEST_F(StudiesTest, AdviceSaysWhyAndItsPredictionHolds) {
  const study::Report report =
      advise({.target = "iris_mlp", .devices = {"cpu", "sim:call_60ms"}, .checks = true, .seconds = 0.1});
  ASSERT_EQ(report.tables.size(), 3U);
  EXPECT_NEAR(column(report.tables[0], "call")[1].get<double>(), 60, 1);
  EXPECT_EQ(column(report.tables[0], "recommended_steps")[1], 500);
  ASSERT_EQ(report.conclusions.size(), 5U) << study::to_text(report);
  const std::string& where = report.conclusions[0];
  EXPECT_EQ(where.find("A step of iris_mlp at batch 20 and K = 1 takes "), 0U) << where;
  EXPECT_NE(where.find(" on sim:call_60ms (simulated): calls "), std::string::npos) << where;
  EXPECT_NE(where.find("computing"), std::string::npos) << where;
  EXPECT_NE(report.conclusions[1].find("sim:call_60ms is slower than cpu at K = 1"), std::string::npos)
      << report.conclusions[1];
  EXPECT_NE(report.conclusions[1].find("each call of it costs 60 ms"), std::string::npos)
      << report.conclusions[1];
  EXPECT_NE(report.conclusions[2].find("take cpu"), std::string::npos) << report.conclusions[2];
  EXPECT_NE(report.conclusions[4].find("times of sim:call_60ms are simulated"), std::string::npos)
      << report.conclusions[4];
  const auto devices = column(report.tables[2], "device"), off = column(report.tables[2], "off_by");
  for (std::size_t i = 0; i < devices.size(); ++i)
    if (devices[i] == "sim:call_60ms") {
      EXPECT_LT(std::abs(off[i].get<double>()), 5) << study::to_text(report);
    }
}

/// A network of `num_layers` square layers: 3 n - 1 products a step, as the first layer needs no gradient
/// of its input.
Workload square_layers(int num_layers) {
  const auto make_model = [num_layers] {
    std::vector<keras::LayerHandle> layers = {keras::layers::Input({.shape = {32}})};
    for (int i = 0; i < num_layers; ++i) layers.push_back(keras::layers::Dense({.units = 32}));
    return keras::Sequential(layers);
  };
  return {.name = "square_layers",
          .inputs = {{.shape = {32}}},
          .num_classes = 0,
          .batch_size = 32,
          .num_rows = 128,
          .make_model = make_model,
          .compile_options = [] { return keras::CompileOptions{.optimizer = "sgd", .loss = "mse"}; }};
}

TEST_F(StudiesTest, AModelOfTheSizeThatAdviceNamesTakesAsLongOnBothDevices) {
  // Two layers are five products of 65,536 operations, 3.2768 ms on the slow device: four times that is the
  // far one's step.
  std::ofstream(path("slow.json")) << R"({"link_latency_seconds": 1e-7, "link_bytes_per_second": 1e12,
      "launch_seconds": 0, "flops_per_second": 1e8, "compile_seconds": 0, "rows": "kept"})";
  std::ofstream(path("far.json")) << R"({"link_latency_seconds": 1e-7, "link_bytes_per_second": 1e12,
      "launch_seconds": 0, "step_seconds": 0.0131072, "flops_per_second": 1e14, "compile_seconds": 0, "rows": "kept"})";
  const Workload small = square_layers(2);
  keras::Model model = small.make_model();
  model.compile(small.compile_options());
  model.save(path("small.keras"));
  const std::string slow = "sim:" + path("slow.json"), far = "sim:" + path("far.json");
  const study::Report report =
      advise({.target = path("small.keras"), .devices = {slow, far}, .seconds = 0.03});
  const study::Table& table = report.tables[1];
  ASSERT_EQ(table.rows.size(), 2U) << study::to_text(report);
  for (int row = 0; row < 2; ++row) {
    EXPECT_EQ(column(table, "first")[row], slow);
    EXPECT_NEAR(column(table, "times_the_work")[row].get<double>(), 4, 0.05) << study::to_text(report);
    EXPECT_NEAR(column(table, "parameters")[row].get<double>(), 4 * model.count_params(),
                0.02 * 4 * model.count_params());
  }
  const Workload large = square_layers(7);  // 20 products
  const auto seconds = [&](const std::string& device) {
    TimedTraining training(large, runtime::make_client(device + ",clock=virtual"), 50);
    return step_seconds(training, 0.03, 50, 1);
  };
  EXPECT_NEAR(seconds(slow) / seconds(far), 1, 0.02);
}

TEST_F(StudiesTest, AdviceNamesTheNearestWhereNothingMeetsTheBudget) {
  AdviceOptions options{.target = "iris_mlp",
                        .devices = {"sim:call_60ms"},
                        .prices = {{"sim:call_60ms", 1.0}},
                        .budget = 1e-9,
                        .seconds = 0.03};
  const std::vector<std::string> sentences = advise(options).conclusions;
  ASSERT_EQ(sentences.size(), 5U);
  EXPECT_EQ(sentences[1].find("sim:call_60ms (simulated) is the only device"), 0U) << sentences[1];
  EXPECT_NE(sentences[2].find("No device meets the budget. The nearest: take sim:call_60ms"),
            std::string::npos);
  EXPECT_NE(sentences[3].find("That saves 100 %"), std::string::npos)
      << "a call of 60 ms for 500 steps in place of one: " << sentences[3];
  options.prices = {{"sim:call_60ms", 0}};
  EXPECT_NE(advise(options).conclusions[2].find(" and cost 0 by its price"), std::string::npos)
      << "what costs nothing is within any budget";
  options.prices.clear();
  options.target = "nothing";
  try {
    advise(options);
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("--price sim:call_60ms=AN_HOUR is missing"), std::string::npos)
        << "before anything else: " << error.what();
  }
  options.prices = {{"sim:call_60ms", 1.0}, {"cpu", 1.0}};
  EXPECT_THROW(advise(options), Error) << "a price of no device";
  EXPECT_THROW(advise({.target = "nothing"}), Error);
}

TEST_F(StudiesTest, AdviceLeavesOutADeviceThatFails) {
  const study::Report report = advise({.target = "iris_mlp",
                                       .devices = {"sim:ideal,lose_at_launch=3", "sim:call_60ms"},
                                       .checks = true,
                                       .seconds = 0.03});
  EXPECT_EQ(report.tables[0].rows.size(), 1U);
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_NE(report.warnings[0].find("is left out"), std::string::npos);
}

TEST_F(StudiesTest, PredictionsAreOffByNothingWhereStepsTakeNoTime) {
  const study::Report report =
      advise({.target = "iris_mlp", .devices = {"sim:ideal"}, .checks = true, .seconds = 0.03});
  for (const auto& off : column(report.tables.back(), "off_by")) EXPECT_TRUE(off.is_null());
  EXPECT_EQ(study::to_text(report).find("nan"), std::string::npos) << study::to_text(report);
}

TEST_F(StudiesTest, InterruptedAdviceEnds) {
  // Ctrl-C comes while a model is trained, as it nearly always is, and ends the command, not only one device.
  std::signal(SIGINT, SIG_DFL);  // which a shell may have ignored for what runs behind it
  std::atomic<bool> is_over = false;
  std::thread presses([&] {
    while (!is_over) {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      struct sigaction now{};
      sigaction(SIGINT, nullptr, &now);
      if (now.sa_handler == SIG_DFL || is_over) continue;  // between two runs it would end the test
      kill(getpid(), SIGINT);
      return;
    }
  });
  std::string message = "no error";
  try {
    advise({.target = "mnist_mlp", .devices = {"cpu", "sim:ideal"}, .seconds = 30});
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kCancelled);
    message = error.what();
  }
  is_over = true;
  presses.join();
  EXPECT_NE(message.find("interrupted"), std::string::npos) << message;
}

TEST_F(StudiesTest, AdviceTakesAFileOfACompiledModel) {
  keras::Sequential model({keras::layers::Input({.shape = {6}}), keras::layers::Dense({.units = 3})});
  model.save(path("not_compiled.keras"));
  const Error not_compiled =
      error_of([&] { advise({.target = path("not_compiled.keras"), .devices = {"cpu"}}); });
  EXPECT_NE(std::string(not_compiled.what()).find("--optimizer adam --loss mse"), std::string::npos);
  EXPECT_NO_THROW(advise({.target = path("not_compiled.keras"),
                          .devices = {"sim:call_60ms"},
                          .seconds = 0.03,
                          .compile = {.optimizer = "sgd", .loss = {"mse"}}}));
  model.compile({.optimizer = "sgd", .loss = "mse"});
  model.save(path("m.keras"));
  const study::Report report =
      advise({.target = path("m.keras"), .devices = {"sim:call_60ms"}, .seconds = 0.03});
  EXPECT_NEAR(column(report.tables[0], "call")[0].get<double>(), 60, 1);
}

}  // namespace
}  // namespace cornu::inline v0::cli
