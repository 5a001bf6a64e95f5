#include "cornu/ops/sample_pixels/sample_pixels.h"

#include <fmt/format.h>

#include <vector>

#include "cornu/ops/conformance_test_support.h"

namespace cornu::inline v0::ops::sample_pixels_folder {

/// Positions reach over all edges.
std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  const auto add = [&](ir::DType dtype, ir::Dims x, ir::Dims places, const SamplingForm& form) {
    const std::string name = fmt::format("sample_pixels_{}_{}_{}_{}", form.order, form.fill_mode,
                                         fmt::join(x, "x"), fmt::join(places, "x"));
    const std::vector<ConformanceInput> inputs = {
        {.type = {dtype, x}},
        {.type = {dtype, places}, .low = -4, .high = 9, .away_from_whole = form.order == 1 ? 0.01 : 0}};
    cases.push_back({.name = case_name(name, dtype),
                     .inputs = inputs,
                     .build = [form](ir::Builder& b, ConformanceValues v) -> ConformanceResults {
                       return {sample_pixels(b, v[0], v[1], form)};
                     },
                     .differentiable = x[1] > 1,  // the gradient of a single pixel's positions is rounding
                     .without_gradient = form.order == 0 ? ConformancePositions{1} : ConformancePositions{}});
  };
  for (const ir::DType dtype : {ir::DType::kF32, ir::DType::kF64}) {
    for (const char* fill_mode : {"constant", "nearest", "wrap", "mirror", "reflect"})
      for (const std::int64_t order : {0, 1}) add(dtype, {2, 5, 4, 3}, {2, 2, 6, 7}, {order, fill_mode, 1.5});
    for (const std::int64_t channels : {1, 2, 4, 7})
      add(dtype, {2, 4, 6, channels}, {2, 2, 9}, {.order = 1, .fill_mode = "constant"});
    add(dtype, {1, 1, 1, 2}, {2, 1, 8}, {.order = 1, .fill_mode = "mirror"});
    add(dtype, {1, 20, 30, 3}, {2, 1, 300}, {.order = 1, .fill_mode = "nearest"});
    add(dtype, {20, 30}, {2, 150}, {.order = 1, .fill_mode = "nearest"});
    add(dtype, {6, 5}, {2, 3, 4}, {.order = 0, .fill_mode = "wrap"});
    add(dtype, {2, 5, 2}, {1, 2, 6}, {.order = 1, .fill_mode = "reflect"});
    add(dtype, {3, 4, 3}, {3, 9}, {.order = 1, .fill_mode = "wrap"});
    add(dtype, {2, 3, 4, 1}, {2, 2, 0}, {.order = 1, .fill_mode = "wrap"});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::sample_pixels_folder
