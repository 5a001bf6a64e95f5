#include "cornu/ops/all_gather/all_gather.h"
#include "cornu/ops/conformance_test_support.h"

namespace cornu::inline v0::ops::all_gather_folder {

/// One replica; replicate_test.cc has more.
std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kNumber))
    cases.push_back({.name = case_name("all_gather", dtype),
                     .inputs = {{.type = {dtype, {2, 3}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {all_gather(b, x[0], 1, all_replicas(1))};
                     },
                     .differentiable = ir::is_float(dtype)});
  return cases;
}

}  // namespace cornu::inline v0::ops::all_gather_folder
