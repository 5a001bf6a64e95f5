#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/lgamma/lgamma.h"

namespace cornu::inline v0::ops::lgamma_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kFloat)) {
    cases.push_back(
        {.name = case_name("lgamma", dtype),
         .inputs = {{.type = {dtype, {4, 9}}, .low = 0.1, .high = 12}},
         .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults { return {lgamma(b, x[0])}; },
         .differentiable = true});
    cases.push_back(
        {.name = case_name("lgamma_negative", dtype),
         .inputs = {{.type = {dtype, {4, 9}}, .low = -2.9, .high = -2.1}},
         .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults { return {lgamma(b, x[0])}; },
         .differentiable = true});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::lgamma_folder
