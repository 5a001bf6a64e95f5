#pragma once

#include "cornu/keras/quantizers/quantizers.h"

/// Code shared by quantizers and quantized layers; not part of the interface.
namespace cornu::inline v0::keras::quantizers {

/// Throws InvalidArgument unless the dtype is an integer of at most 32 bits that holds the range.
void check_value_range(const char* caller, const ValueRange& range, DType dtype);

/// (values - zero_point) * scale of the group of each element; `group_of`: the group of each position along
/// the axis, as floats.
Tensor dequantize_by_groups(const Tensor& values, const Tensor& scale, const Tensor& zero_point,
                            const Tensor& group_of, std::int64_t axis);

/// The largest finite number of a float of at most eight bits.
double largest_small_float(DType dtype);

}  // namespace cornu::inline v0::keras::quantizers
