#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cornu/ops/collectives.h"

namespace cornu::inline v0::ops {

/// Gives the tensor of each group's first replica to the others of the group.
///
/// Semantics: result on a replica = x on the first of its group; zeros on replicas of no group.
/// Shapes:    as x.
/// Types:     any.
/// Errors:    InvalidArgument when (C1) a replica is in the groups twice, (C2) one is negative, (C3) a program
///            gives no input. (The other half of (C2), that the replicas exist, is checked by
///            transform::replicate; (C5) holds by construction.)
/// Gradient:  the sum of a group's gradients, to its first replica.
/// Source:    StableHLO specification, collective_broadcast.
ir::Value collective_broadcast(ir::Builder& builder, ir::Value x, const ReplicaGroups& groups);

/// Gives tensors of one replica of each group to the others of the group.
///
/// Semantics: results[k] on a replica = inputs[k] on member roots[k] of its group, counted from 0 (roots are
///            those of the replica that receives); zeros on replicas of no group. Roots that no member has
///            (C6) are taken as the nearest number.
/// Shapes:    results[k]: as inputs[k]; roots: [number of inputs].
/// Types:     any; roots: i32.
/// Errors:    as above, and InvalidArgument when (C4) roots have another type.
/// Gradient:  the sum of a group's gradients, to the root.
/// Source:    StableHLO specification, collective_broadcast with has_dynamic_root.
std::vector<ir::Value> collective_broadcast_from(ir::Builder& builder, std::vector<ir::Value> inputs,
                                                 ir::Value roots, const ReplicaGroups& groups);

namespace collective_broadcast_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
