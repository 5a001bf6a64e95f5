#pragma once

#include <functional>
#include <span>
#include <vector>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::transform {

/// A gradient, or a part of one, has been made that has the shape of `value` and belongs to it.
using GradientSeen = std::function<void(ir::Value value, ir::Value gradient)>;

/// Appends the reverse-mode gradient of `loss` to the builder's block.
///
/// Semantics: result[k] = d(seed * loss) / d(wrt[k]), of wrt[k]'s type; an empty Value where no gradient
///            flows (the loss does not depend on wrt[k] through floating-point values). Constant zeros that a
///            rule gives (of sign, floor, round) go no further back: what they reach, and no other gradient
///            does, has zeros, which no op has computed and none makes NaN (is_constant_zero). `seed` is the
///            gradient of the loss, 1 when empty. Ops between get the locations of the ops that they come
///            from, with " (backward)" behind the name. A composite with a gradient of its own uses it,
///            another one is differentiated through its decomposition (its ops are appended once more;
///            simplify removes what is computed twice).
/// Errors:    InvalidArgument when loss is not a floating-point scalar, lies in another block than the
///            builder's, or seed has another type; Unimplemented, naming op and layer, when an op on the way
///            has no gradient.
std::vector<ir::Value> gradient(ir::Builder& builder, ir::Value loss, std::span<const ir::Value> wrt,
                                ir::Value seed = {}, const GradientSeen& seen = {});

/// The same for several outputs of any shape and for a part of the graph: what a tape recorded.
///
/// Semantics: result[k] = sum over i of sum(output_gradients[i] * d outputs[i]) / d wrt[k]. `ops`, in
///            execution order, are those through which gradients flow; everything else is constant. They lie
///            in a block that the builder's block sees: the same one or one around it. An empty output
///            gradient stands for ones. `seen`, if there is one, is told of each gradient that comes to a
///            value.
/// Errors:    InvalidArgument when an output is not floating-point or its gradient has another type;
///            Unimplemented as above.
std::vector<ir::Value> vector_jacobian_product(ir::Builder& builder, std::span<const ir::Value> outputs,
                                               std::span<const ir::Value> output_gradients,
                                               std::span<const ir::Value> wrt, std::span<ir::Op* const> ops,
                                               const GradientSeen& seen = {});

/// Whether the value is a constant of zeros. A gradient that is one need not be passed on: what comes before
/// gets zeros, too.
bool is_constant_zero(ir::Value value);

}  // namespace cornu::inline v0::transform
