#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/gather/gather.h"

namespace cornu::inline v0::ops::gather_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes()) {
    const bool is_float = ir::is_float(dtype);
    cases.push_back({.name = case_name("gather_rows", dtype),
                     .inputs = {{.type = {dtype, {5, 3}}, .low = 0},
                                {.type = {ir::DType::kI32, {4}}, .values = {4, 0, 0, 2}}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {gather_rows(b, x[0], x[1])};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("gather_rows_matrix_of_ids", dtype),
                     .inputs = {{.type = {dtype, {5, 3, 2}}, .low = 0},
                                {.type = {ir::DType::kI64, {2, 2}}, .values = {4, 7, -1, 2}}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {gather_rows(b, x[0], x[1])};
                     },
                     .differentiable = is_float});
    cases.push_back(
        {.name = case_name("gather_scalars", dtype),
         .inputs = {{.type = {dtype, {5}}, .low = 0}, {.type = {ir::DType::kU32, {3}}, .values = {1, 1, 4}}},
         .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
           return {gather_rows(b, x[0], x[1])};
         },
         .differentiable = is_float});
    cases.push_back({.name = case_name("gather_windows", dtype),
                     .inputs = {{.type = {dtype, {5, 6}}, .low = 0},
                                {.type = {ir::DType::kI32, {3, 2}}, .values = {0, 0, 9, 2, 1, -4}}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {gather(b, x[0], x[1],
                                      {.offset_dims = {1, 2},
                                       .collapsed_slice_dims = {},
                                       .start_index_map = {1, 0},
                                       .index_vector_dim = 1},
                                      {2, 3})};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("gather_batched", dtype),
                     .inputs = {{.type = {dtype, {2, 5, 3}}, .low = 0},
                                {.type = {ir::DType::kI32, {4, 2}}, .values = {1, 0, 3, 4, 2, 2, 0, 1}}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {gather(b, x[0], x[1],
                                      {.offset_dims = {2},
                                       .collapsed_slice_dims = {1},
                                       .operand_batching_dims = {0},
                                       .start_indices_batching_dims = {1},
                                       .start_index_map = {1},
                                       .index_vector_dim = 2},
                                      {1, 1, 3})};
                     },
                     .differentiable = is_float});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::gather_folder
