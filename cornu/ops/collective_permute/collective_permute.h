#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cornu/ops/collectives.h"

namespace cornu::inline v0::ops {

/// From which replica to which.
using SourceTargetPairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// Sends tensors from replica to replica.
///
/// Semantics: result on a pair's target = x on its source; zeros on replicas that are no target.
/// Shapes:    as x.
/// Types:     any.
/// Errors:    InvalidArgument when (C1) the pairs are no matrix of two columns, (C2) a source or (C3) a
///            target comes twice, (C4) a number is negative. (The other half of (C4), that the replicas
///            exist, is checked by transform::replicate; (C5) holds by construction.)
/// Gradient:  collective_permute with sources and targets exchanged.
/// Source:    StableHLO specification, collective_permute.
ir::Value collective_permute(ir::Builder& builder, ir::Value x, const SourceTargetPairs& pairs,
                             std::int64_t channel_id = 0);

/// The pairs of a collective_permute.
SourceTargetPairs source_target_pairs(const ir::Attributes& attributes);

namespace collective_permute_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
