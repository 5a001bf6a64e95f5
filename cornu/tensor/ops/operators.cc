// The operators and slices of Tensor, which are operations.
#include <algorithm>
#include <limits>

#include "cornu/base/check.h"
#include "cornu/ops/reshape/reshape.h"
#include "cornu/ops/reverse/reverse.h"
#include "cornu/ops/slice/slice.h"
#include "cornu/tensor/ops/elementwise.h"
#include "cornu/tensor/run/run_op.h"

namespace cornu::inline v0 {

Tensor Tensor::operator[](std::int64_t i) const {
  if (rank() == 0) invalid_argument("a scalar has no rows");
  const std::int64_t rows = shape()[0];
  if (i < -rows || i >= rows)
    fail(ErrorCode::kOutOfRange, "row {} of a tensor of shape {}", i, ir::shape_str(shape()));
  if (i < 0) i += rows;
  return detail::run_op(
      detail::OpKey("row", i), {this, 1}, [&](ir::Builder& b, std::span<const ir::Value> v) {
        Dims start(v[0].dims().size(), 0), limit = v[0].dims();
        start[0] = i;
        limit[0] = i + 1;
        const Dims row(v[0].dims().begin() + 1, v[0].dims().end());
        return ops::reshape(b, ops::slice(b, v[0], start, limit, Dims(start.size(), 1)), row);
      });
}

namespace {

/// A slice of an axis with positions resolved; a negative step is the reverse of a positive one.
struct ResolvedSlice {
  std::int64_t begin = 0, end = 0, step = 1;
  bool reversed = false;
};

ResolvedSlice resolve(const Slice& slice, std::int64_t extent, std::size_t axis) {
  if (slice.step == 0)
    invalid_argument({.argument = "step"}, "[slice] step must not be 0; got step = 0 for axis {}", axis);
  const auto position = [&](std::int64_t p, std::int64_t low, std::int64_t high) {
    return std::clamp(p < 0 ? p + extent : p, low, high);
  };
  constexpr std::int64_t kLongest = std::numeric_limits<std::int64_t>::max();
  ResolvedSlice result{.step = slice.step < 0 ? -std::max(slice.step, -kLongest) : slice.step,
                       .reversed = slice.step < 0};
  if (!result.reversed) {
    result.begin = slice.begin ? position(*slice.begin, 0, extent) : 0;
    result.end = std::max(result.begin, slice.end ? position(*slice.end, 0, extent) : extent);
    return result;
  }
  // From `first` down to beyond `last`: the same elements upwards.
  const std::int64_t first = slice.begin ? position(*slice.begin, -1, extent - 1) : extent - 1;
  const std::int64_t last = slice.end ? position(*slice.end, -1, extent - 1) : -1;
  if (first <= last) return {.begin = 0, .end = 0, .step = 1, .reversed = true};
  result.begin = first - (first - last - 1) / result.step * result.step;
  result.end = first + 1;
  return result;
}

}  // namespace

Tensor Tensor::slice(std::span<const Slice> slices) const {
  if (static_cast<std::int64_t>(slices.size()) > rank())
    invalid_argument("[slice] {} slices for a tensor of shape {}", slices.size(), ir::shape_str(shape()));
  Dims start(shape().size(), 0), limit = shape(), step(shape().size(), 1), reversed;
  for (std::size_t d = 0; d < slices.size(); ++d) {
    const ResolvedSlice part = resolve(slices[d], limit[d], d);
    start[d] = part.begin;
    limit[d] = part.end;
    step[d] = part.step;
    if (part.reversed) reversed.push_back(static_cast<std::int64_t>(d));
  }
  return detail::run_op(detail::OpKey("slice", start, limit, step, reversed), {this, 1},
                        [&](ir::Builder& b, std::span<const ir::Value> v) {
                          const ir::Value part = ops::slice(b, v[0], start, limit, step);
                          return reversed.empty() ? part : ops::reverse(b, part, reversed);
                        });
}

Tensor Tensor::rows(std::int64_t begin, std::int64_t end) const {
  if (rank() == 0) invalid_argument("a scalar has no rows");
  const std::int64_t count = shape()[0];
  if (begin < 0 || begin > end || end > count)
    invalid_argument("rows [{}, {}) are outside a tensor of {} rows", begin, end, count);
  if (detail::must_be_recorded(*this)) return slice({{.begin = begin, .end = end}});
  TensorType part = type();
  part.dims[0] = end - begin;
  const std::size_t row_bytes = count == 0 ? 0 : type().size_bytes() / static_cast<std::size_t>(count);
  return from_bytes(part, bytes() + static_cast<std::size_t>(begin) * row_bytes, part.size_bytes(), memory());
}

Tensor operator+(const Tensor& x, const Tensor& y) { return ops::add(x, y); }
Tensor operator-(const Tensor& x, const Tensor& y) { return ops::subtract(x, y); }
Tensor operator*(const Tensor& x, const Tensor& y) { return ops::multiply(x, y); }
Tensor operator/(const Tensor& x, const Tensor& y) { return ops::divide(x, y); }
Tensor operator%(const Tensor& x, const Tensor& y) { return ops::mod(x, y); }
Tensor operator-(const Tensor& x) { return ops::negative(x); }
Tensor operator==(const Tensor& x, const Tensor& y) { return ops::equal(x, y); }
Tensor operator!=(const Tensor& x, const Tensor& y) { return ops::not_equal(x, y); }
Tensor operator<(const Tensor& x, const Tensor& y) { return ops::less(x, y); }
Tensor operator<=(const Tensor& x, const Tensor& y) { return ops::less_equal(x, y); }
Tensor operator>(const Tensor& x, const Tensor& y) { return ops::greater(x, y); }
Tensor operator>=(const Tensor& x, const Tensor& y) { return ops::greater_equal(x, y); }

}  // namespace cornu::inline v0
