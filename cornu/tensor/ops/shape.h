#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "cornu/tensor/ops/types.h"

/// Operations on shapes, by their names in keras.ops. Negative axes count from the end.
///
/// Types:     any; joined tensors take their common promote()'s dtype.
/// Errors:    InvalidArgument naming the function and the shapes it got.
namespace cornu::inline v0::ops {

Dims shape(const Tensor& x);
std::int64_t size(const Tensor& x);
std::int64_t ndim(const Tensor& x);

/// One extent may be -1: what is left over.
Tensor reshape(const Tensor& x, const Dims& newshape);
Tensor ravel(const Tensor& x);
/// Without a permutation the axes are reversed.
Tensor transpose(const Tensor& x, const Dims& axes = {});
Tensor swapaxes(const Tensor& x, std::int64_t axis1, std::int64_t axis2);
/// Puts the axes `source` to the places `destination`; the others keep their order.
Tensor moveaxis(const Tensor& x, const Axes& source, const Axes& destination);
Tensor broadcast_to(const Tensor& x, const Dims& shape);
/// New axes of extent 1 at these places of the result.
Tensor expand_dims(const Tensor& x, const Axes& axis);
/// Without axes: all of extent 1. Errors: InvalidArgument for an axis of another extent.
Tensor squeeze(const Tensor& x, const Axes& axis = {});

Tensor concatenate(std::span<const Tensor> tensors, std::int64_t axis = 0);
Tensor concatenate(std::initializer_list<Tensor> tensors, std::int64_t axis = 0);
/// Along a new axis.
Tensor stack(std::span<const Tensor> tensors, std::int64_t axis = 0);
Tensor stack(std::initializer_list<Tensor> tensors, std::int64_t axis = 0);
Tensor hstack(std::span<const Tensor> tensors);
Tensor vstack(std::span<const Tensor> tensors);
struct AppendOptions {
  std::optional<std::int64_t> axis = {};  // none: both flattened
};
Tensor append(const Tensor& x, const Tensor& y, const AppendOptions& options = {});

/// The slices along an axis, without it.
std::vector<Tensor> unstack(const Tensor& x, std::int64_t axis = 0);
/// So many equal parts, or the parts between the listed indices. Errors: InvalidArgument when the extent is no multiple.
std::vector<Tensor> split(const Tensor& x, const IntOrInts& indices_or_sections, std::int64_t axis = 0);
/// Parts that differ by one at most.
std::vector<Tensor> array_split(const Tensor& x, const IntOrInts& indices_or_sections, std::int64_t axis = 0);

/// x so many times along each axis; one number, or fewer than the rank, stand for the last axes.
Tensor tile(const Tensor& x, const IntOrInts& repeats);
struct RepeatOptions {
  std::optional<std::int64_t> axis = {};  // none: of the flattened tensor
};
/// Each element so many times in a row; with a list element i repeats[i] times.
Tensor repeat(const Tensor& x, const IntOrInts& repeats, const RepeatOptions& options = {});
/// In reverse order; without axes along all.
Tensor flip(const Tensor& x, const Axes& axis = {});
Tensor flipud(const Tensor& x);
Tensor fliplr(const Tensor& x);
struct Rot90Options {
  std::int64_t k = 1;
  std::pair<std::int64_t, std::int64_t> axes = {0, 1};
};
/// Turned k times by 90 degrees, from the first axis to the second.
Tensor rot90(const Tensor& x, const Rot90Options& options = {});
struct RollOptions {
  Axes axis = {};  // none: of the flattened tensor
};
/// Moved round by `shift`, one for each axis.
Tensor roll(const Tensor& x, const IntOrInts& shift, const RollOptions& options = {});

struct PadOptions {
  /// "constant", "reflect" (without the edge), "symmetric" (with it), "edge" or "wrap".
  std::string_view mode = "constant";
  Tensor constant_values = {};  // a number; none: 0
};
/// `pad_width[d]`: how many before and after; one pair stands for all axes.
Tensor pad(const Tensor& x, const std::vector<std::pair<std::int64_t, std::int64_t>>& pad_width, const PadOptions& options = {});
Tensor pad(const Tensor& x, std::int64_t pad_width, const PadOptions& options = {});

/// A vector on the k-th diagonal of a matrix, or a matrix's k-th diagonal.
Tensor diag(const Tensor& x, std::int64_t k = 0);
Tensor diagflat(const Tensor& x, std::int64_t k = 0);
struct DiagonalOptions {
  std::int64_t offset = 0;
  std::int64_t axis1 = 0;
  std::int64_t axis2 = 1;
};
Tensor diagonal(const Tensor& x, const DiagonalOptions& options = {});
/// The sum of a diagonal.
Tensor trace(const Tensor& x, const DiagonalOptions& options = {});
/// The last two axes' elements on and below (above) the k-th diagonal; 0 elsewhere.
Tensor tril(const Tensor& x, std::int64_t k = 0);
Tensor triu(const Tensor& x, std::int64_t k = 0);
struct DiffOptions {
  std::int64_t n = 1;
  std::int64_t axis = -1;
};
/// Differences of neighbours, n times.
Tensor diff(const Tensor& x, const DiffOptions& options = {});
/// Matrices of the coordinates of vectors; `indexing` is "xy" or "ij".
std::vector<Tensor> meshgrid(std::span<const Tensor> vectors, std::string_view indexing = "xy");

// Creation.
Tensor zeros(const Dims& shape, DType dtype = DType::kF32);
Tensor ones(const Dims& shape, DType dtype = DType::kF32);
Tensor empty(const Dims& shape, DType dtype = DType::kF32);
Tensor full(const Dims& shape, const Tensor& fill_value, DType dtype = DType::kF32);
Tensor zeros_like(const Tensor& x, std::optional<DType> dtype = {});
Tensor ones_like(const Tensor& x, std::optional<DType> dtype = {});
Tensor empty_like(const Tensor& x, std::optional<DType> dtype = {});
Tensor full_like(const Tensor& x, const Tensor& fill_value, std::optional<DType> dtype = {});
struct EyeOptions {
  std::optional<std::int64_t> m = {};  // columns; none: n
  std::int64_t k = 0;
  DType dtype = DType::kF32;
};
/// Ones on the k-th diagonal of an n x m matrix.
Tensor eye(std::int64_t n, const EyeOptions& options = {});
Tensor identity(std::int64_t n, DType dtype = DType::kF32);
/// Ones on and below the k-th diagonal.
Tensor tri(std::int64_t n, const EyeOptions& options = {});
/// 0, 1, ..., n - 1.
Tensor arange(std::int64_t n, DType dtype = DType::kI32);
struct ArangeOptions {
  double start = 0;
  double stop = 0;
  double step = 1;
  std::optional<DType> dtype = {};  // none: i32 when all three are whole, else f32
};
/// start, start + step, ... while before stop.
Tensor arange(const ArangeOptions& options);
struct LinspaceOptions {
  std::int64_t num = 50;
  bool endpoint = true;
  std::optional<DType> dtype = {};
  std::int64_t axis = 0;
};
/// `num` numbers evenly from start to stop.
Tensor linspace(const Tensor& start, const Tensor& stop, const LinspaceOptions& options = {});

/// Rows of `x` in the order of concrete `indices` (host memory).
Tensor take_rows(const Tensor& x, std::span<const std::int64_t> indices);

}  // namespace cornu::inline v0::ops
