#pragma once

#include <functional>
#include <memory>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::transform {

/// A copy of a function whose products of f16 or bf16, dots and convolutions, are products of f32: operands
/// are converted, and the sums, which are of f32 anyway, are rounded once. The conversions become part of the
/// loops around them. Only those that the machine multiplies as they are stay (`is_native`; null: none). Null
/// when there is none to change.
std::unique_ptr<ir::Function> widen_half_products(
    const ir::Function& function, const std::function<bool(const ir::Op&)>& is_native = nullptr);

/// The same for recurrent composites (simple_rnn, gru, lstm) and their gradients of f16 or bf16: within a step f32,
/// results are rounded once. Null when there is none.
std::unique_ptr<ir::Function> widen_half_recurrences(const ir::Function& function);

}  // namespace cornu::inline v0::transform
