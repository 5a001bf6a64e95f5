#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "cornu/tensor/ops/positional.h"
#include "cornu/tensor/ops/types.h"
#include "cornu/tensor/value/default_float.h"

/// Operations on shapes, under their names in keras.ops. Negative axes count from the end.
///
/// Types:     any; joined tensors are converted to their promoted dtype.
/// Errors:    InvalidArgument with the function's name and the shapes.
namespace cornu::inline v0::ops {

Dims shape(const Tensor& x);
std::int64_t size(const Tensor& x);
std::int64_t ndim(const Tensor& x);

/// The elements in another shape. One extent may be -1: it is computed from the others.
Tensor reshape(const Tensor& x, const Dims& newshape);
Tensor ravel(const Tensor& x);
struct TransposeOptions {  // options/ops.toml
  /// Axis of x for each axis of the result; empty: reversed order.
  Dims axes = {};
};
Tensor transpose(const Tensor& x, const TransposeOptions& options = {});
Tensor swapaxes(const Tensor& x, std::int64_t axis1, std::int64_t axis2);
/// Moves the axes `source` to the positions `destination`; the others keep their order.
Tensor moveaxis(const Tensor& x, const Axes& source, const Axes& destination);
Tensor broadcast_to(const Tensor& x, const Dims& shape);
/// Inserts axes of extent 1 at these positions of the result.
Tensor expand_dims(const Tensor& x, const Axes& axis);
struct SqueezeOptions {  // options/ops.toml
  /// Axes of extent 1 that are removed; negative: from the end. Unset: all of extent 1.
  Axes axis = {};
};
/// Removes axes of extent 1. Errors: InvalidArgument for an axis of another extent.
Tensor squeeze(const Tensor& x, const SqueezeOptions& options = {});

struct JoinOptions {  // options/ops.toml
  /// Axis along which tensors are joined; negative: from the end.
  std::int64_t axis = 0;
};
inline Tensor concatenate(const TensorList& tensors, const JoinOptions& options = {}) {
  return concatenate(tensors.span(), options.axis);
}
/// Joins tensors of one shape along a new axis.
inline Tensor stack(const TensorList& tensors, const JoinOptions& options = {}) {
  return stack(tensors.span(), options.axis);
}
Tensor hstack(const TensorList& tensors);
Tensor vstack(const TensorList& tensors);
struct AppendOptions {  // options/ops.toml
  /// Axis along which both are joined; negative: from the end. Unset: both are flattened.
  std::optional<std::int64_t> axis = {};
};
Tensor append(const Tensor& x, const Tensor& y, const AppendOptions& options = {});

struct SplitOptions {  // options/ops.toml
  /// Axis that is split; negative: from the end.
  std::int64_t axis = 0;
};
/// The slices along an axis, without that axis.
inline std::vector<Tensor> unstack(const Tensor& x, const SplitOptions& options = {}) {
  return unstack(x, options.axis);
}
/// Splits into n equal parts, or at the listed indices. Errors: InvalidArgument if n does not divide the
/// extent.
inline std::vector<Tensor> split(const Tensor& x, const IntOrInts& indices_or_sections,
                                 const SplitOptions& options = {}) {
  return split(x, indices_or_sections, options.axis);
}
/// Splits into n parts whose extents differ by at most one, or at the listed indices.
inline std::vector<Tensor> array_split(const Tensor& x, const IntOrInts& indices_or_sections,
                                       const SplitOptions& options = {}) {
  return array_split(x, indices_or_sections, options.axis);
}

/// Repeats x along each axis, repeats[d] times. One number, or fewer than the rank, apply to the last axes.
Tensor tile(const Tensor& x, const IntOrInts& repeats);
struct RepeatOptions {  // options/ops.toml
  /// Axis along which slices are repeated; negative: from the end. Unset: x is flattened.
  std::optional<std::int64_t> axis = {};
};
/// Repeats each element consecutively; with a list, element i repeats[i] times.
Tensor repeat(const Tensor& x, const IntOrInts& repeats, const RepeatOptions& options = {});
struct FlipOptions {  // options/ops.toml
  /// Axes along which the order is reversed; negative: from the end. Unset: all.
  Axes axis = {};
};
/// The elements in reverse order along the axes.
Tensor flip(const Tensor& x, const FlipOptions& options = {});
Tensor flipud(const Tensor& x);
Tensor fliplr(const Tensor& x);
struct Rot90Options {  // options/ops.toml
  /// Number of rotations by 90 degrees; negative: in the other direction.
  std::int64_t k = 1;
  /// Two different axes that define the plane and the direction of the rotation.
  std::pair<std::int64_t, std::int64_t> axes = {0, 1};
};
/// Rotates x k times by 90 degrees, from the first axis to the second.
Tensor rot90(const Tensor& x, const Rot90Options& options = {});
struct RollOptions {  // options/ops.toml
  /// Axes along which elements are shifted; negative: from the end. Unset: the flattened x, which then gets
  /// its shape back.
  Axes axis = {};
};
/// Shifts the elements cyclically along each axis. Several shifts of one axis add up.
Tensor roll(const Tensor& x, const IntOrInts& shift, const RollOptions& options = {});

struct PadOptions {  // options/ops.toml
  /// Values of the padding: "constant", "reflect" (without the edge), "symmetric" (with the edge), "edge" or
  /// "wrap".
  std::string_view mode = "constant";
  /// Number that fills the padding with mode "constant"; undefined: 0.
  Tensor constant_values = {};
};
/// `pad_width[d]`: numbers of elements before and after; one pair applies to all axes.
Tensor pad(const Tensor& x, const std::vector<std::pair<std::int64_t, std::int64_t>>& pad_width,
           const PadOptions& options = {});
Tensor pad(const Tensor& x, std::int64_t pad_width, const PadOptions& options = {});

struct DiagOptions {  // options/ops.toml
  /// Number of the diagonal: 0 for the main one, positive above it, negative below it.
  std::int64_t k = 0;
};
/// A vector on the k-th diagonal of a matrix, or a matrix's k-th diagonal.
inline Tensor diag(const Tensor& x, const DiagOptions& options = {}) { return diag(x, options.k); }
inline Tensor diagflat(const Tensor& x, const DiagOptions& options = {}) { return diagflat(x, options.k); }
struct DiagonalOptions {  // options/ops.toml
  /// Number of the diagonal: 0 for the main one, positive above it, negative below it.
  std::int64_t offset = 0;
  /// Axis of the rows; negative: from the end.
  std::int64_t axis1 = 0;
  /// Axis of the columns; negative: from the end.
  std::int64_t axis2 = 1;
};
Tensor diagonal(const Tensor& x, const DiagonalOptions& options = {});
/// The sum of a diagonal.
Tensor trace(const Tensor& x, const DiagonalOptions& options = {});
/// Keeps the elements of the last two axes on and below (above) the k-th diagonal; 0 elsewhere.
inline Tensor tril(const Tensor& x, const DiagOptions& options = {}) { return tril(x, options.k); }
inline Tensor triu(const Tensor& x, const DiagOptions& options = {}) { return triu(x, options.k); }
struct DiffOptions {  // options/ops.toml
  /// Number of times that differences are taken; must not be negative.
  std::int64_t n = 1;
  /// Axis along which differences are taken; negative: from the end.
  std::int64_t axis = -1;
};
/// Differences of neighbours, n times.
Tensor diff(const Tensor& x, const DiffOptions& options = {});
struct MeshgridOptions {  // options/ops.toml
  /// Order of the first two axes: "xy", in which the first vector varies along the columns, or "ij", along
  /// the rows.
  std::string_view indexing = "xy";
};
/// Coordinate matrices from coordinate vectors.
inline std::vector<Tensor> meshgrid(const TensorList& vectors, const MeshgridOptions& options = {}) {
  return meshgrid(vectors.span(), options.indexing);
}

// Creation.
struct CreateOptions {  // options/ops.toml
  /// Dtype of the result; if not given, keras::config::floatx().
  DType dtype = cornu::detail::default_float();
};
inline Tensor zeros(const Dims& shape, const CreateOptions& options = {}) {
  return zeros(shape, options.dtype);
}
inline Tensor ones(const Dims& shape, const CreateOptions& options = {}) {
  return ones(shape, options.dtype);
}
inline Tensor empty(const Dims& shape, const CreateOptions& options = {}) {
  return empty(shape, options.dtype);
}
inline Tensor full(const Dims& shape, const Tensor& fill_value, const CreateOptions& options = {}) {
  return full(shape, fill_value, options.dtype);
}
struct CreateLikeOptions {  // options/ops.toml
  /// Dtype of the result; unset: that of x.
  std::optional<DType> dtype = {};
};
inline Tensor zeros_like(const Tensor& x, const CreateLikeOptions& options = {}) {
  return zeros_like(x, options.dtype);
}
inline Tensor ones_like(const Tensor& x, const CreateLikeOptions& options = {}) {
  return ones_like(x, options.dtype);
}
inline Tensor empty_like(const Tensor& x, const CreateLikeOptions& options = {}) {
  return empty_like(x, options.dtype);
}
inline Tensor full_like(const Tensor& x, const Tensor& fill_value, const CreateLikeOptions& options = {}) {
  return full_like(x, fill_value, options.dtype);
}
struct EyeOptions {  // options/ops.toml
  /// Number of columns; unset: n.
  std::optional<std::int64_t> m = {};
  /// Number of the diagonal: 0 for the main one, positive above it, negative below it.
  std::int64_t k = 0;
  /// Dtype of the result; if not given, keras::config::floatx().
  DType dtype = cornu::detail::default_float();
};
/// Ones on the k-th diagonal of an n x m matrix.
Tensor eye(std::int64_t n, const EyeOptions& options = {});
inline Tensor identity(std::int64_t n, const CreateOptions& options = {}) {
  return identity(n, options.dtype);
}
/// Ones on and below the k-th diagonal.
Tensor tri(std::int64_t n, const EyeOptions& options = {});
struct CountOptions {  // options/ops.toml
  /// Dtype of the result.
  DType dtype = DType::kI32;
};
/// 0, 1, ..., n - 1.
inline Tensor arange(std::int64_t n, const CountOptions& options = {}) { return arange(n, options.dtype); }
struct ArangeOptions {  // options/ops.toml
  /// First number.
  double start = 0;
  /// Upper bound, which is excluded; a lower bound if step is negative.
  double stop = 0;
  /// Difference between neighbouring numbers; must not be 0.
  double step = 1;
  /// Dtype of the result; unset: i32 if start, stop and step are whole numbers, else keras::config::floatx().
  std::optional<DType> dtype = {};
};
/// start, start + step, ... up to stop, exclusive.
Tensor arange(const ArangeOptions& options);
/// By position: f32, or i32 if all are integers.
inline Tensor arange(double start, double stop, double step = 1) {
  return arange({.start = start, .stop = stop, .step = step, .dtype = cornu::detail::default_float()});
}
template <std::integral Start, std::integral Stop, std::integral Step = int>
Tensor arange(Start start, Stop stop, Step step = 1) {
  return arange({.start = static_cast<double>(start),
                 .stop = static_cast<double>(stop),
                 .step = static_cast<double>(step),
                 .dtype = DType::kI32});
}
struct LinspaceOptions {  // options/ops.toml
  /// Number of results; must not be negative.
  std::int64_t num = 50;
  /// True: the last number is stop; false: stop would be the next one.
  bool endpoint = true;
  /// Dtype of the result; unset: the promoted float dtype of start and stop.
  std::optional<DType> dtype = {};
  /// Axis of the result along which the numbers run; negative: from the end.
  std::int64_t axis = 0;
};
/// `num` evenly spaced numbers from start to stop.
Tensor linspace(const Tensor& start, const Tensor& stop, const LinspaceOptions& options = {});

/// Rows of `x` selected by concrete `indices` (host memory).
/// Errors: OutOfRange for a row that does not exist.
Tensor take_rows(const Tensor& x, std::span<const std::int64_t> indices);

// Axes by position, as in positional.h. Templates, because GCC 12 takes {.axis = {0, 1}} for {{0, 1}}: so
// options are preferred.
template <std::convertible_to<Dims> A>
Tensor transpose(const Tensor& x, const A& axes) {
  return transpose(x, TransposeOptions{.axes = axes});
}
template <typename = void>
Tensor transpose(const Tensor& x, std::initializer_list<std::int64_t> axes) {
  return axes.size() == 0 ? transpose(x) : transpose(x, TransposeOptions{.axes = axes});
}
template <std::convertible_to<Axes> A>
Tensor squeeze(const Tensor& x, const A& axis) {
  return squeeze(x, SqueezeOptions{.axis = axis});
}
template <typename = void>
Tensor squeeze(const Tensor& x, std::initializer_list<std::int64_t> axis) {
  return axis.size() == 0 ? squeeze(x) : squeeze(x, SqueezeOptions{.axis = axis});
}
template <std::convertible_to<Axes> A>
Tensor flip(const Tensor& x, const A& axis) {
  return flip(x, FlipOptions{.axis = axis});
}
template <typename = void>
Tensor flip(const Tensor& x, std::initializer_list<std::int64_t> axis) {
  return axis.size() == 0 ? flip(x) : flip(x, FlipOptions{.axis = axis});
}

}  // namespace cornu::inline v0::ops
