#pragma once

#include <cstdint>
#include <span>

#include "cornu/ops/collectives.h"

namespace cornu::inline v0::ops {

/// The dimensions along which an all_to_all splits and concatenates.
struct AllToAllDimensions {
  std::int64_t split_dimension = 0;
  std::int64_t concat_dimension = 0;
};

/// Each replica of a group cuts its tensor into parts and sends part i to the group's replica i,
/// which joins what it gets.
///
/// Semantics: result on the group's replica i = concatenate(part i of x on the group's first, of x on its
///            second, ..., concat_dimension); parts are cut along split_dimension, one a member.
/// Shapes:    x: [..., n, ..., m, ...]  ->  [..., n / members, ..., m * members, ...]
/// Types:     any.
/// Errors:    InvalidArgument when (C1) split_dimension or (C3) concat_dimension is outside [0, rank),
///            (C2) the extent cannot be divided by split_count, (C5) a replica is in the groups twice,
///            (C7) one is not in [0, their number), (C8) split_count is not the number of a group's members.
///            ((C4) holds by (C8); transform::replicate checks (C6);
///            (C9) holds by construction.)
/// Gradient:  all_to_all with the dimensions exchanged.
/// Source:    StableHLO specification, all_to_all.
ir::Value all_to_all(ir::Builder& builder, ir::Value x, const AllToAllDimensions& dimensions,
                     const ReplicaGroups& groups);

namespace all_to_all_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
