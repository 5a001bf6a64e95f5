#pragma once

#include <span>
#include <vector>

#include "cornu/ir/builder.h"

namespace cornu::transform {

/// Appends the reverse-mode gradient of `loss` to the builder's block.
///
/// Semantics: result[k] = d(seed * loss) / d(wrt[k]), of wrt[k]'s type; an empty Value where no gradient flows (the loss does not depend on
///            wrt[k] through floating-point values). `seed` is the gradient of the loss, 1 when empty. Ops between get the locations of the
///            ops that they come from. A composite with a gradient of its own uses it, another one is differentiated through its
///            decomposition (its ops are appended once more; simplify removes what is computed twice).
/// Errors:    InvalidArgument when loss is not a floating-point scalar, lies in another block than the builder's, or seed has another type;
///            Unimplemented, naming op and layer, when an op on the way has no gradient.
std::vector<ir::Value> gradient(ir::Builder& builder, ir::Value loss, std::span<const ir::Value> wrt, ir::Value seed = {});

}  // namespace cornu::transform
