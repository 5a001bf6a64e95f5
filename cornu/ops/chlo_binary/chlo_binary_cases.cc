#include "cornu/ops/chlo_binary/chlo_binary.h"
#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/convert/convert.h"

namespace cornu::inline v0::ops::chlo_binary_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (const ir::DType dtype : case_dtypes(kFloat)) {
    const ConformanceInput x{.type = {dtype, {4, 5}}};
    cases.push_back({.name = case_name("next_after", dtype),
                     .inputs = {x, x},
                     .build = [](ir::Builder& b, ConformanceValues v) -> ConformanceResults {
                       return {next_after(b, v[0], v[1])};
                     }});
    // The first operands are whole, and have no gradient.
    cases.push_back({.name = case_name("zeta", dtype),
                     .inputs = {{.type = {ir::DType::kI32, {4, 5}}, .low = 2, .high = 6},
                                {.type = {dtype, {4, 5}}, .low = 0.5, .high = 9}},
                     .build = [](ir::Builder& b, ConformanceValues v) -> ConformanceResults {
                       return {zeta(b, convert(b, v[0], v[1].dtype()), v[1])};
                     },
                     .differentiable = true});
    cases.push_back({.name = case_name("polygamma", dtype),
                     .inputs = {{.type = {ir::DType::kI32, {2, 5}}, .values = {0, 1, 2, 3, 5}},
                                {.type = {dtype, {2, 5}}, .low = 1, .high = 5}},
                     .build = [](ir::Builder& b, ConformanceValues v) -> ConformanceResults {
                       return {polygamma(b, convert(b, v[0], v[1].dtype()), v[1])};
                     },
                     .differentiable = true});
  }
  for (const ir::DType dtype : case_dtypes(kInteger)) {
    const double low = ir::is_unsigned_integer(dtype) ? 0.0 : -120.0;
    const ConformanceInput x{.type = {dtype, {4, 5}}, .low = low, .high = 120};
    cases.push_back({.name = case_name("mulhi", dtype),
                     .inputs = {x, x},
                     .build = [](ir::Builder& b, ConformanceValues v) -> ConformanceResults {
                       return {mulhi(b, v[0], v[1])};
                     }});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::chlo_binary_folder
