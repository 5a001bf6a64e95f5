#pragma once

#include "cornu/keras/config/values_support.h"

namespace cornu::inline v0::keras::saving {

/// The value inside what Keras wraps an array in, {"class_name": "__numpy__", "config": {"value": ..., "dtype":
/// ...}}; anything else as it is.
const Config& unwrapped_array(const Config& config);

/// Reads a number, nested lists of numbers, or what Keras wraps an array in, as an array of `dtype`;
/// whole numbers keep all their digits.
/// Errors: InvalidArgument, as read_value, also for a fraction or a number outside the range of an
///         integer dtype.
Tensor read_array(const Config& config, const Place& place, DType dtype);

}  // namespace cornu::inline v0::keras::saving
