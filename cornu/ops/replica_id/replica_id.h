#pragma once

#include <span>

#include "cornu/ir/builder.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::ops {

/// The number of the replica that runs this, from 0 on.
///
/// Semantics: result = the replica's number; 0 in a program of one replica.
/// Shapes:    []
/// Types:     ui32.
/// Source:    StableHLO specification, replica_id.
ir::Value replica_id(ir::Builder& builder);

namespace replica_id_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
