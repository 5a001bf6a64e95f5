#include <cmath>

#include "cornu/ops/chlo_unary/chlo_unary.h"
#include "cornu/ops/conformance_test_support.h"

namespace cornu::inline v0::ops::chlo_unary_folder {

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  struct Row {
    const char* name;
    ir::Value (*function)(ir::Builder&, ir::Value);
    double low, high;
  };
  constexpr Row kRows[] = {{"square", &square, -3, 3},   {"asin", &asin, -0.9, 0.9},
                           {"acos", &acos, -0.9, 0.9},   {"atan", &atan, -4, 4},
                           {"sinh", &sinh, -3, 3},       {"cosh", &cosh, -3, 3},
                           {"asinh", &asinh, -4, 4},     {"acosh", &acosh, 1.1, 5},
                           {"atanh", &atanh, -0.9, 0.9}, {"bessel_i1e", &bessel_i1e, 0.1, 12}};
  for (const Row& row : kRows)
    for (const ir::DType dtype : case_dtypes(kFloat))
      cases.push_back({.name = case_name(row.name, dtype),
                       .inputs = {{.type = {dtype, {3, 4}}, .low = row.low, .high = row.high}},
                       .build = [row](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                         return {row.function(b, x[0])};
                       },
                       .differentiable = true});
  constexpr Row kTests[] = {
      {"is_inf", &is_inf, 0, 0}, {"is_pos_inf", &is_pos_inf, 0, 0}, {"is_neg_inf", &is_neg_inf, 0, 0}};
  for (const Row& row : kTests)
    for (const ir::DType dtype : case_dtypes(kFloat))
      cases.push_back({.name = case_name(row.name, dtype),
                       .inputs = {{.type = {dtype, {4}}, .values = {HUGE_VAL, -HUGE_VAL, 1, std::nan("")}}},
                       .build = [row](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                         return {row.function(b, x[0])};
                       }});
  for (const ir::DType dtype : case_dtypes(kInteger))
    cases.push_back({.name = case_name("square", dtype),
                     .inputs = {{.type = {dtype, {7}}, .low = 0, .high = 11}},
                     .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                       return {square(b, x[0])};
                     }});
  cases.push_back(
      {.name = case_name("sinh_large", ir::DType::kF32),
       .inputs = {{.type = {ir::DType::kF32, {4}}, .values = {89, -89, 1e-6, -20}}},
       .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults { return {sinh(b, x[0])}; }});
  return cases;
}

}  // namespace cornu::inline v0::ops::chlo_unary_folder
