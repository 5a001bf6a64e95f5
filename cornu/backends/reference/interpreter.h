#pragma once

#include <span>
#include <vector>

#include "cornu/ir/graph.h"
#include "cornu/ir/literal.h"

namespace cornu::inline v0::backends::reference {

/// Runs a function by the reference kernel of each op, one op after the other; composites run by their
/// decomposition. The oracle that everything faster is compared with.
///
/// Errors: InvalidArgument when the arguments do not fit the signature; Unimplemented, naming the op, for
///         dtypes without kernels.
/// Threads: safe (nothing is shared).
std::vector<ir::Literal> evaluate(const ir::Function& function, std::span<const ir::Literal> arguments);

}  // namespace cornu::inline v0::backends::reference
