#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/conformance_test_support.h"

namespace cornu::inline v0::ops::broadcast_in_dim_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes()) {
    const bool is_float = ir::is_float(dtype);
    cases.push_back({.name = case_name("broadcast_in_dim", dtype),
                     .inputs = {{.type = {dtype, {3}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {broadcast_in_dim(b, x[0], {2, 3, 4}, {1})};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("broadcast_in_dim_scalar", dtype),
                     .inputs = {{.type = {dtype, {}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {broadcast_scalar(b, x[0], {2, 3})};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("broadcast_in_dim_ones", dtype),
                     .inputs = {{.type = {dtype, {1, 3}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {broadcast_in_dim(b, x[0], {2, 3, 2}, {2, 1})};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("broadcast_in_dim_trailing", dtype),
                     .inputs = {{.type = {dtype, {4, 1}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {broadcast_to(b, x[0], {3, 4, 5})};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("broadcast_in_dim_permuted", dtype),
                     .inputs = {{.type = {dtype, {2, 3}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {broadcast_in_dim(b, x[0], {3, 4, 2}, {2, 0})};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("broadcast_in_dim_leading", dtype),
                     .inputs = {{.type = {dtype, {2, 3}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {broadcast_leading(b, x[0], {2, 3, 5})};
                     },
                     .differentiable = is_float});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::broadcast_in_dim_folder
