#include "cornu/ops/collective_reduce/collective_reduce.h"
#include "cornu/ops/conformance_test_support.h"

namespace cornu::inline v0::ops::collective_reduce_folder {

/// One replica; replicate_test.cc has more.
std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kNumber))
    cases.push_back({.name = case_name("collective_reduce", dtype),
                     .inputs = {{.type = {dtype, {2, 3}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {collective_reduce_sum(b, x[0], all_replicas(1))};
                     },
                     .differentiable = ir::is_float(dtype)});
  return cases;
}

}  // namespace cornu::inline v0::ops::collective_reduce_folder
