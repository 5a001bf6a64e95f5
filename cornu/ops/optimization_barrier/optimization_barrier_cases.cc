#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/optimization_barrier/optimization_barrier.h"

namespace cornu::inline v0::ops::optimization_barrier_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (const ir::DType dtype : case_dtypes(kNumber)) {
    const ConformanceInput x{
        .type = {dtype, {3, 4}}, .low = ir::is_unsigned_integer(dtype) ? 0.0 : -3.0, .high = 3};
    cases.push_back({.name = case_name("optimization_barrier", dtype),
                     .inputs = {x, x},
                     .build = [](ir::Builder& b, ConformanceValues v) -> ConformanceResults {
                       const std::vector<ir::Value> kept =
                           optimization_barrier(b, {multiply(b, v[0], v[1]), v[1]});
                       return {kept[0], add(b, kept[0], kept[1])};
                     },
                     .differentiable = ir::is_float(dtype)});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::optimization_barrier_folder
