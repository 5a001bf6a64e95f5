#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/convert/convert.h"

namespace cornu::inline v0::ops::convert_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType from : case_dtypes()) {
    for (ir::DType to : case_dtypes()) {
      // Negative floats to unsigned integers, and floats beyond an integer's range, are left open by the
      // specification.
      const bool floats_to_unsigned = ir::is_float(from) && ir::is_unsigned_integer(to);
      const double low = ir::is_unsigned_integer(from) || floats_to_unsigned ? 0 : -50;
      cases.push_back({.name = case_name("convert_" + std::string(ir::stablehlo_name(to)), from),
                       .inputs = {{.type = {from, {4, 5}}, .low = low, .high = 50}},
                       .build = [to](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                         return {convert(b, x[0], to)};
                       },
                       // Central differences see f64 only where nothing is rounded on the way.
                       .differentiable = from == to && ir::is_float(from)});
    }
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::convert_folder
