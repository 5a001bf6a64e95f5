#include "cornu/ops/concatenate/concatenate.h"
#include "cornu/ops/conformance_test_support.h"

namespace cornu::inline v0::ops::concatenate_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes()) {
    const bool is_float = ir::is_float(dtype);
    cases.push_back({.name = case_name("concatenate", dtype),
                     .inputs = {{.type = {dtype, {2, 3}}, .low = 0},
                                {.type = {dtype, {4, 3}}, .low = 0},
                                {.type = {dtype, {1, 3}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {concatenate(b, {x[0], x[1], x[2]}, 0)};
                     },
                     .differentiable = is_float});
    cases.push_back(
        {.name = case_name("concatenate_inner", dtype),
         .inputs = {{.type = {dtype, {2, 3, 2}}, .low = 0}, {.type = {dtype, {2, 1, 2}}, .low = 0}},
         .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
           return {concatenate(b, {x[0], x[1]}, 1)};
         },
         .differentiable = is_float});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::concatenate_folder
