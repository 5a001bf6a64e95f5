#include "cornu/ops/while/while.h"

#include <gtest/gtest.h>

#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/error_label_test_support.h"

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

}  // namespace
}  // namespace cornu::inline v0::ops::while_folder
