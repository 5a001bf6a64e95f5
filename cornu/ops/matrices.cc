#include "cornu/ops/matrices.h"

#include <utility>

#include "cornu/base/check.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/complex/complex.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/dot_general/dot_general.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/iota/iota.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/transpose/transpose.h"

namespace cornu::inline v0::ops {

void check_matrices(const ir::TensorType& type, std::string_view name, std::string_view label) {
  if (!ir::is_float(type.dtype) && !ir::is_complex(type.dtype))
    invalid_argument("(I1) {} must be of floats or complex numbers; got {}", name, type.str());
  if (type.rank() < 2)
    invalid_argument("({}) {} must have at least 2 dimensions; got {}", label, name, type.str());
}

void check_decomposed(const ir::TensorType& type, std::string_view name, std::string_view label) {
  if (type.dtype == ir::DType::kF16 || type.dtype == ir::DType::kBF16)
    invalid_argument("(I1) {} must be of f32, f64 or complex numbers; got {}: convert it first", name,
                     type.str());
  check_matrices(type, name, label);
}

ir::Value matrix_transpose(ir::Builder& b, ir::Value x, bool conjugate_too) {
  ir::Dims order = counting(x.rank());
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  const ir::Value transposed = transpose(b, x, order);
  return conjugate_too ? conjugate(b, transposed) : transposed;
}

ir::Value matrix_product(ir::Builder& b, ir::Value x, ir::Value y) {
  const std::int64_t rank = x.rank();
  const ir::Dims batch = counting(rank - 2);
  return dot_general(b, x, y,
                     {.lhs_batching = batch,
                      .rhs_batching = batch,
                      .lhs_contracting = {rank - 1},
                      .rhs_contracting = {rank - 2}});
}

ir::Value triangle(ir::Builder& b, ir::Value x, bool lower, double diagonal) {
  const ir::TensorType positions{ir::DType::kI32, x.dims()};
  const ir::Value row = iota(b, positions, x.rank() - 2), column = iota(b, positions, x.rank() - 1);
  const ir::Value inside =
      compare(b, row, column, lower ? ComparisonDirection::kGt : ComparisonDirection::kLt);
  const ir::Value on = compare(b, row, column, ComparisonDirection::kEq);
  const ir::Value zero = full(b, x.type(), 0);
  const ir::Value scaled = diagonal == 0   ? zero
                           : diagonal == 1 ? x
                                           : multiply(b, x, full(b, x.type(), diagonal));
  return select(b, on, scaled, select(b, inside, x, zero));
}

}  // namespace cornu::inline v0::ops
