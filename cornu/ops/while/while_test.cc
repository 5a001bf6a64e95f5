#include "cornu/ops/while/while.h"

#include <gtest/gtest.h>

#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/error_label_test_support.h"
#include "cornu/ops/while/loop_analysis.h"

namespace cornu::inline v0::ops::while_folder {
namespace {

using ir::DType;

ir::Value is_negative(ir::Builder& b, Operands v) {
  return compare(b, v[0], scalar(b, v[0].dtype(), 0), ComparisonDirection::kLt);
}
[[maybe_unused]] std::vector<ir::Value> same(ir::Builder&, Operands v) { return {v.begin(), v.end()}; }

TEST(WhileTest, C1_RejectsAConditionThatIsNoBoolean) {
  EXPECT_EQ(error_label({{DType::kF32, {}}},
                        [](ir::Builder& b, Operands v) {
                          while_(b, {v[0]}, [](ir::Builder&, Operands w) { return w[0]; }, same);
                        }),
            "[while] (C1)");
}

TEST(WhileTest, C2_RejectsABodyThatReturnsTooMuch) {
  EXPECT_EQ(error_label({{DType::kF32, {}}},
                        [](ir::Builder& b, Operands v) {
                          while_(b, {v[0]}, is_negative,
                                 [](ir::Builder&, Operands w) { return std::vector<ir::Value>{w[0], w[0]}; });
                        }),
            "[while] (C2)");
}

TEST(WhileTest, C2_RejectsABodyThatChangesAType) {
  EXPECT_EQ(error_label({{DType::kF32, {}}},
                        [](ir::Builder& b, Operands v) {
                          while_(b, {v[0]}, is_negative, [](ir::Builder& c, Operands w) {
                            return std::vector<ir::Value>{convert(c, w[0], DType::kF64)};
                          });
                        }),
            "[while] (C2)");
}

TEST(WhileTest, RepeatsWhileTheConditionHolds) {
  for (const auto& [start, expected] : {std::pair{-2.5, 0.5}, {3.0, 3.0}}) {
    const auto y = run_op({ir::Literal::scalar(DType::kF32, start)}, [](ir::Builder& b, Operands v) {
      return while_(b, {v[0]}, is_negative, [](ir::Builder& c, Operands w) {
        return std::vector<ir::Value>{add(c, w[0], scalar(c, DType::kF32, 1))};
      })[0];
    });
    EXPECT_EQ(y[0].at(0), expected);
  }
}

/// Builds a loop that counts from 0 in steps while the counter is less than the bound, and carries a number of i8 that
/// grows by 1.
const ir::Op& counting_loop(ir::Builder& b, DType dtype, double bound, double step) {
  const std::vector<ir::Value> results = while_(
      b, {scalar(b, dtype, 0), scalar(b, DType::kI8, 0)},
      [&](ir::Builder& c, Operands v) {
        return compare(c, v[0], scalar(c, dtype, bound), ComparisonDirection::kLt);
      },
      [&](ir::Builder& c, Operands v) {
        return std::vector<ir::Value>{add(c, v[0], scalar(c, dtype, step)),
                                      add(c, v[1], scalar(c, DType::kI8, 1))};
      });
  return *results[0].op();
}

TEST(LoopAnalysisTest, CountsIterationsUnlessTheCounterWraps) {
  ir::Block block;
  ir::Builder b(block);
  const auto trip_count = [&](DType dtype, double bound, double step) {
    return LoopAnalysis(counting_loop(b, dtype, bound, step)).static_trip_count();
  };
  EXPECT_EQ(trip_count(DType::kI32, 120, 50), 3);
  EXPECT_EQ(trip_count(DType::kI8, 77, 50), 2);
  EXPECT_EQ(trip_count(DType::kI8, 120, 50), std::nullopt);  // 0, 50, 100, -106, ...
  EXPECT_EQ(trip_count(DType::kU8, 120, 50), 3);
  EXPECT_EQ(trip_count(DType::kU8, 250, 50), 5);
  EXPECT_EQ(trip_count(DType::kU8, 251, 50), std::nullopt);
  EXPECT_EQ(trip_count(DType::kI32, 0, 1), 0);
  EXPECT_EQ(trip_count(DType::kU64, 0x1p63, 1), std::nullopt);
}

TEST(LoopAnalysisTest, ANumberThatWrapsIsNoProgression) {
  ir::Block block;
  ir::Builder b(block);
  for (const auto& [bound, wraps] : {std::pair(128, false), {129, true}}) {
    const ir::Op& loop = counting_loop(b, DType::kI32, bound, 1);
    const LoopAnalysis analysis(loop);
    const auto counter = analysis.progression_of(analysis.body().arguments()[0]),
               narrow = analysis.progression_of(analysis.body().arguments()[1]);
    EXPECT_EQ(counter, (Progression{0, 1}));
    EXPECT_EQ(narrow, wraps ? std::nullopt : std::optional(Progression{0, 1}));
  }
}

TEST(LoopAnalysisTest, ALongChainOfSumsIsReadOnce) {
  ir::Block block;
  ir::Builder b(block);
  const std::vector<ir::Value> results = while_(
      b, {scalar(b, DType::kI64, 0), scalar(b, DType::kI64, 0)},
      [](ir::Builder& c, Operands v) {
        return compare(c, v[0], scalar(c, DType::kI64, 4), ComparisonDirection::kLt);
      },
      [](ir::Builder& c, Operands v) {
        ir::Value sum = v[0];
        for (int i = 0; i < 50; ++i) sum = add(c, sum, sum);
        return std::vector<ir::Value>{add(c, v[0], scalar(c, DType::kI64, 1)), sum};
      });
  const LoopAnalysis analysis(*results[0].op());
  EXPECT_EQ(analysis.progression_of(analysis.body().results()[1]), (Progression{0, std::int64_t{1} << 50}));
}

}  // namespace
}  // namespace cornu::inline v0::ops::while_folder
