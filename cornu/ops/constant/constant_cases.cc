#include <cmath>

#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/constant/constant.h"

namespace cornu::inline v0::ops::constant_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  const auto add_literal = [&](std::string_view what, const ConformanceInput& input) {
    // The literal is made as inputs are, and then built in.
    ConformanceCase maker{.name = case_name(what, input.type.dtype), .inputs = {input}};
    const ir::Literal literal = make_inputs(maker)[0];
    cases.push_back(
        {.name = maker.name, .build = [literal](ir::Builder& b, ConformanceValues) -> ConformanceResults {
           return {constant(b, literal)};
         }});
  };
  for (ir::DType dtype : case_dtypes()) {
    const double high = ir::bit_width(dtype) == 8 ? 100 : 1000,
                 low = ir::is_unsigned_integer(dtype) ? 0 : -high;
    add_literal("constant", {.type = {dtype, {3, 2, 2}}, .low = low, .high = high});
    add_literal("constant_scalar", {.type = {dtype, {}}, .low = low, .high = high});
    add_literal("constant_large", {.type = {dtype, {13, 17}}, .low = low, .high = high});
    add_literal("constant_splat", {.type = {dtype, {4, 4}}, .values = {1}});
    cases.push_back({.name = case_name("full", dtype),
                     .build = [dtype](ir::Builder& b, ConformanceValues) -> ConformanceResults {
                       return {full(b, {dtype, {2, 3}}, 1), full(b, {dtype, {}}, 0)};
                     }});
  }
  for (ir::DType dtype : case_dtypes(kFloat))
    add_literal(
        "constant_special",
        {.type = {dtype, {8}}, .values = {0.0, -0.0, HUGE_VAL, -HUGE_VAL, std::nan(""), 1e-40, 0.1, 1e38}});
  return cases;
}

}  // namespace cornu::inline v0::ops::constant_folder
