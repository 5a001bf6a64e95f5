#include "cornu/ops/resize/resize.h"

#include <fmt/format.h>

#include "cornu/ops/conformance_test_support.h"

namespace cornu::inline v0::ops::resize_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  const auto add = [&](ir::DType dtype, const ir::Dims& from, const ir::Dims& size, const ResizeForm& form) {
    const std::string name =
        fmt::format("resize_{}{}{}_{}_{}", form.interpolation, form.antialias ? "_antialias" : "",
                    form.transposed ? "_transposed" : "", fmt::join(from, "x"), fmt::join(size, "x"));
    cases.push_back({.name = case_name(name, dtype),
                     .inputs = {{.type = {dtype, from}}},
                     .build = [=](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {resize(b, x[0], size, form)};
                     },
                     .differentiable = true});
  };
  for (const ir::DType dtype : {ir::DType::kF32, ir::DType::kF64}) {
    for (const char* interpolation : {"nearest", "bilinear", "bicubic", "lanczos3", "lanczos5"})
      for (const bool antialias : {false, true})
        for (const bool transposed : {false, true})
          add(dtype, {2, 7, 5, 3}, {4, 9}, {interpolation, antialias, transposed});
    for (const std::int64_t channels : {1, 2, 4, 7, 18, 33}) {
      add(dtype, {1, 5, 9, channels}, {8, 5}, {.interpolation = "bilinear"});
      add(dtype, {2, 4, 6, channels}, {5, 4}, {.interpolation = "nearest"});
    }
    add(dtype, {1, 3, 4, 3}, {5, 4}, {.interpolation = "bicubic"});  // one axis only
    add(dtype, {1, 3, 4, 3}, {3, 7}, {.interpolation = "nearest"});
    add(dtype, {1, 3, 4, 2}, {1, 4}, {.interpolation = "nearest"});
    add(dtype, {1, 1, 1, 3}, {3, 2}, {.interpolation = "lanczos3"});
    add(dtype, {2, 8, 40, 3}, {8, 40}, {.interpolation = "bilinear"});
    add(dtype, {0, 2, 2, 3}, {3, 3}, {.interpolation = "bilinear"});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::resize_folder
