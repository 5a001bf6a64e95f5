#include <algorithm>

#include "cornu/ops/bitcast_convert/bitcast_convert.h"
#include "cornu/ops/conformance_test_support.h"

namespace cornu::inline v0::ops::bitcast_convert_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (ir::DType from : case_dtypes()) {
    for (ir::DType to : case_dtypes()) {
      if (ir::bit_width(from) != ir::bit_width(to) || from == ir::DType::kI1) continue;
      // Bits that are ordinary floats in both directions.
      ConformanceInput input{.type = {from, {3, 4}}, .low = -9, .high = 9};
      if (ir::is_integer(from)) {
        const int unused = 32 - std::min(ir::bit_width(from), 32);
        input = {.type = {from, {3, 4}},
                 .low = static_cast<double>(0x3f000000 >> unused),
                 .high = static_cast<double>(0x40ffffff >> unused)};
      }
      cases.push_back({.name = case_name("bitcast_convert_" + std::string(ir::stablehlo_name(to)), from),
                       .inputs = {input},
                       .build = [to](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                         return {bitcast_convert(b, x[0], to)};
                       }});
    }
  }
  for (ir::DType from : case_dtypes(kInteger)) {
    for (ir::DType to : case_dtypes(kInteger)) {
      const std::int64_t whole = ir::bit_width(to), part = ir::bit_width(from);
      if (whole == part) continue;
      const ir::Dims dims = whole > part ? ir::Dims{3, whole / part} : ir::Dims{3};
      cases.push_back({.name = case_name("bitcast_convert_" + std::string(ir::stablehlo_name(to)), from),
                       .inputs = {{.type = {from, dims}, .low = 0, .high = 100}},
                       .build = [to](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                         return {bitcast_convert(b, x[0], to)};
                       }});
    }
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::bitcast_convert_folder
