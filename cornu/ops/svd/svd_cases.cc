#include "cornu/ops/svd/svd.h"

#include <fmt/format.h>

#include <algorithm>

#include "cornu/ops/conformance_test_support.h"
#include "cornu/ops/decomposition_test_support.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/matrices.h"
#include "cornu/ops/slice/slice.h"

namespace cornu::inline v0::ops::svd_folder {
namespace {

/// The first `count` rows or columns.
ir::Value first(ir::Builder& b, ir::Value x, std::int64_t dimension, std::int64_t count) {
  ir::Dims limits = x.dims();
  limits[static_cast<std::size_t>(dimension)] = count;
  return slice(b, x, ir::Dims(limits.size(), 0), limits, ir::Dims(limits.size(), 1));
}

/// Vectors beyond the first min(m, n) are any that complete the others: only their products are compared.
ConformanceResults comparable(ir::Builder& b, const SvdValues& values, bool full_matrices) {
  ConformanceResults results = {values.s};
  if (!values.u) return results;
  const std::int64_t count = values.s.dims().back(), rank = values.u.rank();
  const ir::Value u = first(b, values.u, rank - 1, count), vh = first(b, values.vh, rank - 2, count);
  for (const ir::Value& part : real_parts(b, scaled_product(b, u, values.s, vh))) results.push_back(part);
  results.push_back(magnitudes(b, u));
  results.push_back(magnitudes(b, vh));
  if (!full_matrices) return results;
  for (const ir::Value& vectors : {values.u, values.vh})  // the identity
    results.push_back(abs(b, matrix_product(b, vectors, matrix_transpose(b, vectors, true))));
  return results;
}

}  // namespace

std::vector<ConformanceCase> conformance_cases() {
  struct Form {
    const char* name;
    SvdForm form;
  };
  const Form forms[] = {{"", {.full_matrices = false}},
                        {"full_", {.full_matrices = true}},
                        {"values_", {.full_matrices = false, .compute_uv = false}}};
  std::vector<ConformanceCase> cases;
  for (const ir::DType dtype : {ir::DType::kF32, ir::DType::kF64})
    for (const bool is_complex : {false, true})
      for (const Form& form : forms)
        for (const ir::Dims& dims :
             {ir::Dims{5, 4, 4}, ir::Dims{5, 3}, ir::Dims{4, 2, 5}, ir::Dims{1, 1}, ir::Dims{0, 3}}) {
          const ConformanceInput input{.type = {dtype, dims}, .low = -1, .high = 1};
          std::vector<ConformanceInput> inputs(is_complex ? 2 : 1, input);
          const bool is_square = dims[dims.size() - 2] == dims.back();
          cases.push_back(
              {.name = case_name(
                   fmt::format("svd_{}{}{}", is_complex ? "complex_" : "", form.name, fmt::join(dims, "x")),
                   dtype),
               .inputs = std::move(inputs),
               .build = [form = form.form](ir::Builder& b, ConformanceValues x) -> ConformanceResults {
                 return comparable(b, svd(b, with_diagonal(b, matrix_of(b, x), 3), form), form.full_matrices);
               },
               .differentiable = dims[0] != 0 && (is_square || !form.form.full_matrices),
               .tolerance_factor =
                   10});  // Jacobi's rotations on one side, steps on a bidiagonal form on the other
        }
  return cases;
}

}  // namespace cornu::inline v0::ops::svd_folder
