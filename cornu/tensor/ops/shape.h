#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "cornu/tensor/ops/positional.h"
#include "cornu/tensor/ops/types.h"

/// Operations on shapes, by their names in keras.ops. Negative axes count from the end.
///
/// Types:     any; joined tensors take their common promote()'s dtype.
/// Errors:    InvalidArgument naming the function and the shapes it got.
namespace cornu::inline v0::ops {

Dims shape(const Tensor& x);
std::int64_t size(const Tensor& x);
std::int64_t ndim(const Tensor& x);

/// The elements in another shape. One extent may be -1, for what the others leave over.
Tensor reshape(const Tensor& x, const Dims& newshape);
Tensor ravel(const Tensor& x);
struct TransposeOptions {
  Dims axes = {};  // none: reversed
};
Tensor transpose(const Tensor& x, const TransposeOptions& options = {});
Tensor swapaxes(const Tensor& x, std::int64_t axis1, std::int64_t axis2);
/// Puts the axes `source` to the places `destination`; the others keep their order.
Tensor moveaxis(const Tensor& x, const Axes& source, const Axes& destination);
Tensor broadcast_to(const Tensor& x, const Dims& shape);
/// New axes of extent 1 at these places of the result.
Tensor expand_dims(const Tensor& x, const Axes& axis);
struct SqueezeOptions {
  Axes axis = {};  // none: all of extent 1
};
/// x without axes of extent 1. Errors: InvalidArgument for an axis of another extent.
Tensor squeeze(const Tensor& x, const SqueezeOptions& options = {});

struct JoinOptions {
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
struct AppendOptions {
  std::optional<std::int64_t> axis = {};  // none: both flattened
};
Tensor append(const Tensor& x, const Tensor& y, const AppendOptions& options = {});

struct SplitOptions {
  std::int64_t axis = 0;
};
/// The slices along an axis, without it.
inline std::vector<Tensor> unstack(const Tensor& x, const SplitOptions& options = {}) {
  return unstack(x, options.axis);
}
/// So many equal parts, or the parts between the listed indices. Errors: InvalidArgument when the extent is
/// no multiple.
inline std::vector<Tensor> split(const Tensor& x, const IntOrInts& indices_or_sections,
                                 const SplitOptions& options = {}) {
  return split(x, indices_or_sections, options.axis);
}
/// Parts that differ by one at most.
inline std::vector<Tensor> array_split(const Tensor& x, const IntOrInts& indices_or_sections,
                                       const SplitOptions& options = {}) {
  return array_split(x, indices_or_sections, options.axis);
}

/// x so many times along each axis; one number, or fewer than the rank, stand for the last axes.
Tensor tile(const Tensor& x, const IntOrInts& repeats);
struct RepeatOptions {
  std::optional<std::int64_t> axis = {};  // none: of the flattened tensor
};
/// Repeats each element so many times in a row; with a list, element i repeats[i] times.
Tensor repeat(const Tensor& x, const IntOrInts& repeats, const RepeatOptions& options = {});
struct FlipOptions {
  Axes axis = {};  // none: all
};
/// The elements in reverse order along the axes.
Tensor flip(const Tensor& x, const FlipOptions& options = {});
Tensor flipud(const Tensor& x);
Tensor fliplr(const Tensor& x);
struct Rot90Options {
  std::int64_t k = 1;
  std::pair<std::int64_t, std::int64_t> axes = {0, 1};
};
/// x turned k times by 90 degrees, from the first axis to the second.
Tensor rot90(const Tensor& x, const Rot90Options& options = {});
struct RollOptions {
  Axes axis = {};  // none: of the flattened tensor
};
/// The elements moved by `shift` along each axis; those that leave at one end come in at the other. Several
/// shifts of one axis add up.
Tensor roll(const Tensor& x, const IntOrInts& shift, const RollOptions& options = {});

struct PadOptions {
  /// "constant", "reflect" (without the edge), "symmetric" (with it), "edge" or "wrap".
  std::string_view mode = "constant";
  Tensor constant_values = {};  // a number; none: 0
};
/// `pad_width[d]`: how many before and after; one pair stands for all axes.
Tensor pad(const Tensor& x, const std::vector<std::pair<std::int64_t, std::int64_t>>& pad_width,
           const PadOptions& options = {});
Tensor pad(const Tensor& x, std::int64_t pad_width, const PadOptions& options = {});

struct DiagOptions {
  std::int64_t k = 0;
};
/// A vector on the k-th diagonal of a matrix, or a matrix's k-th diagonal.
inline Tensor diag(const Tensor& x, const DiagOptions& options = {}) { return diag(x, options.k); }
inline Tensor diagflat(const Tensor& x, const DiagOptions& options = {}) { return diagflat(x, options.k); }
struct DiagonalOptions {
  std::int64_t offset = 0;
  std::int64_t axis1 = 0;
  std::int64_t axis2 = 1;
};
Tensor diagonal(const Tensor& x, const DiagonalOptions& options = {});
/// The sum of a diagonal.
Tensor trace(const Tensor& x, const DiagonalOptions& options = {});
/// The last two axes' elements on and below (above) the k-th diagonal; 0 elsewhere.
inline Tensor tril(const Tensor& x, const DiagOptions& options = {}) { return tril(x, options.k); }
inline Tensor triu(const Tensor& x, const DiagOptions& options = {}) { return triu(x, options.k); }
struct DiffOptions {
  std::int64_t n = 1;
  std::int64_t axis = -1;
};
/// Differences of neighbours, n times.
Tensor diff(const Tensor& x, const DiffOptions& options = {});
struct MeshgridOptions {
  std::string_view indexing = "xy";  // or "ij"
};
/// Matrices of the coordinates of vectors.
inline std::vector<Tensor> meshgrid(const TensorList& vectors, const MeshgridOptions& options = {}) {
  return meshgrid(vectors.span(), options.indexing);
}

// Creation.
struct CreateOptions {
  DType dtype = DType::kF32;
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
struct CreateLikeOptions {
  std::optional<DType> dtype = {};  // none: x's
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
struct EyeOptions {
  std::optional<std::int64_t> m = {};  // columns; none: n
  std::int64_t k = 0;
  DType dtype = DType::kF32;
};
/// Ones on the k-th diagonal of an n x m matrix.
Tensor eye(std::int64_t n, const EyeOptions& options = {});
inline Tensor identity(std::int64_t n, const CreateOptions& options = {}) {
  return identity(n, options.dtype);
}
/// Ones on and below the k-th diagonal.
Tensor tri(std::int64_t n, const EyeOptions& options = {});
struct CountOptions {
  DType dtype = DType::kI32;
};
/// 0, 1, ..., n - 1.
inline Tensor arange(std::int64_t n, const CountOptions& options = {}) { return arange(n, options.dtype); }
struct ArangeOptions {
  double start = 0;
  double stop = 0;
  double step = 1;
  std::optional<DType> dtype = {};  // none: i32 when all three are whole, else f32
};
/// start, start + step, ... while before stop.
Tensor arange(const ArangeOptions& options);
/// By position: f32, and i32 of integers alone.
inline Tensor arange(double start, double stop, double step = 1) {
  return arange({.start = start, .stop = stop, .step = step, .dtype = DType::kF32});
}
template <std::integral Start, std::integral Stop, std::integral Step = int>
Tensor arange(Start start, Stop stop, Step step = 1) {
  return arange({.start = static_cast<double>(start),
                 .stop = static_cast<double>(stop),
                 .step = static_cast<double>(step),
                 .dtype = DType::kI32});
}
struct LinspaceOptions {
  std::int64_t num = 50;
  bool endpoint = true;
  std::optional<DType> dtype = {};
  std::int64_t axis = 0;
};
/// `num` numbers evenly from start to stop.
Tensor linspace(const Tensor& start, const Tensor& stop, const LinspaceOptions& options = {});

/// Rows of `x` in the order of concrete `indices` (host memory).
/// Errors: OutOfRange for a row that is not there.
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
