#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/map/map.h"

namespace cornu::inline v0::ops::map_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (const ir::DType dtype : case_dtypes(kNumber)) {
    const ConformanceInput x{.type = {dtype, {3, 4}}, .low = 0, .high = 5};
    cases.push_back({.name = case_name("map", dtype),
                     .inputs = {x, x},
                     .build = [](ir::Builder& b, ConformanceValues v) -> ConformanceResults {
                       return {map(b, {v[0], v[1]}, [](ir::Builder& c, std::span<const ir::Value> w) {
                         return add(c, multiply(c, w[0], w[1]), w[0]);
                       })};
                     }});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::map_folder
