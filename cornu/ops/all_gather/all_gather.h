#pragma once

#include <cstdint>
#include <span>

#include "cornu/ops/collectives.h"

namespace cornu::inline v0::ops {

/// Joins the tensors of all replicas of a group along one dimension; each gets the result.
///
/// Semantics: result = concatenate(x on the group's first, x on its second, ..., all_gather_dim).
/// Shapes:    x: [..., n, ...]  ->  [..., n * members of a group, ...]
/// Types:     any.
/// Errors:    InvalidArgument when (C1) all_gather_dim is outside [0, rank), (C2) a replica is in the
///            groups twice, (C4) one is not in [0, their number), (C5) global ids are asked for without a
///            channel. (transform::replicate checks (C3); (C6) holds by construction.)
/// Gradient:  reduce_scatter: each replica gets the sum of the group's gradients for its part.
/// Source:    StableHLO specification, all_gather.
ir::Value all_gather(ir::Builder& builder, ir::Value x, std::int64_t all_gather_dim,
                     const ReplicaGroups& groups);

namespace all_gather_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
