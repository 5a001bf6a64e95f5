#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "cli/cost_forecast.h"

namespace cornu::inline v0::cli {
namespace {

TEST(CostForecastTest, CostNamesNoCheapestMachineWhoseErrorOverlapsOrIsNotKnown) {
  const study::PriceList prices = study::parse_prices(
      R"({"version": 1, "date": "2026-01", "currency": "EUR", "reference": "gpu", "billing_seconds": 0.001,
        "machines": [{"name": "gpu", "vcpus": 1, "device": "sim:k80", "price_per_hour": 1},
        {"name": "cpu", "vcpus": 8, "price_per_hour": 0.4}]})",
      "test");
  std::vector found{forecast(prices, prices.machines[0], 3600, {}),
                    forecast(prices, prices.machines[1], 7200, {})};
  found[0].interval = study::Interval{3600, INFINITY};
  EXPECT_NE(best_value("x", prices, found)
                .find("€0.80 (the error is not known) on cpu in 2.0 h (predicted) is the least figure; no "
                      "conclusion: "
                      "measure three numbers of threads"),
            std::string::npos)
      << best_value("x", prices, found);
  found[1].interval = study::Interval{6000, 10000};
  EXPECT_NE(
      best_value("x", prices, found)
          .find("€0.80 (90 %: €0.67 to €1.1) on cpu in 2.0 h (predicted) is the least figure; no conclusion "
                "beside gpu (€1.0), as their 90 % intervals overlap"),
      std::string::npos)
      << best_value("x", prices, found);
  found[1].interval = study::Interval{7000, 7400};
  EXPECT_NE(best_value("x", prices, found).find("cheaper than gpu until cpu costs 1."), std::string::npos)
      << "a bound from below is enough: " << best_value("x", prices, found);
  found[1] = forecast(prices, prices.machines[1], 36000, {});
  EXPECT_NE(best_value("x", prices, found)
                .find("€1.0 or more on gpu in 60 min (predicted) is the least figure; no "
                      "conclusion: peak rates"),
            std::string::npos)
      << best_value("x", prices, found);
}

TEST(CostForecastTest, TheFrontHasWhatNothingBeatsInTimeAndCost) {
  const study::PricedMachine machine;
  const auto at = [&](double seconds, double cost) {
    return Forecast{.machine = &machine, .seconds = seconds, .cost = cost};
  };
  EXPECT_EQ(pareto_front({at(4, 4), at(1, 10), at(2, 3), at(2, 5), at(8, 1), at(9, 1)}),
            (std::vector<std::size_t>{1, 2, 4}));
  EXPECT_TRUE(pareto_front({}).empty());
}

TEST(CostForecastTest, AMachineIsPricedByWhatWasMeasuredAndNeverByAnotherProcessor) {
  MeasuredProgram program;
  program.name = "x";
  program.machine = {.processor = "A", .architecture = "x86_64", .instance_type = "a.4"};
  for (const int n : {1, 2, 4}) {
    program.threads.push_back(n);
    program.seconds.push_back({2 + 8.0 / n, 2 + 8.0 / n, 2 + 8.0 / n});
  }
  study::PricedMachine machine;
  machine.name = "a.4";
  machine.vcpus = 4;
  const Prediction measured = predict_processors(program, machine);
  EXPECT_EQ(measured.seconds, 4.0) << "exactly";
  EXPECT_EQ(measured.basis, "measured with 4 threads; this type was measured");
  machine.name = "a.8";
  EXPECT_EQ(predict_processors(program, machine).basis, "not known: its processor was not measured");
  EXPECT_FALSE(predict_processors(program, machine).seconds.has_value());
  machine.processor = "A";
  machine.vcpus = 8;
  const Prediction predicted = predict_processors(program, machine);
  EXPECT_NEAR(*predicted.seconds, 3, 1e-9);
  ASSERT_TRUE(predicted.interval.has_value());
  EXPECT_NEAR(predicted.interval->high, 3, 1e-6);
  EXPECT_EQ(predicted.basis.substr(0, 6), "Amdahl") << predicted.basis;
  machine.architecture = "aarch64";
  EXPECT_EQ(predict_processors(program, machine).basis, "not known: it is aarch64, x86_64 was measured");
  machine.architecture = "x86_64";
  machine.processor = "B";
  machine.speed = {.factor = 2, .processor = "A", .source = "a log"};
  EXPECT_NEAR(*predict_processors(program, machine).seconds, 1.5, 1e-9);
  EXPECT_NE(predict_processors(program, machine).basis.find("2 times as fast by a log"), std::string::npos);
}

}  // namespace
}  // namespace cornu::inline v0::cli
