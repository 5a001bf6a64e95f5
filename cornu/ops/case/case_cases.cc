#include "cornu/ops/case/case.h"
#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"

namespace cornu::inline v0::ops::case_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  const auto build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
    const std::vector<ir::Value> v(x.begin(), x.end());
    using Values = std::vector<ir::Value>;
    return case_(b, v[0],
                 std::vector<Branch>{[=](ir::Builder& c) { return Values{add(c, v[1], v[2]), v[1]}; },
                                     [=](ir::Builder& c) { return Values{multiply(c, v[1], v[2]), v[2]}; },
                                     [=](ir::Builder& c) { return Values{v[2], add(c, v[1], v[1])}; }});
  };
  for (ir::DType dtype : case_dtypes())
    for (int index : {0, 1, 2, 7, -1})
      cases.push_back({.name = case_name("case_" + std::to_string(index), dtype),
                       .inputs = {{.type = {ir::DType::kI32, {}}, .values = {static_cast<double>(index)}},
                                  {.type = {dtype, {2, 3}}, .low = 0},
                                  {.type = {dtype, {2, 3}}, .low = 0}},
                       .build = build,
                       .differentiable = ir::is_float(dtype)});
  return cases;
}

}  // namespace cornu::inline v0::ops::case_folder
