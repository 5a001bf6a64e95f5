#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/max_pool/max_pool.h"

namespace cornu::inline v0::ops::max_pool_folder {

std::vector<ConformanceCase> conformance_cases() {
  struct Row {
    const char* name;
    ir::Dims x, y;
    PoolWindow window;
  };
  const std::vector<Row> rows = {
      {"pairs", {2, 6, 4, 3}, {2, 3, 2, 3}, {.dimensions = {1, 2, 2, 1}, .strides = {1, 2, 2, 1}}},
      {"rest", {1, 7, 5, 2}, {1, 3, 2, 2}, {.dimensions = {1, 2, 2, 1}, .strides = {1, 2, 2, 1}}},
      {"overlapping", {1, 2, 6, 5}, {1, 2, 4, 2}, {.dimensions = {1, 1, 3, 2}, .strides = {1, 1, 1, 2}}},
      {"same",
       {1, 5, 4, 2},
       {1, 3, 2, 2},
       {.dimensions = {1, 3, 3, 1},
        .strides = {1, 2, 2, 1},
        .padding_low = {0, 1, 0, 0},
        .padding_high = {0, 1, 1, 0}}},
      {"jumping", {8, 2}, {2, 2}, {.dimensions = {2, 1}, .strides = {5, 1}}},
      {"large_windows", {1, 9, 2}, {1, 1, 2}, {.dimensions = {1, 9, 1}}},
  };
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kFloat)) {
    for (const Row& row : rows) {
      cases.push_back({.name = case_name(std::string("max_pool_") + row.name, dtype),
                       .inputs = {{.type = {dtype, row.x}}},
                       .build = [=](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                         return {max_pool(b, x[0], row.window)};
                       },
                       .differentiable = true});
      const auto gradient = [=](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
        return {max_pool_gradient(b, x[0], x[1], row.window)};
      };
      cases.push_back({.name = case_name(std::string("max_pool_gradient_") + row.name, dtype),
                       .inputs = {{.type = {dtype, row.x}}, {.type = {dtype, row.y}}},
                       .build = gradient,
                       .differentiable = true,
                       .without_gradient = {0}});  // it says only where the maxima are
      // Small whole numbers, so that windows have equal maxima.
      cases.push_back({.name = case_name(std::string("max_pool_gradient_of_ties_") + row.name, dtype),
                       .inputs = {{.type = {dtype, row.x}, .values = {1, 2, 2, 0, 1, 2, 1, 1, 0, 2, -1}},
                                  {.type = {dtype, row.y}}},
                       .build = gradient});
    }
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::max_pool_folder
