#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/sinh/sinh.h"

namespace cornu::inline v0::ops::sinh_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  const auto build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
    return {sinh(b, x[0])};
  };
  for (const ir::DType dtype : case_dtypes(kFloat))
    cases.push_back({.name = case_name("sinh", dtype),
                     .inputs = {{.type = {dtype, {3, 4}}, .low = -3, .high = 3}},
                     .build = build,
                     .differentiable = true});
  cases.push_back({.name = case_name("sinh_large", ir::DType::kF32),
                   .inputs = {{.type = {ir::DType::kF32, {4}}, .values = {89, -89, 1e-6, -20}}},
                   .build = build});
  return cases;
}

}  // namespace cornu::inline v0::ops::sinh_folder
