#include "cornu/ops/lu/lu.h"

#include <fmt/format.h>

#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/decomposition_test_support.h"
#include "cornu/ops/reverse/reverse.h"

namespace cornu::inline v0::ops::lu_folder {

/// Large elements on the other diagonal, so that rows are exchanged and differences keep the pivots.
std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (const ir::DType dtype : {ir::DType::kF32, ir::DType::kF64})
    for (const bool is_complex : {false, true})
      for (const ir::Dims& dims : {ir::Dims{2, 4, 4}, ir::Dims{5, 3}, ir::Dims{3, 5}, ir::Dims{1, 1},
                                   ir::Dims{0, 2}, ir::Dims{2, 0}}) {
        const ConformanceInput input{.type = {dtype, dims}, .low = -1, .high = 1};
        std::vector<ConformanceInput> inputs(is_complex ? 2 : 1, input);
        cases.push_back(
            {.name =
                 case_name(fmt::format("lu_{}{}", is_complex ? "complex_" : "", fmt::join(dims, "x")), dtype),
             .inputs = std::move(inputs),
             .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
               const ir::Value a = matrix_of(b, x);
               const LuValues result = lu(b, reverse(b, with_diagonal(b, a, 3), {a.rank() - 2}));
               ConformanceResults results = real_parts(b, result.lu);
               results.push_back(result.pivots);
               results.push_back(result.permutation);
               return results;
             },
             .differentiable = dims[0] != 0 && dims[1] != 0});
      }
  return cases;
}

}  // namespace cornu::inline v0::ops::lu_folder
