#include "examples/documents/execution_law.h"

#include <gtest/gtest.h>

#include <vector>

namespace cornu::inline v0::examples {
namespace {

TEST(ExecutionLawTest, FindsItsOwnTerms) {
  std::vector<TimedFits> timed;
  for (const std::int64_t k : {1, 4, 16, 64}) {
    timed.push_back({.steps_per_execution = k});
    timed.back().seconds = 0.5 + 2e-3 * static_cast<double>(timed.back().executions(64)) + 64 * 1e-2;
  }
  const ExecutionLaw law = fit_execution_law(timed, 64, 0.5 + 128 * (2e-3 + 1e-2));
  EXPECT_NEAR(law.fit, 0.5, 1e-12);
  EXPECT_NEAR(law.execution, 2e-3, 1e-12);
  EXPECT_NEAR(law.step, 1e-2, 1e-12);
  EXPECT_NEAR(law.relative_error, 0, 1e-12);
}

TEST(ExecutionLawTest, NoPredictionIsNegative) {
  // 64 executions took more than in proportion, so that a plain fit has a step of less than nothing.
  const ExecutionLaw steep = fit_execution_law({{1, 10}, {4, 2}, {16, 0.3}, {64, 0.05}}, 64, 20);
  EXPECT_GE(steep.step, 0);
  EXPECT_GT(steep.seconds(2, 1000), 0);
  // More steps an execution took longer, and a fit seems to cost more than a short one takes.
  const ExecutionLaw flat = fit_execution_law({{1, 1}, {64, 1.5}}, 64, 0.2);
  EXPECT_GE(flat.execution, 0);
  EXPECT_GE(flat.step, 0);
  EXPECT_GT(flat.seconds(1000, 1000), 0);
  const ExecutionLaw one = fit_execution_law({{1, 1}, {20, 2}}, 64, 2);
  EXPECT_NEAR(one.seconds(64, 64), 1, 1e-12) << "one setting alone does not tell them apart";
}

}  // namespace
}  // namespace cornu::inline v0::examples
