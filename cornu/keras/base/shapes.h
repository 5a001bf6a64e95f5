#pragma once

#include <cstdint>
#include <string>

#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// An extent that is not known (the batch) in the shapes that build and compute_output_shape see.
inline constexpr std::int64_t kUnknown = -1;

/// "(None, 32)"
std::string shape_with_none_str(const Dims& shape);
/// No extent is negative, but for kUnknown.
bool is_open_shape(const Dims& shape);
/// Refuses a type of such a shape that no tensor can have, whatever the unknown extents will be. Errors:
/// ResourceExhausted.
void check_open_type(TensorType type);

}  // namespace cornu::inline v0::keras
