#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/erf_inv/erf_inv.h"

namespace cornu::inline v0::ops::erf_inv_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kFloat)) {
    cases.push_back({.name = case_name("erf_inv", dtype),
                     .inputs = {{.type = {dtype, {4, 9}}, .low = -0.98, .high = 0.98}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {erf_inv(b, x[0])};
                     },
                     .differentiable = true});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::erf_inv_folder
