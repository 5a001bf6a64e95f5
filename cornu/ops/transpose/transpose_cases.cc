#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/transpose/transpose.h"

namespace cornu::inline v0::ops::transpose_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes()) {
    const bool is_float = ir::is_float(dtype);
    cases.push_back({.name = case_name("transpose", dtype),
                     .inputs = {{.type = {dtype, {2, 3}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {transpose(b, x[0], {1, 0})};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("transpose_squares", dtype),
                     .inputs = {{.type = {dtype, {21, 2, 37}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {transpose(b, x[0], {2, 1, 0})};
                     }});
    cases.push_back({.name = case_name("transpose_cycle", dtype),
                     .inputs = {{.type = {dtype, {2, 3, 4}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {transpose(b, x[0], {2, 0, 1})};
                     },
                     .differentiable = is_float});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::transpose_folder
