#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/softmax/softmax.h"

namespace cornu::inline v0::ops::softmax_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kFloat)) {
    const bool is_float = ir::is_float(dtype);
    cases.push_back({.name = case_name("softmax", dtype),
                     .inputs = {{.type = {dtype, {3, 5}}}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {softmax(b, x[0])};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("softmax_outer", dtype),
                     .inputs = {{.type = {dtype, {3, 5, 2}}}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {softmax(b, x[0], 0)};
                     },
                     .differentiable = is_float});
  }

  cases.push_back(
      {.name = case_name("softmax_large", ir::DType::kF32),
       .inputs = {{.type = {ir::DType::kF32, {2, 3}}, .values = {1000, 999, 0, -1000, -1001, -1002}}},
       .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
         return {softmax(b, x[0])};
       }});
  return cases;
}

}  // namespace cornu::inline v0::ops::softmax_folder
