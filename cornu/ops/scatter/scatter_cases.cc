#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/scatter/scatter.h"

namespace cornu::inline v0::ops::scatter_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kNumber)) {
    const bool is_float = ir::is_float(dtype);
    cases.push_back({.name = case_name("scatter_add_rows", dtype),
                     .inputs = {{.type = {dtype, {5, 3}}, .low = 0, .high = 4},
                                {.type = {ir::DType::kI32, {4}}, .values = {4, 0, 0, 2}},
                                {.type = {dtype, {4, 3}}, .low = 0, .high = 4}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {scatter_add_rows(b, x[0], x[1], x[2])};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("scatter_add_rows_outside", dtype),
                     .inputs = {{.type = {dtype, {5, 3}}, .low = 0, .high = 4},
                                {.type = {ir::DType::kI64, {2, 2}}, .values = {4, 7, -1, 2}},
                                {.type = {dtype, {2, 2, 3}}, .low = 0, .high = 4}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {scatter_add_rows(b, x[0], x[1], x[2])};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("scatter_windows", dtype),
                     .inputs = {{.type = {dtype, {5, 6}}, .low = 0, .high = 4},
                                {.type = {ir::DType::kI32, {3, 2}}, .values = {0, 0, 5, 2, 1, -1}},
                                {.type = {dtype, {3, 2, 3}}, .low = 0, .high = 4}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {scatter_add(b, x[0], x[1], x[2],
                                           {.update_window_dims = {1, 2},
                                            .inserted_window_dims = {},
                                            .scatter_dims_to_operand_dims = {1, 0},
                                            .index_vector_dim = 1})};
                     },
                     .differentiable = is_float});
    cases.push_back({.name = case_name("scatter_batched", dtype),
                     .inputs = {{.type = {dtype, {2, 5, 3}}, .low = 0, .high = 4},
                                {.type = {ir::DType::kI32, {4, 2}}, .values = {1, 0, 3, 4, 2, 2, 0, 1}},
                                {.type = {dtype, {4, 2, 3}}, .low = 0, .high = 4}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {scatter_add(b, x[0], x[1], x[2],
                                           {.update_window_dims = {2},
                                            .inserted_window_dims = {1},
                                            .input_batching_dims = {0},
                                            .scatter_indices_batching_dims = {1},
                                            .scatter_dims_to_operand_dims = {1},
                                            .index_vector_dim = 2})};
                     },
                     .differentiable = is_float});
  }

  for (ir::DType dtype : case_dtypes(kNumber))
    cases.push_back({.name = case_name("scatter_overwrite", dtype),
                     .inputs = {{.type = {dtype, {5, 3}}, .low = 0},
                                {.type = {ir::DType::kI32, {2}}, .values = {3, 1}},
                                {.type = {dtype, {2, 3}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return scatter(b, {x[0]}, x[1], {x[2]},
                                      {.update_window_dims = {1},
                                       .inserted_window_dims = {0},
                                       .scatter_dims_to_operand_dims = {0},
                                       .index_vector_dim = 1},
                                      [](ir::Builder&, std::span<const ir::Value> v) {
                                        return std::vector<ir::Value>{v[1]};
                                      },
                                      {.unique_indices = true});
                     },
                     .differentiable = ir::is_float(dtype)});
  const ScatterDimensions rows = {.update_window_dims = {1},
                                  .inserted_window_dims = {0},
                                  .scatter_dims_to_operand_dims = {0},
                                  .index_vector_dim = 1};
  struct Kind {
    const char* name;
    ScatterBody body;
  };
  const Kind kinds[] = {
      {"scatter_overwrite_twice",
       [](ir::Builder&, std::span<const ir::Value> v) { return std::vector<ir::Value>{v[1]}; }},
      {"scatter_max",
       [](ir::Builder& b, std::span<const ir::Value> v) {
         return std::vector<ir::Value>{maximum(b, v[0], v[1])};
       }},
      {"scatter_min",
       [](ir::Builder& b, std::span<const ir::Value> v) {
         return std::vector<ir::Value>{minimum(b, v[0], v[1])};
       }},
  };
  for (ir::DType dtype : case_dtypes(kNumber))
    for (const Kind& kind : kinds)
      cases.push_back(
          {.name = case_name(kind.name, dtype),
           .inputs = {{.type = {dtype, {5, 3}}, .low = 0, .high = 9},
                      {.type = {ir::DType::kI32, {5}}, .values = {3, 1, 3, -1, 5}},
                      {.type = {dtype, {5, 3}}, .low = 0, .high = 9}},
           .build = [rows, body = kind.body](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
             return scatter(b, {x[0]}, x[1], {x[2]}, rows, body);
           },
           .differentiable = ir::is_float(dtype)});
  return cases;
}

}  // namespace cornu::inline v0::ops::scatter_folder
