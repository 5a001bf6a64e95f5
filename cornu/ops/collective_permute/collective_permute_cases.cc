#include "cornu/ops/collective_permute/collective_permute.h"
#include "cornu/ops/conformance_test_support.h"

namespace cornu::inline v0::ops::collective_permute_folder {

/// One replica; replicate_test.cc has more.
std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kNumber))
    cases.push_back({.name = case_name("collective_permute", dtype),
                     .inputs = {{.type = {dtype, {2, 3}}, .low = 0}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {collective_permute(b, x[0], {{0, 0}})};
                     },
                     .differentiable = ir::is_float(dtype)});
  return cases;
}

}  // namespace cornu::inline v0::ops::collective_permute_folder
