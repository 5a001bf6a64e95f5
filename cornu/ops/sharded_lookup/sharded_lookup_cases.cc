#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/gather/gather.h"
#include "cornu/ops/sharded_lookup/sharded_lookup.h"

namespace cornu::inline v0::ops::sharded_lookup_folder {

/// One replica; sharded_lookup_test.cc has more.
std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kFloat))
    for (const std::int64_t axis : {0, 1}) {
      const TableShards one{.num_rows = 5, .num_shards = 1, .axis = axis};
      cases.push_back({.name = case_name(axis == 0 ? "sharded_lookup_rows" : "sharded_lookup_columns", dtype),
                       .inputs = {{.type = {dtype, {5, 3}}},
                                  {.type = {ir::DType::kI32, {2, 4}}, .values = {4, 0, 0, 2, 7, -1, 4, 0}}},
                       .build = [one](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                         return {sharded_lookup(b, x[0], x[1], one)};
                       },
                       .differentiable = true});
      cases.push_back(
          {.name = case_name(axis == 0 ? "sharded_lookup_gradient_rows" : "sharded_lookup_gradient_columns",
                             dtype),
           .inputs = {{.type = {dtype, {2, 3, 4}}},
                      {.type = {ir::DType::kI32, {2, 3}}, .values = {1, 1, 6, -4, 1, 2}}},
           .build = [one](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
             return {sharded_lookup_gradient(b, x[0], x[1], one, 5)};
           },
           .differentiable = true});
      cases.push_back(
          {.name = case_name(axis == 0 ? "sharded_gradient_rows" : "sharded_gradient_columns", dtype),
           .inputs = {{.type = {dtype, {6, 4}}},
                      {.type = {ir::DType::kI32, {6}}, .values = {1, 1, 6, -4, 1, 2}}},
           .build = [one](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
             const ShardedGradientRows received = sharded_gradient_rows(b, x[0], x[1], one, 5);
             return {received.rows, received.ids};
           }});
      cases.push_back(
          {.name = case_name(axis == 0 ? "sharded_rows" : "sharded_rows_of_columns", dtype),
           .inputs = {{.type = {dtype, {5, 3}}}, {.type = {ir::DType::kI32, {4}}, .values = {4, 0, 3, 2}}},
           .build = [one](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
             return {sharded_rows(b, x[0], x[1], one)};
           }});
      if (axis == 0)
        cases.push_back({.name = case_name("sharded_lookup_dealt_rows", dtype),
                         .inputs = {{.type = {dtype, {6, 3}}},
                                    {.type = {ir::DType::kI32, {2, 3}}, .values = {4, 0, 0, 2, 7, -1}}},
                         .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                           return {sharded_lookup(b, x[0], x[1], {.num_rows = 5, .num_dealt = 2})};
                         },
                         .differentiable = true});
      if (axis == 0)
        cases.push_back({.name = case_name("sharded_view", dtype),
                         .inputs = {{.type = {dtype, {5, 3}}},
                                    {.type = {ir::DType::kI32, {4}}, .values = {4, 0, 4, 2}},
                                    {.type = {ir::DType::kI32, {4}}, .values = {0, 1, 0, 3}},
                                    {.type = {ir::DType::kI32, {4}}, .values = {4, 0, -1, 2}}},
                         .build = [one](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                           const ShardedView view = sharded_view(b, x[0], x[1], x[2], x[3], one);
                           return {gather_rows(b, view.rows, view.numbers)};
                         }});
      cases.push_back(
          {.name = case_name(axis == 0 ? "sharded_row_sums" : "sharded_row_sums_of_columns", dtype),
           .inputs = {{.type = {dtype, {4, 3}}},
                      {.type = {ir::DType::kI32, {4}}, .values = {0, 0, -1, 3}},
                      {.type = {ir::DType::kI32, {4}}, .values = {1, -1, 4, 0}}},
           .build = [one](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
             const ShardedRowSums sums = sharded_row_sums(b, x[0], x[1], x[2], one, 5);
             return {sums.rows, sums.ids, sums.sources};
           }});
    }
  return cases;
}

}  // namespace cornu::inline v0::ops::sharded_lookup_folder
