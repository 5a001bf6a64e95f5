#pragma once

#include <memory>

#include "cornu/ops/conformance.h"

namespace cornu::inline v0::ops {

/// The gradient of a differentiable case as a function "main" of the case's inputs: one result a float input
/// (a zero tensor where nothing flows). The loss is the sum of all float results, each element weighted by
/// its own fixed number between -1 and 1.
std::unique_ptr<ir::Function> make_gradient_function(const ConformanceCase& row);

/// The same loss as a function of the inputs: one scalar result. Null when the case has no float result.
std::unique_ptr<ir::Function> make_loss_function(const ConformanceCase& row);

}  // namespace cornu::inline v0::ops
