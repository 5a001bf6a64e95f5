#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cornu/tensor/ops/positional.h"
#include "cornu/tensor/ops/types.h"
#include "cornu/tensor/value/default_float.h"

namespace cornu::inline v0 {

/// Python's `...`: all remaining axes of an index, whole.
struct Ellipsis {};
inline constexpr Ellipsis kEllipsis;
/// Python's None: a new axis of extent 1 in an index.
struct NewAxis {};
inline constexpr NewAxis kNewAxis;

/// One part of the key of ops::get_item: a position, a Slice, kEllipsis or kNewAxis.
class Index {
 public:
  using Value = std::variant<std::int64_t, Slice, Ellipsis, NewAxis>;
  Index(int position) : value_(std::int64_t{position}) {}
  Index(std::int64_t position) : value_(position) {}
  Index(const Slice& slice) : value_(slice) {}
  Index(Ellipsis) : value_(kEllipsis) {}
  Index(NewAxis) : value_(kNewAxis) {}
  const Value& value() const { return value_; }

 private:
  Value value_;
};

}  // namespace cornu::inline v0

/// Reading, writing and ordering by index, under their names in keras.ops.
///
/// Types:     indices: integers; negative ones count from the end, except for the ids of segments and the
///            labels of one_hot and multi_hot.
/// Errors:    InvalidArgument with the function's name for shapes that do not fit and indices that are not
///            integers. Values of indices are not checked: a read out of bounds is clamped to the nearest
///            element, a write out of bounds is skipped.
namespace cornu::inline v0::ops {

/// Python's x[key]: `x[:, 0, ..., None]` is `get_item(x, {Slice(), 0, kEllipsis, kNewAxis})`. A position
/// removes its axis; negative positions count from the end.
/// Errors: InvalidArgument for more parts than x has axes and for two ellipses; OutOfRange for a position
///         outside its axis.
Tensor get_item(const Tensor& x, const std::vector<Index>& key);

struct TakeOptions {  // options/ops.toml
  /// Axis along which the indices count; negative: from the end. Unset: x is flattened.
  std::optional<std::int64_t> axis = {};
};
/// x's slices at `indices` along an axis; negative indices count from the end.
Tensor take(const Tensor& x, const Tensor& indices, const TakeOptions& options = {});
/// result[i, ...] = x[indices[i, ...], ...] along an axis; the other axes are broadcast.
Tensor take_along_axis(const Tensor& x, const Tensor& indices, const TakeOptions& options = {});

/// Start positions of a slice: static ones, or a vector that is known at run time. Negative ones count from
/// the end.
class StartIndices {
 public:
  StartIndices(std::initializer_list<std::int64_t> starts) : starts_(starts) {}
  StartIndices(Dims starts) : starts_(std::move(starts)) {}
  StartIndices(const Tensor& starts) : tensor_(starts) {}
  bool is_static() const { return !tensor_.defined(); }
  const Dims& starts() const { return starts_; }
  const Tensor& tensor() const { return tensor_; }

 private:
  Dims starts_;
  Tensor tensor_;
};
/// The elements [start, start + shape) of each axis; starts are moved so that the slice fits. An extent of -1
/// takes all elements from the start on; the start must be static then and is not moved.
Tensor slice(const Tensor& inputs, const StartIndices& start_indices, const Dims& shape);
/// `inputs` with `updates` written from the start on; starts are moved so that the updates fit.
Tensor slice_update(const Tensor& inputs, const StartIndices& start_indices, const Tensor& updates);

/// Zeros of this shape with values[i...] added at indices[i..., :].
Tensor scatter(const Tensor& indices, const Tensor& values, const Dims& shape);
struct ScatterUpdateOptions {  // options/ops.toml
  /// Combination of an update with the present element: "add", "mul", "max" or "min"; empty: the update
  /// replaces the element, and the last of equal indices counts.
  std::string_view reduction = {};
};
/// `inputs` with updates[i...] at indices[i..., :]. Only replacing and adding have a gradient.
Tensor scatter_update(const Tensor& inputs, const Tensor& indices, const Tensor& updates,
                      const ScatterUpdateOptions& options = {});

struct SegmentOptions {  // options/ops.toml
  /// Number of segments; unset: the largest id plus 1, for which the ids must be concrete.
  std::optional<std::int64_t> num_segments = {};
  /// True: the ids are in ascending order; accepted for Keras's programs, without effect.
  bool sorted = false;
};
/// Combines rows of axis 0 with equal segment_ids; ids outside [0, num_segments) are ignored. An empty
/// segment has the neutral element: 0, the lowest (-inf), the highest (inf), 1. Only segment_sum has a
/// gradient.
Tensor segment_sum(const Tensor& data, const Tensor& segment_ids, const SegmentOptions& options = {});
Tensor segment_max(const Tensor& data, const Tensor& segment_ids, const SegmentOptions& options = {});
Tensor segment_min(const Tensor& data, const Tensor& segment_ids, const SegmentOptions& options = {});
Tensor segment_prod(const Tensor& data, const Tensor& segment_ids, const SegmentOptions& options = {});

struct OneHotOptions {  // options/ops.toml
  /// Position of the class axis in the result; negative: from the end.
  std::int64_t axis = -1;
  /// Dtype of the result; if not given, keras::config::floatx().
  DType dtype = cornu::detail::default_float();
};
/// Integer labels [...] -> [..., num_classes]; labels outside [0, num_classes) give zeros.
Tensor one_hot(const Tensor& x, std::int64_t num_classes, const OneHotOptions& options = {});
/// 1 for each class that occurs in a row: [n, k] -> [n, num_classes], [k] -> [num_classes].
Tensor multi_hot(const Tensor& x, std::int64_t num_classes, const OneHotOptions& options = {});

struct SortAxisOptions {  // options/ops.toml
  /// Axis along which elements are sorted; negative: from the end. Unset: x is flattened.
  std::optional<std::int64_t> axis = -1;
};
/// The elements in ascending order along an axis; NaN comes last.
Tensor sort(const Tensor& x, const SortAxisOptions& options = {});
/// The positions (i32) of the elements in ascending order; equal elements keep their order.
Tensor argsort(const Tensor& x, const SortAxisOptions& options = {});
struct TopK {
  Tensor values;
  Tensor indices;  // i32
};
struct TopKOptions {  // options/ops.toml
  /// Accepted for Keras's programs, without effect: the results are in descending order in any case.
  bool sorted = true;
};
/// The k largest elements along the last axis in descending order, and their positions; NaN counts as the
/// largest.
TopK top_k(const Tensor& x, std::int64_t k, const TopKOptions& options = {});
/// True if fewer than k predictions [..., classes] are greater than the target's; false for targets that are
/// not a class. Negative targets count from the last class.
Tensor in_top_k(const Tensor& targets, const Tensor& predictions, std::int64_t k);

struct SearchSortedOptions {  // options/ops.toml
  /// Position among equal elements: "left", before the first one, or "right", after the last one.
  std::string_view side = "left";
};
/// The position of each value's insertion into a sorted vector, in which NaN counts as the largest; i32.
inline Tensor searchsorted(const Tensor& sorted_sequence, const Tensor& values,
                           const SearchSortedOptions& options = {}) {
  return searchsorted(sorted_sequence, values, options.side);
}
/// The bin of each element, i32: the number of ascending bin edges that are at most the element (all for
/// NaN), or of descending edges that are above it (none for NaN).
/// Errors:    InvalidArgument if the bins are in neither order.
Tensor digitize(const Tensor& x, std::span<const double> bins);

struct BincountOptions {  // options/ops.toml
  /// Weight of each element of x; undefined: 1.
  Tensor weights = {};
  /// Smallest length of the result; must not be negative.
  std::int64_t minlength = 0;
};
/// The number of occurrences of each number, or the sum of its weights: [n] -> [max(x) + 1], at least
/// minlength. In a trace, where max(x) is unknown, exactly minlength, which must be given. Negative numbers
/// count as 0.
Tensor bincount(const Tensor& x, const BincountOptions& options = {});

/// Windows of the last axis: [..., n] -> [..., 1 + (n - length) / stride, length]; none where n < length.
Tensor extract_sequences(const Tensor& x, std::int64_t sequence_length, std::int64_t sequence_stride);

}  // namespace cornu::inline v0::ops
