#include "cornu/tensor/ops/nn.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "cornu/base/check.h"
#include "cornu/tensor/ops/elementwise.h"
#include "cornu/tensor/ops/epsilon.h"
#include "cornu/tensor/ops/index.h"
#include "cornu/tensor/ops/reduce.h"
#include "cornu/tensor/ops/shape.h"
#include "cornu/tensor/ops/support.h"

namespace cornu::inline v0::ops {
using namespace internal;

Tensor relu(const Tensor& x) {
  if (x.dtype() == DType::kI1 || ir::is_unsigned_integer(x.dtype())) return as_number(x);  // never negative
  return unary("relu", x, &relu);
}
// Not clip(), whose gradient is one half at the corners.
Tensor relu6(const Tensor& x) {
  const Tensor value = as_float(x);
  return run_op(OpKey("relu6"), {&value, 1}, [](ir::Builder& b, Values v) {
    return clamp(b, scalar(b, v[0].dtype(), 0), v[0], scalar(b, v[0].dtype(), 6));
  });
}
Tensor leaky_relu(const Tensor& x, double negative_slope) {
  return where(greater_equal(x, 0), x, as_float(x) * negative_slope);
}

// expm1 gets no positive value, so that neither it nor its gradient overflows where the other branch is
// selected.
Tensor elu(const Tensor& x, double alpha) {
  const Tensor value = as_float(x);
  const Tensor is_positive = greater(value, 0);
  return where(is_positive, value, expm1(where(is_positive, 0, value)) * alpha);
}
Tensor celu(const Tensor& x, double alpha) {
  const Tensor value = as_float(x);
  const Tensor is_positive = greater(value, 0);
  return where(is_positive, value, expm1(where(is_positive, 0, value) / alpha) * alpha);
}
Tensor selu(const Tensor& x) {
  return elu(x, 1.6732632423543772848170429916717) * 1.0507009873554804934193349852946;
}

Tensor gelu(const Tensor& x, bool approximate) {
  return approximate ? unary("gelu_tanh", as_float(x), &gelu_tanh) : unary("gelu", as_float(x), &gelu);
}
Tensor sigmoid(const Tensor& x) { return float_unary("sigmoid", x, &logistic); }
Tensor log_sigmoid(const Tensor& x) { return -softplus(-as_float(x)); }
Tensor hard_sigmoid(const Tensor& x) { return relu6(as_float(x) + 3.0) / 6.0; }
Tensor sparse_sigmoid(const Tensor& x) { return clip(as_float(x), -1, 1) * 0.5 + 0.5; }
Tensor silu(const Tensor& x) { return unary("silu", as_float(x), &silu); }
Tensor swish(const Tensor& x) { return silu(x); }
Tensor hard_silu(const Tensor& x) { return as_float(x) * hard_sigmoid(x); }
Tensor hard_swish(const Tensor& x) { return hard_silu(x); }
Tensor softplus(const Tensor& x) { return float_unary("softplus", x, &softplus); }
Tensor softsign(const Tensor& x) { return as_float(x) / (abs(as_float(x)) + 1.0); }
Tensor soft_shrink(const Tensor& x, double threshold) {
  const Tensor value = as_float(x);
  return where(greater(value, threshold), value - threshold,
               where(less(value, -threshold), value + threshold, 0));
}
Tensor hard_shrink(const Tensor& x, double threshold) {
  return where(greater(abs(x), threshold), as_float(x), 0);
}
Tensor tanh_shrink(const Tensor& x) { return as_float(x) - tanh(x); }
Tensor hard_tanh(const Tensor& x) {
  const Tensor value = as_number(x);
  if (ir::is_unsigned_integer(value.dtype())) return minimum(value, 1);
  return where(greater(value, 1), 1, where(less(value, -1), -1, value));
}
Tensor sparse_plus(const Tensor& x) {
  const Tensor value = as_float(x);
  return where(greater_equal(value, 1), value, where(less_equal(value, -1), 0, square(value + 1) / 4));
}
Tensor squareplus(const Tensor& x, double b) {
  const Tensor value = as_float(x);
  return (value + sqrt(square(value) + b)) / 2;
}
Tensor threshold(const Tensor& x, double threshold, double default_value) {
  return where(greater(x, threshold), x, default_value);
}

Tensor glu(const Tensor& x, std::int64_t axis) {
  const std::int64_t dimension = normalized_axis(axis, x.rank(), "glu");
  if (extent(x.shape(), dimension) % 2 != 0)
    invalid_argument("[glu] axis {} of shape {} must have an even extent", axis, ir::shape_str(x.shape()));
  const std::vector<Tensor> halves = split(as_float(x), 2, dimension);
  return halves[0] * sigmoid(halves[1]);
}

namespace {

/// Applies an operation along one axis to several axes: moves them to the end and joins them.
template <typename AlongOne>
Tensor along_axes(const char* op, const Tensor& x, const Axes& axis, AlongOne along_one) {
  const Dims axes = axis.normalized(x.rank(), op);
  if (axes.size() == 1) return along_one(x, axes[0]);
  Dims order, last;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(axes.size()); ++i)
    last.push_back(x.rank() - static_cast<std::int64_t>(axes.size()) + i);
  const Tensor moved = moveaxis(x, axes, last);
  Dims joined(moved.shape().begin(), moved.shape().end() - static_cast<std::ptrdiff_t>(axes.size()));
  joined.push_back(-1);
  const Tensor result = along_one(reshape(moved, joined), static_cast<std::int64_t>(joined.size()) - 1);
  return moveaxis(reshape(result, moved.shape()), last, axes);
}

}  // namespace

Tensor softmax(const Tensor& x, const SoftmaxOptions& options) {
  return along_axes("softmax", as_float(x), options.axis, [](const Tensor& input, std::int64_t dimension) {
    return run_op(OpKey("softmax", dimension), {&input, 1},
                  [&](ir::Builder& b, Values v) { return softmax(b, v[0], dimension); });
  });
}

Tensor log_softmax(const Tensor& x, const SoftmaxOptions& options) {
  return along_axes(
      "log_softmax", as_float(x), options.axis, [](const Tensor& input, std::int64_t dimension) {
        return run_op(OpKey("log_softmax", dimension), {&input, 1},
                      [&](ir::Builder& b, Values v) { return log_softmax(b, v[0], dimension); });
      });
}

namespace {

void check_same_shape(const char* op, const Tensor& target, const Tensor& output) {
  if (target.shape() != output.shape())
    invalid_argument("[{}] target and output must have one shape; got {} and {}", op,
                     ir::shape_str(target.shape()), ir::shape_str(output.shape()));
}

/// Probabilities at least keras.config.epsilon from 0 and 1.
Tensor limited_probabilities(const Tensor& values) {
  const double epsilon = cornu::detail::small_number();
  return clip(values, epsilon, 1 - epsilon);
}

/// log(output) of probabilities along `axis`, or the log_softmax of logits.
Tensor log_probabilities(const Tensor& output, const CrossentropyOptions& options, std::int64_t axis) {
  const Tensor values = as_float(output);
  if (options.from_logits) return log_softmax(values, axis);
  const Tensor normalized = values / sum(values, {.axis = axis, .keepdims = true});
  return log(limited_probabilities(normalized));
}

}  // namespace

Tensor categorical_crossentropy(const Tensor& target, const Tensor& output,
                                const CrossentropyOptions& options) {
  check_same_shape("categorical_crossentropy", target, output);
  const std::int64_t axis = normalized_axis(options.axis, output.rank(), "categorical_crossentropy");
  return -sum(target * log_probabilities(output, options, axis), {.axis = axis});
}

Tensor sparse_categorical_crossentropy(const Tensor& target, const Tensor& output,
                                       const CrossentropyOptions& options) {
  const std::int64_t axis = normalized_axis(options.axis, output.rank(), "sparse_categorical_crossentropy");
  Tensor labels = target;
  if (labels.rank() == output.rank() && labels.shape().back() == 1) labels = squeeze(labels, -1);
  Dims expected = output.shape();
  expected.erase(expected.begin() + axis);
  if (labels.shape() != expected)
    invalid_argument(
        "[sparse_categorical_crossentropy] target must have output's shape without the classes; got {} and "
        "{}",
        ir::shape_str(target.shape()), ir::shape_str(output.shape()));
  const Tensor log_probability = log_probabilities(output, options, axis);
  const Tensor chosen =
      one_hot(labels, extent(output.shape(), axis), {.axis = axis, .dtype = log_probability.dtype()});
  return -sum(chosen * log_probability, {.axis = axis});
}

Tensor binary_crossentropy(const Tensor& target, const Tensor& output,
                           const BinaryCrossentropyOptions& options) {
  check_same_shape("binary_crossentropy", target, output);
  const Tensor values = as_float(output), truth = cast(target, promote_to_float(target, output));
  if (options.from_logits) return -(truth * log_sigmoid(values)) - (1 - truth) * log_sigmoid(-values);
  const Tensor probability = limited_probabilities(values);
  return -(truth * log(probability) + (1 - truth) * log(1 - probability));
}

Tensor psnr(const Tensor& x1, const Tensor& x2, double max_val) {
  if (x1.shape() != x2.shape())
    invalid_argument("[psnr] x1 and x2 must have one shape; got {} and {}", ir::shape_str(x1.shape()),
                     ir::shape_str(x2.shape()));
  return 20 * std::log10(max_val) - log10(mean(square(x1 - x2))) * 10;
}

Moments moments(const Tensor& x, const Axes& axes, const MomentsOptions& options) {
  const ReduceOptions reduce = {.axis = axes, .keepdims = options.keepdims};
  if (x.dtype() != DType::kF16) return {.mean = mean(x, reduce), .variance = var(x, reduce)};
  const Tensor variance = minimum(var(cast(x, DType::kF32), reduce), largest(DType::kF16));
  return {.mean = mean(x, reduce), .variance = cast(variance, DType::kF16)};
}

Tensor normalize(const Tensor& x, const NormalizeOptions& options) {
  if (options.order < 1)
    invalid_argument({.argument = "order"}, "[normalize] order must be positive; got order = {}",
                     options.order);
  const double epsilon = options.epsilon.value_or(cornu::detail::small_number());
  const Tensor given = as_float(x.rank() == 0 ? expand_dims(x, 0) : x);
  const Tensor values = cast(given, accumulation_dtype(given.dtype()));
  const double least = std::max(epsilon, 8 / largest(values.dtype()));  // a normal number
  // The root is of 1 if the vector is shorter than epsilon: the slope of the root at 0 is infinite, and 0
  // times infinity is NaN.
  if (options.order == 2) {
    const Tensor squares = sum(square(values), {.axis = options.axis, .keepdims = true});
    const Tensor is_short = less_equal(squares, epsilon * epsilon);
    return cast(values * where(is_short, 1 / least, rsqrt(where(is_short, 1.0, squares))), given.dtype());
  }
  const Tensor is_zero = logical_not(any(not_equal(values, 0), {.axis = options.axis, .keepdims = true}));
  const Tensor length =
      norm(where(is_zero, 1.0, values),
           {.ord = static_cast<double>(options.order), .axis = options.axis, .keepdims = true});
  return cast(values / maximum(where(is_zero, least, length), least), given.dtype());
}

Tensor batch_normalization(const Tensor& x, const Tensor& mean, const Tensor& variance,
                           const BatchNormalizationOptions& options) {
  const std::int64_t axis = normalized_axis(options.axis, x.rank(), "batch_normalization");
  Dims along(x.shape().size(), 1);
  extent(along, axis) = extent(x.shape(), axis);
  const auto spread = [&](const char* name, const Tensor& vector) {
    if (vector.shape() != Dims{extent(x.shape(), axis)})
      invalid_argument("[batch_normalization] {} must be a vector along axis {} of shape {}; got shape {}",
                       name, options.axis, ir::shape_str(x.shape()), ir::shape_str(vector.shape()));
    return reshape(vector, along);
  };
  Tensor factor = rsqrt(spread("variance", variance) + options.epsilon);
  if (options.scale.defined()) factor = factor * spread("scale", options.scale);
  Tensor shift = -spread("mean", mean) * factor;
  if (options.offset.defined()) shift = shift + spread("offset", options.offset);
  return x * factor + shift;
}

namespace {

/// Reshapes a parameter with the extents of `axes` so that it broadcasts along them.
Tensor along(const char* op, const char* name, const Tensor& parameter, const Tensor& x, const Dims& axes) {
  Dims own, dims(x.shape().size(), 1);
  for (const std::int64_t axis : axes) {
    own.push_back(extent(x.shape(), axis));
    extent(dims, axis) = extent(x.shape(), axis);
  }
  if (parameter.shape() != own && parameter.rank() != x.rank())
    invalid_argument("[{}] {} must have shape {}, x's extents along the axes; got shape {}", op, name,
                     ir::shape_str(own), ir::shape_str(parameter.shape()));
  return cast(parameter.shape() == own ? reshape(parameter, dims) : parameter, x.dtype());
}

}  // namespace

Tensor layer_normalization(const Tensor& x, const LayerNormalizationOptions& options) {
  const Tensor values = as_float(x);
  const Tensor wide = cast(values, accumulation_dtype(values.dtype()));
  const Dims axes = options.axis.normalized(x.rank(), "layer_normalization");
  const double epsilon = options.epsilon.value_or(cornu::detail::small_number());
  Tensor y = run_op(OpKey("standardize", axes, epsilon), {&wide, 1},
                    [&](ir::Builder& b, Values v) { return standardize(b, v[0], axes, epsilon).y; });
  if (options.gamma.defined()) y = y * along("layer_normalization", "gamma", options.gamma, wide, axes);
  if (options.beta.defined()) y = y + along("layer_normalization", "beta", options.beta, wide, axes);
  return cast(y, values.dtype());
}

Tensor rms_normalization(const Tensor& x, const RmsNormalizationOptions& options) {
  const Tensor values = as_float(x);
  const Tensor wide = cast(values, accumulation_dtype(values.dtype()));
  const Dims axes = options.axis.normalized(x.rank(), "rms_normalization");
  const Tensor mean_square = mean(square(wide), {.axis = options.axis, .keepdims = true});
  Tensor result = wide * rsqrt(mean_square + options.epsilon.value_or(cornu::detail::small_number()));
  if (options.scale.defined())
    result = result * along("rms_normalization", "scale", options.scale, wide, axes);
  return cast(result, values.dtype());
}

}  // namespace cornu::inline v0::ops
