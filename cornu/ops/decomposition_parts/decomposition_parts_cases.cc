#include "cornu/ir/complex.h"
#include "cornu/ops/cholesky/cholesky.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/complex/complex.h"
#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/decomposition_parts/decomposition_parts.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/select/select.h"

namespace cornu::inline v0::ops::decomposition_parts_folder {

/// The Cholesky factor of Hermitian matrices with large diagonals. Engines make these composites of complex
/// programs, so the cases of the decompositions have more.
std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (const ir::DType dtype : {ir::DType::kF32, ir::DType::kF64}) {
    const ConformanceInput upper{.type = {dtype, {2, 3, 3}}, .low = -0.5, .high = 0.5};
    cases.push_back(
        {.name = case_name("decomposition_parts", dtype),
         .inputs = {upper, upper, {.type = {dtype, {2, 3, 3}}, .values = {5, 0, 0, 0, 6, 0, 0, 0, 7}}},
         .build = [](ir::Builder& b, ConformanceValues v) -> ConformanceResults {
           // Only the lower triangle is read.
           const ir::Value re = add(b, v[0], v[2]);
           const ir::Value zeros = full(b, v[2].type(), 0);
           const ir::Value is_outside = compare(b, v[2], zeros, ComparisonDirection::kEq);
           const ir::Value im = select(b, is_outside, v[1], zeros);
           ir::Block scratch;
           const ir::TensorType type{ir::complex_dtype(re.dtype()), re.dims()};
           ir::Builder inner(scratch);
           const ir::Value factor = cholesky(inner, scratch.add_argument(type), true);
           return decomposition_parts(b, *factor.op(), {join_parts(b, re, im)});
         }});
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::decomposition_parts_folder
