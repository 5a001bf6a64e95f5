#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/int8_dot/int8_dot.h"

namespace cornu::inline v0::ops::int8_dot_folder {

std::vector<ConformanceCase> conformance_cases() {
  struct Row {
    const char* name;
    ir::Dims lhs, rhs;
    DotDimensions dimensions;
  };
  const std::vector<Row> rows = {
      {"matrix", {5, 7}, {7, 3}, {.lhs_contracting = {1}, .rhs_contracting = {0}}},
      {"row", {1, 130}, {130, 70}, {.lhs_contracting = {1}, .rhs_contracting = {0}}},
      {"turned", {4, 66}, {9, 66}, {.lhs_contracting = {1}, .rhs_contracting = {1}}},
      {"turned_left", {6, 4}, {6, 5}, {.lhs_contracting = {0}, .rhs_contracting = {0}}},
      {"heads", {2, 3, 4, 5}, {4, 5, 6}, {.lhs_contracting = {2, 3}, .rhs_contracting = {0, 1}}},
      {"crossed", {2, 4, 5}, {5, 6, 4}, {.lhs_contracting = {1, 2}, .rhs_contracting = {2, 0}}},
      {"batches",
       {3, 2, 5},
       {3, 5, 4},
       {.lhs_batching = {0}, .rhs_batching = {0}, .lhs_contracting = {2}, .rhs_contracting = {1}}},
      {"nothing_summed", {2, 0}, {0, 3}, {.lhs_contracting = {1}, .rhs_contracting = {0}}},
  };
  std::vector<ConformanceCase> cases;
  for (const Row& row : rows)
    cases.push_back({.name = case_name(std::string("int8_dot_") + row.name, ir::DType::kI8),
                     .inputs = {{.type = {ir::DType::kI8, row.lhs}}, {.type = {ir::DType::kI8, row.rhs}}},
                     .build = [=](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {int8_dot(b, x[0], x[1], row.dimensions)};
                     }});
  return cases;
}

}  // namespace cornu::inline v0::ops::int8_dot_folder
