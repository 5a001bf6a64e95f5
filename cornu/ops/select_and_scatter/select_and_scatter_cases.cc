#include "cornu/ops/conformance.h"
#include "cornu/ops/select_and_scatter/select_and_scatter.h"

namespace cornu::inline v0::ops::select_and_scatter_folder {

std::vector<ConformanceCase> conformance_cases() {
  struct Window {
    const char* name;
    ir::Dims operand, source;
    SelectWindow options;
  };
  const std::vector<Window> windows = {
      {"plain", {4, 6}, {2, 2}, {.dimensions = {2, 3}, .strides = {2, 3}}},
      {"overlapping", {1, 6, 5, 2}, {1, 5, 2, 2}, {.dimensions = {1, 2, 3, 1}, .strides = {1, 1, 2, 1}}},
      {"padded", {5, 4}, {3, 4}, {.dimensions = {3, 2}, .strides = {2, 1}, .padding_low = {1, 0}, .padding_high = {1, 1}}},
  };
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kNumber)) {
    for (const Window& window : windows) {
      for (ComparisonDirection direction : {ComparisonDirection::kGe, ComparisonDirection::kLe}) {
        const std::string name = std::string("select_and_scatter_") + window.name + "_" + std::string(comparison_direction_name(direction));
        cases.push_back({.name = case_name(name, dtype),
                         .inputs = {{.type = {dtype, window.operand}, .low = 0, .high = 9}, {.type = {dtype, window.source}, .low = 0}},
                         .build = [=](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                           return {select_and_scatter_add(b, x[0], x[1], window.options, direction)};
                         },
                         .differentiable = ir::is_float(dtype)});
      }
    }
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::select_and_scatter_folder
