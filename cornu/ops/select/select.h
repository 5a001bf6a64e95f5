#pragma once

#include <span>

#include "cornu/ir/builder.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::ops {

/// Chooses elementwise between two tensors.
///
/// Semantics: result[i] = pred[i] ? on_true[i] : on_false[i]; a scalar pred chooses for all.
/// Shapes:    pred: [] or [d...], on_true: [d...], on_false: [d...]  ->  [d...]
/// Types:     pred i1; on_true and on_false share any dtype, which is the result's.
/// Errors:    InvalidArgument when (I1) pred is not i1, (C1) pred is neither scalar nor shaped like on_true,
///            (C2) on_true and on_false differ in type.
/// Gradient:  the incoming gradient where the operand was chosen, 0 elsewhere; none to pred.
/// Source:    StableHLO specification, select.
ir::Value select(ir::Builder& b, ir::Value pred, ir::Value on_true, ir::Value on_false);

namespace select_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
