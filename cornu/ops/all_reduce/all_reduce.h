#pragma once

#include <span>
#include <vector>

#include "cornu/ops/collectives.h"
#include "cornu/ops/reduce/reduce.h"

namespace cornu::inline v0::ops {

/// Combines tensors of all replicas of a group, element by element; each gets the result.
///
/// Semantics: results[k] on a replica = body(body(inputs[k] on the group's first, on its second), ...),
///            in the group's order.
/// Shapes:    results[k]: as inputs[k].
/// Types:     any; all inputs share one dtype.
/// Errors:    InvalidArgument when (C1) a replica is in the groups twice, (C3) one is not in
///            [0, their number), (C4) global ids are asked for without a channel, (C5) body does not map
///            two scalars of the inputs' dtype to one, there is no input. ((C2), that the groups name all
///            replicas, is checked by transform::replicate; (C6) and (C7) hold by construction.)
/// Gradient:  of sums: the sum of the incoming gradients over the group; of other bodies none.
/// Source:    StableHLO specification, all_reduce.
std::vector<ir::Value> all_reduce(ir::Builder& builder, std::vector<ir::Value> inputs,
                                  const ReplicaGroups& groups, const ReduceBody& body);

/// The sum over each group.
ir::Value all_reduce_sum(ir::Builder& builder, ir::Value x, const ReplicaGroups& groups);

namespace all_reduce_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
