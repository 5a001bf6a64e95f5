#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// An unknown extent (the batch) in the shapes that build and compute_output_shape receive.
inline constexpr std::int64_t kUnknown = -1;

/// "(None, 32)"
std::string shape_with_none_str(const Dims& shape);
std::vector<Dims> shapes_of(std::span<const TensorType> types);
std::vector<Dims> shapes_of(std::span<const Tensor> tensors);
/// True if no extent is negative except kUnknown.
bool is_open_shape(const Dims& shape);
/// The shape to which tensors of these shapes broadcast, aligned at the last axes. An open extent takes the
/// other shape's extent, unless that is 1; it must then equal it or be 1. nullopt if the shapes do not fit.
std::optional<Dims> broadcast_shapes(const Dims& a, const Dims& b);
/// Refuses types whose known extents are too large for any tensor. Errors: ResourceExhausted.
void check_open_type(TensorType type);

}  // namespace cornu::inline v0::keras
