#include "cornu/tensor/ops.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <numeric>

#include "cornu/base/check.h"
#include "cornu/ops/all.h"
#include "cornu/tensor/run_op.h"

namespace cornu::ops {
namespace {

using detail::OpKey;
using detail::run_op;
using Values = std::span<const ir::Value>;

/// NumPy's broadcast of two shapes.
Dims broadcast_shapes(const Dims& x, const Dims& y, const char* op) {
  Dims result(std::max(x.size(), y.size()));
  for (std::size_t i = 0; i < result.size(); ++i) {  // from the end
    const std::int64_t from_x = i < x.size() ? x[x.size() - 1 - i] : 1;
    const std::int64_t from_y = i < y.size() ? y[y.size() - 1 - i] : 1;
    if (from_x != from_y && from_x != 1 && from_y != 1)
      invalid_argument("[{}] shapes {} and {} cannot be broadcast together", op, ir::shape_str(x), ir::shape_str(y));
    result[result.size() - 1 - i] = from_x == 1 ? from_y : from_x;
  }
  return result;
}

Tensor as_dtype(const Tensor& x, DType dtype) { return x.is_weak() ? x.strong_scalar(dtype) : cast(x, dtype); }

using BinaryFn = ir::Value (*)(ir::Builder&, ir::Value, ir::Value);

Tensor binary_of_dtype(const char* name, const Tensor& x, const Tensor& y, DType dtype, BinaryFn op) {
  const Dims dims = broadcast_shapes(x.shape(), y.shape(), name);
  const std::array inputs = {as_dtype(x, dtype), as_dtype(y, dtype)};
  return run_op(OpKey(name), inputs,
                [&](ir::Builder& b, Values v) { return op(b, broadcast_to(b, v[0], dims), broadcast_to(b, v[1], dims)); });
}

Tensor binary(const char* name, const Tensor& x, const Tensor& y, BinaryFn op) { return binary_of_dtype(name, x, y, promote(x, y), op); }

template <ComparisonDirection kDirection>
Tensor comparison(const char* name, const Tensor& x, const Tensor& y) {
  return binary(name, x, y, [](ir::Builder& b, ir::Value lhs, ir::Value rhs) { return compare(b, lhs, rhs, kDirection); });
}

using UnaryFn = ir::Value (*)(ir::Builder&, ir::Value);

Tensor unary(const char* name, const Tensor& x, UnaryFn op) {
  return run_op(OpKey(name), {&x, 1}, [&](ir::Builder& b, Values v) { return op(b, v[0]); });
}

/// Integers and booleans become f32, as in Keras.
Tensor as_float(const Tensor& x) { return ir::is_float(x.dtype()) ? x : as_dtype(x, DType::kF32); }
Tensor float_unary(const char* name, const Tensor& x, UnaryFn op) { return unary(name, as_float(x), op); }

Tensor as_bool(const Tensor& x) { return x.dtype() == DType::kI1 ? x : not_equal(x, 0); }

std::int64_t normalized_axis(std::int64_t axis, std::int64_t rank, const char* op) {
  if (axis < -rank || axis >= rank) invalid_argument("[{}] axis {} is outside a tensor of rank {}", op, axis, rank);
  return axis < 0 ? axis + rank : axis;
}

using ReduceFn = ir::Value (*)(ir::Builder&, ir::Value, Dims);

Tensor reduction(const char* name, const Tensor& x, const ReduceOptions& options, ReduceFn op) {
  const Dims axes = options.axis.normalized(x.rank());
  Dims kept = x.shape();
  for (const std::int64_t axis : axes) kept[static_cast<std::size_t>(axis)] = 1;
  if (axes.empty()) return x;
  return run_op(OpKey(name, axes, options.keepdims), {&x, 1}, [&](ir::Builder& b, Values v) {
    const ir::Value reduced = op(b, v[0], axes);
    return options.keepdims ? ops::reshape(b, reduced, kept) : reduced;
  });
}

}  // namespace

DType promote(const Tensor& x, const Tensor& y) {
  if (x.dtype() == y.dtype()) return x.dtype();
  if (x.is_weak() != y.is_weak()) {
    const Tensor& weak = x.is_weak() ? x : y;
    const Tensor& strong = x.is_weak() ? y : x;
    if (ir::is_float(weak.dtype()) && !ir::is_float(strong.dtype())) return DType::kF32;
    return strong.dtype() == DType::kI1 ? weak.dtype() : strong.dtype();
  }
  const auto kind = [](DType dtype) { return ir::is_float(dtype) ? 2 : dtype == DType::kI1 ? 0 : 1; };
  const int x_kind = kind(x.dtype());
  const int y_kind = kind(y.dtype());
  if (x_kind != y_kind) return x_kind > y_kind ? x.dtype() : y.dtype();
  const int x_width = ir::bit_width(x.dtype());
  const int y_width = ir::bit_width(y.dtype());
  if (x_kind == 2) {
    if (x_width == y_width) return DType::kF32;  // f16 with bf16
    return x_width > y_width ? x.dtype() : y.dtype();
  }
  if (ir::is_signed_integer(x.dtype()) == ir::is_signed_integer(y.dtype())) return x_width > y_width ? x.dtype() : y.dtype();
  const DType is_signed = ir::is_signed_integer(x.dtype()) ? x.dtype() : y.dtype();
  const int unsigned_width = ir::is_signed_integer(x.dtype()) ? y_width : x_width;
  if (ir::bit_width(is_signed) > unsigned_width) return is_signed;
  if (unsigned_width >= 64) return DType::kF32;  // as Keras: no wider integer
  return unsigned_width == 8 ? DType::kI16 : unsigned_width == 16 ? DType::kI32 : DType::kI64;
}

Tensor add(const Tensor& x, const Tensor& y) { return binary("add", x, y, &add); }
Tensor subtract(const Tensor& x, const Tensor& y) { return binary("subtract", x, y, &subtract); }
Tensor multiply(const Tensor& x, const Tensor& y) { return binary("multiply", x, y, &multiply); }
Tensor divide(const Tensor& x, const Tensor& y) {
  const DType dtype = promote(x, y);
  return binary_of_dtype("divide", x, y, ir::is_float(dtype) ? dtype : DType::kF32, &divide);
}
Tensor maximum(const Tensor& x, const Tensor& y) { return binary("maximum", x, y, &maximum); }
Tensor minimum(const Tensor& x, const Tensor& y) { return binary("minimum", x, y, &minimum); }
Tensor power(const Tensor& x, const Tensor& y) { return binary("power", x, y, &power); }
Tensor divide_no_nan(const Tensor& x, const Tensor& y) {
  const Tensor is_zero = equal(y, 0);
  return where(is_zero, 0, divide(x, where(is_zero, 1, y)));
}

Tensor equal(const Tensor& x, const Tensor& y) { return comparison<ComparisonDirection::kEq>("equal", x, y); }
Tensor not_equal(const Tensor& x, const Tensor& y) { return comparison<ComparisonDirection::kNe>("not_equal", x, y); }
Tensor less(const Tensor& x, const Tensor& y) { return comparison<ComparisonDirection::kLt>("less", x, y); }
Tensor less_equal(const Tensor& x, const Tensor& y) { return comparison<ComparisonDirection::kLe>("less_equal", x, y); }
Tensor greater(const Tensor& x, const Tensor& y) { return comparison<ComparisonDirection::kGt>("greater", x, y); }
Tensor greater_equal(const Tensor& x, const Tensor& y) { return comparison<ComparisonDirection::kGe>("greater_equal", x, y); }
Tensor logical_and(const Tensor& x, const Tensor& y) { return binary("logical_and", as_bool(x), as_bool(y), &and_); }
Tensor logical_or(const Tensor& x, const Tensor& y) { return binary("logical_or", as_bool(x), as_bool(y), &or_); }
Tensor logical_not(const Tensor& x) { return unary("logical_not", as_bool(x), &not_); }

Tensor negative(const Tensor& x) { return unary("negative", x, &negate); }
Tensor abs(const Tensor& x) { return unary("abs", x, &abs); }
Tensor sign(const Tensor& x) { return unary("sign", x, &sign); }
Tensor exp(const Tensor& x) { return float_unary("exp", x, &exponential); }
Tensor expm1(const Tensor& x) { return float_unary("expm1", x, &exponential_minus_one); }
Tensor log(const Tensor& x) { return float_unary("log", x, &log); }
Tensor log1p(const Tensor& x) { return float_unary("log1p", x, &log_plus_one); }
Tensor sqrt(const Tensor& x) { return float_unary("sqrt", x, &sqrt); }
Tensor rsqrt(const Tensor& x) { return float_unary("rsqrt", x, &rsqrt); }
Tensor square(const Tensor& x) { return multiply(x, x); }
Tensor tanh(const Tensor& x) { return float_unary("tanh", x, &tanh); }
Tensor sigmoid(const Tensor& x) { return float_unary("sigmoid", x, &logistic); }
Tensor softplus(const Tensor& x) { return float_unary("softplus", x, &softplus); }
Tensor log_cosh(const Tensor& x) { return float_unary("log_cosh", x, &log_cosh); }
Tensor relu(const Tensor& x) { return unary("relu", x, &relu); }
Tensor floor(const Tensor& x) { return float_unary("floor", x, &floor); }
Tensor ceil(const Tensor& x) { return float_unary("ceil", x, &ceil); }
Tensor is_finite(const Tensor& x) { return float_unary("is_finite", x, &is_finite); }

Tensor clip(const Tensor& x, double low, double high) {
  return run_op(OpKey("clip", low, high), {&x, 1},
                [&](ir::Builder& b, Values v) { return clamp(b, scalar(b, v[0].dtype(), low), v[0], scalar(b, v[0].dtype(), high)); });
}

Tensor cast(const Tensor& x, DType dtype) {
  if (x.dtype() == dtype && !x.is_weak()) return x;
  if (x.is_weak()) return x.strong_scalar(dtype);
  return run_op(OpKey("cast", dtype), {&x, 1}, [&](ir::Builder& b, Values v) { return convert(b, v[0], dtype); });
}

Tensor where(const Tensor& condition, const Tensor& on_true, const Tensor& on_false) {
  const DType dtype = promote(on_true, on_false);
  Dims dims = broadcast_shapes(on_true.shape(), on_false.shape(), "where");
  dims = broadcast_shapes(condition.shape(), dims, "where");
  const std::array inputs = {as_bool(condition), as_dtype(on_true, dtype), as_dtype(on_false, dtype)};
  return run_op(OpKey("where"), inputs, [&](ir::Builder& b, Values v) {
    const ir::Value predicate = v[0].rank() == 0 ? v[0] : broadcast_to(b, v[0], dims);
    return select(b, predicate, broadcast_to(b, v[1], dims), broadcast_to(b, v[2], dims));
  });
}

Dims Axes::normalized(std::int64_t rank) const {
  Dims result;
  if (all_) {
    result.resize(static_cast<std::size_t>(rank));
    std::iota(result.begin(), result.end(), 0);
    return result;
  }
  for (const std::int64_t axis : axes_) result.push_back(normalized_axis(axis, rank, "reduce"));
  std::sort(result.begin(), result.end());
  if (std::adjacent_find(result.begin(), result.end()) != result.end()) invalid_argument("[reduce] axis {} is given twice", axes_);
  return result;
}

Tensor sum(const Tensor& x, const ReduceOptions& options) {
  return reduction("sum", x.dtype() == DType::kI1 ? as_dtype(x, DType::kI32) : x, options, &reduce_sum);
}

Tensor mean(const Tensor& x, const ReduceOptions& options) {
  const Tensor values = as_float(x);
  const Dims axes = options.axis.normalized(x.rank());
  std::int64_t count = 1;
  for (const std::int64_t axis : axes) count *= x.shape()[static_cast<std::size_t>(axis)];
  return divide(sum(values, options), static_cast<double>(count));
}

Tensor max(const Tensor& x, const ReduceOptions& options) { return reduction("max", x, options, &reduce_max); }
Tensor min(const Tensor& x, const ReduceOptions& options) { return reduction("min", x, options, &reduce_min); }
Tensor all(const Tensor& x, const ReduceOptions& options) { return reduction("all", as_bool(x), options, &reduce_and); }
Tensor any(const Tensor& x, const ReduceOptions& options) { return reduction("any", as_bool(x), options, &reduce_or); }

Tensor argmax(const Tensor& x, std::int64_t axis) {
  const std::int64_t dimension = normalized_axis(axis, x.rank(), "argmax");
  return run_op(OpKey("argmax", dimension), {&x, 1}, [&](ir::Builder& b, Values v) { return argmax(b, v[0], dimension); });
}

Tensor softmax(const Tensor& x, std::int64_t axis) {
  const std::int64_t dimension = normalized_axis(axis, x.rank(), "softmax");
  const Tensor input = as_float(x);
  return run_op(OpKey("softmax", dimension), {&input, 1}, [&](ir::Builder& b, Values v) { return softmax(b, v[0], dimension); });
}

Tensor log_softmax(const Tensor& x, std::int64_t axis) {
  const std::int64_t dimension = normalized_axis(axis, x.rank(), "log_softmax");
  const Tensor input = as_float(x);
  return run_op(OpKey("log_softmax", dimension), {&input, 1}, [&](ir::Builder& b, Values v) { return log_softmax(b, v[0], dimension); });
}

Tensor matmul(const Tensor& x, const Tensor& y) {
  if (x.rank() < 1 || y.rank() != 2 || x.shape().back() != y.shape()[0])
    invalid_argument("[matmul] shapes {} and {} do not match: the first's last extent must be the second's first of two",
                     ir::shape_str(x.shape()), ir::shape_str(y.shape()));
  const DType dtype = promote(x, y);
  const std::array inputs = {as_dtype(x, dtype), as_dtype(y, dtype)};
  return run_op(OpKey("matmul"), inputs, [&](ir::Builder& b, Values v) {
    return dot_general(b, v[0], v[1], {.lhs_contracting = {v[0].rank() - 1}, .rhs_contracting = {0}});
  });
}

Tensor reshape(const Tensor& x, const Dims& shape) {
  Dims dims = shape;
  const auto open = std::find(dims.begin(), dims.end(), -1);
  if (open != dims.end()) {
    std::int64_t known = 1;
    for (auto it = dims.begin(); it != dims.end(); ++it)
      if (it != open) known *= *it;
    if (known <= 0 || x.num_elements() % known != 0)
      invalid_argument("[reshape] shape {} does not fit {} elements", ir::shape_str(shape), x.num_elements());
    *open = x.num_elements() / known;
  }
  if (dims == x.shape()) return x;
  return run_op(OpKey("reshape", dims), {&x, 1}, [&](ir::Builder& b, Values v) { return reshape(b, v[0], dims); });
}

Tensor transpose(const Tensor& x, const Dims& permutation) {
  Dims dims = permutation;
  if (dims.empty())
    for (std::int64_t i = x.rank(); i-- > 0;) dims.push_back(i);
  return run_op(OpKey("transpose", dims), {&x, 1}, [&](ir::Builder& b, Values v) { return transpose(b, v[0], dims); });
}

Tensor broadcast_to(const Tensor& x, const Dims& shape) {
  if (x.shape() == shape) return x;
  return run_op(OpKey("broadcast_to", shape), {&x, 1}, [&](ir::Builder& b, Values v) { return broadcast_to(b, v[0], shape); });
}

Tensor expand_dims(const Tensor& x, std::int64_t axis) {
  Dims dims = x.shape();
  dims.insert(dims.begin() + normalized_axis(axis, x.rank() + 1, "expand_dims"), 1);
  return reshape(x, dims);
}

Tensor squeeze(const Tensor& x, std::int64_t axis) {
  Dims dims = x.shape();
  const std::int64_t dimension = normalized_axis(axis, x.rank(), "squeeze");
  if (dims[static_cast<std::size_t>(dimension)] != 1)
    invalid_argument("[squeeze] axis {} of shape {} is not 1", axis, ir::shape_str(x.shape()));
  dims.erase(dims.begin() + dimension);
  return reshape(x, dims);
}

Tensor concatenate(std::span<const Tensor> tensors, std::int64_t axis) {
  if (tensors.empty()) invalid_argument("[concatenate] there is no tensor");
  const std::int64_t dimension = normalized_axis(axis, tensors[0].rank(), "concatenate");
  return run_op(OpKey("concatenate", dimension), tensors,
                [&](ir::Builder& b, Values v) { return concatenate(b, std::vector<ir::Value>(v.begin(), v.end()), dimension); });
}

Tensor one_hot(const Tensor& labels, std::int64_t num_classes, DType dtype) {
  const Tensor ids = as_dtype(labels, DType::kI32);
  Dims dims = labels.shape();
  dims.push_back(num_classes);
  return run_op(OpKey("one_hot", num_classes, dtype), {&ids, 1}, [&](ir::Builder& b, Values v) {
    const ir::Value classes = iota(b, {DType::kI32, dims}, static_cast<std::int64_t>(dims.size()) - 1);
    return convert(b, compare(b, broadcast_leading(b, v[0], dims), classes, ComparisonDirection::kEq), dtype);
  });
}

Tensor arange(std::int64_t n, DType dtype) {
  return run_op(OpKey("arange", n, dtype), {}, [&](ir::Builder& b, Values) { return iota(b, {dtype, {n}}, 0); });
}

Tensor take_rows(const Tensor& x, std::span<const std::int64_t> indices) {
  const std::byte* source = x.bytes();
  const std::int64_t num_rows = x.num_rows();
  TensorType type = x.type();
  type.dims[0] = static_cast<std::int64_t>(indices.size());
  const std::size_t row_bytes = num_rows == 0 ? 0 : x.type().size_bytes() / static_cast<std::size_t>(num_rows);
  ir::Literal result(type);
  std::byte* out = result.mutable_bytes().data();
  for (const std::int64_t row : indices) {
    if (row < 0 || row >= num_rows) fail(ErrorCode::kOutOfRange, "[take_rows] row {} of {}", row, num_rows);
    if (row_bytes > 0) std::memcpy(out, source + static_cast<std::size_t>(row) * row_bytes, row_bytes);
    out += row_bytes;
  }
  return Tensor(result);
}

namespace {

using RandomFn = std::function<ir::Value(ir::Builder&, ir::Value key0, ir::Value key1, ir::Value counter)>;

Tensor random(const char* name, const Dims& shape, DType dtype, std::uint32_t key0, std::uint32_t key1, const Tensor& counter,
              const RandomFn& build) {
  const Tensor step = cast(counter, DType::kU32);
  return run_op(OpKey(name, shape, dtype, key0, key1), {&step, 1}, [&](ir::Builder& b, Values v) {
    const ir::Value low = constant(b, ir::Literal::of<std::uint32_t>({}, {key0}));
    const ir::Value high = constant(b, ir::Literal::of<std::uint32_t>({}, {key1}));
    return build(b, low, high, v[0]);
  });
}

}  // namespace

Tensor random_bits(std::uint32_t key0, std::uint32_t key1, const Tensor& counter, const Dims& shape) {
  return random("random_bits", shape, DType::kU32, key0, key1, counter,
                [&](ir::Builder& b, ir::Value low, ir::Value high, ir::Value step) { return random_bits(b, low, high, step, shape); });
}

Tensor random_uniform(std::uint32_t key0, std::uint32_t key1, const Tensor& counter, const Dims& shape, DType dtype) {
  return random("random_uniform", shape, dtype, key0, key1, counter, [&](ir::Builder& b, ir::Value low, ir::Value high, ir::Value step) {
    return random_uniform(b, low, high, step, TensorType{dtype, shape});
  });
}

}  // namespace cornu::ops
