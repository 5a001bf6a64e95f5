#include "cornu/ops/all_reduce/all_reduce.h"
#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"

namespace cornu::inline v0::ops::all_reduce_folder {

/// One replica; replicate_test.cc has more.
std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kNumber))
    cases.push_back({.name = case_name("all_reduce", dtype),
                     .inputs = {{.type = {dtype, {2, 3}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {all_reduce_sum(b, x[0], all_replicas(1))};
                     },
                     .differentiable = ir::is_float(dtype)});
  cases.push_back({.name = case_name("all_reduce_max_of_two", ir::DType::kF32),
                   .inputs = {{.type = {ir::DType::kF32, {4}}}, {.type = {ir::DType::kF32, {2, 2}}}},
                   .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                     return all_reduce(b, {x[0], x[1]}, all_replicas(1),
                                       [](ir::Builder& body, std::span<const ir::Value> v) {
                                         return std::vector<ir::Value>{maximum(body, v[0], v[1])};
                                       });
                   }});
  return cases;
}

}  // namespace cornu::inline v0::ops::all_reduce_folder
