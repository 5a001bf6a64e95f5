#pragma once

#include <span>
#include <vector>

#include "cornu/ops/collectives.h"
#include "cornu/ops/reduce/reduce.h"

namespace cornu::inline v0::ops {

/// Combines tensors of all replicas of a group, element by element; one replica of each group, the root, gets
/// the results.
///
/// Semantics: results[k] on the root = body(body(inputs[k] on the group's first, on its second), ...), in the
///            order of the group; zeros on other replicas. The root is the first of the group or, if `roots` is
///            not empty, member roots[k], counted from 0 (on a replica, its own operand decides whether it is
///            the root).
/// Shapes:    results[k]: as inputs[k]; roots: [number of inputs].
/// Types:     any; all inputs share one dtype; roots: i32.
/// Errors:    InvalidArgument when (C1) a replica is in the groups twice, (C2) one is negative, (C3) there is no
///            input or roots have another type, (C4) body does not map two scalars of the inputs' dtype to one.
///            (The other half of (C2), that the replicas exist, is checked by transform::replicate.)
/// Gradient:  of sums: the root's gradient, for all members; of other bodies none.
/// Source:    StableHLO specification, collective_reduce.
std::vector<ir::Value> collective_reduce(ir::Builder& builder, std::vector<ir::Value> inputs,
                                         const ReplicaGroups& groups, const ReduceBody& body,
                                         ir::Value roots = {});

/// The sum over each group for its root: the first, or the member whose number is in `root`, of shape [1].
ir::Value collective_reduce_sum(ir::Builder& builder, ir::Value x, const ReplicaGroups& groups,
                                ir::Value root = {});

namespace collective_reduce_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
