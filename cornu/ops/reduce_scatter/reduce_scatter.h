#pragma once

#include <cstdint>
#include <span>

#include "cornu/ops/collectives.h"
#include "cornu/ops/reduce/reduce.h"

namespace cornu::inline v0::ops {

/// Combines tensors of all replicas of a group, element by element, and gives each replica its part.
///
/// Semantics: result on the group's replica i = part i of all_reduce(x), cut along scatter_dimension into as
///            many parts as the group has members.
/// Shapes:    x: [..., n, ...]  ->  [..., n / members of a group, ...]
/// Types:     any.
/// Errors:    InvalidArgument when (C1) the extent cannot be divided by the members, (C2) scatter_dimension
///            is outside [0, rank), (C3) a replica is in the groups twice, (C5) one is not in
///            [0, their number), (C6) global ids are asked for without a channel, (C7) body does not map two
///            scalars of x's dtype to one. (transform::replicate checks (C4);
///            (C8) and (C9) hold by construction.)
/// Gradient:  of sums: all_gather of the incoming gradients; of other bodies none.
/// Source:    StableHLO specification, reduce_scatter.
ir::Value reduce_scatter(ir::Builder& builder, ir::Value x, std::int64_t scatter_dimension,
                         const ReplicaGroups& groups, const ReduceBody& body);

/// Scatters the sum over each group.
ir::Value reduce_scatter_sum(ir::Builder& builder, ir::Value x, std::int64_t scatter_dimension,
                             const ReplicaGroups& groups);

namespace reduce_scatter_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
