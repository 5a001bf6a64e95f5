#include <cmath>

#include "cornu/ops/clamp/clamp.h"
#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"

namespace cornu::inline v0::ops::clamp_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  const auto build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
    return {clamp(b, x[0], x[1], x[2])};
  };
  for (ir::DType dtype : case_dtypes()) {
    if (dtype == ir::DType::kI1) continue;  // StableHLO's interpreter has no order of booleans
    const bool is_float = ir::is_float(dtype);
    const double low = ir::is_unsigned_integer(dtype) ? 0 : -6;
    const ConformanceInput operand{
        .type = {dtype, {4, 5}}, .low = low, .high = 6, .away_from_whole = is_float ? 0.05 : 0};
    cases.push_back({.name = case_name("clamp", dtype),
                     .inputs = {{.type = {dtype, {4, 5}}, .low = low, .high = low + 1},
                                operand,
                                {.type = {dtype, {4, 5}}, .low = 3, .high = 4}},
                     .build = build,
                     .differentiable = is_float});
    cases.push_back(
        {.name = case_name("clamp_scalar_bounds", dtype),
         .inputs = {{.type = {dtype, {}}, .values = {1}}, operand, {.type = {dtype, {}}, .values = {4}}},
         .build = build,
         .differentiable = is_float});
  }
  cases.push_back(
      {.name = case_name("clamp_special", ir::DType::kF32),
       .inputs = {{.type = {ir::DType::kF32, {}}, .values = {-1}},
                  {.type = {ir::DType::kF32, {6}}, .values = {-1, 1, HUGE_VAL, -HUGE_VAL, std::nan(""), 0}},
                  {.type = {ir::DType::kF32, {}}, .values = {1}}},
       .build = build});
  // The sign of zero shows in the quotient, which is infinite.
  for (const ir::DType dtype : case_dtypes(kFloat))
    cases.push_back({.name = case_name("clamp_zeros", dtype),
                     .inputs = {{.type = {dtype, {4}}, .values = {-0.0, 0.0, -1, -1}},
                                {.type = {dtype, {4}}, .values = {0.0, -0.0, 0.0, -0.0}},
                                {.type = {dtype, {4}}, .values = {1, 1, -0.0, 0.0}}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {divide(b, full(b, x[1].type(), 1), clamp(b, x[0], x[1], x[2]))};
                     }});
  return cases;
}

}  // namespace cornu::inline v0::ops::clamp_folder
