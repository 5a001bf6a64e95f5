#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/redirect_gradient/redirect_gradient.h"

namespace cornu::inline v0::ops::redirect_gradient_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : std::vector<ir::DType>{ir::DType::kF32, ir::DType::kF64}) {
    // The square, and a source that is the square as well: so the gradient is that of the result.
    cases.push_back({.name = case_name("redirect_gradient", dtype),
                     .inputs = {{.type = {dtype, {3, 4}}}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       const ir::Value value = multiply(b, x[0], x[0]), source = multiply(b, x[0], x[0]);
                       return {redirect_gradient(b, value, source)};
                     },
                     .differentiable = true});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::redirect_gradient_folder
