#include "cornu/tensor/ops/decompositions.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/ir/complex.h"
#include "cornu/ops/custom_call/eig.h"
#include "cornu/ops/eigh/eigh.h"
#include "cornu/ops/lu/lu.h"
#include "cornu/ops/matrices.h"
#include "cornu/ops/svd/svd.h"
#include "cornu/tensor/custom_gradient.h"
#include "cornu/tensor/ops/elementwise.h"
#include "cornu/tensor/ops/index.h"
#include "cornu/tensor/ops/linalg.h"
#include "cornu/tensor/ops/reduce.h"
#include "cornu/tensor/ops/shape.h"
#include "cornu/tensor/ops/spectral.h"
#include "cornu/tensor/ops/support.h"

namespace cornu::inline v0::ops {
namespace {

using namespace internal;

std::int64_t num_rows(const Tensor& x) { return x.shape()[x.shape().size() - 2]; }
std::int64_t num_columns(const Tensor& x) { return x.shape().back(); }

/// The conjugate transposes: of real matrices their transposes.
Tensor adjoint(const Tensor& x) {
  const Tensor transposed = swapaxes(x, -2, -1);
  return ir::is_complex(x.dtype()) ? conj(transposed) : transposed;
}

/// x as f32, f64 or complex numbers. Errors: InvalidArgument for less than 2 axes.
Tensor matrices(const char* op, const Tensor& x) {
  if (x.rank() < 2)
    invalid_argument("[{}] x must be matrices, of 2 axes or more; got shape {}", op,
                     ir::shape_str(x.shape()));
  const Tensor given = as_inexact(x);
  return as_dtype(given, accumulation_dtype(given.dtype()));
}

Tensor square_matrices(const char* op, const Tensor& x) {
  const Tensor given = matrices(op, x);
  if (num_rows(x) != num_columns(x))
    invalid_argument("[{}] the matrices must be square; got shape {}", op, ir::shape_str(x.shape()));
  return given;
}

struct Lu {
  Tensor lu, pivots, permutation;
};
Lu lu_of(const Tensor& x) {
  const std::vector<Tensor> values = run_op_many(OpKey("lu"), std::array{x}, [](ir::Builder& b, Values v) {
    const LuValues result = lu(b, v[0]);
    return std::vector<ir::Value>{result.lu, result.pivots, result.permutation};
  });
  return {values[0], values[1], values[2]};
}

/// 1 or -1: the sign of the permutation of a decomposition.
Tensor permutation_sign(const Lu& factors) {
  const Tensor exchanged = not_equal(factors.pivots, arange(factors.pivots.shape().back()));
  const Tensor count = sum(cast(exchanged, DType::kI32), {.axis = -1});
  return cast(1 - mod(count, 2) * 2, factors.lu.dtype());
}

Tensor diagonal_of(const Tensor& x) { return diagonal(x, {.axis1 = -2, .axis2 = -1}); }

Tensor triangular_solution(const Tensor& a, const Tensor& b, const TriangularSystem& system) {
  const OpKey key("triangular_solve", system.lower, system.unit_diagonal, static_cast<int>(system.transpose));
  return run_op(key, std::array{a, b}, [&](ir::Builder& builder, Values v) {
    return triangular_solve(builder, v[0], v[1], system);
  });
}

/// Coefficients and right-hand sides of linear equations in one dtype and one batch.
struct Equations {
  Tensor a, b;
  bool is_vector;  // b had no axis of columns
};
Equations equations(const char* op, const Tensor& a, const Tensor& b, bool is_vector) {
  const Tensor coefficients = square_matrices(op, a);
  const Tensor columns = is_vector ? expand_dims(b, -1) : b;
  if (columns.rank() < 2 || num_rows(columns) != num_columns(a))
    invalid_argument("[{}] shapes {} and {} do not match: b must have as many rows as a", op,
                     ir::shape_str(a.shape()), ir::shape_str(b.shape()));
  const DType dtype = accumulation_dtype(promote_to_float(a, b));
  const Dims batch = broadcast_shapes(Dims(a.shape().begin(), a.shape().end() - 2),
                                      Dims(columns.shape().begin(), columns.shape().end() - 2), op);
  const auto in_batch = [&](const Tensor& x) {
    Dims shape = batch;
    shape.insert(shape.end(), x.shape().end() - 2, x.shape().end());
    return as_dtype(broadcast_to(x, shape), dtype);
  };
  return {in_batch(coefficients), in_batch(columns), is_vector};
}

Tensor solution(const Equations& given, const Tensor& x) { return given.is_vector ? squeeze(x, -1) : x; }

Tensor lu_solution(const Tensor& a, const Tensor& b) {
  const Lu factors = lu_of(a);
  const Tensor rows = take_along_axis(b, expand_dims(factors.permutation, -1), {.axis = b.rank() - 2});
  const Tensor below = triangular_solution(factors.lu, rows, {.lower = true, .unit_diagonal = true});
  return triangular_solution(factors.lu, below, {.lower = false});
}

/// Hermitian if x is complex.
Tensor symmetric(const Tensor& x) { return (x + adjoint(x)) * 0.5; }

Tensor identity_like(const Tensor& x) {
  return broadcast_to(eye(num_columns(x), {.dtype = x.dtype()}), x.shape());
}

/// Q and R of Householder's method: q has `columns` columns, r the first ones of as many rows.
Qr householder(const Tensor& x, std::int64_t columns) {
  const OpKey key("qr", columns);
  const std::vector<Tensor> values = run_op_many(key, std::array{x}, [&](ir::Builder& b, Values v) {
    const std::vector<ir::Value> packed = householder_qr(b, v[0]);
    const Dims& dims = packed[0].dims();
    const auto rank = static_cast<std::int64_t>(dims.size());
    const auto given = std::min(columns, dims.back());
    Dims low(dims.size(), 0), high = dims;
    high.back() = given;
    ir::Value reflectors = slice(b, packed[0], low, high, Dims(dims.size(), 1));
    if (given < columns) {
      Dims after(dims.size(), 0);
      after[static_cast<std::size_t>(rank - 1)] = columns - given;
      reflectors = pad(b, reflectors, full(b, {x.dtype(), {}}, 0), low, after, Dims(dims.size(), 0));
    }
    high = dims;
    high[static_cast<std::size_t>(rank - 2)] = columns;
    const ir::Value rows = slice(b, packed[0], low, high, Dims(dims.size(), 1));
    return std::vector<ir::Value>{householder_product(b, reflectors, packed[1]),
                                  triangle(b, rows, /*lower=*/false)};
  });
  return {values[0], values[1]};
}

/// QR with as many columns as x, with its gradient: (g_Q + Q S) R^-T, where S is symmetric with the lower
/// triangle of R g_R^T - g_Q^T Q.
Qr thin_qr(const Tensor& x) {
  const auto differentiable = v0::custom_gradient([](const Tensor& a) {
    const Qr result = householder(a, num_columns(a));
    const auto gradient = [result](const std::vector<Tensor>& g) {
      if (ir::is_complex(result.q.dtype()))
        invalid_argument("[qr] of complex matrices has no gradient; got {}", type_str(result.q.type()));
      const Tensor& q = result.q;
      const Tensor& r = result.r;
      const Tensor m = matmul(r, adjoint(g[1])) - matmul(adjoint(g[0]), q);
      const Tensor filled = tril(m) + adjoint(tril(m, {.k = -1}));
      const Tensor left = g[0] + matmul(q, filled);
      return adjoint(triangular_solution(r, adjoint(left), {.lower = false}));
    };
    return std::pair(std::vector<Tensor>{result.q, result.r}, gradient);
  });
  const std::vector<Tensor> values = differentiable(x);
  return {values[0], values[1]};
}

double rounding_of_matrices(DType dtype) {
  return ir::real_dtype(dtype) == DType::kF64 ? std::numeric_limits<double>::epsilon()
                                              : std::numeric_limits<float>::epsilon();
}

double larger_extent(const Tensor& x) { return static_cast<double>(std::max(num_rows(x), num_columns(x))); }

}  // namespace

Tensor cholesky(const Tensor& x, const TriangleOptions& options) {
  const Tensor given = square_matrices("cholesky", x);
  const bool lower = !options.upper;
  const Tensor factor = run_op(OpKey("cholesky", lower), std::array{symmetric(given)},
                               [&](ir::Builder& b, Values v) { return cholesky(b, v[0], lower); });
  if (!factor.is_symbolic() && any(isnan(factor)).item<bool>())
    invalid_argument({.argument = "x"}, "[cholesky] x must be symmetric positive definite matrices");
  return factor;
}

Tensor cholesky_inverse(const Tensor& x, const TriangleOptions& options) {
  const Tensor factor = square_matrices("cholesky_inverse", x);
  const Tensor inverse = triangular_solution(factor, identity_like(factor), {.lower = !options.upper});
  return options.upper ? matmul(inverse, adjoint(inverse)) : matmul(adjoint(inverse), inverse);
}

LuFactor lu_factor(const Tensor& x) {
  const Lu factors = lu_of(matrices("lu_factor", x));
  return {factors.lu, factors.pivots};
}

Tensor det(const Tensor& x) {
  const Lu factors = lu_of(square_matrices("det", x));
  return permutation_sign(factors) * prod(diagonal_of(factors.lu), {.axis = -1});
}

SlogDet slogdet(const Tensor& x) {
  const Lu factors = lu_of(square_matrices("slogdet", x));
  const Tensor pivots = diagonal_of(factors.lu);
  return {.sign = permutation_sign(factors) * prod(sign(pivots), {.axis = -1}),
          .logdet = sum(log(abs(pivots)), {.axis = -1})};
}

Tensor logdet(const Tensor& x) { return slogdet(x).logdet; }

Tensor inv(const Tensor& x) {
  const Tensor given = square_matrices("inv", x);
  return lu_solution(given, identity_like(given));
}

Tensor solve(const Tensor& a, const Tensor& b) {
  const Equations given = equations("solve", a, b, b.rank() == 1);
  return solution(given, lu_solution(given.a, given.b));
}

Tensor solve_triangular(const Tensor& a, const Tensor& b, const SolveTriangularOptions& options) {
  const Equations given = equations("solve_triangular", a, b, b.rank() == 1 || b.rank() == a.rank() - 1);
  return solution(given, triangular_solution(given.a, given.b, {.lower = options.lower}));
}

// Of wide matrices [A, B] the first columns give q and the left part of r; the right part is q^T B.
Qr qr(const Tensor& x, const QrOptions& options) {
  const Tensor given = matrices("qr", x);
  if (options.mode != "reduced" && options.mode != "complete")
    invalid_argument({.argument = "mode"}, "[qr] mode must be \"reduced\" or \"complete\"; got mode = \"{}\"",
                     options.mode);
  const std::int64_t m = num_rows(given), n = num_columns(given);
  if (m > n) return options.mode == "complete" ? householder(given, m) : thin_qr(given);
  if (m == n) return thin_qr(given);
  const std::vector<Tensor> parts = split(given, {m}, {.axis = -1});
  const Qr left = thin_qr(parts[0]);
  return {.q = left.q, .r = concatenate({left.r, matmul(adjoint(left.q), parts[1])}, -1)};
}

Eig eig(const Tensor& x) {
  const Tensor given = square_matrices("eig", x);
  const std::vector<Tensor> values =
      run_op_many(OpKey("eig"), std::array{given}, [](ir::Builder& b, Values v) {
        const EigValues result = eig(b, v[0]);
        return std::vector<ir::Value>{result.eigenvalues, result.eigenvectors};
      });
  return {values[0], values[1]};
}

Eigh eigh(const Tensor& x) {
  const Tensor given = square_matrices("eigh", x);
  const std::vector<Tensor> values =
      run_op_many(OpKey("eigh"), std::array{symmetric(given)}, [](ir::Builder& b, Values v) {
        const EighValues result = eigh(b, v[0]);
        return std::vector<ir::Value>{result.eigenvalues, result.eigenvectors};
      });
  return {values[0], values[1]};
}

std::vector<Tensor> svd(const Tensor& x, const SvdOptions& options) {
  const Tensor given = matrices("svd", x);
  const SvdForm form = {.full_matrices = options.full_matrices, .compute_uv = options.compute_uv};
  const OpKey key("svd", form.full_matrices, form.compute_uv);
  return run_op_many(key, std::array{given}, [&](ir::Builder& b, Values v) {
    const SvdValues result = svd(b, v[0], form);
    return form.compute_uv ? std::vector<ir::Value>{result.u, result.s, result.vh}
                           : std::vector<ir::Value>{result.s};
  });
}

Tensor pinv(const Tensor& x, const CutoffOptions& options) {
  const Tensor given = matrices("pinv", x);
  const double rcond =
      options.rcond.value_or(10 * larger_extent(given) * rounding_of_matrices(given.dtype()));
  const std::vector<Tensor> usv = svd(given, {.full_matrices = false});
  const Tensor& s = usv[1];
  const Tensor counts = greater(s, max(s, {.axis = -1, .keepdims = true}) * rcond);
  const Tensor inverse = where(counts, 1.0 / where(counts, s, 1), 0);
  return matmul(adjoint(usv[2]), adjoint(usv[0]) * expand_dims(inverse, -1));
}

Tensor lstsq(const Tensor& a, const Tensor& b, const CutoffOptions& options) {
  if (a.rank() != 2 || (b.rank() != 1 && b.rank() != 2) || b.shape()[0] != a.shape()[0])
    invalid_argument("[lstsq] needs a matrix a [m, n] and b [m] or [m, k]; got shapes {} and {}",
                     ir::shape_str(a.shape()), ir::shape_str(b.shape()));
  const DType dtype = accumulation_dtype(promote_to_float(a, b));
  const double rounding = rounding_of_matrices(dtype);
  double rcond = options.rcond.value_or(rounding * larger_extent(a));
  if (rcond < 0) rcond = rounding;
  const std::vector<Tensor> usv = svd(as_dtype(a, dtype), {.full_matrices = false});
  const Tensor& s = usv[1];
  const Tensor counts = logical_and(greater(s, 0), greater_equal(s, max(s) * rcond));
  const Tensor inverse = where(counts, 1.0 / where(counts, s, 1), 0);
  const Tensor columns = as_dtype(b.rank() == 1 ? expand_dims(b, 1) : b, dtype);
  const Tensor x = matmul(adjoint(usv[2]), expand_dims(inverse, 1) * matmul(adjoint(usv[0]), columns));
  return b.rank() == 1 ? squeeze(x, 1) : x;
}

Tensor matrix_rank(const Tensor& x, const MatrixRankOptions& options) {
  const Tensor given = matrices("matrix_rank", x);
  const Tensor s = svd(given, {.compute_uv = false})[0];
  const Tensor threshold = options.tol ? full({}, *options.tol, s.dtype())
                                       : max(s, {.axis = -1, .keepdims = true}) *
                                             (larger_extent(given) * rounding_of_matrices(s.dtype()));
  return sum(cast(greater(s, threshold), DType::kI32), {.axis = -1});
}

}  // namespace cornu::inline v0::ops
