#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "cornu/base/string_argument.h"
#include "cornu/tensor/ops/positional.h"
#include "cornu/tensor/ops/types.h"

/// Products of tensors, under their names in keras.ops.
///
/// Types:     promote()'s dtype; matmul and einsum of two i8 give i32, other products of i8 stay i8 and wrap
///            around.
/// Errors:    InvalidArgument with the function's name and the shapes.
namespace cornu::inline v0::ops {

/// Matrix products of the last two axes; the leading axes are broadcast. A vector is a row on the left and a
/// column on the right; its axis is removed from the result.
Tensor matmul(const Tensor& x, const Tensor& y);
/// The sum of products over x's last axis and y's last but one (or only) axis. A scalar multiplies the other
/// tensor.
Tensor dot(const Tensor& x, const Tensor& y);
/// The sum of products over both last axes.
Tensor inner(const Tensor& x, const Tensor& y);
/// All products of the flattened tensors: [n, m].
Tensor outer(const Tensor& x, const Tensor& y);
/// The sum of the products of the flattened tensors.
Tensor vdot(const Tensor& x, const Tensor& y);
/// The number of summed axes, the last ones of x and the first ones of y; or the axes of each: `{{1, 2}, {0,
/// 1}}`.
class TensordotAxes {
 public:
  TensordotAxes(std::int64_t count) : count_(count) {}
  TensordotAxes(Axes of_x, Axes of_y) : of_x_(std::move(of_x)), of_y_(std::move(of_y)) {}
  std::optional<std::int64_t> count() const { return count_; }
  const Axes& of_x() const { return of_x_; }
  const Axes& of_y() const { return of_y_; }

 private:
  std::optional<std::int64_t> count_;
  Axes of_x_, of_y_;
};
struct TensordotOptions {  // options/ops.toml
  /// Number of axes to sum, the last ones of x and the first ones of y; or the axes of each: {{1, 2}, {0,
  /// 1}}.
  TensordotAxes axes = 2;
};
/// The sum over pairs of axes.
inline Tensor tensordot(const Tensor& x, const Tensor& y, const TensordotOptions& options = {}) {
  const TensordotAxes& axes = options.axes;
  return axes.count() ? tensordot(x, y, *axes.count()) : tensordot(x, y, axes.of_x(), axes.of_y());
}
/// The Kronecker product, whose blocks are x[i, j] * y.
Tensor kron(const Tensor& x, const Tensor& y);

struct CrossOptions {  // options/ops.toml
  /// Axis of the vectors in x; negative: from the end.
  std::int64_t axisa = -1;
  /// Axis of the vectors in y; negative: from the end.
  std::int64_t axisb = -1;
  /// Axis of the vectors in the result; negative: from the end.
  std::int64_t axisc = -1;
  /// Axis of the vectors in x, y and the result, in place of axisa, axisb and axisc; unset: those three.
  std::optional<std::int64_t> axis = {};
};
/// The vector product along axes of 2 or 3; two 2-vectors give a scalar.
Tensor cross(const Tensor& x, const Tensor& y, const CrossOptions& options = {});

/// Einstein summation, e.g. "bqhd,bkhd->bhqk": a letter is an axis, a repeated letter a common axis (a
/// diagonal, within one operand), and a letter that is not in the result is summed. "..." are axes that are
/// broadcast; without "->" the result has the letters that occur once, in alphabetic order.
///
/// Lowered to diagonals, sums, transposes and dot_general, operands from left to right.
/// Errors:    InvalidArgument with the subscripts and the shapes.
Tensor einsum(StringViewArgument subscripts, std::span<const Tensor> operands);
Tensor einsum(StringViewArgument subscripts, std::initializer_list<Tensor> operands);

}  // namespace cornu::inline v0::ops
