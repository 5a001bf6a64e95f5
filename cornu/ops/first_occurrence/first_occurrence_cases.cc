#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/first_occurrence/first_occurrence.h"

namespace cornu::inline v0::ops::first_occurrence_folder {

std::vector<ConformanceCase> conformance_cases() {
  const auto build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
    return {first_occurrence(b, x[0])};
  };
  std::vector<ConformanceCase> cases;
  for (const ir::DType dtype : {ir::DType::kI32, ir::DType::kI64}) {
    cases.push_back({.name = case_name("first_occurrence", dtype),
                     .inputs = {{.type = {dtype, {9}}, .values = {5, -7, 5, 0, 5, 0, 2147483647, -7, 4}}},
                     .build = build});
    cases.push_back({.name = case_name("first_occurrence_many", dtype),
                     .inputs = {{.type = {dtype, {300}}, .low = 0, .high = 50}},
                     .build = build});
    cases.push_back({.name = case_name("first_occurrence_empty", dtype),
                     .inputs = {{.type = {dtype, {0}}}},
                     .build = build});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::first_occurrence_folder
