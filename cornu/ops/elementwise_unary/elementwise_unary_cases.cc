#include <cmath>

#include "cornu/ops/conformance.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"

namespace cornu::ops::elementwise_unary_folder {

std::vector<ConformanceCase> conformance_cases() {
  struct Row {
    const char* name;
    ir::Value (*function)(ir::Builder&, ir::Value);
    double low, high;
    std::vector<ir::DType> dtypes;
    double away_from_whole = 0;  // for kinks and jumps
    bool differentiable = true;
  };
  using ir::DType;
  const std::vector<DType> floats = {DType::kF32, DType::kF64};
  const std::vector<DType> signed_numbers = {DType::kF32, DType::kF64, DType::kI32, DType::kI64};
  const std::vector<DType> numbers = {DType::kF32, DType::kF64, DType::kI32, DType::kI64, DType::kU32};
  const std::vector<DType> bits = {DType::kI1, DType::kI32, DType::kI64, DType::kU32};
  const Row rows[] = {
      {"abs", &abs, -3, 3, signed_numbers, 0.1},
      {"negate", &negate, -3, 3, numbers},
      {"sign", &sign, -3, 3, signed_numbers, 0.1},
      {"exponential", &exponential, -4, 4, floats},
      {"exponential_minus_one", &exponential_minus_one, -2, 2, floats},
      {"log", &log, 0.1, 8, floats},
      {"log_plus_one", &log_plus_one, -0.9, 8, floats},
      {"logistic", &logistic, -6, 6, floats},
      {"sqrt", &sqrt, 0.1, 8, floats},
      {"rsqrt", &rsqrt, 0.1, 8, floats},
      {"tanh", &tanh, -4, 4, floats},
      {"sine", &sine, -6, 6, floats},
      {"cosine", &cosine, -6, 6, floats},
      {"floor", &floor, -5, 5, floats, 0.1},
      {"ceil", &ceil, -5, 5, floats, 0.1},
      {"is_finite", &is_finite, -5, 5, floats, 0, false},
      {"not", &not_, -100, 100, bits, 0, false},
  };
  std::vector<ConformanceCase> cases;
  for (const Row& row : rows) {
    for (DType dtype : row.dtypes) {
      cases.push_back(
          {.name = case_name(row.name, dtype),
           .inputs = {{.type = {dtype, {3, 7}},
                       .low = dtype == DType::kU32 ? 0 : row.low,
                       .high = row.high,
                       .away_from_whole = row.away_from_whole}},
           .build = [function = row.function](ir::Builder& b, ConformanceValues x) -> ConformanceResults { return {function(b, x[0])}; },
           .differentiable = row.differentiable && ir::is_float(dtype)});
    }
  }
  // Zeros of both signs, infinities, NaN, and values where a float is at its limits.
  const std::vector<double> special = {0.0, -0.0, 1, -1, 1e-30, -1e-30, 80, -80, 1e30, -1e30, HUGE_VAL, -HUGE_VAL, std::nan("")};
  // Backends reduce arguments of sine and cosine up to 1e5 only.
  const std::vector<double> special_angles = {0.0, -0.0, 1, -1, 1e-30, -1e-30, 80, -80, 1e4, -1e4, HUGE_VAL, -HUGE_VAL, std::nan("")};
  for (const Row& row : rows) {
    if (row.dtypes.front() != DType::kF32) continue;
    const bool takes_angles = row.function == &sine || row.function == &cosine;
    for (DType dtype : floats) {
      cases.push_back(
          {.name = case_name(std::string(row.name) + "_special", dtype),
           .inputs = {{.type = {dtype, {13}}, .values = takes_angles ? special_angles : special}},
           .build = [function = row.function](ir::Builder& b, ConformanceValues x) -> ConformanceResults { return {function(b, x[0])}; }});
    }
  }
  return cases;
}

}  // namespace cornu::ops::elementwise_unary_folder
