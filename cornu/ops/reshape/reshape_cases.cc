#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/reshape/reshape.h"

namespace cornu::inline v0::ops::reshape_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes()) {
    const bool is_float = ir::is_float(dtype);
    cases.push_back({.name = case_name("reshape", dtype),
                     .inputs = {{.type = {dtype, {2, 6}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {reshape(b, x[0], {3, 4})};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("reshape_to_scalar", dtype),
                     .inputs = {{.type = {dtype, {1, 1}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {reshape(b, x[0], {})};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("reshape_empty", dtype),
                     .inputs = {{.type = {dtype, {0, 3}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {reshape(b, x[0], {3, 0, 2})};
                     },
                     .differentiable = is_float});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::reshape_folder
