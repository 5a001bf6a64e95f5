#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/random_bits/random_bits.h"

namespace cornu::inline v0::ops::random_bits_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  cases.push_back({.name = case_name("random_bits", ir::DType::kU32),
                   .inputs = {{.type = {ir::DType::kU32, {}}, .low = 0, .high = 4e9},
                              {.type = {ir::DType::kU32, {}}, .low = 0, .high = 4e9},
                              {.type = {ir::DType::kU32, {}}, .low = 0, .high = 4e9}},
                   .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                     return {random_bits(b, x[0], x[1], x[2], {3, 5}), random_bits(b, x[0], x[1], x[2], {4})};
                   }});
  return cases;
}

}  // namespace cornu::inline v0::ops::random_bits_folder
