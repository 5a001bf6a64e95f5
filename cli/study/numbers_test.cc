#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "cli/study/all_reduce.h"
#include "cli/study/bootstrap.h"
#include "cli/study/figures.h"
#include "cli/study/interruptions.h"
#include "cli/study/progress.h"
#include "cli/study/scaling.h"
#include "cli/study/statistics.h"
#include "cli/study/term_fit.h"
#include "cornu/base/error.h"

namespace cornu::inline v0::study {
namespace {

/// The message of the error that `work` throws.
template <typename F>
std::string refused(const F& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

TEST(StatisticsTest, MediansAndQuartilesLieBetweenNeighbours) {
  const Sample sample = summarize({4, 1, 3, 2});
  EXPECT_EQ(sample.count, 4U);
  EXPECT_DOUBLE_EQ(sample.median, 2.5);
  EXPECT_DOUBLE_EQ(sample.low, 1.75);
  EXPECT_DOUBLE_EQ(sample.high, 3.25);
  EXPECT_DOUBLE_EQ(sample.standard_error, 1.2533 * 1.4826 * 1 / 2);
}

TEST(StatisticsTest, DifferencesWithinTheSpreadAreNoise) {
  const Sample quiet = summarize({10.0, 10.1, 9.9, 10.0, 10.1}),
               slower = summarize({12, 12.1, 11.9, 12, 12.1});
  const Sample noisy = summarize({9, 15, 11, 18, 8});
  EXPECT_FALSE(is_noise(quiet, slower));
  EXPECT_TRUE(is_noise(quiet, noisy));
  EXPECT_TRUE(is_noise(summarize({10}), summarize({20}))) << "one value says nothing of the spread";
  EXPECT_FALSE(is_noise(summarize({1, 1, 1}), summarize({2, 2, 2})));
}

TEST(StatisticsTest, NothingAndValuesThatAreNotFiniteAreRefused) {
  EXPECT_NE(refused([] { summarize({}); }).find("no measurement"), std::string::npos);
  EXPECT_NE(refused([] { summarize({1, std::nan("")}); }).find("must be finite"), std::string::npos);
}

TEST(BootstrapTest, IntervalsHoldTheTruthInNineOfTenCases) {
  std::mt19937_64 random(3);
  int num_inside = 0;
  constexpr int kCases = 300;
  for (int i = 0; i < kCases; ++i) {
    Repeats repeats;
    for (int k = 0; k < 20; ++k) repeats.push_back(std::normal_distribution<double>(10, 2)(random));
    const auto interval = median_interval(repeats);
    ASSERT_TRUE(interval.has_value());
    num_inside += interval->low <= 10 && 10 <= interval->high ? 1 : 0;
  }
  EXPECT_GE(num_inside, 0.85 * kCases);
  EXPECT_LE(num_inside, 0.98 * kCases);
}

TEST(BootstrapTest, TheSameRepeatsGiveTheSameIntervalAndOneValueNone) {
  const Repeats repeats = {1, 2, 3, 4, 5};
  EXPECT_EQ(median_interval(repeats)->low, median_interval(repeats)->low);
  EXPECT_FALSE(median_interval({1, 2}).has_value());
  EXPECT_EQ(median_interval({2, 2, 2})->high, 2);
  EXPECT_EQ(interval_text(std::nullopt, &seconds_text), " (the error is not known)");
  EXPECT_EQ(interval_text(Interval{1, 2}, &seconds_text), " (90 %: 1.0 s to 2.0 s)");
  EXPECT_EQ(interval_text(Interval{1.001, 1.002}, &seconds_text), " (90 %: 1.0 s to 1.0 s)");
  EXPECT_EQ(interval_text(Interval{1, 1}, &seconds_text), "");
}

TEST(BootstrapTest, OnlyAClearLeaderWins) {
  const std::vector<Repeats> apart = {{10, 11, 12}, {5, 5.1, 5.2}, {20, 21, 22}};
  const auto leader = find_leader(apart);
  ASSERT_TRUE(leader.has_value());
  EXPECT_EQ(leader->index, 1U);
  EXPECT_NEAR(leader->share, 1, 1e-9);
  EXPECT_NEAR(find_leader(std::vector<Repeats>{{1, 1, 1}, {1, 1, 1}})->share, 0.5, 1e-9)
      << "a draw is shared";
  EXPECT_FALSE(find_leader(std::vector<Repeats>{{1, 2, 3}}).has_value());
  EXPECT_FALSE(find_leader(std::vector<Repeats>{{1, 2}, {3, 4}}).has_value());
  // Of two measurements that do not differ, one wins in less than 15 % of the studies.
  std::mt19937_64 random(8);
  int num_winners = 0;
  for (int i = 0; i < 200; ++i) {
    std::vector<Repeats> same(2);
    for (Repeats& repeats : same)
      for (int k = 0; k < 5; ++k) repeats.push_back(std::normal_distribution<double>(1, 0.2)(random));
    num_winners += find_leader(same)->share >= kWinningShare ? 1 : 0;
  }
  EXPECT_LT(num_winners, 30);
}

TEST(BootstrapTest, NoConclusionSaysHowFarTheRepeatsDiffer) {
  const std::vector<Repeats> noisy = {{1.0, 1.2, 0.8}, {1, 1, 1}};
  EXPECT_EQ(no_conclusion(noisy),
            "the repeats differ by 40 %, no conclusion; run on a quiet machine or with --repeats 20");
  EXPECT_EQ(no_conclusion(std::vector<Repeats>{Repeats(20, 1.0), Repeats{1, 2}}).substr(0, 27),
            "the repeats differ by 67 %,");
  EXPECT_EQ(no_conclusion(std::vector<Repeats>{{1, 1}, {2, 2}}), "they take the same time, no conclusion");
}

TEST(ScalingTest, TheLawIsChosenByNumbersOfThreadsThatWereLeftOut) {
  std::vector<Timing> amdahl, usl, limit;
  for (const double n : {1.0, 2.0, 4.0, 8.0, 16.0}) {
    amdahl.push_back({n, 2 + 10 / n});
    usl.push_back({n, 1 + 20 / n + 0.3 * n});
    limit.push_back({n, 1 + 12 / std::min(n, 4.0)});
  }
  for (const auto& [law, timings] :
       {std::pair{ScalingLaw::kAmdahl, amdahl}, {ScalingLaw::kUsl, usl}, {ScalingLaw::kLimit, limit}}) {
    const auto chosen = choose_scaling(timings);
    ASSERT_TRUE(chosen.has_value());
    EXPECT_EQ(chosen->fit.law, law) << scaling_law_name(chosen->fit.law);
    ASSERT_TRUE(chosen->held_out_error.has_value());
  }
  EXPECT_NEAR(choose_scaling(limit)->fit.seconds(64), 4, 1e-6);
  EXPECT_LT(*choose_scaling(amdahl)->held_out_error, 1e-6);
  EXPECT_FALSE(choose_scaling(std::vector<Timing>{{1, 2}, {2, 1}})->held_out_error.has_value());
}

TEST(ScalingTest, AmdahlFindsItsOwnTerms) {
  std::vector<Timing> timings;
  for (const double n : {1.0, 2.0, 4.0, 8.0}) timings.push_back({n, 2 + 10 / n});
  const auto fit = fit_scaling(ScalingLaw::kAmdahl, timings);
  ASSERT_TRUE(fit.has_value());
  EXPECT_NEAR(fit->serial, 2, 1e-9);
  EXPECT_NEAR(fit->parallel, 10, 1e-9);
  EXPECT_NEAR(fit->seconds(64), 2 + 10.0 / 64, 1e-9);
  ASSERT_TRUE(fit->relative_error.has_value());
  EXPECT_NEAR(*fit->relative_error, 0, 1e-9);
}

TEST(ScalingTest, UslSeesThatMoreThreadsBecomeSlower) {
  std::vector<Timing> timings;
  for (const double n : {1.0, 2.0, 4.0, 8.0, 16.0}) timings.push_back({n, 1 + 20 / n + 0.3 * n});
  const auto usl = fit_scaling(ScalingLaw::kUsl, timings), amdahl = fit_scaling(ScalingLaw::kAmdahl, timings);
  ASSERT_TRUE(usl.has_value() && amdahl.has_value());
  EXPECT_NEAR(usl->crosstalk, 0.3, 1e-9);
  EXPECT_GT(usl->seconds(64), usl->seconds(8));
  EXPECT_GT(*amdahl->relative_error, 0.1) << "Amdahl's law cannot say that";
  EXPECT_EQ(amdahl->crosstalk, 0);
}

TEST(ScalingTest, TermsAreNeverNegative) {
  // Faster than in proportion: the best law without negative terms shares everything.
  const Timing timings[] = {{1, 10}, {2, 4.5}, {4, 2}};
  const auto fit = fit_scaling(ScalingLaw::kAmdahl, timings);
  ASSERT_TRUE(fit.has_value());
  EXPECT_EQ(fit->serial, 0);
  EXPECT_GT(fit->parallel, 0);
}

TEST(ScalingTest, AsManyTimingsAsTermsSayNothingOfTheError) {
  const Timing two[] = {{1, 10}, {2, 6}};
  const auto amdahl = fit_scaling(ScalingLaw::kAmdahl, two);
  ASSERT_TRUE(amdahl.has_value());
  EXPECT_NEAR(amdahl->seconds(1), 10, 1e-9);
  EXPECT_NEAR(amdahl->seconds(2), 6, 1e-9);
  EXPECT_FALSE(amdahl->relative_error.has_value());
  EXPECT_FALSE(fit_scaling(ScalingLaw::kUsl, two).has_value()) << "three terms take three numbers of threads";
  EXPECT_NE(refused([] { fit_scaling(ScalingLaw::kUsl, std::vector<Timing>{{1, -1}}); }).find("positive"),
            std::string::npos);
}

TEST(AllReduceTest, FindsTheCostsOfARing) {
  std::vector<AllReduceCall> calls;
  for (const double replicas : {2.0, 4.0})
    for (const double bytes : {1e3, 1e5, 4e7})
      calls.push_back(
          {replicas, bytes, 2 * (replicas - 1) * 2e-5 + 2 * (replicas - 1) / replicas * bytes / 1.25e9});
  const AllReduceCost cost = fit_all_reduce(calls);
  EXPECT_NEAR(cost.message_seconds, 2e-5, 1e-10);
  EXPECT_NEAR(cost.bandwidth(), 1.25e9, 1);
  ASSERT_TRUE(cost.relative_error.has_value());
  EXPECT_NEAR(*cost.relative_error, 0, 1e-9);
  EXPECT_NEAR(cost.seconds(2, 4e7), 2 * 2e-5 + 4e7 / 1.25e9, 1e-12);
  EXPECT_EQ(cost.seconds(1, 4e7), 0);
}

TEST(AllReduceTest, CallsThatSayNothingAreRefused) {
  EXPECT_NE(refused([] { fit_all_reduce({}); }).find("two sizes or more; there are 0 of none"),
            std::string::npos);
  EXPECT_NE(
      refused([] { fit_all_reduce(std::vector<AllReduceCall>{{2, 8, 1}, {4, 8, 2}}); }).find("2 of one"),
      std::string::npos);
  EXPECT_NE(
      refused([] { fit_all_reduce(std::vector<AllReduceCall>{{1, 8, 1}, {2, 9, 2}}); }).find("call 0 has 1"),
      std::string::npos);
  EXPECT_NE(refused([] { parse_calls("[]", "x.json"); }).find("x.json is no file of calls"),
            std::string::npos);
  EXPECT_NE(refused([] { parse_calls(R"({"calls": [7]})", "x.json"); }).find("call 0 is no object"),
            std::string::npos);
  EXPECT_NE(refused([] {
              parse_calls(R"({"calls": [{"replicas": 2, "bytes": "8"}]})", "x.json");
            }).find("call 0 needs a number \"bytes\""),
            std::string::npos);
  EXPECT_NE(refused([] {
              parse_calls(R"({"calls": [{"replicas": 2, "bytes": 8, "seconds": -1}]})", "x.json");
            }).find("must be positive"),
            std::string::npos);
  const auto calls = parse_calls(
      R"({"host": "a", "calls": [{"replicas": 2, "bytes": 8, "seconds": 1e-3, "rank": 0}]})", "x");
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_EQ(calls[0].seconds, 1e-3);
}

TEST(TermFitTest, FindsFactorsOfVeryDifferentSizes) {
  std::vector<Observation> observations;
  for (const auto& [flops, bytes] : {std::pair{1e6, 1e3}, {1e9, 1e5}, {2e9, 3e7}, {1e7, 1e7}})
    observations.push_back({.terms = {1, flops, bytes}, .value = 1e-5 + flops / 1e11 + bytes / 1e10});
  const auto fit = fit_terms(observations);
  ASSERT_TRUE(fit.has_value());
  EXPECT_NEAR(fit->factors[0], 1e-5, 1e-10);
  EXPECT_NEAR(fit->factors[1], 1e-11, 1e-16);
  EXPECT_NEAR(fit->factors[2], 1e-10, 1e-15);
  EXPECT_NEAR(fit->value(observations[2].terms), observations[2].value, 1e-9);
}

TEST(TermFitTest, TermsThatAreAlwaysProportionalAreNotToldApart) {
  const Observation same[] = {{{1, 2}, 5}, {{2, 4}, 10}, {{3, 6}, 15}};
  const auto fit = fit_terms(same);
  ASSERT_TRUE(fit.has_value()) << "one of them alone says it";
  EXPECT_TRUE(fit->factors[0] == 0 || fit->factors[1] == 0);
  EXPECT_NEAR(fit->squared_error, 0, 1e-12);
  EXPECT_FALSE(fit_terms({}).has_value());
  EXPECT_NE(refused([] { fit_terms(std::vector<Observation>{{{1, 2}, 0}}); }).find("positive value"),
            std::string::npos);
}

/// Expects the result of the simulation to agree with the formula.
void expect_agreement(const InterruptedWork& work) {
  const double expected = expected_seconds(work);
  const SimulatedSeconds simulated = simulate_seconds(work, 20000, 7);
  EXPECT_NEAR(simulated.mean, expected, 4 * simulated.standard_error + 1e-6 * expected)
      << "every " << work.checkpoint_interval_seconds << " s, " << work.interruptions_per_hour << " an hour, "
      << work.longest_life_seconds << " s at most";
  EXPECT_LT(simulated.standard_error, 0.02 * expected) << "else it says nothing";
}

TEST(InterruptionsTest, TheFormulaAndTheSimulationAgree) {
  for (const double interval : {300.0, 1800.0, 7200.0})
    for (const double rate : {0.05, 0.5, 2.0}) {
      if (rate * interval > 2000) continue;  // nearly never gets anywhere
      for (const double longest : {0.0, 4 * 3600.0, 24 * 3600.0})
        expect_agreement({.work_seconds = 100000,
                          .checkpoint_interval_seconds = interval,
                          .checkpoint_seconds = 20,
                          .restart_seconds = 90,
                          .interruptions_per_hour = rate,
                          .longest_life_seconds = longest});
    }
}

TEST(InterruptionsTest, WithoutInterruptionsItIsTheWorkAndItsCheckpoints) {
  EXPECT_DOUBLE_EQ(
      expected_seconds({.work_seconds = 3600, .checkpoint_interval_seconds = 600, .checkpoint_seconds = 2}),
      3600 + 6 * 2);
  EXPECT_DOUBLE_EQ(expected_seconds({.work_seconds = 0}), 0);
  // A machine that ends after a day: the 30 hours take two, and what the first had begun is done again.
  const InterruptedWork days{.work_seconds = 30 * 3600.0,
                             .checkpoint_interval_seconds = 3600,
                             .checkpoint_seconds = 0,
                             .restart_seconds = 100,
                             .longest_life_seconds = 24.5 * 3600};
  EXPECT_DOUBLE_EQ(expected_seconds(days), 30.5 * 3600 + 100);
  EXPECT_DOUBLE_EQ(simulate_seconds(days, 2, 1).mean, 30.5 * 3600 + 100);
}

TEST(InterruptionsTest, MoreInterruptionsAndLongerIntervalsCostMore) {
  InterruptedWork work{.work_seconds = 36000, .checkpoint_seconds = 0, .interruptions_per_hour = 0.2};
  const double seldom = expected_seconds(work);
  work.interruptions_per_hour = 1;
  const double often = expected_seconds(work);
  work.checkpoint_interval_seconds = 3600;
  EXPECT_LT(36000, seldom);
  EXPECT_LT(seldom, often);
  EXPECT_LT(often, expected_seconds(work));
}

TEST(InterruptionsTest, WorkThatWouldNeverEndIsRefused) {
  EXPECT_NE(refused([] {
              expected_seconds(
                  {.work_seconds = 1e5, .checkpoint_interval_seconds = 7200, .longest_life_seconds = 3600});
            }).find("would never end; take a shorter checkpoint interval"),
            std::string::npos);
  EXPECT_NE(refused([] { expected_seconds({.work_seconds = -1}); }).find("not negative; got -1"),
            std::string::npos);
  EXPECT_NE(refused([] {
              expected_seconds({.work_seconds = 1, .checkpoint_interval_seconds = 0});
            }).find("positive"),
            std::string::npos);
  EXPECT_NE(refused([] { expected_seconds({.work_seconds = 1e12}); }).find("more than 100000 intervals"),
            std::string::npos);
}

TEST(InterruptionsTest, IntervalsThatHardlyAnyMachineSurvivesAreRefusedAndNotPlayed) {
  const InterruptedWork often{.work_seconds = 36000, .checkpoint_seconds = 1, .interruptions_per_hour = 100};
  EXPECT_NE(why_it_never_ends(often).find("16.7 interruptions are expected in the 601 s"), std::string::npos)
      << why_it_never_ends(often);
  EXPECT_NE(refused([&] { simulate_seconds(often, 2000, 1); }).find("in practice the work would never end"),
            std::string::npos);
  EXPECT_NE(refused([&] { expected_seconds(often); }).find("take a shorter checkpoint interval"),
            std::string::npos);
  InterruptedWork shorter = often;
  shorter.checkpoint_interval_seconds = 60;
  EXPECT_EQ(why_it_never_ends(shorter), "");
}

TEST(InterruptionsTest, MachinesAreCountedLifeByLife) {
  InterruptedWork work{.work_seconds = 36000, .checkpoint_seconds = 0, .restart_seconds = 0};
  EXPECT_DOUBLE_EQ(expected_machines(work), 1);
  work.longest_life_seconds = 3600;
  EXPECT_DOUBLE_EQ(expected_machines(work), 10);
  work.longest_life_seconds = 0;
  work.interruptions_per_hour = 2;
  EXPECT_NEAR(expected_machines(work), expected_seconds(work) / 1800, 1e-9);
}

TEST(ProgressTest, TheRestIsEstimatedFromWhatWasMeasured) {
  EXPECT_EQ(StudyProgress::line(1, 10, 0, 0), "1 of 10");
  EXPECT_EQ(StudyProgress::line(6, 10, 5, 50), "6 of 10, about 50 s left");
  EXPECT_EQ(StudyProgress::line(6, 10, 1, 60), "6 of 10, about 5 min left") << "four came from the log";
  EXPECT_EQ(StudyProgress::line(12, 10, 11, 66), "12 of 12, about 6 s left")
      << "more parts than were expected";
}

TEST(FiguresTest, FiguresHaveFewDigitsAndNoExponents) {
  EXPECT_EQ(number_text(0.00103), "0.0010");
  EXPECT_EQ(number_text(4.62), "4.6");
  EXPECT_EQ(number_text(1e6), "1,000,000");
  EXPECT_EQ(number_text(-12345.6), "-12,346");
  EXPECT_EQ(number_text(0), "0");
  EXPECT_EQ(count_text(12487786), "12 million");
  EXPECT_EQ(count_text(4158), "4,200");
  EXPECT_EQ(count_text(99.4), "99");
  EXPECT_EQ(seconds_text(0.000102), "102 us");
  EXPECT_EQ(seconds_text(0.06), "60 ms");
  EXPECT_EQ(seconds_text(0.0009999), "1.0 ms");
  EXPECT_EQ(seconds_text(4.62), "4.6 s");
  EXPECT_EQ(seconds_text(7200 - 60), "119 min");
  EXPECT_EQ(seconds_text(10 * 3600), "10 h");
  EXPECT_EQ(seconds_text(5.3 * 86400), "5.3 days");
  EXPECT_EQ(bytes_text(512), "512 bytes");
  EXPECT_EQ(bytes_text(1036), "1.04 kB");
  EXPECT_EQ(bytes_text(33554432), "33.6 MB");
  EXPECT_EQ(money_text(0.00103, "USD"), "$0.0010");
  EXPECT_EQ(money_text(2, "CHF"), "2.0 CHF");
}

}  // namespace
}  // namespace cornu::inline v0::study
