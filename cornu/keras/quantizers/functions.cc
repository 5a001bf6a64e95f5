#include "cornu/keras/quantizers/functions.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cornu/base/check.h"
#include "cornu/ir/literal.h"
#include "cornu/keras/quantizers/quantizers_support.h"
#include "cornu/tensor/custom_gradient.h"

namespace cornu::inline v0::keras::quantizers {
namespace {

void check_floats(const char* caller, const Tensor& inputs) {
  if (!ir::is_float(inputs.dtype()))
    invalid_argument({.argument = "inputs"}, "[{}] inputs must be floating-point; got {}", caller,
                     type_str(inputs.type()));
}

Tensor integers_of(const Tensor& x, const ValueRange& range, DType dtype) {
  return ops::cast(
      ops::clip(ops::round(x), static_cast<double>(range.lowest), static_cast<double>(range.highest)), dtype);
}

/// Scale and zero point of each group: [groups, columns].
struct GroupParameters {
  Tensor scale, zero_point;
};

GroupParameters group_parameters(const Tensor& grouped, const AbsMaxQuantizeGroupedOptions& options) {
  const auto lowest = static_cast<double>(options.value_range.lowest),
             highest = static_cast<double>(options.value_range.highest);
  Tensor smallest = ops::min(grouped, {.axis = 1}), largest = ops::max(grouped, {.axis = 1});
  if (!options.to_numpy) {
    const Tensor is_flat = ops::equal(smallest, largest);
    smallest = ops::where(is_flat, smallest - 1.0, smallest);
    largest = ops::where(is_flat, largest + 1.0, largest);
  }
  const Tensor scale = (largest - smallest + options.epsilon) / (highest - lowest);
  const Tensor zero_point = ops::clip(ops::round(-smallest / scale) + lowest, lowest, highest);
  return {scale, zero_point};
}

}  // namespace

void check_value_range(const char* caller, const ValueRange& range, DType dtype) {
  const int bits = ir::bit_width(dtype);
  if (!ir::is_integer(dtype) || bits > 32)
    invalid_argument({.argument = "dtype"}, "[{}] the dtype must be an integer of at most 32 bits; got {}",
                     caller, ir::numpy_name(dtype));
  const bool is_signed = ir::is_signed_integer(dtype);
  const std::int64_t lowest = is_signed ? -(std::int64_t{1} << (bits - 1)) : 0;
  const std::int64_t highest = (std::int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
  if (range.lowest < lowest || range.highest > highest || range.lowest >= range.highest)
    invalid_argument({.argument = "value_range"},
                     "[{}] value_range must rise and be within [{}, {}], the values of {}; got value_range = "
                     "{{{}, {}}}",
                     caller, lowest, highest, ir::numpy_name(dtype), range.lowest, range.highest);
}

QuantizedTensor abs_max_quantize(const Tensor& inputs, const AbsMaxQuantizeOptions& options) {
  check_floats("abs_max_quantize", inputs);
  check_value_range("abs_max_quantize", options.value_range, options.dtype);
  const Tensor largest = ops::max(ops::abs(inputs), {.axis = options.axis, .keepdims = true});
  const Tensor scale = static_cast<double>(options.value_range.highest) / (largest + options.epsilon);
  return {integers_of(inputs * scale, options.value_range, options.dtype), scale};
}

GroupedQuantizedTensor abs_max_quantize_grouped_with_zero_point(const Tensor& inputs,
                                                                const AbsMaxQuantizeGroupedOptions& options) {
  constexpr const char* kCaller = "abs_max_quantize_grouped_with_zero_point";
  check_floats(kCaller, inputs);
  check_value_range(kCaller, options.value_range, options.dtype);
  if (inputs.rank() != 2)
    invalid_argument({.argument = "inputs"}, "[{}] inputs must be a matrix; got {}", kCaller,
                     type_str(inputs.type()));
  if (options.block_size <= 0)
    invalid_argument({.argument = "block_size"}, "[{}] block_size must be positive; got block_size = {}",
                     kCaller, options.block_size);
  const std::int64_t rows = inputs.shape()[0], columns = inputs.shape()[1];
  const std::int64_t groups = (rows + options.block_size - 1) / options.block_size,
                     padded = groups * options.block_size;
  const Tensor whole =
      padded == rows
          ? inputs
          : ops::concatenate({inputs, ops::zeros({padded - rows, columns}, inputs.dtype())}, {.axis = 0});
  const Tensor grouped = ops::reshape(whole, {groups, options.block_size, columns});
  const GroupParameters parameters = group_parameters(grouped, options);
  const Tensor values = ops::round(grouped / ops::expand_dims(parameters.scale, 1)) +
                        ops::expand_dims(parameters.zero_point, 1);
  const Tensor flat =
      ops::reshape(integers_of(values, options.value_range, options.dtype), {padded, columns});
  return {padded == rows ? flat : ops::slice(flat, {0, 0}, {rows, columns}), parameters.scale,
          ops::cast(parameters.zero_point, DType::kI8)};
}

namespace {

/// The bounds moved so that 0 is one of the quantized values.
struct NudgedRange {
  Tensor min, max, scale, inverse_scale;
};

NudgedRange nudged_range(const Tensor& min_vals, const Tensor& max_vals, const FakeQuantOptions& options) {
  const DType dtype = min_vals.dtype() == DType::kF64 ? DType::kF64 : DType::kF32;
  const Tensor low = ops::cast(min_vals, dtype), high = ops::cast(max_vals, dtype);
  const double most = std::ldexp(1.0, options.num_bits) - 1, least = options.narrow_range ? 1 : 0;
  const Tensor width = high - low;
  const Tensor scale = width / (most - least), inverse_scale = (most - least) / width;
  const Tensor zero_point = ops::round(ops::clip(least - low / scale, least, most));
  return {(least - zero_point) * scale, (most - zero_point) * scale, scale, inverse_scale};
}

Tensor summed_like(const Tensor& gradient, const Tensor& bound, std::optional<std::int64_t> axis) {
  std::vector<std::int64_t> others;
  for (std::int64_t d = 0; d < gradient.rank(); ++d)
    if (!axis.has_value() || d != *axis) others.push_back(d);
  const Tensor sum = others.empty() ? gradient : ops::sum(gradient, {.axis = others});
  return ops::cast(ops::reshape(sum, bound.shape()), bound.dtype());
}

}  // namespace

Tensor fake_quant_with_min_max_vars(const Tensor& inputs, const Tensor& min_vals, const Tensor& max_vals,
                                    const FakeQuantOptions& options) {
  constexpr const char* kCaller = "fake_quant_with_min_max_vars";
  check_floats(kCaller, inputs);
  if (options.num_bits < 2 || options.num_bits > 16)
    invalid_argument({.argument = "num_bits"}, "[{}] num_bits must be in [2, 16]; got num_bits = {}", kCaller,
                     options.num_bits);
  std::optional<std::int64_t> axis = options.axis;
  if (axis.has_value()) {
    if (*axis < 0) *axis += inputs.rank();
    if (*axis < 0 || *axis >= inputs.rank())
      invalid_argument({.argument = "axis"}, "[{}] axis must be in [{}, {}); got axis = {}", kCaller,
                       -inputs.rank(), inputs.rank(), *options.axis);
  }
  const auto quantize = custom_gradient([&](const Tensor& x, const Tensor& low, const Tensor& high) {
    const NudgedRange range = nudged_range(low, high, options);
    const Tensor quant_zero = ops::floor(-range.min * range.inverse_scale + 0.5);
    const Tensor inside = ops::clip(ops::cast(x, range.min.dtype()), range.min, range.max);
    const Tensor steps = ops::floor((inside - range.min) * range.inverse_scale - quant_zero + 0.5);
    const Tensor result = ops::cast(steps * range.scale, x.dtype());
    return std::pair(result, [=](const Tensor& dy) {
      const Tensor zero = ops::zeros_like(dy);
      const Tensor is_inside =
          ops::logical_and(ops::greater_equal(x, range.min), ops::less_equal(x, range.max));
      return std::vector<Tensor>{
          ops::where(is_inside, dy, zero),
          summed_like(ops::where(ops::less_equal(x, range.min), dy, zero), low, axis),
          summed_like(ops::where(ops::greater_equal(x, range.max), dy, zero), high, axis)};
    });
  });
  return quantize(inputs, min_vals, max_vals);
}

Tensor compute_float8_scale(const Tensor& amax, const Tensor& scale, const Tensor& dtype_max, int margin) {
  const Tensor before = ops::reciprocal(scale);
  Tensor factor = dtype_max / amax / std::ldexp(1.0, margin);
  factor = ops::where(ops::greater(amax, 0.0), factor, before);
  factor = ops::where(ops::isfinite(amax), factor, before);
  return ops::reciprocal(factor);
}

Tensor compute_float8_amax_history(const Tensor& x, const Tensor& amax_history) {
  const Tensor latest = ops::cast(ops::max(ops::abs(x)), amax_history.dtype());
  const std::int64_t length = amax_history.shape().empty() ? 0 : amax_history.shape()[0];
  if (amax_history.rank() != 1 || length == 0)
    invalid_argument({.argument = "amax_history"},
                     "[compute_float8_amax_history] amax_history must be a vector; got {}",
                     type_str(amax_history.type()));
  // Keras moves all elements to the left and then replaces the first.
  const Tensor moved = ops::roll(amax_history, -1, {.axis = 0});
  if (length == 1) return ops::reshape(latest, {1});
  return ops::concatenate({ops::reshape(latest, {1}), ops::slice(moved, {1}, {length - 1})}, {.axis = 0});
}

Tensor quantize_and_dequantize(const Tensor& inputs, const Tensor& scale, DType quantized_dtype,
                               DType compute_dtype) {
  constexpr const char* kCaller = "quantize_and_dequantize";
  if (!ir::is_small_float(quantized_dtype))
    invalid_argument({.argument = "quantized_dtype"},
                     "[{}] quantized_dtype must be a float of at most eight bits; got {}", kCaller,
                     ir::numpy_name(quantized_dtype));
  if (!ir::is_float(compute_dtype))
    invalid_argument({.argument = "compute_dtype"}, "[{}] compute_dtype must be floating-point; got {}",
                     kCaller, ir::numpy_name(compute_dtype));
  const Tensor factor = ops::cast(scale, compute_dtype);
  const double largest = largest_small_float(quantized_dtype);
  const Tensor clipped = ops::clip(ops::cast(inputs, compute_dtype) / factor, -largest, largest);
  return ops::cast(ops::cast(clipped, quantized_dtype), compute_dtype) * factor;
}

namespace {

std::int64_t packed_axis(const char* caller, const Tensor& x, const Int4PackingOptions& options) {
  if (options.dtype != DType::kI8 && options.dtype != DType::kU8)
    invalid_argument({.argument = "dtype"}, "[{}] dtype must be int8 or uint8; got dtype = {}", caller,
                     ir::numpy_name(options.dtype));
  if (x.dtype() != options.dtype)
    invalid_argument({.argument = "arr"}, "[{}] the tensor must be {}, the dtype of the options; got {}",
                     caller, ir::numpy_name(options.dtype), type_str(x.type()));
  const std::int64_t axis = options.axis < 0 ? options.axis + x.rank() : options.axis;
  if (axis < 0 || axis >= x.rank())
    invalid_argument({.argument = "axis"}, "[{}] axis must be in [{}, {}); got axis = {}", caller, -x.rank(),
                     x.rank(), options.axis);
  return axis;
}

/// A scalar of the packed dtype.
Tensor byte(std::int64_t value, DType dtype) { return ops::full({}, value, {.dtype = dtype}); }

}  // namespace

PackedInt4 pack_int4(const Tensor& arr, const Int4PackingOptions& options) {
  const std::int64_t axis = packed_axis("pack_int4", arr, options);
  const auto at = static_cast<std::size_t>(axis);
  const std::int64_t length = arr.shape()[at];
  Tensor even = arr;
  if (length % 2 == 1) {
    Dims padding = arr.shape();
    padding[at] = 1;
    even = ops::concatenate({arr, ops::zeros(padding, arr.dtype())}, {.axis = axis});
  }
  Dims pairs = even.shape();
  pairs[at] /= 2;
  pairs.insert(pairs.begin() + axis + 1, 2);
  const Tensor paired = ops::reshape(even, pairs);
  const auto half = [&](std::int64_t which) {
    return ops::bitwise_and(ops::take(paired, Tensor(which), {.axis = axis + 1}), byte(0x0F, arr.dtype()));
  };
  const Tensor packed = ops::bitwise_or(half(0), ops::bitwise_left_shift(half(1), byte(4, arr.dtype())));
  return {packed, packed.shape(), length};
}

Tensor unpack_int4(const Tensor& packed, std::int64_t orig_len, const Int4PackingOptions& options) {
  const std::int64_t axis = packed_axis("unpack_int4", packed, options);
  const auto at = static_cast<std::size_t>(axis);
  const std::int64_t length = packed.shape()[at];
  if (orig_len != 2 * length && orig_len != 2 * length - 1)
    invalid_argument(
        {.argument = "orig_len"},
        "[unpack_int4] orig_len must be {} or {}, the number of packed integers; got orig_len = {}",
        std::max<std::int64_t>(2 * length - 1, 0), 2 * length, orig_len);
  const DType dtype = packed.dtype();
  const Tensor four = byte(4, dtype);
  // Shifts to the right repeat the sign of int8.
  const Tensor low = ops::bitwise_right_shift(ops::bitwise_left_shift(packed, four), four),
               high = ops::bitwise_right_shift(packed, four);
  Dims dims = packed.shape();
  dims[at] *= 2;
  const Tensor whole = ops::reshape(ops::stack({low, high}, {.axis = axis + 1}), dims);
  if (orig_len == dims[at]) return whole;
  dims[at] = orig_len;
  return ops::slice(whole, Dims(dims.size(), 0), dims);
}

Tensor dequantize_by_groups(const Tensor& values, const Tensor& scale, const Tensor& zero_point,
                            const Tensor& group_of, std::int64_t axis) {
  const Tensor groups = ops::cast(group_of, DType::kI32);
  const Tensor scales = ops::take(scale, groups, {.axis = axis}),
               zeros = ops::take(zero_point, groups, {.axis = axis});
  return (ops::cast(values, scales.dtype()) - ops::cast(zeros, scales.dtype())) * scales;
}

double largest_small_float(DType dtype) {
  const auto is_number = [&](double value) { return ir::Literal::scalar(dtype, value).at(0) == value; };
  double largest = 1;
  while (is_number(2 * largest)) largest *= 2;
  for (double step = largest / 2; step >= largest / 16; step /= 2)
    if (is_number(largest + step)) largest += step;
  return largest;
}

}  // namespace cornu::inline v0::keras::quantizers
