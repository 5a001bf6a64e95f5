#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/dot_general/dot_general.h"

namespace cornu::inline v0::ops::dot_general_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kNumber)) {
    const bool is_float = ir::is_float(dtype);
    cases.push_back({.name = case_name("dot_general_matmul", dtype),
                     .inputs = {{.type = {dtype, {3, 4}}, .low = 0}, {.type = {dtype, {4, 5}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {matmul(b, x[0], x[1])};
                     },
                     .differentiable = is_float});
    cases.push_back(
        {.name = case_name("dot_general_batched", dtype),
         .inputs = {{.type = {dtype, {2, 3, 4}}, .low = 0}, {.type = {dtype, {2, 4, 5}}, .low = 0}},
         .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
           return {dot_general(b, x[0], x[1], {{0}, {0}, {2}, {1}})};
         },
         .differentiable = is_float});
    cases.push_back(
        {.name = case_name("dot_general_two_contracting", dtype),
         .inputs = {{.type = {dtype, {3, 2, 4}}, .low = 0}, {.type = {dtype, {4, 5, 3}}, .low = 0}},
         .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
           return {dot_general(b, x[0], x[1], {{}, {}, {0, 2}, {2, 0}})};
         },
         .differentiable = is_float});
    cases.push_back(
        {.name = case_name("dot_general_inner_batch", dtype),
         .inputs = {{.type = {dtype, {3, 4, 2, 6}}, .low = 0}, {.type = {dtype, {5, 6, 2, 4}}, .low = 0}},
         .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
           return {dot_general(b, x[0], x[1], {{2}, {2}, {1, 3}, {3, 1}})};
         },
         .differentiable = is_float});
    cases.push_back({.name = case_name("dot_general_outer", dtype),
                     .inputs = {{.type = {dtype, {3}}, .low = 0}, {.type = {dtype, {2}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {dot_general(b, x[0], x[1], {})};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("dot_general_inner", dtype),
                     .inputs = {{.type = {dtype, {4}}, .low = 0}, {.type = {dtype, {4}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {dot_general(b, x[0], x[1], {{}, {}, {0}, {0}})};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("dot_general_matrices_and_vectors", dtype),
                     .inputs = {{.type = {dtype, {2, 19, 5}}, .low = 0}, {.type = {dtype, {2, 5}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {dot_general(b, x[0], x[1], {{0}, {0}, {2}, {1}}),
                               dot_general(b, x[1], x[0], {{0}, {0}, {1}, {2}})};
                     },
                     .differentiable = is_float});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::dot_general_folder
