#pragma once

#include <functional>
#include <memory>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::transform {

/// A copy of a function whose products of f16 or bf16 (dots, convolutions, recurrent composites: what
/// `is_product` says) are products of f32: operands are converted, and the sums, which are of f32 anyway, are
/// rounded once. The conversions become part of the loops around them. Null when there is none to change.
std::unique_ptr<ir::Function> widen_half_products(const ir::Function& function,
                                                  const std::function<bool(const ir::Op&)>& is_product);

}  // namespace cornu::inline v0::transform
