#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/slice/slice.h"

namespace cornu::inline v0::ops::slice_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes()) {
    const bool is_float = ir::is_float(dtype);
    cases.push_back({.name = case_name("slice", dtype),
                     .inputs = {{.type = {dtype, {6, 5}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {slice(b, x[0], {1, 0}, {5, 4}, {1, 1})};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("slice_strided", dtype),
                     .inputs = {{.type = {dtype, {7, 9}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {slice(b, x[0], {1, 2}, {7, 9}, {2, 3})};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("slice_empty", dtype),
                     .inputs = {{.type = {dtype, {4, 3}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {slice(b, x[0], {2, 0}, {2, 3}, {1, 2})};
                     },
                     .differentiable = is_float});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::slice_folder
