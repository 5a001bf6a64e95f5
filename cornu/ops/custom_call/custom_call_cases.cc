#include "cornu/ops/custom_call/custom_call.h"

#include <fmt/format.h>

#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/decomposition_test_support.h"

namespace cornu::inline v0::ops::custom_call_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (const ir::DType dtype : {ir::DType::kF32, ir::DType::kF64})
    for (const bool is_complex : {false, true})
      for (const ir::Dims& dims : {ir::Dims{2, 5, 3}, ir::Dims{4, 4}, ir::Dims{3, 5}, ir::Dims{1, 1}})
        cases.push_back({.name = case_name(fmt::format("householder_qr_{}{}", is_complex ? "complex_" : "",
                                                       fmt::join(dims, "x")),
                                           dtype),
                         .inputs = std::vector<ConformanceInput>(is_complex ? 2 : 1, {.type = {dtype, dims}}),
                         .build = [dims](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                           std::vector<ir::Value> qr = householder_qr(b, matrix_of(b, x));
                           if (dims[dims.size() - 2] >= dims.back())
                             qr.push_back(householder_product(b, qr[0], qr[1]));
                           ConformanceResults results;
                           for (const ir::Value& value : qr)
                             for (const ir::Value& part : real_parts(b, value)) results.push_back(part);
                           return results;
                         }});
  return cases;
}

}  // namespace cornu::inline v0::ops::custom_call_folder
