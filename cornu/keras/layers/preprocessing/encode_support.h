#pragma once

#include <cstdint>
#include <string>

#include "cornu/keras/layer/layer.h"
#include "cornu/tensor/tensor.h"

/// Code shared by the layers that encode categories; not part of the interface.
namespace cornu::inline v0::keras::layers {

enum class EncodeMode { kInt, kOneHot, kMultiHot, kCount };

/// nullopt for an unknown name.
std::optional<EncodeMode> encode_mode_named(const std::string& name);

/// The shape of encoded(), for indices of a shape with kUnknown extents and without weights.
Dims encoded_shape(const Dims& numbers, EncodeMode mode, std::int64_t depth);

/// Encodes category indices below `depth` by the mode: unchanged, as a vector each, or as a vector for each
/// row with 1 for those that occur or with their counts, weighted by `weights` if given.
Tensor encoded(const Tensor& numbers, EncodeMode mode, std::int64_t depth, DType dtype,
               const Tensor& weights = {});

}  // namespace cornu::inline v0::keras::layers
