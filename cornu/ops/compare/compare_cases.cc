#include <cmath>

#include "cornu/ops/compare/compare.h"
#include "cornu/ops/conformance_test_support.h"

namespace cornu::inline v0::ops::compare_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ComparisonDirection direction :
       {ComparisonDirection::kEq, ComparisonDirection::kNe, ComparisonDirection::kGe,
        ComparisonDirection::kGt, ComparisonDirection::kLe, ComparisonDirection::kLt}) {
    const auto build = [direction](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
      return {compare(b, x[0], x[1], direction)};
    };
    const std::string name = "compare_" + std::string(comparison_direction_name(direction));
    for (ir::DType dtype : case_dtypes()) {
      ConformanceInput input{
          .type = {dtype, {4, 5}}, .low = ir::is_unsigned_integer(dtype) ? 0.0 : -2.0, .high = 2};
      if (ir::is_float(dtype)) input.values = {0.0, -0.0, 1, 1.5, -2, HUGE_VAL, std::nan("")};
      ConformanceInput other = input;
      if (ir::is_float(dtype)) other.values = {-0.0, 1, 1, std::nan(""), HUGE_VAL, -2};
      cases.push_back({.name = case_name(name, dtype), .inputs = {input, other}, .build = build});
      if (!ir::is_float(dtype)) continue;
      input.values = {0.0, -0.0, 1, 1.5, -2, HUGE_VAL, std::nan(""), -std::nan(""), -HUGE_VAL, std::nan("")};
      other.values = {-0.0, 0.0, 1, std::nan(""), HUGE_VAL, -2, std::nan(""), -HUGE_VAL, -std::nan("")};
      cases.push_back({.name = case_name(name + "_total_order", dtype),
                       .inputs = {input, other},
                       .build = [direction](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                         return {compare_total_order(b, x[0], x[1], direction)};
                       }});
    }
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::compare_folder
