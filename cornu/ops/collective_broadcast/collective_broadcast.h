#pragma once

#include <cstdint>
#include <span>

#include "cornu/ops/collectives.h"

namespace cornu::inline v0::ops {

/// Gives the tensor of each group's first replica to the others of the group.
///
/// Semantics: result on a replica = x on the first of its group; zeros on replicas of no group.
/// Shapes:    as x.
/// Types:     any.
/// Errors:    InvalidArgument when (C1) a replica is in the groups twice, (C2) one is negative.
///            (The other half of (C2), that the replicas exist, is checked by transform::replicate;
///            (C3) holds by construction.)
/// Gradient:  the sum of a group's gradients, to its first replica.
/// Source:    StableHLO specification, collective_broadcast.
ir::Value collective_broadcast(ir::Builder& builder, ir::Value x, const ReplicaGroups& groups);

namespace collective_broadcast_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
