#pragma once

#include <span>
#include <vector>

#include "cornu/tensor/trace/variable.h"
#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0 {

/// Gradients of a scalar with respect to the values that were read from the variables (they do not pass
/// through assignments), or to the tensors; undefined if none flows. In a Keras step that runs eagerly: the
/// gradients of the step's tape, for variables and values computed from them.
/// Errors: FailedPrecondition outside a trace and such a step, and in such a step for other tensors;
///         InvalidArgument if `loss` is not a float scalar.
std::vector<Tensor> gradient(const Tensor& loss, std::span<const Variable> variables);
std::vector<Tensor> gradient(const Tensor& loss, std::span<const Tensor> tensors);

}  // namespace cornu::inline v0
