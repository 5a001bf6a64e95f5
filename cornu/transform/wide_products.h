#pragma once

#include <functional>
#include <memory>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::transform {

/// Copies a function with its products of f16 or bf16 (ops for which `is_product` is true: dots,
/// convolutions, recurrent composites) computed in f32: operands are converted, and the f32 sums are rounded
/// once. The conversions are fused into neighbouring loops. Null if there are none to change.
std::unique_ptr<ir::Function> upcast_low_precision_products(
    const ir::Function& function, const std::function<bool(const ir::Op&)>& is_product);

}  // namespace cornu::inline v0::transform
