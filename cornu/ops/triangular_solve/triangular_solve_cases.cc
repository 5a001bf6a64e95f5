#include "cornu/ops/triangular_solve/triangular_solve.h"

#include <fmt/format.h>

#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/matrices.h"

namespace cornu::inline v0::ops::triangular_solve_folder {

/// The matrix has 2 added to its diagonal.
std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (const ir::DType dtype : case_dtypes(kFloat))
    for (int form = 0; form < 16; ++form) {
      const TriangularSystem system{
          .left_side = (form & 1) != 0,
          .lower = (form & 2) != 0,
          .unit_diagonal = (form & 4) != 0,
          .transpose = (form & 8) != 0 ? TriangleTranspose::kTranspose : TriangleTranspose::kNone};
      const ir::Dims b_dims = system.left_side ? ir::Dims{2, 4, 3} : ir::Dims{2, 3, 4};
      cases.push_back(
          {.name = case_name(fmt::format("triangular_solve_{}", form), dtype),
           .inputs = {{.type = {dtype, {2, 4, 4}}, .low = -1, .high = 1}, {.type = {dtype, b_dims}}},
           .build = [system](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
             const ir::Value two = triangle(b, triangle(b, full(b, x[0].type(), 2), true), false);
             return {triangular_solve(b, add(b, x[0], two), x[1], system)};
           },
           .differentiable = true});
    }
  return cases;
}

}  // namespace cornu::inline v0::ops::triangular_solve_folder
