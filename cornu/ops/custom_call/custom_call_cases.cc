#include "cornu/ops/custom_call/custom_call.h"

#include <fmt/format.h>

#include "cornu/ops/compare/compare.h"
#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/custom_call/eig.h"
#include "cornu/ops/custom_call/schur.h"
#include "cornu/ops/decomposition_test_support.h"

namespace cornu::inline v0::ops::custom_call_folder {

namespace {

/// Numbers that depend neither on the order of eigenvalues nor on the phases of eigenvectors.
ConformanceResults eig_invariants(ir::Builder& b, ir::Value a) {
  const EigValues result = eig(b, a);
  const ir::Value v = result.eigenvectors;
  ir::Dims row_dims = v.dims();
  row_dims[row_dims.size() - 2] = 1;
  const ir::Value row = reshape(b, result.eigenvalues, row_dims);
  const ir::Value scaled = multiply(b, v, matrix_loops::spread(b, row, v.dims()));
  ConformanceResults results = real_parts(b, matrix_product(b, scaled, matrix_transpose(b, v, true)));
  const ir::Value residual = subtract(
      b, scaled, matrix_product(b, ir::is_complex(a.dtype()) ? a : complex(b, a, full(b, a.type(), 0)), v));
  const ir::Value one = full(b, {ir::real_dtype(v.dtype()), v.dims()}, 1);
  results.push_back(add(b, one, magnitudes(b, residual)));
  for (const ir::Value& part : real_parts(b, matrix_loops::sum_along(b, multiply(b, row, row), 1)))
    results.push_back(part);
  return results;
}

void add_eig_cases(std::vector<ConformanceCase>& cases) {
  for (const ir::DType dtype : {ir::DType::kF32, ir::DType::kF64})
    for (const bool is_complex : {false, true})
      for (const ir::Dims& dims : {ir::Dims{2, 4, 4}, ir::Dims{5, 5}, ir::Dims{1, 1}, ir::Dims{0, 0}}) {
        const ConformanceInput input{.type = {dtype, dims}, .low = -1, .high = 1};
        cases.push_back(
            {.name = case_name(fmt::format("eig_{}{}", is_complex ? "complex_" : "", fmt::join(dims, "x")),
                               dtype),
             .inputs = std::vector<ConformanceInput>(is_complex ? 2 : 1, input),
             .build = [](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
               return eig_invariants(b, with_diagonal(b, matrix_of(b, x), 3));
             },
             .differentiable = dims[0] != 0,
             .tolerance_factor = 10});  // other orders of rotations
      }
}

/// The numbers of x below the diagonal and `distance` others.
ir::Value below_diagonals(ir::Builder& b, ir::Value x, int distance) {
  const ir::Value rows = matrix_loops::positions(b, x.dims(), 2);
  const ir::Value limits = subtract(b, rows, full(b, rows.type(), distance));
  return matrix_loops::masked(
      b, compare(b, limits, matrix_loops::positions(b, x.dims(), 1), ComparisonDirection::kGt), x);
}

/// Numbers that depend neither on the order of eigenvalues nor on the signs of columns.
ConformanceResults schur_invariants(ir::Builder& b, ir::Value a) {
  const SchurValues result = schur(b, a);
  const ir::Value adjoint = matrix_transpose(b, result.vectors, true);
  ConformanceResults results;
  const auto add_parts = [&](ir::Value x) {
    for (const ir::Value& part : real_parts(b, x)) results.push_back(part);
  };
  add_parts(matrix_product(b, matrix_product(b, result.vectors, result.t), adjoint));
  results.push_back(magnitudes(b, matrix_product(b, result.vectors, adjoint)));
  add_parts(below_diagonals(b, result.t, ir::is_complex(a.dtype()) ? 0 : 1));
  ir::Dims row_dims = a.dims();
  row_dims[row_dims.size() - 2] = 1;
  const ir::Value row = reshape(b, result.eigenvalues, row_dims);
  add_parts(matrix_loops::sum_along(b, multiply(b, row, row), 1));
  return results;
}

void add_schur_cases(std::vector<ConformanceCase>& cases) {
  for (const ir::DType dtype : {ir::DType::kF32, ir::DType::kF64})
    for (const bool is_complex : {false, true})
      for (const ir::Dims& dims : {ir::Dims{3, 4, 4}, ir::Dims{7, 7}, ir::Dims{2, 2}, ir::Dims{0, 0}})
        cases.push_back(
            {.name = case_name(fmt::format("schur_{}{}", is_complex ? "complex_" : "", fmt::join(dims, "x")),
                               dtype),
             .inputs = std::vector<ConformanceInput>(is_complex ? 2 : 1,
                                                     {.type = {dtype, dims}, .low = -1, .high = 1}),
             .build = [](ir::Builder& b,
                         ConformanceValues x) { return schur_invariants(b, matrix_of(b, x)); },
             .differentiable = false,
             .tolerance_factor = 10});  // other orders of rotations
}

}  // namespace

std::vector<ConformanceCase> conformance_cases() {
  std::vector<ConformanceCase> cases;
  add_eig_cases(cases);
  add_schur_cases(cases);
  for (const ir::DType dtype : {ir::DType::kF32, ir::DType::kF64})
    for (const bool is_complex : {false, true})
      for (const ir::Dims& dims : {ir::Dims{5, 5, 3}, ir::Dims{4, 4}, ir::Dims{3, 5}, ir::Dims{1, 1}})
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
