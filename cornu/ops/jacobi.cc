#include "cornu/ops/jacobi.h"

#include <algorithm>
#include <limits>

#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/complex/complex.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/matrices.h"
#include "cornu/ops/matrix_loops.h"
#include "cornu/ops/reduce/reduce.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/select/select.h"
#include "cornu/ops/sort/sort.h"
#include "cornu/ops/while/while.h"

namespace cornu::inline v0::ops {
namespace jacobi {
namespace {

using ir::Builder;
using ir::Value;
using matrix_loops::masked;
using matrix_loops::spread;

constexpr std::int64_t kMaxSweeps = 20;

double epsilon(ir::DType dtype) {
  return ir::real_dtype(dtype) == ir::DType::kF32 ? std::numeric_limits<float>::epsilon()
                                                  : std::numeric_limits<double>::epsilon();
}

Value is(Builder& b, Value x, ComparisonDirection direction, double y) {
  return compare(b, x, full(b, x.type(), y), direction);
}

/// x where `mask` is true, else 1.
Value or_one(Builder& b, Value mask, Value x) { return select(b, mask, x, full(b, x.type(), 1)); }

/// Each round of a sweep pairs all rows, as a tournament of n players does: the partner of row p is
/// (2 round - p) mod (n - 1), the last row replaces a partner that is p itself. For odd n the modulus is n,
/// and such a row has no partner.
struct Pairing {
  Pairing(Builder& b, const ir::Dims& dims, Value round) {
    const std::int64_t n = dims.back(), modulus = num_rounds(n);
    const Value row = matrix_loops::positions(b, dims, 2), column = matrix_loops::positions(b, dims, 1);
    const Value twice = broadcast_scalar(b, add(b, round, round), dims);
    const Value shifted = add(b, subtract(b, twice, row), full(b, row.type(), static_cast<double>(modulus)));
    Value partner = remainder(b, shifted, full(b, row.type(), static_cast<double>(modulus)));
    if (n % 2 == 0) {
      const Value last = full(b, row.type(), static_cast<double>(n - 1));
      partner = select(b, compare(b, partner, row, ComparisonDirection::kEq), last, partner);
      partner = select(b, compare(b, row, last, ComparisonDirection::kEq), broadcast_scalar(b, round, dims),
                       partner);
    }
    is_diagonal = compare(b, row, column, ComparisonDirection::kEq);
    is_pair = and_(b, compare(b, partner, column, ComparisonDirection::kEq), not_(b, is_diagonal));
    is_first = compare(b, row, partner, ComparisonDirection::kLt);
  }
  static std::int64_t num_rounds(std::int64_t n) { return n % 2 == 0 ? n - 1 : n; }

  Value is_diagonal, is_pair;  // of (row, column)
  Value is_first;              // true in the row of a pair that comes first
};

/// The unitary matrix that makes the pairs' elements of `matrices` zero, which are Hermitian up to rounding.
Value rotation(Builder& b, Value matrices, const Pairing& pairing) {
  const ir::Dims& dims = matrices.dims();
  // Both rows of a pair must get the same angle, even if its elements are nothing but rounding.
  const Value h =
      multiply(b, add(b, matrices, matrix_transpose(b, matrices, true)), full(b, matrices.type(), 0.5));
  const Value own = matrix_loops::sum_along(b, masked(b, pairing.is_diagonal, real(b, h)), 1);
  const Value as_row = matrix_transpose(b, own);
  const Value other = matrix_loops::sum_along(b, masked(b, pairing.is_pair, spread(b, as_row, dims)), 1);
  const Value element = matrix_loops::sum_along(b, masked(b, pairing.is_pair, h), 1);
  const Value size = abs(b, element), rotates = is(b, size, ComparisonDirection::kGt, 0);
  const Value safe_size = or_one(b, rotates, size);

  const Value zeta = divide(b, subtract(b, other, own), add(b, safe_size, safe_size));
  const Value first = matrix_loops::part(b, pairing.is_first, matrix_loops::index(b, 0),
                                         matrix_loops::index(b, 0), dims[dims.size() - 2], 1);
  const Value one = full(b, zeta.type(), 1), minus_one = full(b, zeta.type(), -1);
  const Value sign_of =
      select(b, is(b, zeta, ComparisonDirection::kEq, 0), select(b, first, one, minus_one), sign(b, zeta));
  const Value root = sqrt(b, add(b, one, multiply(b, zeta, zeta)));
  const Value tangent = divide(b, sign_of, add(b, abs(b, zeta), root));
  const Value cosine = divide(b, one, sqrt(b, add(b, one, multiply(b, tangent, tangent))));
  const Value phase =
      divide(b, element, matrix_loops::as_number(b, safe_size, h.dtype()));  // 0 if nothing rotates
  const Value sine = multiply(b, matrix_loops::as_number(b, multiply(b, tangent, cosine), h.dtype()), phase);
  const Value on_diagonal = matrix_loops::as_number(b, or_one(b, rotates, cosine), h.dtype());
  return select(b, pairing.is_diagonal, spread(b, on_diagonal, dims),
                masked(b, pairing.is_pair, spread(b, sine, dims)));
}

/// True if an element of `x` is larger than `limit`.
Value any_above(Builder& b, Value x, Value limit) {
  return reduce_or(b, compare(b, x, limit, ComparisonDirection::kGt), counting(x.rank()));
}

/// Repeats `step`, of a round's number and two values, until `is_unfinished` is false.
template <typename Unfinished, typename Step>
JacobiResult sweeps(Builder& b, std::int64_t n, Value matrices, Value rotations,
                    const Unfinished& is_unfinished, const Step& step) {
  const std::int64_t num_rounds = Pairing::num_rounds(n);
  const std::vector<Value> results = while_(
      b, {matrix_loops::index(b, 0), matrices, rotations},
      [&](Builder& inner, std::span<const Value> v) {
        return and_(inner,
                    is(inner, v[0], ComparisonDirection::kLt, static_cast<double>(kMaxSweeps * num_rounds)),
                    is_unfinished(inner, v[1]));
      },
      [&](Builder& inner, std::span<const Value> v) -> std::vector<Value> {
        const Value round = remainder(inner, v[0], matrix_loops::index(inner, num_rounds));
        const JacobiResult next = step(inner, round, v[1], v[2]);
        return {add(inner, v[0], matrix_loops::index(inner, 1)), next.matrices, next.rotations};
      });
  return {results[1], results[2]};
}

/// The sums of squares of magnitudes of matrices.
Value square_sums(Builder& b, Value x) {
  const Value squares = real(b, multiply(b, x, conjugate(b, x)));
  return reduce_sum(b, squares, {x.rank() - 2, x.rank() - 1});
}

/// True while elements beside the diagonal of Hermitian matrices matter.
Value has_other_elements(Builder& b, Value h) {
  const Value others = masked(b, not_(b, matrix_loops::on_diagonal(b, h.dims())), h);
  const double bound = epsilon(h.dtype()) * static_cast<double>(h.dims().back());
  const Value total = square_sums(b, h);
  return any_above(b, square_sums(b, others), multiply(b, total, full(b, total.type(), bound * bound)));
}

/// True while two columns of x are not orthogonal.
Value has_angles(Builder& b, Value x) {
  const Value products = matrix_product(b, matrix_transpose(b, x, true), x);
  const Value on_diagonal = matrix_loops::on_diagonal(b, products.dims());
  const Value squares = matrix_loops::sum_along(b, masked(b, on_diagonal, real(b, products)), 1);
  const Value lengths = sqrt(b, squares);
  const ir::Dims& dims = products.dims();
  const Value both = multiply(b, spread(b, lengths, dims), spread(b, matrix_transpose(b, lengths), dims));
  const Value others = masked(b, not_(b, on_diagonal), abs(b, products));
  const double bound = epsilon(x.dtype()) * static_cast<double>(x.dims()[x.dims().size() - 2]);
  return any_above(b, others, multiply(b, both, full(b, both.type(), bound)));
}

}  // namespace
}  // namespace jacobi

JacobiResult jacobi_eigenvectors(ir::Builder& builder, ir::Value h) {
  using namespace jacobi;
  const ir::Value start = matrix_loops::identity(builder, h.type());
  if (h.dims().back() < 2) return {h, start};
  return sweeps(builder, h.dims().back(), h, start, has_other_elements,
                [](ir::Builder& b, ir::Value round, ir::Value matrices, ir::Value rotations) -> JacobiResult {
                  const ir::Value j = rotation(b, matrices, Pairing(b, matrices.dims(), round));
                  const ir::Value left = matrix_product(b, matrix_transpose(b, j, true), matrices);
                  return {matrix_product(b, left, j), matrix_product(b, rotations, j)};
                });
}

JacobiResult jacobi_columns(ir::Builder& builder, ir::Value x) {
  using namespace jacobi;
  ir::TensorType square = x.type();
  square.dims[square.dims.size() - 2] = square.dims.back();
  const ir::Value start = matrix_loops::identity(builder, square);
  if (square.dims.back() < 2) return {x, start};
  return sweeps(builder, square.dims.back(), x, start, has_angles,
                [](ir::Builder& b, ir::Value round, ir::Value matrices, ir::Value rotations) -> JacobiResult {
                  const ir::Value products = matrix_product(b, matrix_transpose(b, matrices, true), matrices);
                  const ir::Value j = rotation(b, products, Pairing(b, products.dims(), round));
                  return {matrix_product(b, matrices, j), matrix_product(b, rotations, j)};
                });
}

ir::Value sorted_columns(ir::Builder& builder, ir::Value keys, ir::Value x, bool ascending) {
  const ir::Value wide = matrix_loops::spread(builder, keys, x.dims());
  return sort(builder, {wide, x}, [ascending](ir::Builder& b, std::span<const ir::Value> v) {
    return compare(b, v[0], v[1], ascending ? ComparisonDirection::kLt : ComparisonDirection::kGt);
  })[1];
}

ir::Value matrix_scales(ir::Builder& builder, ir::Value x) {
  ir::Dims dims = x.dims();
  dims[dims.size() - 2] = dims.back() = 1;
  const ir::Value largest = reduce_max(builder, abs(builder, x), {x.rank() - 2, x.rank() - 1});
  const ir::Value scales = reshape(builder, largest, dims);
  return jacobi::or_one(builder, not_(builder, jacobi::is(builder, scales, ComparisonDirection::kLe, 0)),
                        scales);
}

ir::Value divided_by_scales(ir::Builder& builder, ir::Value x, ir::Value scales) {
  const ir::Value wide = matrix_loops::spread(builder, scales, x.dims());
  if (!ir::is_complex(x.dtype())) return divide(builder, x, wide);
  return complex(builder, divide(builder, real(builder, x), wide), divide(builder, imag(builder, x), wide));
}

ir::Value nan_unless_finite(ir::Builder& builder, ir::Value scales, ir::Value x) {
  const ir::Value finite = matrix_loops::spread(builder, is_finite(builder, scales), x.dims());
  const ir::TensorType real_type{ir::real_dtype(x.dtype()), x.dims()};
  const ir::Value nan = full(builder, real_type, std::numeric_limits<double>::quiet_NaN());
  return select(builder, finite, x, ir::is_complex(x.dtype()) ? complex(builder, nan, nan) : nan);
}

}  // namespace cornu::inline v0::ops
