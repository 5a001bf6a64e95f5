#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/stop_gradient/stop_gradient.h"

namespace cornu::inline v0::ops::stop_gradient_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype :
       std::vector<ir::DType>{ir::DType::kF32, ir::DType::kF64, ir::DType::kI32, ir::DType::kI1}) {
    cases.push_back({.name = case_name("stop_gradient", dtype),
                     .inputs = {{.type = {dtype, {3, 4}}}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {stop_gradient(b, x[0])};
                     }});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::stop_gradient_folder
