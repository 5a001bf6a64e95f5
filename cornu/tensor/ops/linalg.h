#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "cornu/tensor/ops/types.h"

/// Products of tensors, by their names in keras.ops.
///
/// Types:     promote()'s dtype; products of i8 are summed as i32.
/// Errors:    InvalidArgument naming the function and the shapes it got.
namespace cornu::inline v0::ops {

/// Matrix products of the last two axes; the axes before are broadcast. A vector counts as a row on the left, as a column on the right,
/// and its axis is left out of the result.
Tensor matmul(const Tensor& x, const Tensor& y);
/// The sum over x's last axis and y's last but one (or only) one; a number multiplies.
Tensor dot(const Tensor& x, const Tensor& y);
/// The sum over both last axes.
Tensor inner(const Tensor& x, const Tensor& y);
/// All products of the flattened tensors: [n, m].
Tensor outer(const Tensor& x, const Tensor& y);
/// The sum of the products of the flattened tensors.
Tensor vdot(const Tensor& x, const Tensor& y);
/// The sum over x's last and y's first `axes` axes.
Tensor tensordot(const Tensor& x, const Tensor& y, std::int64_t axes = 2);
/// The sum over pairs of axes.
Tensor tensordot(const Tensor& x, const Tensor& y, const Axes& x_axes, const Axes& y_axes);
/// Blocks x[i, j] * y.
Tensor kron(const Tensor& x, const Tensor& y);

struct CrossOptions {
  std::int64_t axisa = -1;
  std::int64_t axisb = -1;
  std::int64_t axisc = -1;
  std::optional<std::int64_t> axis = {};  // stands for all three
};
/// The vector product along axes of 2 or 3; of two 2-vectors it is a number.
Tensor cross(const Tensor& x, const Tensor& y, const CrossOptions& options = {});

/// Einstein's summation, e.g. "bqhd,bkhd->bhqk": a letter is an axis, a repeated one a common axis (a diagonal, within one operand), and
/// one that is not in the result is summed. "..." stands for axes that are broadcast; without "->" the result has the letters that occur
/// once, in alphabetic order.
///
/// Lowered to diagonals, sums, transposes and dot_general, operands from left to right.
/// Errors:    InvalidArgument naming the subscripts and the shapes.
Tensor einsum(std::string_view subscripts, std::span<const Tensor> operands);
Tensor einsum(std::string_view subscripts, std::initializer_list<Tensor> operands);

}  // namespace cornu::inline v0::ops
