// The second part of index.h, and quantiles: operations that sort.
#include <algorithm>
#include <array>
#include <cmath>

#include "cornu/base/check.h"
#include "cornu/tensor/ops/elementwise.h"
#include "cornu/tensor/ops/index.h"
#include "cornu/tensor/ops/nn.h"
#include "cornu/tensor/ops/reduce.h"
#include "cornu/tensor/ops/shape.h"
#include "cornu/tensor/ops/sort_support.h"
#include "cornu/tensor/ops/support.h"

namespace cornu::inline v0::ops {

namespace internal {

std::vector<Tensor> sorted_with_positions(const char* name, const Tensor& x, std::int64_t axis,
                                          bool descending) {
  const ComparisonDirection direction = descending ? ComparisonDirection::kGt : ComparisonDirection::kLt;
  const auto comes_first = [&](ir::Builder& b, Values v) {
    const ir::Value by_value = compare(b, v[0], v[1], direction);
    if (!ir::is_float(v[0].dtype())) return by_value;
    const ir::Value left_nan = compare(b, v[0], v[0], ComparisonDirection::kNe),
                    right_nan = compare(b, v[1], v[1], ComparisonDirection::kNe);
    const ir::Value by_nan =
        descending ? and_(b, left_nan, not_(b, right_nan)) : and_(b, not_(b, left_nan), right_nan);
    return or_(b, by_value, by_nan);
  };
  return run_op_many(OpKey(name, axis, descending), {&x, 1}, [&](ir::Builder& b, Values v) {
    const ir::Value positions = iota(b, {DType::kI32, v[0].dims()}, axis);
    return sort(b, {v[0], positions}, comes_first, {.dimension = axis});
  });
}

}  // namespace internal

using namespace internal;

namespace {

Tensor sorted(const Tensor& x, std::int64_t axis, bool descending = false) {
  return sorted_with_positions("sort", x, axis, descending)[0];
}

}  // namespace

Tensor sort(const Tensor& x, std::int64_t axis) { return sorted(x, normalized_axis(axis, x.rank(), "sort")); }

Tensor argsort(const Tensor& x, std::int64_t axis) {
  return sorted_with_positions("sort", x, normalized_axis(axis, x.rank(), "argsort"), false)[1];
}

Tensor sort(const Tensor& x, const SortAxisOptions& options) {
  return options.axis.has_value() ? sort(x, *options.axis) : sort(ravel(x), -1);
}

Tensor argsort(const Tensor& x, const SortAxisOptions& options) {
  return options.axis.has_value() ? argsort(x, *options.axis) : argsort(ravel(x), -1);
}

TopK top_k(const Tensor& x, std::int64_t k, const TopKOptions&) {
  if (x.rank() < 1 || k < 0 || k > x.shape().back())
    invalid_argument({.argument = "k"}, "[top_k] k must be at most the last extent; got k = {} and shape {}",
                     k, ir::shape_str(x.shape()));
  const std::vector<Tensor> all = sorted_with_positions("sort", x, x.rank() - 1, true);
  return {.values = split(all[0], {k}, -1)[0], .indices = split(all[1], {k}, -1)[0]};
}

namespace {

/// The elements along some axes in ascending order, as the last axis.
struct SortedLine {
  Tensor elements;
  Dims others;  // the shape without these axes
  Dims kept;    // the shape with extent 1 in their places
  std::int64_t size;
};

SortedLine sorted_line(const char* op, const Tensor& x, const Axes& axis) {
  const Dims axes = axis.normalized(x.rank(), op);
  Dims last, kept = x.shape();
  std::int64_t n = 1;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    last.push_back(x.rank() - static_cast<std::int64_t>(axes.size() - i));
    n = checked_extent(op, CheckedSize(n) * extent(x.shape(), axes[i]));
    extent(kept, axes[i]) = 1;
  }
  if (n == 0)
    invalid_argument("[{}] there is no element along the axes of shape {}", op, ir::shape_str(x.shape()));
  const Tensor moved = moveaxis(x, axes, last);
  const Dims others(moved.shape().begin(), moved.shape().end() - static_cast<std::ptrdiff_t>(axes.size()));
  Dims joined = others;
  joined.push_back(n);
  return {sorted(reshape(moved, joined), static_cast<std::int64_t>(others.size())), others, kept, n};
}

void check_quantiles(const char* op, const Quantiles& q, std::string_view method) {
  for (const double at : q.values())
    if (!(at >= 0 && at <= 1))
      invalid_argument({.argument = "q"}, "[{}] q must be in [0, 1]; got q = {}", op, q.values());
  constexpr std::array<std::string_view, 5> kMethods = {"linear", "lower", "higher", "nearest", "midpoint"};
  if (std::find(kMethods.begin(), kMethods.end(), method) == kMethods.end())
    invalid_argument(
        "[{}] method must be \"linear\", \"lower\", \"higher\", \"nearest\" or \"midpoint\"; got method = "
        "\"{}\"",
        op, method);
}

}  // namespace

Tensor quantile(const Tensor& x, const Quantiles& q, const QuantileOptions& options) {
  check_quantiles("quantile", q, options.method);
  const SortedLine line = sorted_line("quantile", as_float(x), options.axis);
  const auto element = [&](double at) {
    return unstack(
        split(line.elements, {static_cast<std::int64_t>(at), static_cast<std::int64_t>(at) + 1}, -1)[1],
        -1)[0];
  };
  const Tensor has_nan = any(isnan(line.elements), {.axis = -1});
  std::vector<Tensor> results;
  for (const double quantile : q.values()) {
    const double at = quantile * static_cast<double>(line.size - 1);
    const double below = std::floor(at), above = std::ceil(at);
    Tensor result;
    if (options.method == "lower" || below == above)
      result = element(below);
    else if (options.method == "higher")
      result = element(above);
    else if (options.method == "nearest")
      result = element(at - below <= 0.5 ? below : above);
    else if (options.method == "midpoint")
      result = (element(below) + element(above)) * 0.5;
    else
      result = element(below) * (above - at) + element(above) * (at - below);
    result = where(has_nan, std::nan(""), result);
    results.push_back(reshape(result, options.keepdims ? line.kept : line.others));
  }
  return q.is_list() ? stack(results) : results[0];
}

// NaN is sorted to the end, so the numbers are the first elements of each line.
Tensor nanquantile(const Tensor& x, const Quantiles& q, const QuantileOptions& options) {
  check_quantiles("nanquantile", q, options.method);
  const SortedLine line = sorted_line("nanquantile", as_float(x), options.axis);
  const DType dtype = line.elements.dtype(), work = accumulation_dtype(dtype);
  const Tensor num_numbers =
      sum(cast(logical_not(isnan(line.elements)), work), {.axis = -1, .keepdims = true});
  const Tensor last = maximum(num_numbers - 1, 0);
  const auto element = [&](const Tensor& at) {
    return cast(take_along_axis(line.elements, cast(at, index_dtype(line.size)), {.axis = -1}), work);
  };
  std::vector<Tensor> results;
  for (const double quantile : q.values()) {
    const Tensor at = last * quantile;
    const Tensor below = floor(at), above = ceil(at), distance = at - below;
    Tensor result;
    if (options.method == "lower")
      result = element(below);
    else if (options.method == "higher")
      result = element(above);
    else if (options.method == "nearest")
      result = element(where(less_equal(distance, 0.5), below, above));
    else if (options.method == "midpoint")
      result = (element(below) + element(above)) * 0.5;
    else
      result = element(below) * (1.0 - distance) + element(above) * distance;
    result = where(greater(num_numbers, 0), result, std::nan(""));  // without a gradient
    results.push_back(cast(reshape(result, options.keepdims ? line.kept : line.others), dtype));
  }
  return q.is_list() ? stack(results) : results[0];
}

Tensor percentile(const Tensor& x, const Quantiles& q, const QuantileOptions& options) {
  std::vector<double> parts;
  for (const double percent : q.values()) parts.push_back(percent / 100);
  return quantile(x, q.is_list() ? Quantiles(parts) : Quantiles(parts[0]), options);
}

Tensor nanpercentile(const Tensor& x, const Quantiles& q, const QuantileOptions& options) {
  std::vector<double> parts;
  for (const double percent : q.values()) parts.push_back(percent / 100);
  return nanquantile(x, q.is_list() ? Quantiles(parts) : Quantiles(parts[0]), options);
}

Tensor median(const Tensor& x, const ReduceOptions& options) {
  return quantile(x, 0.5, {.axis = options.axis, .keepdims = options.keepdims});
}
Tensor nanmedian(const Tensor& x, const ReduceOptions& options) {
  return nanquantile(x, 0.5, {.axis = options.axis, .keepdims = options.keepdims});
}

// The projection on the simplex: with z in descending order, the first k elements stay positive, k the last
// with 1 + k z_k > z_1 + ... + z_k.
Tensor sparsemax(const Tensor& x, std::int64_t axis) {
  const std::int64_t dimension = normalized_axis(axis, x.rank(), "sparsemax");
  const Tensor values = as_float(x);
  const Tensor z = sorted(values, dimension, true);
  Dims along(x.shape().size(), 1);
  extent(along, dimension) = extent(x.shape(), dimension);
  const Tensor counts = reshape(arange(extent(x.shape(), dimension), z.dtype()) + 1, along);
  const Tensor in_support = greater(counts * z + 1, cumsum(z, {.axis = dimension}));
  const ReduceOptions over = {.axis = dimension, .keepdims = true};
  const Tensor threshold = (sum(where(in_support, z, 0), over) - 1) / cast(sum(in_support, over), z.dtype());
  return relu(values - threshold);
}

}  // namespace cornu::inline v0::ops
