#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/relu/relu.h"

namespace cornu::inline v0::ops::relu_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kSigned | kFloat)) {
    const bool is_float = ir::is_float(dtype);
    cases.push_back(
        {.name = case_name("relu", dtype),
         .inputs = {{.type = {dtype, {3, 4}}, .away_from_whole = 0.05}},
         .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults { return {relu(b, x[0])}; },
         .differentiable = is_float});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::relu_folder
