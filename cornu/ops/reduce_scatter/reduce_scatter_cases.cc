#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/reduce_scatter/reduce_scatter.h"

namespace cornu::inline v0::ops::reduce_scatter_folder {

/// One replica; replicate_test.cc has more.
std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kNumber))
    cases.push_back({.name = case_name("reduce_scatter", dtype),
                     .inputs = {{.type = {dtype, {2, 3}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {reduce_scatter_sum(b, x[0], 0, all_replicas(1))};
                     },
                     .differentiable = ir::is_float(dtype)});
  return cases;
}

}  // namespace cornu::inline v0::ops::reduce_scatter_folder
