#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/erf/erf.h"

namespace cornu::inline v0::ops::erf_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kFloat)) {
    cases.push_back(
        {.name = case_name("erf", dtype),
         .inputs = {{.type = {dtype, {4, 9}}, .low = -3, .high = 3}},
         .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults { return {erf(b, x[0])}; },
         .differentiable = true});
    cases.push_back(
        {.name = case_name("erf_small", dtype),
         .inputs = {{.type = {dtype, {4, 9}}, .low = -0.5, .high = 0.5}},
         .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults { return {erf(b, x[0])}; },
         .differentiable = true});
    cases.push_back(
        {.name = case_name("erfc", dtype),
         .inputs = {{.type = {dtype, {4, 9}}, .low = -2, .high = 4}},
         .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults { return {erfc(b, x[0])}; },
         .differentiable = true});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::erf_folder
