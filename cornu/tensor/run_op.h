#pragma once

#include <functional>
#include <span>

#include "cornu/ir/builder.h"
#include "cornu/tensor/tensor.h"

namespace cornu::detail {

using BuildFn = std::function<ir::Value(ir::Builder&, std::span<const ir::Value>)>;

/// Builds an operation on tensors: appended to the current trace, else, when all are concrete, run at once.
Tensor run_op(std::span<const Tensor> inputs, const BuildFn& build);

}  // namespace cornu::detail
