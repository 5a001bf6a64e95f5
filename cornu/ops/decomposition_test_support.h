#pragma once

#include <span>
#include <vector>

#include "cornu/ir/builder.h"
#include "cornu/ir/complex.h"
#include "cornu/ops/complex/complex.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/matrices.h"
#include "cornu/ops/matrix_loops.h"
#include "cornu/ops/reshape/reshape.h"

/// Results of decompositions that do not depend on the free signs and phases of vectors; real values.
namespace cornu::inline v0::ops {

/// The real part, and of complex numbers the imaginary part.
inline std::vector<ir::Value> real_parts(ir::Builder& b, ir::Value x) {
  if (!ir::is_complex(x.dtype())) return {x};
  return {real(b, x), imag(b, x)};
}

/// The squares of magnitudes.
inline ir::Value magnitudes(ir::Builder& b, ir::Value x) { return real(b, multiply(b, x, conjugate(b, x))); }

/// x diag(values) y, where values is a vector of as many numbers as x has columns and y has rows.
inline ir::Value scaled_product(ir::Builder& b, ir::Value x, ir::Value values, ir::Value y) {
  ir::Dims dims = values.dims();
  dims.insert(dims.end() - 1, 1);
  const ir::Value row = matrix_loops::as_number(b, reshape(b, values, dims), x.dtype());
  return matrix_product(b, multiply(b, x, matrix_loops::spread(b, row, x.dims())), y);
}

/// x with `factor` * 1, 2, ... added to its diagonal, which separates eigenvalues and singular values.
inline ir::Value with_diagonal(ir::Builder& b, ir::Value x, double factor) {
  const ir::TensorType type{ir::real_dtype(x.dtype()), x.dims()};
  const ir::Value position = convert(b, matrix_loops::positions(b, x.dims(), 1), type.dtype);
  const ir::Value numbers = multiply(b, add(b, position, full(b, type, 1)), full(b, type, factor));
  const ir::Value diagonal = matrix_loops::masked(b, matrix_loops::on_diagonal(b, x.dims()), numbers);
  return add(b, x, matrix_loops::as_number(b, diagonal, x.dtype()));
}

/// A matrix of real inputs: one, or the real and the imaginary part.
inline ir::Value matrix_of(ir::Builder& b, std::span<const ir::Value> parts) {
  return parts.size() == 1 ? parts[0] : complex(b, parts[0], parts[1]);
}

}  // namespace cornu::inline v0::ops
