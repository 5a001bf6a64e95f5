#pragma once

#include <functional>
#include <span>
#include <vector>

#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0::detail {

/// Computes gradients of a call's inputs from gradients of its results; an undefined tensor is a zero
/// gradient.
using BackwardFn = std::function<std::vector<Tensor>(std::span<const Tensor> result_gradients)>;
/// A BackwardFn that receives which inputs' gradients are wanted; the others may stay undefined.
using CallBackwardFn = std::function<std::vector<Tensor>(std::span<const Tensor> result_gradients,
                                                         const std::vector<bool>& wanted)>;
}  // namespace cornu::inline v0::detail
