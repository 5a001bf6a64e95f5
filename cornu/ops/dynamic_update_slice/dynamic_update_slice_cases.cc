#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/dynamic_update_slice/dynamic_update_slice.h"

namespace cornu::inline v0::ops::dynamic_update_slice_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes()) {
    const bool is_float = ir::is_float(dtype);
    cases.push_back({.name = case_name("dynamic_update_slice", dtype),
                     .inputs = {{.type = {dtype, {5, 6}}, .low = 0},
                                {.type = {dtype, {2, 3}}, .low = 0},
                                {.type = {ir::DType::kI32, {}}, .values = {2}},
                                {.type = {ir::DType::kI32, {}}, .values = {1}}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {dynamic_update_slice(b, x[0], x[1], {x[2], x[3]})};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("dynamic_update_slice_clamped", dtype),
                     .inputs = {{.type = {dtype, {5, 6}}, .low = 0},
                                {.type = {dtype, {2, 3}}, .low = 0},
                                {.type = {ir::DType::kI64, {}}, .values = {-3}},
                                {.type = {ir::DType::kI64, {}}, .values = {9}}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {dynamic_update_slice(b, x[0], x[1], {x[2], x[3]})};
                     },
                     .differentiable = is_float});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::dynamic_update_slice_folder
