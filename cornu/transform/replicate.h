#pragma once

#include <memory>
#include <vector>

#include "cornu/ir/clone.h"
#include "cornu/runtime/executable.h"

namespace cornu::inline v0::transform {

/// Makes of a program that several replicas run together one that does the work of all:
/// what collectives mean.
///
/// Semantics: the arguments are those of replica 0, then of replica 1, and so on; the results likewise.
///            Each op stands there once a replica; a collective becomes the plain ops that its result is
///            made of, combined in the order of its groups. A loop or a branch that holds a collective stands
///            there once for all replicas, which must take it alike: replica 0's condition decides.
/// Errors:    InvalidArgument when num_replicas is not positive, or a collective names more, fewer or other
///            replicas; Unimplemented for a collective in the body of an op that is no loop and no branch.
std::unique_ptr<ir::Function> replicate(const ir::Function& function, std::int64_t num_replicas);

/// Appends what `maps.size()` replicas compute that run a block together: each map says what the block's
/// arguments are for one of them, and gets what became of its values. What replicas compute of the same
/// values stands there once.
/// With several processes the maps are of one of them, and each has as many replicas; what is appended is
/// then the program of a replica that stands for a process: its replica_id is the process's number, and its
/// collectives are among processes. It is the same program in each.
/// Errors: as replicate; InvalidArgument where replicas meet inside a loop or a branch that each of them
///         decides about for itself, which is not seen of those of other processes.
void inline_replicas(ir::Builder& builder, const ir::Block& block, std::vector<ir::ValueMap>& maps,
                     std::int64_t num_processes = 1);

/// What each of n replicas that run the block sends, in rings:
///
///     all_reduce             2 (n - 1) / n of its bytes
///     any other collective   (n - 1) / n of what it gathers
///
/// What is inside a loop counts once.
runtime::ReplicaWork replica_work(const ir::Block& block, std::int64_t num_replicas);

/// Whether results of the op depend on which replica runs it, or on others; in its regions too.
bool is_collective(const ir::Op& op);

}  // namespace cornu::inline v0::transform
