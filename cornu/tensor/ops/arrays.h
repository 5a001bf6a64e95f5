#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/tensor/ops/shape.h"
#include "cornu/tensor/ops/types.h"
#include "cornu/tensor/value/tensor.h"

/// Less common functions on arrays: blocks, windows of pixels, number theory, series.
namespace cornu::inline v0::ops {

/// split along axis 1, or axis 0 of a vector.
std::vector<Tensor> hsplit(const Tensor& x, const IntOrInts& indices_or_sections);
/// split along axis 0. Errors: InvalidArgument for vectors.
std::vector<Tensor> vsplit(const Tensor& x, const IntOrInts& indices_or_sections);
/// split along axis 2. Errors: InvalidArgument for less than 3 axes.
std::vector<Tensor> dsplit(const Tensor& x, const IntOrInts& indices_or_sections);
/// The bits of x as another dtype: [..., n] -> [..., n * size of x's dtype / size of dtype].
/// Errors: InvalidArgument for booleans and complex numbers, for scalars and for a last extent that is no
///         multiple if the sizes differ.
Tensor view(const Tensor& x, DType dtype);
struct RearrangeOptions {  // options/ops.toml
  /// Extents of axes in groups of the input; one axis of each group follows from the others.
  std::vector<std::pair<std::string, std::int64_t>> axes_lengths = {};
};
/// Splits, permutes and joins axes by names: `rearrange(x, "b (h p) c -> b h (p c)", {.axes_lengths = {{"p",
/// 2}}})`. A group in parentheses is one axis, whose first name varies slowest.
/// Errors: InvalidArgument with the pattern, unless both sides have the same names, each once, as many axes
///         as x, and extents that divide.
Tensor rearrange(const Tensor& x, StringViewArgument pattern, const RearrangeOptions& options = {});
/// Joins tensors along axis 2; vectors [n] count as [1, n, 1] and matrices [m, n] as [m, n, 1].
Tensor dstack(const TensorList& tensors);

struct BlockOptions {  // options/ops.toml
  /// Axes of the inputs: "channels_last" or "channels_first".
  std::string_view data_format = "channels_last";
};
/// Channels to blocks of pixels: [n, h, w, c * b * b] -> [n, h * b, w * b, c] for b = block_size.
/// Errors: InvalidArgument for another rank, or channels that b * b does not divide.
Tensor depth_to_space(const Tensor& x, std::int64_t block_size, const BlockOptions& options = {});
/// Blocks of pixels to channels, the inverse of depth_to_space.
/// Errors: InvalidArgument for another rank, or a height or width that block_size does not divide.
Tensor space_to_depth(const Tensor& x, std::int64_t block_size, const BlockOptions& options = {});

struct FoldOptions {  // options/ops.toml
  /// Distance of the kernel's pixels: one number, or one for each axis; 1: no gaps.
  IntOrInts dilation = 1;
  /// Number of pixels of value 0 around the image: one number, or one for each axis.
  IntOrInts padding = 0;
  /// Distance of neighbouring windows in pixels: one number, or one for each axis.
  IntOrInts stride = 1;
};
/// The windows of images as columns: [n, c, h, w] -> [n, c * kernel height * kernel width, windows].
/// Errors: InvalidArgument for another rank or a kernel that does not fit.
Tensor unfold(const Tensor& x, const IntOrInts& kernel_size, const FoldOptions& options = {});
/// Adds columns up to images of output_size, the transpose of unfold: pixels in several windows are sums.
/// Errors: InvalidArgument for shapes that unfold does not give.
Tensor fold(const Tensor& x, const IntOrInts& output_size, const IntOrInts& kernel_size,
            const FoldOptions& options = {});

/// The coordinates of positions in an array of `shape`, a tensor for each axis. Negative positions count from the
/// end; those outside are limited to it.
std::vector<Tensor> unravel_index(const Tensor& indices, const Dims& shape);

struct IsInOptions {  // options/ops.toml
  /// Accepted for Keras's programs, without effect.
  bool assume_unique = false;
  /// True: the results are negated.
  bool invert = false;
};
/// True for elements of x1 that x2 has; NaN is in none.
Tensor isin(const Tensor& x1, const Tensor& x2, const IsInOptions& options = {});

struct HistogramOptions {  // options/ops.toml
  /// Number of bins; must be positive.
  std::int64_t bins = 10;
  /// Lowest and highest edge; empty: the smallest and the largest element of x.
  std::vector<double> range = {};
};
struct Histogram {
  Tensor counts;  // [bins], of the dtype of the edges, as Keras on JAX
  Tensor edges;   // [bins + 1]
};
/// The number of elements of x in each of `bins` bins of equal width, of which only the last one has its upper
/// edge; elements outside are left out.
/// Errors: InvalidArgument unless bins is positive and the range rises.
Histogram histogram(const Tensor& x, const HistogramOptions& options = {});

struct ArgPartitionOptions {  // options/ops.toml
  /// Axis along which elements are ordered; negative: from the end. Unset: x is flattened.
  std::optional<std::int64_t> axis = -1;
};
/// Positions (i32) along an axis such that the element of place kth is the one of the sorted order, smaller ones
/// come before it and larger ones after it. All are sorted here.
Tensor argpartition(const Tensor& x, std::int64_t kth, const ArgPartitionOptions& options = {});

struct UniqueOptions {  // options/ops.toml
  /// Axis whose slices are compared as wholes; negative: from the end. Unset: x is flattened.
  std::optional<std::int64_t> axis = {};
  /// Number of results; unset: as many as there are.
  std::optional<std::int64_t> size = {};
  /// Number that fills up the results to size; undefined: the smallest value of x.
  Tensor fill_value = {};
};
struct Unique {
  Tensor values;  // [size], or x with this extent along `axis`
  Tensor index;   // i32 [size]: the position of each value's first occurrence
  Tensor
      inverse;    // i32, of the shape of x, or [extent of `axis`]: the place of each element among the values
  Tensor counts;  // i32 [size]: the number of occurrences; 0 for the filling
};
/// The different elements of x in ascending order; with `axis` the different slices along it, ordered by their first
/// elements, then by the second ones and so on, of which `values` has the axes of x. A traced program has a fixed size:
/// with `size` the first values are kept, and missing ones filled up. Keras's return_index, return_inverse and
/// return_counts are the members.
/// Errors: InvalidArgument in a trace without `size`.
Unique unique(const Tensor& x, const UniqueOptions& options = {});
struct NonzeroOptions {  // options/ops.toml
  /// Number of results; unset: as many as there are.
  std::optional<std::int64_t> size = {};
  /// Position that fills up the results to size.
  std::int64_t fill_value = 0;
};
/// The positions of the elements that are not 0, in order: a vector (i32) for each axis. A traced program has a
/// fixed size: with `size` the first ones are kept, and missing ones filled up.
/// Errors: InvalidArgument in a trace without `size`.
std::vector<Tensor> nonzero(const Tensor& x, const NonzeroOptions& options = {});

/// The distance of each pair of rows: [..., n, d] and [..., m, d] -> [..., n, m].
/// Errors: InvalidArgument for vectors and for different last extents.
/// Gradient: 0 for equal rows.
Tensor cdist(const Tensor& x, const Tensor& y);
/// The Pearson correlation of each pair of rows of observations: [n, observations] -> [n, n]; a vector gives 1.
Tensor corrcoef(const Tensor& x);
struct CorrelateOptions {  // options/ops.toml
  /// Shifts: "valid" for those where the shorter vector is inside of the longer one, "same" for as many as
  /// the longer one has elements, "full" for all where they overlap.
  std::string_view mode = "valid";
};
/// The sums of x1[k + i] * x2[i] over i for each shift k of two vectors. Integers become f32, i64 becomes f64.
/// Errors: InvalidArgument for other ranks, empty vectors and unknown modes.
Tensor correlate(const Tensor& x1, const Tensor& x2, const CorrelateOptions& options = {});

struct TrapezoidOptions {  // options/ops.toml
  /// Positions of the samples: a vector along the axis, or of the shape of y; undefined: dx apart.
  Tensor x = {};
  /// Distance of the samples, without x.
  double dx = 1.0;
  /// Axis of the samples; negative: from the end.
  std::int64_t axis = -1;
};
/// The integral of samples along an axis by the trapezoidal rule.
Tensor trapezoid(const Tensor& y, const TrapezoidOptions& options = {});
struct VanderOptions {  // options/ops.toml
  /// Number of powers, Keras's N; unset: the number of elements of x.
  std::optional<std::int64_t> n = {};
  /// True: the powers rise from 0.
  bool increasing = false;
};
/// The powers of a vector: [m] -> [m, n], by default x^(n - 1) to x^0.
Tensor vander(const Tensor& x, const VanderOptions& options = {});

/// The greatest common divisor of integers, not negative; gcd(0, 0) is 0.
Tensor gcd(const Tensor& x1, const Tensor& x2);
/// The least common multiple of integers, not negative; 0 if one of them is.
Tensor lcm(const Tensor& x1, const Tensor& x2);
/// x1 * 2^x2 for integers x2.
Tensor ldexp(const Tensor& x1, const Tensor& x2);
/// The next number after x1 towards x2. No gradient.
Tensor nextafter(const Tensor& x1, const Tensor& x2);
/// The modified Bessel function of the first kind of order 0.
Tensor i0(const Tensor& x);

/// Windows of x points, f32: the triangle that begins and ends with 0.
Tensor bartlett(std::int64_t x);
/// 0.42 - 0.5 cos(t) + 0.08 cos(2t).
Tensor blackman(std::int64_t x);
/// 0.54 - 0.46 cos(t).
Tensor hamming(std::int64_t x);
/// 0.5 - 0.5 cos(t).
Tensor hanning(std::int64_t x);
/// i0(beta * sqrt(1 - s^2)) / i0(beta) for s from -1 to 1.
Tensor kaiser(std::int64_t x, double beta);

struct LogspaceOptions {  // options/ops.toml
  /// Number of results; must not be negative.
  std::int64_t num = 50;
  /// True: the last number is stop; false: stop would be the next one.
  bool endpoint = true;
  /// Base of the powers.
  double base = 10;
  /// Dtype of the result; unset: the promoted float dtype of start and stop.
  std::optional<DType> dtype = {};
  /// Axis of the result along which the numbers run; negative: from the end.
  std::int64_t axis = 0;
};
/// Powers of base with exponents from start to stop, evenly spaced.
Tensor logspace(const Tensor& start, const Tensor& stop, const LogspaceOptions& options = {});
/// Numbers from start to stop, each a constant factor times the one before. Both have one sign.
Tensor geomspace(const Tensor& start, const Tensor& stop, const LinspaceOptions& options = {});

}  // namespace cornu::inline v0::ops
