/// Some cases of Keras's own tests, of every kind (tools/oracles/keras_cases).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/keras_cases/expectations.h"

namespace cornu::inline v0::tests {
namespace {

TEST(KerasCasesTest, CommittedCasesAreTheSameOrExpected) {
  std::vector<CaseResult> results;
  for (const Config& recorded : read_cases("tests/keras_cases/cases.jsonl"))
    results.push_back({recorded.at("id").as_string(), replay(recorded)});
  EXPECT_GE(results.size(), 200U);
  for (const std::string& problem :
       Expectations("tests/keras_cases/expectations.json").problems(results, /*whole=*/false))
    ADD_FAILURE() << problem;
}

TEST(KerasCasesTest, AChangedNumberIsADifference) {
  Config recorded = read_cases("tests/keras_cases/cases.jsonl").front();
  ASSERT_EQ(replay(recorded).outcome, Outcome::kSame);
  Config output = recorded.at("outputs").at(0);
  Config data{Config::List()};
  for (const Config& each : output.at("data").as_list()) data.append(each.as_number() + 0.001);
  output.set("data", data);
  recorded.set("outputs", Config::list({output}));
  EXPECT_EQ(replay(recorded).outcome, Outcome::kDifferent);
}

TEST(KerasCasesTest, UnexpectedOutcomesAndOtherCountsAreProblems) {
  const Expectations expectations("tests/keras_cases/expectations.json");
  const std::vector<CaseResult> refused = {{"no/such_test.py::T::t#1", {Outcome::kRefused, "[x] y"}}};
  EXPECT_EQ(expectations.problems(refused, false).size(), 1U);
  EXPECT_FALSE(expectations.problems({}, true).empty());
}

TEST(KerasCasesTest, FewerCasesAreAProblemUnlessTheirCountIsALimit) {
  const std::string path = (std::filesystem::temp_directory_path() / "cornu_expectations.json").string();
  std::ofstream(path)
      << R"([{"cases": "a#*", "outcome": "different", "message": "", "count": 2, "reason": ""},
      {"cases": "b#*", "outcome": "different", "message": "", "count": 2, "at_most": true, "reason": ""}])";
  const Expectations expectations(path);
  std::filesystem::remove(path);
  const CaseResult a1{"a#1", {Outcome::kDifferent, ""}}, a2{"a#2", {Outcome::kDifferent, ""}},
      b1{"b#1", {Outcome::kDifferent, ""}};
  EXPECT_TRUE(expectations.problems({a1, a2, b1}, true).empty());
  EXPECT_TRUE(expectations.problems({a1, a2}, true).empty());
  EXPECT_EQ(expectations.problems({a1, b1}, true).size(), 1U);
  EXPECT_EQ(expectations.problems({a1, a2, b1, b1, b1}, true).size(), 1U);
}

}  // namespace
}  // namespace cornu::inline v0::tests
