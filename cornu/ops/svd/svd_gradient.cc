#include "cornu/ops/svd/svd_gradient.h"

#include "cornu/ops/compare/compare.h"
#include "cornu/ops/complex/complex.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/matrices.h"
#include "cornu/ops/matrix_loops.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/select/select.h"

namespace cornu::inline v0::ops {
namespace svd_gradients {
namespace {

using ir::Builder;
using ir::Value;
using matrix_loops::as_number;
using matrix_loops::spread;

class Rule {
 public:
  Rule(Builder& b, const SvdValues& thin) : b_(b), dtype_(thin.u.dtype()), u_(thin.u) {
    v_ = matrix_transpose(b, thin.vh, true);
    ir::Dims dims = thin.s.dims();
    dims.insert(dims.end() - 1, 1);
    row_ = reshape(b, thin.s, dims);
    square_ = dims;
    square_[square_.size() - 2] = dims.back();
    on_diagonal_ = matrix_loops::on_diagonal(b, square_);
    by_column_ = spread(b, row_, square_);
    by_row_ = spread(b, matrix_transpose(b, row_), square_);
  }

  Value gradient(Value a, const SvdGradients& g) {
    Value inner = full(b_, {dtype_, square_}, 0);  // of dS
    if (g.s) {
      const Value row = spread(b_, reshape(b_, g.s, row_.dims()), square_);
      inner = add(b_, inner, number(matrix_loops::masked(b_, on_diagonal_, row)));
    }
    if (g.u) inner = add(b_, inner, by_left_vectors(g.u));
    const Value v_gradient = g.vh ? matrix_transpose(b_, g.vh, true) : Value();
    if (v_gradient)
      inner = add(b_, inner, multiply(b_, number(by_row_), with_adjoint(scaled_by_f(v_, v_gradient))));
    Value result = product(product(conjugate(b_, u_), inner), transposed(v_));
    const ir::Dims& dims = a.dims();
    const std::int64_t m = dims[dims.size() - 2], n = dims.back();
    if (g.u && m > n) result = add(b_, result, product(outside(u_, g.u), transposed(v_)));
    if (v_gradient && n > m)
      result = add(b_, result, matrix_transpose(b_, product(outside(v_, v_gradient), transposed(u_)), true));
    return result;
  }

 private:
  Value number(Value x) { return as_number(b_, x, dtype_); }
  Value product(Value x, Value y) { return matrix_product(b_, x, y); }
  Value transposed(Value x) { return matrix_transpose(b_, x); }
  Value with_adjoint(Value x) { return add(b_, x, matrix_transpose(b_, x, true)); }

  /// 1 / x where the mask is true, else 0.
  Value inverse(Value mask, Value x) {
    const Value one = full(b_, x.type(), 1);
    return matrix_loops::masked(b_, mask, divide(b_, one, select(b_, mask, x, one)));
  }

  /// F * (vectors^T gradient).
  Value scaled_by_f(Value vectors, Value gradient) {
    const Value differences = multiply(b_, add(b_, by_column_, by_row_), subtract(b_, by_column_, by_row_));
    const Value f = inverse(not_(b_, on_diagonal_), differences);
    return multiply(b_, number(f), product(transposed(vectors), gradient));
  }

  Value by_left_vectors(Value g) {
    const Value by_lengths = multiply(b_, number(by_column_), with_adjoint(scaled_by_f(u_, g)));
    if (!ir::is_complex(dtype_)) return by_lengths;  // dS - dS^H is zero on the diagonal
    const Value not_zero = compare(b_, by_column_, full(b_, by_column_.type(), 0), ComparisonDirection::kNe);
    const Value half =
        multiply(b_, inverse(and_(b_, on_diagonal_, not_zero), by_column_), full(b_, by_column_.type(), 0.5));
    const Value phases = multiply(b_, number(half), product(transposed(u_), g));
    return add(b_, by_lengths, subtract(b_, phases, matrix_transpose(b_, phases, true)));
  }

  /// The gradient of da v, or of da^H u, by the part of the vectors' change that leaves their span.
  Value outside(Value vectors, Value gradient) {
    const Value scaled = divide(b_, gradient, number(spread(b_, row_, gradient.dims())));
    return subtract(b_, scaled, product(conjugate(b_, vectors), product(transposed(vectors), scaled)));
  }

  Builder& b_;
  ir::DType dtype_;
  Value u_, v_;
  Value row_;                 // the singular values, extent 1 in the dimension before the last
  ir::Dims square_;           // [batch..., k, k]
  Value by_row_, by_column_;  // s_i and s_j
  Value on_diagonal_;
};

}  // namespace
}  // namespace svd_gradients

ir::Value svd_gradient(ir::Builder& builder, ir::Value a, const SvdValues& thin,
                       const SvdGradients& gradients) {
  return svd_gradients::Rule(builder, thin).gradient(a, gradients);
}

}  // namespace cornu::inline v0::ops
