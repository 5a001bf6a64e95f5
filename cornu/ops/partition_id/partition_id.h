#pragma once

#include <span>

#include "cornu/ir/builder.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::ops {

/// The number of the partition that runs this: 0, because programs have one partition.
///
/// Semantics: result = 0.
/// Shapes:    []
/// Types:     ui32.
/// Source:    StableHLO specification, partition_id.
ir::Value partition_id(ir::Builder& builder);

namespace partition_id_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
