#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/digamma/digamma.h"

namespace cornu::inline v0::ops::digamma_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kFloat)) {
    cases.push_back({.name = case_name("digamma", dtype),
                     .inputs = {{.type = {dtype, {4, 9}}, .low = 0.1, .high = 14}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {digamma(b, x[0])};
                     },
                     .differentiable = true});
    cases.push_back({.name = case_name("digamma_negative", dtype),
                     .inputs = {{.type = {dtype, {4, 9}}, .low = -1.8, .high = -1.2}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {digamma(b, x[0])};
                     },
                     .differentiable = true});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::digamma_folder
