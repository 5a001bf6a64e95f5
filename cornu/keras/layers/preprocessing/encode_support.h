#pragma once

#include <cstdint>
#include <string>

#include "cornu/keras/layer/layer.h"
#include "cornu/tensor/tensor.h"

/// What the layers that number categories share; no part of the interface.
namespace cornu::inline v0::keras::layers {

enum class EncodeMode { kInt, kOneHot, kMultiHot, kCount };

/// Nothing for a name that is none.
std::optional<EncodeMode> encode_mode_named(const std::string& name);

/// The shape of encoded(), for numbers of a shape with kUnknown extents and without weights.
Dims encoded_shape(const Dims& numbers, EncodeMode mode, std::int64_t depth);

/// Numbers of categories, below `depth`, as the mode says: themselves, a vector
/// each, or a vector for all of a row, with 1 for those that occur or how often
/// they do, each of them counted by its weight where there are `weights`.
Tensor encoded(const Tensor& numbers, EncodeMode mode, std::int64_t depth, DType dtype,
               const Tensor& weights = {});

}  // namespace cornu::inline v0::keras::layers
