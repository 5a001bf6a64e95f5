#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/log_cosh/log_cosh.h"

namespace cornu::inline v0::ops::log_cosh_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kFloat)) {
    const bool is_float = ir::is_float(dtype);
    cases.push_back({.name = case_name("log_cosh", dtype),
                     .inputs = {{.type = {dtype, {3, 4}}, .low = -5, .high = 5}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {log_cosh(b, x[0])};
                     },
                     .differentiable = is_float});
  }

  cases.push_back({.name = case_name("log_cosh_large", ir::DType::kF32),
                   .inputs = {{.type = {ir::DType::kF32, {4}}, .values = {1e4, -1e4, 0.5, -20}}},
                   .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                     return {log_cosh(b, x[0])};
                   }});
  return cases;
}

}  // namespace cornu::inline v0::ops::log_cosh_folder
