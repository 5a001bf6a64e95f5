#include <cmath>

#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"

namespace cornu::inline v0::ops::elementwise_unary_folder {

std::vector<ConformanceCase> conformance_cases() {
  struct Row {
    const char* name;
    ir::Value (*function)(ir::Builder&, ir::Value);
    double low, high;
    DTypeSet dtypes;
    double away_from_whole = 0;  // for kinks and jumps
    bool differentiable = true;
  };
  using ir::DType;
  const Row rows[] = {
      {"abs", &abs, -3, 3, kSigned | kFloat, 0.1},
      {"negate", &negate, -3, 3, kNumber},
      {"sign", &sign, -3, 3, kSigned | kFloat, 0.1},
      {"exponential", &exponential, -4, 4, kFloat},
      {"exponential_minus_one", &exponential_minus_one, -2, 2, kFloat},
      {"log", &log, 0.1, 8, kFloat},
      {"log_plus_one", &log_plus_one, -0.9, 8, kFloat},
      {"logistic", &logistic, -6, 6, kFloat},
      {"sqrt", &sqrt, 0.1, 8, kFloat},
      {"rsqrt", &rsqrt, 0.1, 8, kFloat},
      {"tanh", &tanh, -4, 4, kFloat},
      {"sine", &sine, -6, 6, kFloat},
      {"cosine", &cosine, -6, 6, kFloat},
      {"tan", &tan, -1.2, 1.2, kFloat},
      {"cbrt", &cbrt, 0.2, 8, kFloat},
      {"floor", &floor, -5, 5, kFloat, 0.1},
      {"ceil", &ceil, -5, 5, kFloat, 0.1},
      {"round_nearest_even", &round_nearest_even, -5, 5, kFloat, 0.1},
      {"round_nearest_afz", &round_nearest_afz, -5, 5, kFloat, 0.1},
      {"is_finite", &is_finite, -5, 5, kFloat, 0, false},
      {"not", &not_, -100, 100, kBits, 0, false},
      {"popcnt", &popcnt, -100, 100, kInteger, 0, false},
      {"count_leading_zeros", &count_leading_zeros, -100, 100, kInteger, 0, false},
  };
  std::vector<ConformanceCase> cases;
  for (const Row& row : rows) {
    for (DType dtype : case_dtypes(row.dtypes)) {
      cases.push_back(
          {.name = case_name(row.name, dtype),
           .inputs = {{.type = {dtype, {3, 7}},
                       .low = ir::is_unsigned_integer(dtype) ? 0 : row.low,
                       .high = row.high,
                       .away_from_whole = row.away_from_whole}},
           .build = [function = row.function](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
             return {function(b, x[0])};
           },
           .differentiable = row.differentiable && ir::is_float(dtype)});
    }
  }
  // Zeros of both signs, infinities, NaN, and values where a float is at its limits.
  const std::vector<double> special = {0.0, -0.0, 1,     -1,       1e-30,     -1e-30,      80,
                                       -80, 1e30, -1e30, HUGE_VAL, -HUGE_VAL, std::nan("")};
  // Backends reduce arguments of sine and cosine up to 1e5 only.
  const std::vector<double> special_angles = {0.0, -0.0, 1,    -1,       1e-30,     -1e-30,      80,
                                              -80, 1e4,  -1e4, HUGE_VAL, -HUGE_VAL, std::nan("")};
  for (const Row& row : rows) {
    if ((row.dtypes & kFloat) == 0) continue;
    const bool takes_angles = row.function == &sine || row.function == &cosine || row.function == &tan;
    for (DType dtype : case_dtypes(kFloat)) {
      cases.push_back(
          {.name = case_name(std::string(row.name) + "_special", dtype),
           .inputs = {{.type = {dtype, {13}}, .values = takes_angles ? special_angles : special}},
           .build = [function = row.function](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
             return {function(b, x[0])};
           }});
    }
  }
  // Halves, and the neighbours of one half, where adding 0.5 first would round wrongly.
  for (DType dtype : {DType::kF32, DType::kF64}) {
    const double below = dtype == DType::kF32 ? 0x1.fffffep-2 : 0x1.fffffffffffffp-2;
    for (const Row& row : rows) {
      if (!std::string_view(row.name).starts_with("round")) continue;
      cases.push_back(
          {.name = case_name(std::string(row.name) + "_halves", dtype),
           .inputs = {{.type = {dtype, {10}},
                       .values = {0.5, 1.5, 2.5, -0.5, -1.5, -2.5, below, -below, 8388609, -0.25}}},
           .build = [function = row.function](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
             return {function(b, x[0])};
           }});
    }
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::elementwise_unary_folder
