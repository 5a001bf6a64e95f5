#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/random_uniform/random_uniform.h"

namespace cornu::inline v0::ops::random_uniform_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  cases.push_back({.name = case_name("random_uniform", ir::DType::kF32),
                   .inputs = {{.type = {ir::DType::kU32, {}}, .low = 0, .high = 4e9},
                              {.type = {ir::DType::kU32, {}}, .low = 0, .high = 4e9},
                              {.type = {ir::DType::kU32, {}}, .low = 0, .high = 4e9}},
                   .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                     return {random_uniform(b, x[0], x[1], x[2], {ir::DType::kF32, {3, 5}})};
                   }});
  cases.push_back({.name = case_name("random_uniform", ir::DType::kF64),
                   .inputs = {{.type = {ir::DType::kU32, {}}, .low = 0, .high = 4e9},
                              {.type = {ir::DType::kU32, {}}, .low = 0, .high = 4e9},
                              {.type = {ir::DType::kU32, {}}, .low = 0, .high = 4e9}},
                   .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                     return {random_uniform(b, x[0], x[1], x[2], {ir::DType::kF64, {7}})};
                   }});
  return cases;
}

}  // namespace cornu::inline v0::ops::random_uniform_folder
