#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/embedding_lookup/embedding_lookup.h"

namespace cornu::inline v0::ops::embedding_lookup_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kFloat)) {
    const auto lookup = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
      return {embedding_lookup(b, x[0], x[1])};
    };
    // Ids that repeat, that no row has, and of several ranks and dtypes.
    cases.push_back({.name = case_name("embedding_lookup", dtype),
                     .inputs = {{.type = {dtype, {5, 3}}},
                                {.type = {ir::DType::kI32, {2, 4}}, .values = {4, 0, 0, 2, 7, -1, 4, 0}}},
                     .build = lookup,
                     .differentiable = true});
    cases.push_back({.name = case_name("embedding_lookup_vectors", dtype),
                     .inputs = {{.type = {dtype, {6, 17}}},
                                {.type = {ir::DType::kI64, {9}}, .values = {5, 5, 5, 0, 1, -3, 99, 2, 2}}},
                     .build = lookup,
                     .differentiable = true});
    cases.push_back(
        {.name = case_name("embedding_lookup_narrow_ids", dtype),
         .inputs = {{.type = {dtype, {300, 2}}}, {.type = {ir::DType::kU8, {3}}, .values = {0, 255, 7}}},
         .build = lookup,
         .differentiable = true});
    cases.push_back({.name = case_name("embedding_lookup_scalar_id", dtype),
                     .inputs = {{.type = {dtype, {4, 2, 3}}}, {.type = {ir::DType::kU32, {}}, .values = {3}}},
                     .build = lookup,
                     .differentiable = true});
    cases.push_back({.name = case_name("embedding_lookup_no_ids", dtype),
                     .inputs = {{.type = {dtype, {4, 2}}}, {.type = {ir::DType::kI32, {3, 0}}}},
                     .build = lookup,
                     .differentiable = true});
    cases.push_back({.name = case_name("embedding_lookup_gradient", dtype),
                     .inputs = {{.type = {dtype, {2, 3, 4}}},
                                {.type = {ir::DType::kI32, {2, 3}}, .values = {1, 1, 6, -4, 1, 2}}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {embedding_lookup_gradient(b, x[0], x[1], 4)};
                     },
                     .differentiable = true});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::embedding_lookup_folder
