#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/standardize/standardize.h"

namespace cornu::inline v0::ops::standardize_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kFloat)) {
    const auto add = [&](const char* what, const ir::Dims& dims, const ir::Dims& dimensions) {
      cases.push_back({.name = case_name(what, dtype),
                       .inputs = {{.type = {dtype, dims}}},
                       .build = [dimensions](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                         const Standardized r = standardize(b, x[0], dimensions, 1e-2);
                         return {r.y, r.inverse_deviation};
                       },
                       .differentiable = true});
    };
    add("standardize", {4, 7}, {1});
    add("standardize_outer", {5, 3, 2}, {0});
    add("standardize_two_apart", {2, 3, 4, 5}, {1, 3});
    add("standardize_everything", {3, 4}, {0, 1});
    add("standardize_one_element", {3, 1}, {1});
    cases.push_back({.name = case_name("standardize_gradient", dtype),
                     .inputs = {{.type = {dtype, {2, 3, 4}}},
                                {.type = {dtype, {3}}, .low = 0.5},
                                {.type = {dtype, {2, 3, 4}}}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {standardize_gradient(b, x[0], x[1], x[2], {0, 2})};
                     },
                     .differentiable = true});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::standardize_folder
