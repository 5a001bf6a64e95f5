#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/rng/rng.h"

namespace cornu::inline v0::ops::rng_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  const auto build = [](const char* distribution) {
    return [distribution](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
      const ir::Value shape = constant(b, ir::Literal::of<std::int64_t>({2}, {3, 4}));
      return {rng(b, x[0], x[1], shape, distribution, {3, 4}, 5)};
    };
  };
  for (const ir::DType dtype : case_dtypes(kNumber)) {
    const ConformanceInput low{.type = {dtype, {}}, .low = 1, .high = 2},
        high{.type = {dtype, {}}, .low = 50, .high = 90};
    cases.push_back({.name = case_name("rng_UNIFORM", dtype),
                     .inputs = {low, high},
                     .build = build("UNIFORM"),
                     .differentiable = ir::is_float(dtype)});
    if (ir::is_float(dtype))
      cases.push_back({.name = case_name("rng_NORMAL", dtype),
                       .inputs = {low, low},
                       .build = build("NORMAL"),
                       .differentiable = true});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::rng_folder
