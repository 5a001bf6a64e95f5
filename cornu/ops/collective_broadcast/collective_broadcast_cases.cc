#include "cornu/ops/collective_broadcast/collective_broadcast.h"
#include "cornu/ops/conformance_test_support.h"

namespace cornu::inline v0::ops::collective_broadcast_folder {

/// One replica; replicate_test.cc has more.
std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kNumber))
    cases.push_back({.name = case_name("collective_broadcast", dtype),
                     .inputs = {{.type = {dtype, {2, 3}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {collective_broadcast(b, x[0], all_replicas(1))};
                     },
                     .differentiable = ir::is_float(dtype)});
  return cases;
}

}  // namespace cornu::inline v0::ops::collective_broadcast_folder
