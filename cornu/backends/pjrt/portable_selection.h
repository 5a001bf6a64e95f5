#pragma once

#include <memory>

#include "cornu/ir/graph.h"

namespace cornu::inline v0::backends::pjrt {

/// A copy of a function in which no select_and_scatter has padding: XLA lets padding be selected, on CPUs and
/// GPUs, and what a window selected there is lost.
///
/// Semantics: the operand is padded by an op of its own with the value that no comparison prefers,
///            and the result is cut to the operand's shape. Those that select by something else than
///            one comparison stay.
std::unique_ptr<ir::Function> without_padded_selection(const ir::Function& function);

}  // namespace cornu::inline v0::backends::pjrt
