#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/gelu/gelu.h"

namespace cornu::inline v0::ops::gelu_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kFloat)) {
    for (const auto& [name, function] : {std::pair("gelu", &gelu), std::pair("gelu_slope", &gelu_slope)}) {
      cases.push_back({.name = case_name(name, dtype),
                       .inputs = {{.type = {dtype, {3, 4}}, .low = -5, .high = 5}},
                       .build = [f = function](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                         return {f(b, x[0])};
                       },
                       .differentiable = ir::is_float(dtype)});
    }
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::gelu_folder
