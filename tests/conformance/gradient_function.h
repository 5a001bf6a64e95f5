#pragma once

#include <memory>
#include <vector>

#include "cornu/ops/conformance_test_support.h"

namespace cornu::inline v0::ops {

/// The gradient of a differentiable case as a function "main" of the case's inputs: one result a float input
/// (a zero tensor where nothing flows). The loss is the sum of all float results, each element weighted by
/// its own fixed number between -1 and 1. Null when the case has no float result.
std::unique_ptr<ir::Function> make_gradient_function(const ConformanceCase& row);

/// The positions of a differentiable case's float inputs to which no gradient of that loss flows, ascending.
std::vector<std::size_t> inputs_without_gradient(const ConformanceCase& row);

/// The same loss as a function of the inputs: one scalar result. Null when the case has no float result.
std::unique_ptr<ir::Function> make_loss_function(const ConformanceCase& row);

}  // namespace cornu::inline v0::ops
