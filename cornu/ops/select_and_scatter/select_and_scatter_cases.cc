#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/select_and_scatter/select_and_scatter.h"

namespace cornu::inline v0::ops::select_and_scatter_folder {

std::vector<ConformanceCase> conformance_cases() {
  struct Window {
    const char* name;
    ir::Dims operand, source;
    PoolWindow options;
  };
  const std::vector<Window> windows = {
      {"plain", {4, 6}, {2, 2}, {.dimensions = {2, 3}, .strides = {2, 3}}},
      {"overlapping", {1, 6, 5, 2}, {1, 5, 2, 2}, {.dimensions = {1, 2, 3, 1}, .strides = {1, 1, 2, 1}}},
      {"padded",
       {5, 4},
       {3, 4},
       {.dimensions = {3, 2}, .strides = {2, 1}, .padding_low = {1, 0}, .padding_high = {1, 1}}},
  };
  // Pooling of Keras, channels last and first, in one type.
  const std::vector<Window> pools = {
      {"pool", {2, 6, 8, 20}, {2, 3, 4, 20}, {.dimensions = {1, 2, 2, 1}, .strides = {1, 2, 2, 1}}},
      {"pool_overlapping_same",
       {2, 7, 6, 3},
       {2, 4, 3, 3},
       {.dimensions = {1, 3, 3, 1},
        .strides = {1, 2, 2, 1},
        .padding_low = {0, 1, 0, 0},
        .padding_high = {0, 1, 1, 0}}},
      {"pool_rest", {1, 7, 5, 33}, {1, 3, 2, 33}, {.dimensions = {1, 2, 2, 1}, .strides = {1, 2, 2, 1}}},
      {"pool_channels_first",
       {3, 4, 6, 6},
       {3, 4, 3, 3},
       {.dimensions = {1, 1, 2, 2}, .strides = {1, 1, 2, 2}}},
  };
  // The position of the operand, which says only where the sources go.
  const std::vector<std::size_t> operand = {0};
  std::vector<ConformanceCase> cases;
  cases.reserve(pools.size());
  for (const Window& window : pools)
    cases.push_back(
        {.name = case_name(std::string("select_and_scatter_") + window.name, ir::DType::kF32),
         .inputs = {{.type = {ir::DType::kF32, window.operand}}, {.type = {ir::DType::kF32, window.source}}},
         .build = [=](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
           return {select_and_scatter_add(b, x[0], x[1], window.options, ComparisonDirection::kGe)};
         },
         .differentiable = true,
         .without_gradient = operand});
  // Bodies without a loop of their own: the last of equal elements is selected, and the largest source kept.
  for (ir::DType dtype : case_dtypes(kNumber))
    cases.push_back(
        {.name = case_name("select_and_scatter_other_bodies", dtype),
         .inputs = {{.type = {dtype, {2, 5, 4}}, .low = 0, .high = 9},
                    {.type = {dtype, {2, 4, 4}}, .low = 0}},
         .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
           return {select_and_scatter(
               b, x[0], x[1], scalar(b, x[0].dtype(), 1), {.dimensions = {1, 2, 1}},
               [](ir::Builder& c, ir::Value kept, ir::Value next) {
                 return compare(c, kept, next, ComparisonDirection::kGt);
               },
               [](ir::Builder& c, ir::Value sum, ir::Value value) { return maximum(c, sum, value); })};
         }});
  // Both windows select the same element: the sum of the largest integers wraps.
  cases.push_back({.name = case_name("select_and_scatter_wraps", ir::DType::kI32),
                   .inputs = {{.type = {ir::DType::kI32, {5}}, .values = {0, 1, 9, 3, 2}},
                              {.type = {ir::DType::kI32, {2}}, .values = {2147483647, 2147483647}}},
                   .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                     return {select_and_scatter_add(b, x[0], x[1], {.dimensions = {3}, .strides = {2}},
                                                    ComparisonDirection::kGe)};
                   }});
  for (ir::DType dtype : case_dtypes(kNumber)) {
    for (const Window& window : windows) {
      for (ComparisonDirection direction : {ComparisonDirection::kGe, ComparisonDirection::kLe}) {
        const std::string name = std::string("select_and_scatter_") + window.name + "_" +
                                 std::string(comparison_direction_name(direction));
        cases.push_back({.name = case_name(name, dtype),
                         .inputs = {{.type = {dtype, window.operand}, .low = 0, .high = 9},
                                    {.type = {dtype, window.source}, .low = 0}},
                         .build = [=](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                           return {select_and_scatter_add(b, x[0], x[1], window.options, direction)};
                         },
                         .differentiable = ir::is_float(dtype),
                         .without_gradient = operand});
      }
    }
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::select_and_scatter_folder
