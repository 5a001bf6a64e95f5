#include "cornu/tensor/ops/reduce.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "cornu/base/check.h"
#include "cornu/ir/complex.h"
#include "cornu/tensor/ops/decompositions.h"
#include "cornu/tensor/ops/elementwise.h"
#include "cornu/tensor/ops/shape.h"
#include "cornu/tensor/ops/support.h"
#include "cornu/tensor/trace/trace.h"

namespace cornu::inline v0::ops {
using namespace internal;

namespace {

using ReduceFn = ir::Value (*)(ir::Builder&, ir::Value, Dims);

Tensor reduction(const char* name, const Tensor& x, const Axes& axis, bool keepdims, ReduceFn op) {
  const Dims axes = axis.normalized(x.rank(), name);
  Dims kept = x.shape();
  for (const std::int64_t dimension : axes) extent(kept, dimension) = 1;
  if (axes.empty()) return x;
  return run_op(OpKey(name, axes, keepdims), {&x, 1}, [&](ir::Builder& b, Values v) {
    const DType dtype = accumulation_dtype(v[0].dtype());
    ir::Value reduced = op(b, dtype == v[0].dtype() ? v[0] : convert(b, v[0], dtype), axes);
    if (dtype != v[0].dtype()) reduced = convert(b, reduced, v[0].dtype());
    return keepdims ? reshape(b, reduced, kept) : reduced;
  });
}

/// Widens integers narrower than 32 bits for sums and products.
Tensor as_summand(const Tensor& x) {
  const DType dtype = x.dtype();
  if (ir::is_differentiable(dtype) || ir::bit_width(dtype) >= 32) return x;
  return as_dtype(x, ir::is_unsigned_integer(dtype) ? DType::kU32 : DType::kI32);
}

std::int64_t num_along(const Tensor& x, const Dims& dimensions) {
  std::int64_t count = 1;
  for (const std::int64_t dimension : dimensions) count *= extent(x.shape(), dimension);
  return count;
}

/// The real numbers with the squares |x|^2.
Tensor magnitude(const Tensor& x) { return ir::is_complex(x.dtype()) ? abs(x) : x; }

/// The dtype of a mean: of integers and booleans float32, as in Keras, whatever the default float is.
DType mean_dtype(const Tensor& x) {
  return ir::is_float(x.dtype()) || ir::is_complex(x.dtype()) ? x.dtype() : DType::kF32;
}

/// The mean, computed and returned in the accumulation dtype.
Tensor wide_mean(const Tensor& x, const ReduceOptions& options, const char* op) {
  const Dims dimensions = options.axis.normalized(x.rank(), op);  // first: its errors name `op`
  const auto count = static_cast<double>(num_along(x, dimensions));
  Trace::note_count("mean()", x, dimensions);
  return divide(sum(as_dtype(x, accumulation_dtype(mean_dtype(x))), options), count);
}

Tensor with_initial(const Tensor& reduced, const std::optional<double>& initial,
                    Tensor (*combine)(const Tensor&, const Tensor&)) {
  return initial ? combine(reduced, as_dtype(Tensor(*initial), reduced.dtype())) : reduced;
}

void check_not_empty(const char* op, const Tensor& x, const Axes& axis) {
  if (num_along(x, axis.normalized(x.rank(), op)) == 0)
    invalid_argument("[{}] there is no element along axis {} of shape {}", op, axis.given(),
                     ir::shape_str(x.shape()));
}

Tensor argument(const char* name, const Tensor& x, const ArgOptions& options) {
  if (!options.axis) {
    const Tensor index = argument(name, reshape(x, {-1}), {.axis = 0});
    return options.keepdims ? reshape(index, Dims(static_cast<std::size_t>(x.rank()), 1)) : index;
  }
  const std::int64_t dimension = normalized_axis(*options.axis, x.rank(), name);
  check_not_empty(name, x, dimension);
  const Tensor index = run_op(OpKey(name, dimension), {&x, 1},
                              [&](ir::Builder& b, Values v) { return argmax(b, v[0], dimension); });
  return options.keepdims ? expand_dims(index, dimension) : index;
}

/// Reverses the order. The complement of an integer is -1 - x, which never overflows.
Tensor reversed_order(const Tensor& x) { return ir::is_float(x.dtype()) ? negative(x) : bitwise_not(x); }

using CumulativeFn = ir::Value (*)(ir::Builder&, ir::Value, std::int64_t axis);

/// Running product by doubling: multiplies each element by the one `distance` before it, then by twice that
/// distance, and so on, log2(n) steps in all. Unlike that of a window, its gradient does not divide.
ir::Value running_product(ir::Builder& b, ir::Value x, std::int64_t axis) {
  const Dims none(static_cast<std::size_t>(x.rank()), 0);
  const ir::Value edge = scalar(b, x.dtype(), 1);
  for (std::int64_t distance = 1; distance < extent(x.dims(), axis); distance *= 2) {
    Dims low = none, high = none;
    extent(low, axis) = distance;
    extent(high, axis) = -distance;
    x = multiply(b, x, pad(b, x, edge, low, high, none));
  }
  return x;
}

ir::Value running_sum(ir::Builder& b, ir::Value x, std::int64_t axis) { return cumulative_sum(b, x, axis); }

Tensor cumulative(const char* name, const Tensor& x, const CumulativeOptions& options, CumulativeFn build) {
  if (!options.axis) return cumulative(name, reshape(x, {-1}), {.axis = 0, .dtype = options.dtype}, build);
  const Tensor values = options.dtype ? as_dtype(x, *options.dtype) : as_number(x);
  const std::int64_t axis = normalized_axis(*options.axis, values.rank(), name);
  return run_op(OpKey(name, axis), {&values, 1}, [&](ir::Builder& b, Values v) {
    const DType dtype = accumulation_dtype(v[0].dtype());
    const ir::Value running = build(b, dtype == v[0].dtype() ? v[0] : convert(b, v[0], dtype), axis);
    return dtype == v[0].dtype() ? running : convert(b, running, v[0].dtype());
  });
}

}  // namespace

Tensor sum(const Tensor& x, const ReduceOptions& options) {
  return reduction("sum", as_summand(x), options.axis, options.keepdims, &reduce_sum);
}

Tensor mean(const Tensor& x, const ReduceOptions& options) {
  return as_dtype(wide_mean(x, options, "mean"), mean_dtype(x));
}

Tensor prod(const Tensor& x, const ProdOptions& options) {
  return reduction("prod", options.dtype ? as_dtype(x, *options.dtype) : as_summand(x), options.axis,
                   options.keepdims, &reduce_product);
}

Tensor max(const Tensor& x, const ExtremumOptions& options) {
  if (!options.initial) check_not_empty("max", x, options.axis);
  return with_initial(reduction("max", x, options.axis, options.keepdims, &reduce_max), options.initial,
                      &maximum);
}
Tensor min(const Tensor& x, const ExtremumOptions& options) {
  if (!options.initial) check_not_empty("min", x, options.axis);
  return with_initial(reduction("min", x, options.axis, options.keepdims, &reduce_min), options.initial,
                      &minimum);
}
Tensor amax(const Tensor& x, const ReduceOptions& options) {
  return max(x, {.axis = options.axis, .keepdims = options.keepdims});
}
Tensor amin(const Tensor& x, const ReduceOptions& options) {
  return min(x, {.axis = options.axis, .keepdims = options.keepdims});
}
Tensor ptp(const Tensor& x, const ReduceOptions& options) { return amax(x, options) - amin(x, options); }

Tensor var(const Tensor& x, const ReduceOptions& options) {
  const Tensor values = as_inexact(x);
  const Tensor wide = as_dtype(values, accumulation_dtype(values.dtype()));
  const Tensor centred = wide - wide_mean(wide, {.axis = options.axis, .keepdims = true}, "var");
  return as_dtype(wide_mean(square(magnitude(centred)), options, "var"), ir::real_dtype(values.dtype()));
}
Tensor std(const Tensor& x, const ReduceOptions& options) { return sqrt(var(x, options)); }

Tensor logsumexp(const Tensor& x, const ReduceOptions& options) {
  const Tensor values = as_float(x);
  const Dims axes = options.axis.normalized(x.rank(), "logsumexp");
  const Tensor largest = reduction("max", values, options.axis, true, &reduce_max);  // -inf of no elements
  // An infinite maximum would give inf - inf. Its gradient is omitted, since it cancels.
  const Tensor shift = where(isfinite(largest), largest, 0);
  Tensor result = log(sum(exp(values - shift), {.axis = options.axis, .keepdims = true})) + shift;
  if (options.keepdims) return result;
  Dims dims;
  for (std::int64_t d = 0; d < x.rank(); ++d)
    if (std::find(axes.begin(), axes.end(), d) == axes.end()) dims.push_back(extent(x.shape(), d));
  return reshape(result, dims);
}

Tensor all(const Tensor& x, const ReduceOptions& options) {
  return reduction("all", as_bool(x), options.axis, options.keepdims, &reduce_and);
}
Tensor any(const Tensor& x, const ReduceOptions& options) {
  return reduction("any", as_bool(x), options.axis, options.keepdims, &reduce_or);
}
Tensor count_nonzero(const Tensor& x, const CountNonzeroOptions& options) {
  // In 32 bits, as Keras, unless the count may not fit.
  const bool fits = num_along(x, options.axis.normalized(x.rank(), "count_nonzero")) <=
                    std::numeric_limits<std::int32_t>::max();
  return sum(as_dtype(as_bool(x), fits ? DType::kI32 : DType::kI64), {.axis = options.axis});
}

Tensor average(const Tensor& x, const AverageOptions& options) {
  if (!options.weights.defined()) return mean(as_inexact(x), {.axis = options.axis});
  const DType dtype = promote_to_float(x, options.weights);
  Tensor weights = as_dtype(options.weights, dtype);
  if (weights.shape() != x.shape()) {
    const Dims axes = options.axis.normalized(x.rank(), "average");
    if (options.axis.all() || axes.size() != 1 || weights.rank() != 1 ||
        weights.shape()[0] != extent(x.shape(), axes[0]))
      invalid_argument(
          "[average] weights must have x's shape {}, or be a vector along the one axis; got shape {}",
          ir::shape_str(x.shape()), ir::shape_str(weights.shape()));
    Dims along(static_cast<std::size_t>(x.rank()), 1);
    extent(along, axes[0]) = weights.shape()[0];
    weights = broadcast_to(reshape(weights, along), x.shape());
  }
  return divide(sum(as_dtype(x, dtype) * weights, {.axis = options.axis}),
                sum(weights, {.axis = options.axis}));
}

Tensor argmax(const Tensor& x, const ArgOptions& options) { return argument("argmax", x, options); }
Tensor argmin(const Tensor& x, const ArgOptions& options) {
  return argument("argmin", reversed_order(x), options);
}
Tensor argmax(const Tensor& x, std::int64_t axis) { return argmax(x, {.axis = axis}); }
Tensor argmin(const Tensor& x, std::int64_t axis) { return argmin(x, {.axis = axis}); }

Tensor cumsum(const Tensor& x, const CumulativeOptions& options) {
  return cumulative("cumsum", x, options, &running_sum);
}
Tensor cumprod(const Tensor& x, const CumulativeOptions& options) {
  return cumulative("cumprod", x, options, &running_product);
}

namespace {

/// x with `fill` in the places of NaN.
Tensor without_nan(const Tensor& x, double fill) {
  return ir::is_differentiable(x.dtype()) ? where(isnan(x), fill, x) : x;
}

/// The extremum over elements with `fill` in the places of NaN, or NaN where all elements are NaN.
Tensor nan_extremum(const Tensor& x, const ReduceOptions& options, double fill,
                    Tensor (*extremum)(const Tensor&, const ReduceOptions&)) {
  if (!ir::is_float(x.dtype())) return extremum(x, options);
  return where(all(isnan(x), options), std::numeric_limits<double>::quiet_NaN(),
               extremum(without_nan(x, fill), options));
}

/// The sum of `values` divided by the number of elements of x that are not NaN.
Tensor divide_by_count(const Tensor& values, const Tensor& x, const ReduceOptions& options) {
  return divide(sum(values, options),
                sum(as_dtype(logical_not(isnan(x)), ir::real_dtype(values.dtype())), options));
}

Tensor as_wide(const Tensor& x) { return as_dtype(x, accumulation_dtype(x.dtype())); }

}  // namespace

Tensor nansum(const Tensor& x, const ReduceOptions& options) { return sum(without_nan(x, 0), options); }
Tensor nanprod(const Tensor& x, const ReduceOptions& options) {
  return prod(without_nan(x, 1), {.axis = options.axis, .keepdims = options.keepdims});
}
Tensor nanmax(const Tensor& x, const ReduceOptions& options) {
  return nan_extremum(x, options, -std::numeric_limits<double>::infinity(), &amax);
}
Tensor nanmin(const Tensor& x, const ReduceOptions& options) {
  return nan_extremum(x, options, std::numeric_limits<double>::infinity(), &amin);
}
Tensor nanmean(const Tensor& x, const ReduceOptions& options) {
  if (!ir::is_differentiable(x.dtype())) return mean(as_inexact(x), options);
  const Tensor wide = as_wide(x);
  return as_dtype(divide_by_count(without_nan(wide, 0), wide, options), x.dtype());
}
// The distances of NaN are 0 before they are squared: the slope of a square at NaN would be NaN.
Tensor nanvar(const Tensor& x, const ReduceOptions& options) {
  if (!ir::is_differentiable(x.dtype())) return var(x, options);
  const Tensor wide = as_wide(x);
  const Tensor centred = wide - nanmean(wide, {.axis = options.axis, .keepdims = true});
  const Tensor distances = where(isnan(wide), 0, magnitude(centred));
  return as_dtype(divide_by_count(square(distances), wide, options), ir::real_dtype(x.dtype()));
}
Tensor nanstd(const Tensor& x, const ReduceOptions& options) { return sqrt(nanvar(x, options)); }
namespace {

/// -1 where all elements are NaN, else the position of the extremum of x with `fill` in the places of NaN.
Tensor nan_position(const Tensor& x, const ArgOptions& options, double fill,
                    Tensor (*position)(const Tensor&, const ArgOptions&)) {
  if (!ir::is_float(x.dtype())) return position(x, options);
  const ReduceOptions over = {.axis = options.axis ? Axes(*options.axis) : Axes(),
                              .keepdims = options.keepdims};
  return where(all(isnan(x), over), -1, position(without_nan(x, fill), options));
}

}  // namespace

Tensor nanargmax(const Tensor& x, const ArgOptions& options) {
  return nan_position(x, options, -std::numeric_limits<double>::infinity(), &argmax);
}
Tensor nanargmin(const Tensor& x, const ArgOptions& options) {
  return nan_position(x, options, std::numeric_limits<double>::infinity(), &argmin);
}
Tensor nancumsum(const Tensor& x, const CumulativeOptions& options) {
  return cumsum(without_nan(x, 0), options);
}
Tensor nancumprod(const Tensor& x, const CumulativeOptions& options) {
  return cumprod(without_nan(x, 1), options);
}

NormOrder::NormOrder(const char* name) {
  const std::string_view order = name == nullptr ? "" : name;
  is_nuclear_ = order == "nuc";
  is_frobenius_ = order == "fro" || order == "euclidean";
  if (!is_nuclear_ && !is_frobenius_)
    invalid_argument({.argument = "ord"},
                     "[norm] ord must be a number, \"fro\", \"euclidean\" or \"nuc\"; got ord = \"{}\"",
                     order);
}

namespace {

Tensor vector_norm(const Tensor& x, const NormOptions& options) {
  const ReduceOptions reduce = {.axis = options.axis, .keepdims = options.keepdims};
  const double p = options.ord.p().value_or(2);
  if (options.ord.is_frobenius() || options.ord.is_nuclear())
    invalid_argument({.argument = "axis"}, "[norm] ord = \"{}\" is a norm of two axes; got axis = {}",
                     options.ord.is_nuclear() ? "nuc" : "fro", options.axis.given());
  if (std::isinf(p)) return p > 0 ? amax(abs(x), reduce) : amin(abs(x), reduce);
  if (p == 0) return sum(cast(not_equal(x, 0), x.dtype()), reduce);
  if (p == 1) return sum(abs(x), reduce);
  if (p == 2) return sqrt(sum(square(x), reduce));
  return power(sum(power(abs(x), p), reduce), 1 / p);
}

/// "nuc", 2 and -2: the sum, the largest and the smallest of the singular values.
Tensor singular_norm(const Tensor& x, const NormOptions& options) {
  const std::vector<std::int64_t>& axes = options.axis.given();
  const Tensor values = svd(moveaxis(x, axes, {-2, -1}), {.compute_uv = false})[0];
  const ReduceOptions last = {.axis = -1};
  const Tensor result = options.ord.is_nuclear() ? sum(values, last)
                        : *options.ord.p() > 0   ? amax(values, last)
                                                 : amin(values, last);
  return options.keepdims ? expand_dims(result, axes) : result;
}

Tensor matrix_norm(const Tensor& x, const NormOptions& options) {
  if (options.ord.is_nuclear()) return singular_norm(x, options);
  if (options.ord.is_frobenius() || !options.ord.p())
    return sqrt(sum(square(x), {.axis = options.axis, .keepdims = options.keepdims}));
  const double p = *options.ord.p();
  if (std::fabs(p) == 2) return singular_norm(x, options);
  if (std::fabs(p) != 1 && !std::isinf(p)) invalid_argument("[norm] matrices have no norm of ord = {}", p);
  // Column sums for 1, row sums for infinity; rows and columns are the axes in the given order.
  const std::int64_t rows = normalized_axis(options.axis.given()[0], x.rank(), "norm");
  const std::int64_t columns = normalized_axis(options.axis.given()[1], x.rank(), "norm");
  const bool by_columns = std::fabs(p) == 1;
  const Tensor sums = sum(abs(x), {.axis = by_columns ? rows : columns, .keepdims = true});
  const ReduceOptions over = {.axis = by_columns ? columns : rows, .keepdims = true};
  const Tensor result = p > 0 ? amax(sums, over) : amin(sums, over);
  return options.keepdims ? result : squeeze(result, {rows, columns});
}

}  // namespace

Tensor norm(const Tensor& x, const NormOptions& options) {
  const Tensor values = as_inexact(x);
  const Dims axes = options.axis.normalized(x.rank(), "norm");
  if (!options.ord.p() && !options.ord.is_frobenius() && !options.ord.is_nuclear())
    return sqrt(sum(square(magnitude(values)), {.axis = options.axis, .keepdims = options.keepdims}));
  NormOptions given = options;
  if (options.axis.all()) given.axis = std::vector<std::int64_t>(axes);
  if (axes.size() == 1) return vector_norm(values, given);
  if (axes.size() == 2) return matrix_norm(values, given);
  invalid_argument({.argument = "axis"},
                   "[norm] with ord there must be one axis or two; got axis = {} of shape {}", axes,
                   ir::shape_str(x.shape()));
}

}  // namespace cornu::inline v0::ops
