#include "cornu/ops/eigh/eigh.h"

#include <fmt/format.h>

#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/decomposition_test_support.h"
#include "cornu/ops/matrices.h"

namespace cornu::inline v0::ops::eigh_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (const ir::DType dtype : {ir::DType::kF32, ir::DType::kF64})
    for (const bool is_complex : {false, true})
      for (const bool lower : {false, true})
        for (const ir::Dims& dims : {ir::Dims{2, 4, 4}, ir::Dims{5, 5}, ir::Dims{1, 1}, ir::Dims{0, 0}}) {
          const ConformanceInput input{.type = {dtype, dims}, .low = -1, .high = 1};
          std::vector<ConformanceInput> inputs(is_complex ? 2 : 1, input);
          cases.push_back(
              {.name = case_name(fmt::format("eigh_{}{}{}", is_complex ? "complex_" : "",
                                             lower ? "" : "upper_", fmt::join(dims, "x")),
                                 dtype),
               .inputs = std::move(inputs),
               .build = [lower](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                 const EighValues result = eigh(b, with_diagonal(b, matrix_of(b, x), 3), lower);
                 const ir::Value v = result.eigenvectors;
                 const ir::Value product =
                     scaled_product(b, v, result.eigenvalues, matrix_transpose(b, v, true));
                 ConformanceResults results = real_parts(b, product);
                 results.push_back(result.eigenvalues);
                 results.push_back(magnitudes(b, v));
                 return results;
               },
               .differentiable = dims[0] != 0,
               .tolerance_factor = 10});  // Jacobi's rotations on one side, divide and conquer on the other
        }
  return cases;
}

}  // namespace cornu::inline v0::ops::eigh_folder
