#include <algorithm>
#include <cmath>
#include <utility>

#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"

namespace cornu::inline v0::ops::elementwise_binary_folder {

std::vector<ConformanceCase> conformance_cases() {
  using ir::DType;
  struct Range {
    double low, high;
  };
  struct Row {
    const char* name;
    ir::Value (*function)(ir::Builder&, ir::Value, ir::Value);
    Range x, y;
    DTypeSet dtypes;
  };
  const Row rows[] = {
      {"add", &add, {-9, 9}, {-9, 9}, kAny},
      {"subtract", &subtract, {-9, 9}, {-9, 9}, kNumber},
      {"multiply", &multiply, {-9, 9}, {-9, 9}, kAny},
      {"divide", &divide, {-9, 9}, {1, 4}, kNumber},
      {"maximum", &maximum, {-9, 9}, {-9, 9}, kAny},
      {"minimum", &minimum, {-9, 9}, {-9, 9}, kAny},
      {"power", &power, {0.3, 3}, {0, 4}, kNumber},
      {"remainder", &remainder, {-9, 9}, {3, 4}, kNumber},
      {"atan2", &atan2, {-3, 3}, {0.5, 3}, kFloat},
      {"and", &and_, {-99, 99}, {-99, 99}, kBits},
      {"or", &or_, {-99, 99}, {-99, 99}, kBits},
      {"xor", &xor_, {-99, 99}, {-99, 99}, kBits},
      {"shift_left", &shift_left, {-99, 99}, {0, 40}, kInteger},
      {"shift_right_logical", &shift_right_logical, {-99, 99}, {0, 40}, kInteger},
      {"shift_right_arithmetic", &shift_right_arithmetic, {-99, 99}, {0, 40}, kInteger},
  };
  const auto make = [](std::string name, const Row& row, ConformanceInput x, ConformanceInput y,
                       bool differentiable) {
    return ConformanceCase{
        .name = std::move(name),
        .inputs = {std::move(x), std::move(y)},
        .build = [function = row.function](ir::Builder& b, ConformanceValues v) -> ConformanceResults {
          return {function(b, v[0], v[1])};
        },
        .differentiable = differentiable};
  };
  std::vector<ConformanceCase> cases;
  // The sign of zero shows in the quotient, which is infinite.
  for (const auto& [name, function] : {std::pair("maximum", &maximum), std::pair("minimum", &minimum)})
    for (const DType dtype : case_dtypes(kFloat))
      cases.push_back({.name = case_name(std::string(name) + "_zeros", dtype),
                       .inputs = {{.type = {dtype, {16}}, .values = {0.0, -0.0, 0.0, -0.0}},
                                  {.type = {dtype, {16}}, .values = {0.0, 0.0, -0.0, -0.0}}},
                       .build = [function](ir::Builder& b, ConformanceValues v) -> ConformanceResults {
                         return {divide(b, full(b, v[0].type(), 1), function(b, v[0], v[1]))};
                       }});
  for (const Row& row : rows) {
    for (DType dtype : case_dtypes(row.dtypes)) {
      const bool is_unsigned = ir::is_unsigned_integer(dtype);
      // Whole numbers of power's base start at 0, of the others where their range does.
      const ConformanceInput x{.type = {dtype, {5, 3}},
                               .low = is_unsigned ? std::max(0.0, row.x.low) : row.x.low,
                               .high = row.x.high};
      const ConformanceInput y{.type = {dtype, {5, 3}},
                               .low = is_unsigned ? std::max(0.0, row.y.low) : row.y.low,
                               .high = row.y.high};
      cases.push_back(make(case_name(row.name, dtype), row, x, y, ir::is_float(dtype)));
    }
    // All pairs of values at the edges: overflow, shifts by the width, infinities. Integer division by zero
    // and INT_MIN / -1, which the specification leaves open, make a case of their own.
    const std::vector<double> integer_edges = {-2147483648.0, 2147483647.0, -1, 0, 1, 2, -7, 31};
    const std::vector<double> float_edges = {0.0, -0.0, 1, -1, 0.5, 1e30, HUGE_VAL, -HUGE_VAL, std::nan("")};
    for (DType dtype : {DType::kI32, DType::kF32}) {
      if (!contains(row.dtypes, dtype)) continue;
      const std::vector<double>& values = dtype == DType::kI32 ? integer_edges : float_edges;
      const bool divides = dtype == DType::kI32 && (row.function == &divide || row.function == &remainder);
      std::vector<double> x[2], y[2];
      for (double a : values) {
        for (double b : values) {
          const bool is_open = divides && (b == 0 || (a == values[0] && b == -1));
          x[is_open].push_back(a), y[is_open].push_back(b);
        }
      }
      for (int is_open : {0, 1}) {
        if (x[is_open].empty()) continue;
        const ir::TensorType type{dtype, {static_cast<std::int64_t>(x[is_open].size())}};
        const std::string name = case_name(std::string(row.name) + (is_open ? "_open" : "_edges"), dtype);
        cases.push_back(make(name, row, {.type = type, .values = x[is_open]},
                             {.type = type, .values = y[is_open]}, false));
      }
    }
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::elementwise_binary_folder
