#pragma once

#include <span>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// The position at which each id occurs first.
///
/// Semantics: result[i] = min(j where ids[j] = ids[i]).
/// Shapes:    ids [n]  ->  [n]
/// Types:     ids: i32 or i64; the result has their dtype.
/// Errors:    InvalidArgument when ids are no vector or of another dtype.
/// Gradient:  none.
/// Source:    composite cornu.first_occurrence.
ir::Value first_occurrence(ir::Builder& builder, ir::Value ids);

namespace first_occurrence_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
