#include "cornu/ops/cholesky/cholesky.h"

#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/matrices.h"

namespace cornu::inline v0::ops::cholesky_folder {

/// Factors of x x^T + 2 I.
std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (const ir::DType dtype : case_dtypes(kFloat))
    for (const bool lower : {true, false}) {
      cases.push_back({.name = case_name(lower ? "cholesky" : "cholesky_upper", dtype),
                       .inputs = {{.type = {dtype, {2, 4, 4}}, .low = -1, .high = 1}},
                       .build = [lower](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                         const ir::Value square = matrix_product(b, x[0], matrix_transpose(b, x[0]));
                         const ir::Value two = triangle(b, triangle(b, full(b, x[0].type(), 2), true), false);
                         return {cholesky(b, add(b, square, two), lower)};
                       },
                       .differentiable = true});
    }
  return cases;
}

}  // namespace cornu::inline v0::ops::cholesky_folder
