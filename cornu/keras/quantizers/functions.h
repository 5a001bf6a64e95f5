#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "cornu/keras/quantizers/value_range.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/tensor.h"

/// The functions of keras.quantizers.
namespace cornu::inline v0::keras::quantizers {

struct AbsMaxQuantizeOptions {  // options/quantizers.toml
  /// Axes along which elements share a scale.
  ops::Axes axis = -1;
  /// Lowest and highest quantized value.
  ValueRange value_range = {};
  /// Dtype of the quantized values.
  DType dtype = DType::kI8;
  /// Number added to the largest absolute value, so that no division is by zero.
  double epsilon = 1e-7;
};

/// A tensor as small integers, and the factor by which its elements were multiplied.
struct QuantizedTensor {
  Tensor values;
  Tensor scale;
};

/// values = clip(round(inputs * scale)), where scale = value_range.highest / (max(abs(inputs)) + epsilon) over
/// the axes, which stay with extent 1.
///
/// Types:  floating-point inputs; the scale has their dtype.
/// Errors: InvalidArgument for inputs of integers, and for a value_range that the dtype does not hold.
QuantizedTensor abs_max_quantize(const Tensor& inputs, const AbsMaxQuantizeOptions& options = {});

struct AbsMaxQuantizeGroupedOptions {  // options/quantizers.toml
  /// Number of rows that share a scale and a zero point; must be positive.
  std::int64_t block_size = 128;
  /// Lowest and highest quantized value.
  ValueRange value_range = {-8, 7};
  /// Dtype of the quantized values.
  DType dtype = DType::kI8;
  /// Number added to the largest absolute value, so that no division is by zero.
  double epsilon = 1e-7;
  /// True: the formula by which Keras quantizes the weights of layers. It differs in groups of equal elements
  /// only.
  bool to_numpy = false;
};

/// A matrix as small integers: elements are (values - zero_point) * scale of their group.
struct GroupedQuantizedTensor {
  Tensor values;
  Tensor scale;
  Tensor zero_point;
};

/// Quantizes each group of block_size rows of a column by its own lowest and highest element.
///
/// Shapes: inputs and values [rows, columns]; scale and zero_point (int8) [ceil(rows / block_size), columns].
///         Rows that the last group lacks count as zeros.
/// Errors: InvalidArgument unless inputs are a matrix of floats and block_size is positive.
GroupedQuantizedTensor abs_max_quantize_grouped_with_zero_point(
    const Tensor& inputs, const AbsMaxQuantizeGroupedOptions& options = {});

struct FakeQuantOptions {  // options/quantizers.toml
  /// Bits of a quantized value, from 2 to 16.
  int num_bits = 8;
  /// True: the lowest quantized value is 1 in place of 0.
  bool narrow_range = false;
  /// Axis of the channels, each of which has bounds of its own; unset: one pair of bounds for all elements.
  std::optional<std::int64_t> axis = {};
};

/// Rounds inputs to the values of an unsigned integer of num_bits between min_vals and max_vals, as floats.
///
/// Shapes:   min_vals and max_vals: scalars, or, with an axis, tensors that broadcast to inputs.
/// Gradient: dy for elements inside the bounds; the bounds receive the sums of dy of the elements outside.
/// Errors:   InvalidArgument if num_bits is outside [2, 16], or the axis outside the rank.
Tensor fake_quant_with_min_max_vars(const Tensor& inputs, const Tensor& min_vals, const Tensor& max_vals,
                                    const FakeQuantOptions& options = {});

/// The scale for a largest absolute value `amax`: amax * 2^margin / dtype_max; `scale` where amax is zero or
/// not finite.
Tensor compute_float8_scale(const Tensor& amax, const Tensor& scale, const Tensor& dtype_max, int margin = 0);
/// The history moved on by one step: element 0 is max(abs(x)).
Tensor compute_float8_amax_history(const Tensor& x, const Tensor& amax_history);
/// inputs / scale, clipped to the largest number of `quantized_dtype`, rounded to it, and times the scale.
/// Errors: InvalidArgument unless quantized_dtype is a float of eight bits or less and compute_dtype a float.
Tensor quantize_and_dequantize(const Tensor& inputs, const Tensor& scale, DType quantized_dtype,
                               DType compute_dtype);

struct Int4PackingOptions {  // options/quantizers.toml
  /// Axis along which two neighbours share a byte; negative: from the end.
  std::int64_t axis = 0;
  /// Dtype of the tensor: int8 or uint8.
  DType dtype = DType::kI8;
};

/// A tensor of integers of four bits, two in a byte.
struct PackedInt4 {
  Tensor packed;
  Dims packed_shape;
  std::int64_t orig_len;  // extent of the packed axis before
};

/// Packs integers in [-8, 7] (uint8: [0, 15]): of two neighbours along the axis, the first is in the lower
/// half of a byte. An odd extent is padded with 0.
/// Errors: InvalidArgument for other dtypes than int8 and uint8, and if `arr` is not of options.dtype.
PackedInt4 pack_int4(const Tensor& arr, const Int4PackingOptions& options = {});
/// The reverse of pack_int4; the axis has the extent `orig_len`.
Tensor unpack_int4(const Tensor& packed, std::int64_t orig_len, const Int4PackingOptions& options = {});

}  // namespace cornu::inline v0::keras::quantizers
