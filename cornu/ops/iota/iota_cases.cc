#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/iota/iota.h"

namespace cornu::inline v0::ops::iota_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes()) {
    if (dtype == ir::DType::kI1) continue;
    for (std::int64_t dimension : {0, 1, 2}) {
      cases.push_back({.name = case_name("iota_" + std::to_string(dimension), dtype),
                       .build = [dtype, dimension](ir::Builder& b, ConformanceValues) -> ConformanceResults {
                         return {iota(b, {dtype, {3, 2, 4}}, dimension)};
                       }});
    }
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::iota_folder
