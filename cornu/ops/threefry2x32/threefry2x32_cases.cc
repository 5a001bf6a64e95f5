#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/threefry2x32/threefry2x32.h"

namespace cornu::inline v0::ops::threefry2x32_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  cases.push_back({.name = case_name("threefry2x32", ir::DType::kU32),
                   .inputs = {{.type = {ir::DType::kU32, {}}, .low = 0, .high = 4e9},
                              {.type = {ir::DType::kU32, {}}, .low = 0, .high = 4e9},
                              {.type = {ir::DType::kU32, {3, 4}}, .low = 0, .high = 4e9},
                              {.type = {ir::DType::kU32, {3, 4}}, .low = 0, .high = 4e9}},
                   .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                     return threefry2x32(b, x[0], x[1], x[2], x[3]);
                   }});
  return cases;
}

}  // namespace cornu::inline v0::ops::threefry2x32_folder
