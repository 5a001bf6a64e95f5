#pragma once

#include <functional>
#include <span>
#include <vector>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::transform {

/// Called for each gradient, or part of one, that is made for `value`; it has the shape of `value`.
using GradientSeen = std::function<void(ir::Value value, ir::Value gradient)>;

/// Appends the reverse-mode gradient of `loss` to the builder's block.
///
/// Semantics: result[k] = d(seed * loss) / d(wrt[k]), of wrt[k]'s type; an empty Value if no gradient flows
///            (the loss does not depend on wrt[k] through floating-point values). Constant zeros returned by
///            a rule (of sign, floor, round) are not propagated: a value that only they reach gets zeros that
///            are not computed and so never NaN (is_constant_zero). `seed` is the gradient of the loss, 1 if
///            empty. New ops get the locations of their original ops, with " (backward)" appended. A
///            composite uses its own gradient if it has one; otherwise it is differentiated through its
///            decomposition (whose ops are appended again; simplify removes duplicates).
/// Errors:    InvalidArgument if loss is not a floating-point scalar or is in another block than the
///            builder's, or seed has another type; Unimplemented, with op and layer, if an op on the path has
///            no gradient.
std::vector<ir::Value> gradient(ir::Builder& builder, ir::Value loss, std::span<const ir::Value> wrt,
                                ir::Value seed = {}, const GradientSeen& seen = {});

/// Appends the gradient of several outputs of any shape through a part of the graph, such as a tape's record.
///
/// Semantics: result[k] = sum over i of sum(output_gradients[i] * d outputs[i]) / d wrt[k]. Gradients flow
///            through `ops`, which are in execution order; everything else is constant. The ops are in the
///            builder's block or in an enclosing one. An empty output gradient means ones. `seen`, if set, is
///            called for each gradient of a value.
/// Errors:    InvalidArgument if an output is not floating-point or its gradient has another type;
///            Unimplemented as above.
std::vector<ir::Value> vector_jacobian_product(ir::Builder& builder, std::span<const ir::Value> outputs,
                                               std::span<const ir::Value> output_gradients,
                                               std::span<const ir::Value> wrt, std::span<ir::Op* const> ops,
                                               const GradientSeen& seen = {});

/// True for a constant of zeros. Such a gradient need not be propagated: earlier values get zeros, too.
bool is_constant_zero(ir::Value value);

}  // namespace cornu::inline v0::transform
