#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/if/if.h"

namespace cornu::inline v0::ops::if_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes())
    for (double pred : {0.0, 1.0})
      cases.push_back(
          {.name = case_name(pred == 0 ? "if_false" : "if_true", dtype),
           .inputs = {{.type = {ir::DType::kI1, {}}, .values = {pred}},
                      {.type = {dtype, {2, 3}}, .low = 0},
                      {.type = {dtype, {2, 3}}, .low = 0}},
           .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
             const std::vector<ir::Value> v(x.begin(), x.end());
             return if_(
                 b, v[0], [&](ir::Builder& c) { return std::vector<ir::Value>{add(c, v[1], v[2]), v[1]}; },
                 [&](ir::Builder& c) { return std::vector<ir::Value>{multiply(c, v[1], v[2]), v[2]}; });
           },
           .differentiable = ir::is_float(dtype)});
  return cases;
}

}  // namespace cornu::inline v0::ops::if_folder
