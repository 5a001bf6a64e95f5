#include <cmath>

#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/reduce_precision/reduce_precision.h"

namespace cornu::inline v0::ops::reduce_precision_folder {

std::vector<ConformanceCase> conformance_cases() {
  struct Format {
    std::int64_t exponent_bits, mantissa_bits;
  };
  std::vector<ConformanceCase> cases;
  for (ir::DType dtype : case_dtypes(kFloat)) {
    for (const Format format : {Format{5, 10}, {8, 7}, {3, 2}, {11, 52}, {1, 0}}) {
      const auto build = [format](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
        return {reduce_precision(b, x[0], format.exponent_bits, format.mantissa_bits)};
      };
      const std::string name = "reduce_precision_e" + std::to_string(format.exponent_bits) + "m" +
                               std::to_string(format.mantissa_bits);
      const bool is_wide = format.mantissa_bits == 52;
      cases.push_back({.name = case_name(name, dtype),
                       .inputs = {{.type = {dtype, {4, 5}}, .low = -3, .high = 3}},
                       .build = build,
                       .differentiable = is_wide});  // central differences see the steps of the others
      cases.push_back(
          {.name = case_name(name + "_edges", dtype),
           .inputs = {{.type = {dtype, {16}},
                       .values = {0.0, -0.0, 65504, 65519, 65520, -65536, 6.1e-5, 6e-5, 1e-7, 1.0009765625,
                                  1.00048828125, 1.00146484375, 3.3e38, HUGE_VAL, -HUGE_VAL, std::nan("")}}},
           .build = build});
    }
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::reduce_precision_folder
