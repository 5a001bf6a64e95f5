#include "cornu/ops/complex/complex.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "cornu/ir/complex.h"
#include "cornu/ops/bitcast_convert/bitcast_convert.h"
#include "cornu/ops/chlo_unary/chlo_unary.h"
#include "cornu/ops/cholesky/cholesky.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/concatenate/concatenate.h"
#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/dot_general/dot_general.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/iota/iota.h"
#include "cornu/ops/matrices.h"
#include "cornu/ops/reduce/reduce.h"
#include "cornu/ops/reduce_window/reduce_window.h"
#include "cornu/ops/reverse/reverse.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/slice/slice.h"
#include "cornu/ops/sort/sort.h"
#include "cornu/ops/transpose/transpose.h"
#include "cornu/ops/triangular_solve/triangular_solve.h"
#include "cornu/ops/while/while.h"

namespace cornu::inline v0::ops::complex_folder {
namespace {

using ir::Builder;
using ir::DType;
using ir::Value;

/// Cases have real inputs, the parts, and real results, so that tolerances and differences apply.
using Unary = Value (*)(Builder&, Value);
using Binary = Value (*)(Builder&, Value, Value);

ConformanceResults parts(Builder& b, Value z) { return {real(b, z), imag(b, z)}; }

ConformanceInput input(DType dtype, ir::Dims dims, double low, double high) {
  return {.type = {dtype, std::move(dims)}, .low = low, .high = high};
}

void add_unary(std::vector<ConformanceCase>& cases, DType dtype) {
  struct Row {
    const char* name;
    Unary function;
    double low, high;
    bool differentiable = true;
  };
  const Row rows[] = {{"abs", &abs, 0.2, 3},
                      {"negate", &negate, -3, 3},
                      {"sign", &sign, 0.2, 3, false},
                      {"exponential", &exponential, -3, 3},
                      {"exponential_minus_one", &exponential_minus_one, -2, 2},
                      {"log", &log, 0.1, 4},
                      {"log_plus_one", &log_plus_one, -0.7, 3},
                      {"logistic", &logistic, -1.4, 1.4},
                      {"sqrt", &sqrt, -4, -0.1},
                      {"rsqrt", &rsqrt, 0.1, 4},
                      {"tanh", &tanh, -0.7, 0.7},
                      {"sine", &sine, -3, 3},
                      {"cosine", &cosine, -3, 3},
                      {"tan", &tan, -0.7, 0.7},
                      {"sinh", &sinh, -2, 2},
                      {"square", &square, -3, 3},
                      {"cbrt", &cbrt, 0.2, 4},
                      {"conjugate", &conjugate, -3, 3}};
  // Both parts run through zeros, small and large numbers, infinities and NaN.
  const std::vector<double> special = {0.0, -0.0, 1, -1, 1e-20, -1e-20, 60, -60, 1e18, HUGE_VAL, -HUGE_VAL};
  for (const Row& row : rows) {
    const auto build = [function = row.function](Builder& b, ConformanceValues x) -> ConformanceResults {
      return parts(b, function(b, complex(b, x[0], x[1])));
    };
    cases.push_back(
        {.name = case_name(std::string("complex_") + row.name, dtype),
         .inputs = {input(dtype, {3, 7}, row.low, row.high), input(dtype, {3, 7}, row.low, row.high)},
         .build = build,
         .differentiable = row.differentiable});
  }
  for (const Row& row : {rows[0], rows[1], rows[8], rows[16]}) {
    const auto build = [function = row.function](Builder& b, ConformanceValues x) -> ConformanceResults {
      return parts(b, function(b, complex(b, x[0], x[1])));
    };
    std::vector<double> re, im;
    for (const double x : special)
      for (const double y : special) {
        re.push_back(x);
        im.push_back(y);
      }
    const auto count = static_cast<std::int64_t>(re.size());
    cases.push_back(
        {.name = case_name(fmt::format("complex_{}_special", row.name), dtype),
         .inputs = {{.type = {dtype, {count}}, .values = re}, {.type = {dtype, {count}}, .values = im}},
         .build = build});
  }
}

void add_binary(std::vector<ConformanceCase>& cases, DType dtype) {
  struct Row {
    const char* name;
    Binary function;
    bool differentiable = true;
  };
  const Row rows[] = {
      {"add", &add},     {"subtract", &subtract}, {"multiply", &multiply},      {"divide", &divide},
      {"power", &power}, {"atan2", &atan2},       {"maximum", &maximum, false}, {"minimum", &minimum, false}};
  for (const Row& row : rows)
    cases.push_back(
        {.name = case_name(std::string("complex_") + row.name, dtype),
         .inputs = {input(dtype, {3, 5}, 0.2, 2), input(dtype, {3, 5}, -2, 2), input(dtype, {3, 5}, 0.2, 2),
                    input(dtype, {3, 5}, -2, 2)},
         .build = [function = row.function](Builder& b, ConformanceValues x) -> ConformanceResults {
           return parts(b, function(b, complex(b, x[0], x[1]), complex(b, x[2], x[3])));
         },
         .differentiable = row.differentiable});
  for (const ComparisonDirection direction : {ComparisonDirection::kEq, ComparisonDirection::kNe,
                                              ComparisonDirection::kLt, ComparisonDirection::kGe}) {
    ConformanceInput values = input(dtype, {4, 4}, 0, 0);
    values.values = {1, 2, 1, 2, 3, 1, 1};
    ConformanceInput others = values;
    others.values = {1, 1, 2, 2, 3};
    cases.push_back(
        {.name = case_name(fmt::format("complex_compare_{}", comparison_direction_name(direction)), dtype),
         .inputs = {values, others, others, values},
         .build = [direction](Builder& b, ConformanceValues x) -> ConformanceResults {
           return {compare(b, complex(b, x[0], x[1]), complex(b, x[2], x[3]), direction)};
         }});
  }
}

/// z z^H + 2 I
Value positive(Builder& b, Value z) {
  const Value square = matrix_product(b, z, matrix_transpose(b, z, true));
  const Value two = triangle(b, triangle(b, full(b, square.type(), 2), true), false);
  return add(b, square, two);
}

Value solved(Builder& b, Value z) { return triangular_solve(b, positive(b, z), z, {.lower = false}); }
Value solved_adjoint(Builder& b, Value z) {
  return triangular_solve(b, positive(b, z), matrix_transpose(b, z),
                          {.left_side = false, .transpose = TriangleTranspose::kAdjoint});
}

/// Sorts by the real parts.
Value sorted(Builder& b, Value z) {
  return sort(b, {z},
              [](Builder& inner, std::span<const Value> v) {
                return compare(inner, real(inner, v[0]), real(inner, v[1]), ComparisonDirection::kLt);
              },
              {.dimension = 1})[0];
}

/// Squares three times and adds z.
Value iterated(Builder& b, Value z) {
  const Value start = scalar(b, DType::kI32, 0);
  return while_(
      b, {start, z},
      [](Builder& inner, std::span<const Value> v) {
        return compare(inner, v[0], scalar(inner, DType::kI32, 3), ComparisonDirection::kLt);
      },
      [](Builder& inner, std::span<const Value> v) -> std::vector<Value> {
        return {add(inner, v[0], scalar(inner, DType::kI32, 1)),
                add(inner, multiply(inner, v[1], v[1]), v[1])};
      })[1];
}

void add_others(std::vector<ConformanceCase>& cases, DType dtype) {
  struct Row {
    const char* name;
    Unary function;
    bool differentiable = true;
  };
  const Row rows[] = {
      {"reverse", [](Builder& b, Value z) { return reverse(b, z, {1}); }},
      {"transpose", [](Builder& b, Value z) { return transpose(b, z, {1, 0}); }},
      {"slice", [](Builder& b, Value z) { return slice(b, z, {0, 1}, {3, 4}, {2, 1}); }},
      {"concatenate", [](Builder& b, Value z) { return concatenate(b, {z, negate(b, z)}, 0); }},
      {"reduce_sum", [](Builder& b, Value z) { return reduce_sum(b, z, {1}); }},
      {"reduce_product", [](Builder& b, Value z) { return reduce_product(b, z, {1}); }},
      {"cumulative_sum", [](Builder& b, Value z) { return cumulative_sum(b, z, 1, false); }},
      {"sort", &sorted, false},
      {"while", &iterated},
      {"cholesky", [](Builder& b, Value z) { return cholesky(b, positive(b, z), true); }},
      {"cholesky_upper", [](Builder& b, Value z) { return cholesky(b, positive(b, z), false); }},
      {"triangular_solve", &solved},
      {"triangular_solve_adjoint", &solved_adjoint},
      {"matmul", [](Builder& b, Value z) { return matmul(b, z, transpose(b, z, {1, 0})); }},
      {"iota", [](Builder& b, Value z) { return multiply(b, z, iota(b, z.type(), 1)); }},
      {"convert", [](Builder& b, Value z) { return convert(b, convert(b, z, DType::kC128), z.dtype()); }}};
  for (const Row& row : rows)
    cases.push_back(
        {.name = case_name(std::string("complex_") + row.name, dtype),
         .inputs = {input(dtype, {3, 4}, -0.9, 0.9), input(dtype, {3, 4}, -0.9, 0.9)},
         .build = [function = row.function](Builder& b, ConformanceValues x) -> ConformanceResults {
           return parts(b, function(b, complex(b, x[0], x[1])));
         },
         .differentiable = row.differentiable});
  for (const auto& [name, function] : {std::pair{"real", &real}, std::pair{"imag", &imag}})
    cases.push_back({.name = case_name(name, dtype),
                     .inputs = {input(dtype, {3, 4}, -2, 2), input(dtype, {3, 4}, -2, 2)},
                     .build = [function = function](Builder& b, ConformanceValues x) -> ConformanceResults {
                       const Value z = complex(b, x[0], x[1]);
                       return {function(b, multiply(b, z, z))};
                     },
                     .differentiable = true});
  for (const std::int64_t num_rows : {3, 400})  // without a kernel of the engine, and with one
    cases.push_back({.name = case_name(fmt::format("split_parts_{}", num_rows), dtype),
                     .inputs = {input(dtype, {num_rows, 2}, -2, 2)},
                     .build = [](Builder& b, ConformanceValues x) -> ConformanceResults {
                       const std::vector<Value> z = split_parts(b, x[0]);
                       return {z[0], z[1], join_parts(b, z[1], z[0])};
                     },
                     .differentiable = num_rows == 3});
  cases.push_back({.name = case_name("join_parts", dtype),
                   .inputs = {input(dtype, {3}, -2, 2), input(dtype, {3}, -2, 2)},
                   .build = [](Builder& b, ConformanceValues x) -> ConformanceResults {
                     return {join_parts(b, x[0], x[1])};
                   },
                   .differentiable = true});
  cases.push_back({.name = case_name("complex_bitcast_convert", dtype),
                   .inputs = {input(dtype, {3, 4}, -2, 2), input(dtype, {3, 4}, -2, 2)},
                   .build = [](Builder& b, ConformanceValues x) -> ConformanceResults {
                     const Value z = complex(b, x[0], x[1]);
                     const Value words = bitcast_convert(b, z, DType::kI32);
                     return {words, real(b, bitcast_convert(b, words, z.dtype()))};
                   }});
}

}  // namespace

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  for (const DType dtype : {DType::kF32, DType::kF64}) {
    add_unary(cases, dtype);
    add_binary(cases, dtype);
    add_others(cases, dtype);
  }
  return cases;
}

}  // namespace cornu::inline v0::ops::complex_folder
