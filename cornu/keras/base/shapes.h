#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// An extent that is not known (the batch) in the shapes that build and compute_output_shape see.
inline constexpr std::int64_t kUnknown = -1;

/// "(None, 32)"
std::string shape_with_none_str(const Dims& shape);
std::vector<Dims> shapes_of(std::span<const TensorType> types);
std::vector<Dims> shapes_of(std::span<const Tensor> tensors);
/// No extent is negative, but for kUnknown.
bool is_open_shape(const Dims& shape);
/// The shape that tensors of these shapes are broadcast to, their last axes on each other. An open extent is
/// the other's, which it must be or 1, unless that is 1. Nothing where the shapes do not fit.
std::optional<Dims> broadcast_shapes(const Dims& a, const Dims& b);
/// Refuses a type of such a shape that no tensor can have, whatever the unknown extents will be. Errors:
/// ResourceExhausted.
void check_open_type(TensorType type);

}  // namespace cornu::inline v0::keras
