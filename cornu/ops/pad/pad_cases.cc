#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/pad/pad.h"

namespace cornu::inline v0::ops::pad_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes()) {
    const bool is_float = ir::is_float(dtype);
    cases.push_back({.name = case_name("pad", dtype),
                     .inputs = {{.type = {dtype, {2, 3}}, .low = 0}, {.type = {dtype, {}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {pad(b, x[0], x[1], {1, 0}, {2, 1}, {0, 0})};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("pad_interior", dtype),
                     .inputs = {{.type = {dtype, {2, 3}}, .low = 0}, {.type = {dtype, {}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {pad(b, x[0], x[1], {0, 2}, {1, 0}, {2, 1})};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("pad_negative", dtype),
                     .inputs = {{.type = {dtype, {5, 4}}, .low = 0}, {.type = {dtype, {}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {pad(b, x[0], x[1], {-1, 2}, {-2, -1}, {0, 1})};
                     },
                     .differentiable = is_float});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::pad_folder
