#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/reverse/reverse.h"

namespace cornu::inline v0::ops::reverse_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes()) {
    const bool is_float = ir::is_float(dtype);
    cases.push_back({.name = case_name("reverse", dtype),
                     .inputs = {{.type = {dtype, {5}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {reverse(b, x[0], {0})};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("reverse_two", dtype),
                     .inputs = {{.type = {dtype, {2, 3, 4}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {reverse(b, x[0], {2, 0})};
                     },
                     .differentiable = is_float});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::reverse_folder
