#pragma once

#include <concepts>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "cornu/tensor/ops/positional.h"
#include "cornu/tensor/ops/types.h"

/// Reductions and running sums, under their names in keras.ops.
///
/// Shapes:    the reduced axes are removed, or kept with extent 1 if keepdims.
/// Types:     f16 and bf16 are accumulated in f32 and rounded once.
/// Errors:    InvalidArgument with the function's name if an axis is out of range or given twice.
namespace cornu::inline v0::ops {

struct ReduceOptions {  // options/ops.toml
  /// Axes that are reduced; negative: from the end. Unset: all.
  Axes axis = {};
  /// True: keeps the reduced axes, with extent 1.
  bool keepdims = false;
};
struct ExtremumOptions {  // options/ops.toml
  /// Axes that are reduced; negative: from the end. Unset: all.
  Axes axis = {};
  /// True: keeps the reduced axes, with extent 1.
  bool keepdims = false;
  /// Number that is compared like one more element; unset: none, so that there must be an element.
  std::optional<double> initial = {};
};
/// The sum; booleans and narrow integers are summed as 32-bit integers.
Tensor sum(const Tensor& x, const ReduceOptions& options = {});
/// The mean; of floats.
Tensor mean(const Tensor& x, const ReduceOptions& options = {});
struct ProdOptions {  // options/ops.toml
  /// Axes that are reduced; negative: from the end. Unset: all.
  Axes axis = {};
  /// True: keeps the reduced axes, with extent 1.
  bool keepdims = false;
  /// Dtype of the product; unset: that of x, but a 32-bit integer for booleans and narrow integers.
  std::optional<DType> dtype = {};
};
Tensor prod(const Tensor& x, const ProdOptions& options = {});
Tensor max(const Tensor& x, const ExtremumOptions& options = {});
Tensor min(const Tensor& x, const ExtremumOptions& options = {});
Tensor amax(const Tensor& x, const ReduceOptions& options = {});
Tensor amin(const Tensor& x, const ReduceOptions& options = {});
/// max - min.
Tensor ptp(const Tensor& x, const ReduceOptions& options = {});
/// The mean of the squared distances from the mean.
Tensor var(const Tensor& x, const ReduceOptions& options = {});
Tensor std(const Tensor& x, const ReduceOptions& options = {});
/// The middle value, or the mean of the two middle values.
Tensor median(const Tensor& x, const ReduceOptions& options = {});
/// One q or several; for several the result has an additional first axis.
class Quantiles {
 public:
  Quantiles(double q) : values_{q}, is_list_(false) {}
  Quantiles(std::initializer_list<double> q) : values_(q) {}
  Quantiles(std::vector<double> q) : values_(std::move(q)) {}
  bool is_list() const { return is_list_; }
  const std::vector<double>& values() const { return values_; }

 private:
  std::vector<double> values_;
  bool is_list_ = true;
};
struct QuantileOptions {  // options/ops.toml
  /// Axes that are reduced; negative: from the end. Unset: all.
  Axes axis = {};
  /// Result between two elements: "linear", "lower", "higher", "nearest" (the lower one in the middle) or
  /// "midpoint".
  std::string_view method = "linear";
  /// True: keeps the reduced axes, with extent 1.
  bool keepdims = false;
};
/// The element at position q * (n - 1) in ascending order; NaN if any element is NaN.
Tensor quantile(const Tensor& x, const Quantiles& q, const QuantileOptions& options = {});
/// The quantile at q / 100.
Tensor percentile(const Tensor& x, const Quantiles& q, const QuantileOptions& options = {});
/// log(sum(exp(x))) without overflow; -inf of no elements.
Tensor logsumexp(const Tensor& x, const ReduceOptions& options = {});
Tensor all(const Tensor& x, const ReduceOptions& options = {});
Tensor any(const Tensor& x, const ReduceOptions& options = {});
struct CountNonzeroOptions {  // options/ops.toml
  /// Axes that are reduced; negative: from the end. Unset: all.
  Axes axis = {};
};
/// The number of elements that are not 0, as i32.
Tensor count_nonzero(const Tensor& x, const CountNonzeroOptions& options = {});

struct AverageOptions {  // options/ops.toml
  /// Axes that are reduced; negative: from the end. Unset: all.
  Axes axis = {};
  /// Weights of the shape of x, or a vector along the one axis; undefined: 1.
  Tensor weights = {};
};
/// sum(x * weights) / sum(weights).
Tensor average(const Tensor& x, const AverageOptions& options = {});

struct ArgOptions {  // options/ops.toml
  /// Axis along which positions count; negative: from the end. Unset: x is flattened.
  std::optional<std::int64_t> axis = {};
  /// True: keeps the reduced axis, with extent 1.
  bool keepdims = false;
};
/// The index of the first largest (smallest) element, i32; NaN ranks beyond all numbers.
Tensor argmax(const Tensor& x, const ArgOptions& options = {});
Tensor argmin(const Tensor& x, const ArgOptions& options = {});

struct CumulativeOptions {  // options/ops.toml
  /// Axis along which values are combined; negative: from the end. Unset: x is flattened.
  std::optional<std::int64_t> axis = {};
  /// Dtype of the result; unset: that of x, but i32 for booleans.
  std::optional<DType> dtype = {};
};
/// Running sums by doubling, in log2(n) steps. Integers keep their dtype; booleans become i32.
Tensor cumsum(const Tensor& x, const CumulativeOptions& options = {});
Tensor cumprod(const Tensor& x, const CumulativeOptions& options = {});

// Reductions that leave NaN out. Integers are reduced as by the function without "nan".

/// The sum of the elements that are not NaN; 0 if all are.
Tensor nansum(const Tensor& x, const ReduceOptions& options = {});
/// The product of the elements that are not NaN; 1 if all are.
Tensor nanprod(const Tensor& x, const ReduceOptions& options = {});
/// The largest element that is not NaN; NaN if all are.
Tensor nanmax(const Tensor& x, const ReduceOptions& options = {});
/// The smallest element that is not NaN; NaN if all are.
Tensor nanmin(const Tensor& x, const ReduceOptions& options = {});
/// The mean of the elements that are not NaN; NaN if all are.
Tensor nanmean(const Tensor& x, const ReduceOptions& options = {});
/// The mean of the squared distances of those elements from their mean; NaN if all elements are NaN.
Tensor nanvar(const Tensor& x, const ReduceOptions& options = {});
/// The square root of nanvar.
Tensor nanstd(const Tensor& x, const ReduceOptions& options = {});
/// Running sums that take NaN as 0.
Tensor nancumsum(const Tensor& x, const CumulativeOptions& options = {});
/// Running products that take NaN as 1.
Tensor nancumprod(const Tensor& x, const CumulativeOptions& options = {});
/// The position (i32) of the largest element that is not NaN; -1 if all are.
Tensor nanargmax(const Tensor& x, const ArgOptions& options = {});
/// The position (i32) of the smallest element that is not NaN; -1 if all are.
Tensor nanargmin(const Tensor& x, const ArgOptions& options = {});
/// The median of the elements that are not NaN; NaN if all are.
Tensor nanmedian(const Tensor& x, const ReduceOptions& options = {});
/// Quantiles of the elements that are not NaN; NaN if all are.
Tensor nanquantile(const Tensor& x, const Quantiles& q, const QuantileOptions& options = {});
/// nanquantile with q in percent.
Tensor nanpercentile(const Tensor& x, const Quantiles& q, const QuantileOptions& options = {});

/// Order of a norm: a number p, "fro", "euclidean" or "nuc". The default is the 2-norm of all elements (with one
/// axis: of the vectors along it).
class NormOrder {
 public:
  NormOrder() = default;
  NormOrder(double p) : p_(p) {}
  template <std::integral P>  // a literal 0 is also a null pointer
  NormOrder(P p) : p_(static_cast<double>(p)) {}
  /// Errors: InvalidArgument for another name.
  NormOrder(const char* name);
  std::optional<double> p() const { return p_; }
  bool is_frobenius() const { return is_frobenius_; }
  bool is_nuclear() const { return is_nuclear_; }

 private:
  std::optional<double> p_;
  bool is_frobenius_ = false, is_nuclear_ = false;
};
struct NormOptions {  // options/ops.toml
  /// Order of the norm: a number p, "fro", "euclidean" or "nuc"; unset: the 2-norm of all elements, or with
  /// one axis of the vectors along it.
  NormOrder ord = {};
  /// Axis of the vectors, or the two axes of the matrices; negative: from the end. Unset: all.
  Axes axis = {};
  /// True: keeps the reduced axes, with extent 1.
  bool keepdims = false;
};
/// Vector norms (one axis): inf, -inf, 0 (the number of nonzero elements), any p. Matrix norms (two axes):
/// "fro", 1, -1, inf, -inf, and of singular values their sum "nuc", the largest one 2 and the smallest one -2.
/// Errors: InvalidArgument for an order that does not exist for the number of axes.
Tensor norm(const Tensor& x, const NormOptions& options = {});

// Axes by position, as in positional.h. Templates, because GCC 12 takes {.axis = {0, 1}} for {{0, 1}}: so
// options are preferred.
template <std::convertible_to<Axes> A>
Tensor count_nonzero(const Tensor& x, const A& axis) {
  return count_nonzero(x, CountNonzeroOptions{.axis = axis});
}
template <typename = void>
Tensor count_nonzero(const Tensor& x, std::initializer_list<std::int64_t> axis) {
  return axis.size() == 0 ? count_nonzero(x) : count_nonzero(x, CountNonzeroOptions{.axis = axis});
}

}  // namespace cornu::inline v0::ops
