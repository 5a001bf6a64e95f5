#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/top_k/top_k.h"

namespace cornu::inline v0::ops::top_k_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (const ir::DType dtype : case_dtypes(kNumber))
    cases.push_back(
        {.name = case_name("top_k", dtype),
         .inputs = {{.type = {dtype, {3, 6}}, .low = ir::is_unsigned_integer(dtype) ? 0.0 : -9.0, .high = 9}},
         .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults { return top_k(b, x[0], 4); },
         .differentiable = ir::is_float(dtype)});
  return cases;
}

}  // namespace cornu::inline v0::ops::top_k_folder
