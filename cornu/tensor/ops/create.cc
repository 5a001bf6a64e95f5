// The second part of shape.h: diagonals, grids and new tensors.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "cornu/base/check.h"
#include "cornu/tensor/ops/elementwise.h"
#include "cornu/tensor/ops/index.h"
#include "cornu/tensor/ops/reduce.h"
#include "cornu/tensor/ops/shape.h"
#include "cornu/tensor/ops/support.h"
#include "cornu/tensor/trace/trace.h"

namespace cornu::inline v0::ops {
using namespace internal;

namespace {

/// i1 [n, m]: column - row compared with the diagonal, all of which are alike beyond the corners.
Tensor band(std::int64_t n, std::int64_t m, std::int64_t diagonal, ComparisonDirection direction) {
  const std::int64_t k = std::max(std::min(diagonal, m), -std::max<std::int64_t>(n, 0));
  return run_op(OpKey("band", n, m, k, direction), {}, [&](ir::Builder& b, Values) {
    const TensorType type{DType::kI64, {n, m}};
    return compare(b, subtract(b, iota(b, type, 1), iota(b, type, 0)), full(b, type, static_cast<double>(k)),
                   direction);
  });
}

Tensor triangle(const char* name, const Tensor& x, std::int64_t k, ComparisonDirection direction) {
  if (x.rank() < 2)
    invalid_argument("[{}] x must have at least two axes; got shape {}", name, ir::shape_str(x.shape()));
  const Dims& dims = x.shape();
  return where(band(dims[dims.size() - 2], dims.back(), k, direction), x, cast(Tensor(0), x.dtype()));
}

}  // namespace

Tensor tril(const Tensor& x, std::int64_t k) { return triangle("tril", x, k, ComparisonDirection::kLe); }
Tensor triu(const Tensor& x, std::int64_t k) { return triangle("triu", x, k, ComparisonDirection::kGe); }

Tensor diagonal(const Tensor& x, const DiagonalOptions& options) {
  const std::int64_t axis1 = normalized_axis(options.axis1, x.rank(), "diagonal");
  const std::int64_t axis2 = normalized_axis(options.axis2, x.rank(), "diagonal");
  if (axis1 == axis2)
    invalid_argument({.argument = "axis1"}, "[diagonal] the axes must differ; got axis1 = {} and axis2 = {}",
                     options.axis1, options.axis2);
  const std::int64_t n = extent(x.shape(), axis1), m = extent(x.shape(), axis2), k = options.offset;
  const std::int64_t length = std::max<std::int64_t>(0, k >= 0 ? std::min(n, m - k) : std::min(n + k, m));
  const auto positions = [&] {  // in the flattened matrix
    const EagerScope known;     // a constant of the program that is traced
    const std::int64_t first = length == 0 ? 0 : k < 0 ? -k * m : k;
    return arange(length, index_dtype(n * m)) * std::min(m + 1, n * m) + first;
  };
  const Tensor last = moveaxis(x, {axis1, axis2}, {-2, -1});
  Dims flat(last.shape().begin(), last.shape().end() - 2);
  flat.push_back(n * m);
  return take(reshape(last, flat), positions(), {.axis = -1});
}

Tensor diag(const Tensor& x, std::int64_t k) {
  if (x.rank() == 2) return diagonal(x, {.offset = k});
  if (x.rank() != 1)
    invalid_argument("[diag] x must have one axis or two; got shape {}", ir::shape_str(x.shape()));
  const CheckedSize beside = k < 0 ? CheckedSize(0) - k : k;
  const std::int64_t n = checked_extent("diag", beside + x.num_elements());
  check_result("diag", {x.dtype(), {n, n}});
  const std::int64_t num_zeros = n - x.num_elements();
  const Tensor rows =
      pad(x, {k < 0 ? std::pair(num_zeros, std::int64_t{0}) : std::pair(std::int64_t{0}, num_zeros)});
  // The result's row i has rows[i] in column i + k.
  return where(band(n, n, k, ComparisonDirection::kEq), expand_dims(rows, 1), cast(Tensor(0), x.dtype()));
}
Tensor diagflat(const Tensor& x, std::int64_t k) { return diag(ravel(x), k); }
Tensor trace(const Tensor& x, const DiagonalOptions& options) {
  return sum(diagonal(x, options), {.axis = -1});
}

Tensor diff(const Tensor& x, const DiffOptions& options) {
  const std::int64_t axis = normalized_axis(options.axis, x.rank(), "diff");
  if (options.n < 0)
    invalid_argument({.argument = "n"}, "[diff] n must not be negative; got n = {}", options.n);
  Tensor result = x;
  for (std::int64_t i = 0; i < options.n && extent(result.shape(), axis) > 0; ++i) {
    const std::int64_t n = extent(result.shape(), axis);
    const Tensor later = split(result, {1}, axis)[1], earlier = split(result, {n - 1}, axis)[0];
    result = x.dtype() == DType::kI1 ? not_equal(later, earlier) : later - earlier;
  }
  return result;
}

std::vector<Tensor> meshgrid(std::span<const Tensor> vectors, StringViewArgument indexing) {
  if (indexing != "xy" && indexing != "ij")
    invalid_argument({.argument = "indexing"},
                     "[meshgrid] indexing must be \"xy\" or \"ij\"; got indexing = \"{}\"", indexing);
  Dims dims;
  for (const Tensor& vector : vectors) {
    if (vector.rank() > 1)
      invalid_argument("[meshgrid] the coordinates must be vectors; got shape {}",
                       ir::shape_str(vector.shape()));
    dims.push_back(vector.num_elements());
  }
  const bool swapped = indexing == "xy" && vectors.size() > 1;
  if (swapped) std::swap(dims[0], dims[1]);
  std::vector<Tensor> grids;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    Dims along(dims.size(), 1);
    along[swapped && i < 2 ? 1 - i : i] = vectors[i].num_elements();
    grids.push_back(broadcast_to(reshape(vectors[i], along), dims));
  }
  return grids;
}

Tensor full(const Dims& shape, const Tensor& fill_value, DType dtype) {
  return broadcast_to(as_dtype(fill_value, dtype), shape);
}
Tensor zeros(const Dims& shape, DType dtype) { return full(shape, 0, dtype); }
Tensor ones(const Dims& shape, DType dtype) { return full(shape, 1, dtype); }
Tensor empty(const Dims& shape, DType dtype) { return zeros(shape, dtype); }
Tensor full_like(const Tensor& x, const Tensor& fill_value, std::optional<DType> dtype) {
  Tensor result = full(x.shape(), fill_value, dtype.value_or(x.dtype()));
  if (x.rank() > 0) Trace::note_shaped_like(result, x, fill_value.rank() == 0);
  return result;
}
Tensor zeros_like(const Tensor& x, std::optional<DType> dtype) { return full_like(x, 0, dtype); }
Tensor ones_like(const Tensor& x, std::optional<DType> dtype) { return full_like(x, 1, dtype); }
Tensor empty_like(const Tensor& x, std::optional<DType> dtype) { return zeros_like(x, dtype); }

Tensor eye(std::int64_t n, const EyeOptions& options) {
  return cast(band(n, options.m.value_or(n), options.k, ComparisonDirection::kEq), options.dtype);
}
Tensor identity(std::int64_t n, DType dtype) { return eye(n, {.dtype = dtype}); }
Tensor tri(std::int64_t n, const EyeOptions& options) {
  return cast(band(n, options.m.value_or(n), options.k, ComparisonDirection::kLe), options.dtype);
}

namespace {

/// Rejects a number that an integer dtype cannot represent.
void check_holds(const char* op, double value, DType dtype) {
  if (!ir::is_integer(dtype)) return;
  const int num_bits = std::min(ir::bit_width(dtype), 64) - (ir::is_signed_integer(dtype) ? 1 : 0);
  const double limit = std::ldexp(1, std::min(num_bits, 63)),
               lowest = ir::is_signed_integer(dtype) ? -limit : 0;
  if (!(value >= lowest && value < limit))
    invalid_argument({.argument = "dtype"}, "[{}] dtype must hold every number; got dtype = {} for {}", op,
                     ir::numpy_name(dtype), value);
}

}  // namespace

Tensor arange(std::int64_t n, DType dtype) {
  const std::int64_t count = std::max<std::int64_t>(n, 0);
  if (count > 0) {
    check_result("arange", {dtype, {count}});
    check_holds("arange", static_cast<double>(count - 1), dtype);
  }
  return run_op(OpKey("arange", count, dtype), {},
                [&](ir::Builder& b, Values) { return iota(b, {dtype, {count}}, 0); });
}

Tensor arange(const ArangeOptions& options) {
  const auto is_whole = [](double value) { return value == std::trunc(value); };
  if (options.step == 0) invalid_argument("[arange] step must not be 0");
  const bool whole = is_whole(options.start) && is_whole(options.stop) && is_whole(options.step);
  const DType dtype = options.dtype.value_or(whole ? DType::kI32 : default_float());
  const double length = std::ceil((options.stop - options.start) / options.step);
  if (!(length < 0x1p63))
    invalid_argument("[arange] {} elements from start = {}, stop = {}, step = {}", length, options.start,
                     options.stop, options.step);
  const auto count = static_cast<std::int64_t>(std::fmax(0, length));
  if (count == 0) return zeros({0}, dtype);
  check_result("arange", {dtype, {count}});
  check_holds("arange", options.start, dtype);
  check_holds("arange", options.start + static_cast<double>(count - 1) * options.step, dtype);
  if (count == 1) return full({1}, options.start, dtype);
  if (whole && ir::is_integer(dtype)) {
    check_holds("arange", options.step, DType::kI64);
    const Tensor steps = arange(count, DType::kI64) * static_cast<std::int64_t>(options.step);
    return cast(steps + static_cast<std::int64_t>(options.start), dtype);
  }
  const Tensor steps = arange(count, ir::is_float(dtype) ? dtype : DType::kF32);
  return cast(add(multiply(steps, options.step), options.start), dtype);
}

Tensor linspace(const Tensor& start, const Tensor& stop, const LinspaceOptions& options) {
  if (options.num < 0)
    invalid_argument({.argument = "num"}, "[linspace] num must not be negative; got num = {}", options.num);
  const DType promoted = promote_to_float(start, stop);
  const DType dtype = options.dtype.value_or(promoted);
  const DType work = accumulation_dtype(promoted);
  const Tensor first = as_dtype(start, work), last = as_dtype(stop, work);
  const Dims dims = broadcast_shapes(first.shape(), last.shape(), "linspace");
  const std::int64_t axis =
      normalized_axis(options.axis, static_cast<std::int64_t>(dims.size()) + 1, "linspace");
  const auto num_steps = static_cast<double>(options.endpoint ? options.num - 1 : options.num);
  Dims along(dims.size() + 1, 1);
  extent(along, axis) = options.num;
  const Tensor at = reshape(arange(options.num, work) / std::fmax(num_steps, 1), along);
  const Tensor from = expand_dims(broadcast_to(first, dims), axis),
               to = expand_dims(broadcast_to(last, dims), axis);
  Tensor result = from * (1.0 - at) + to * at;
  if (options.endpoint && options.num > 1) {  // exactly the end
    const Tensor is_last =
        reshape(equal(arange(options.num, index_dtype(options.num)), options.num - 1), along);
    result = where(is_last, to, result);
  }
  if (ir::is_integer(dtype)) result = floor(result);
  return cast(result, dtype);
}

Tensor take_rows(const Tensor& x, std::span<const std::int64_t> indices) {
  const std::int64_t num_rows = x.num_rows();
  for (const std::int64_t row : indices)
    if (row < 0 || row >= num_rows) fail(ErrorCode::kOutOfRange, "[take_rows] row {} of {}", row, num_rows);
  if (detail::must_be_recorded(x)) {
    const Dims count = {static_cast<std::int64_t>(indices.size())};
    return take(x, Tensor::adopt(count, std::vector<std::int64_t>(indices.begin(), indices.end())),
                {.axis = 0});
  }
  const std::byte* source = x.bytes();
  TensorType type = x.type();
  type.dims[0] = static_cast<std::int64_t>(indices.size());
  const std::size_t row_bytes =
      num_rows == 0 ? 0 : x.type().size_bytes() / static_cast<std::size_t>(num_rows);
  ir::Literal result(type);
  std::byte* out = result.mutable_bytes().data();
  for (const std::int64_t row : indices) {
    if (row_bytes > 0) std::memcpy(out, source + static_cast<std::size_t>(row) * row_bytes, row_bytes);
    out += row_bytes;
  }
  return Tensor(result);
}

}  // namespace cornu::inline v0::ops
