#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/select/select.h"

namespace cornu::inline v0::ops::select_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes()) {
    const ConformanceInput tensor{
        .type = {dtype, {4, 5}}, .low = ir::is_unsigned_integer(dtype) ? 0.0 : -9.0, .high = 9};
    const auto build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
      return {select(b, x[0], x[1], x[2])};
    };
    cases.push_back({.name = case_name("select", dtype),
                     .inputs = {{.type = {ir::DType::kI1, {4, 5}}}, tensor, tensor},
                     .build = build,
                     .differentiable = ir::is_float(dtype)});
    for (bool pred : {false, true}) {
      cases.push_back(
          {.name = case_name(pred ? "select_scalar_true" : "select_scalar_false", dtype),
           .inputs = {{.type = {ir::DType::kI1, {}}, .values = {pred ? 1.0 : 0.0}}, tensor, tensor},
           .build = build,
           .differentiable = ir::is_float(dtype)});
    }
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::select_folder
