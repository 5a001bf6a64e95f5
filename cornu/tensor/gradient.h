#pragma once

#include <span>
#include <vector>

#include "cornu/tensor/trace/variable.h"
#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0 {

/// Gradients of a scalar with respect to the values that the variables were read as (an assignment is not
/// differentiated through), or to the tensors; undefined where none flows. In a Keras step that runs eagerly,
/// of variables and what comes from them: as the step's own tape has it.
/// Errors: FailedPrecondition outside a trace and such a step, and there for other tensors; InvalidArgument
///         when `loss` is no float scalar.
std::vector<Tensor> gradient(const Tensor& loss, std::span<const Variable> variables);
std::vector<Tensor> gradient(const Tensor& loss, std::span<const Tensor> tensors);

}  // namespace cornu::inline v0
