#pragma once

#include <memory>
#include <vector>

#include "cornu/ir/clone.h"
#include "cornu/runtime/executable.h"

namespace cornu::inline v0::transform {

/// Fuses the replicas of a program into one program without collectives. It defines the semantics of
/// collectives.
///
/// Semantics: the arguments are those of replica 0, then of replica 1, and so on; the results likewise. Each
///            op is copied for each replica; a collective becomes the plain ops that compute its result,
///            combined in the order of its groups. A loop or a branch that contains a collective occurs once
///            for all replicas, which must take it alike: replica 0's condition decides.
/// Errors:    InvalidArgument if num_replicas is not positive, or a collective names more, fewer or other
///            replicas; Unimplemented for a collective in the body of an op other than a loop or a branch.
std::unique_ptr<ir::Function> replicate(const ir::Function& function, std::int64_t num_replicas);

/// Appends the computation of `maps.size()` replicas that run a block together. Each map gives the block's
/// arguments for one replica, and receives the copies of its values. Computations on the same values occur
/// once.
/// With several processes the maps are those of one of them, and each has the same number of replicas. The
/// appended program then treats each process as a replica: its replica_id is the process's number, and its
/// collectives are among processes. It is the same program in each process.
/// Errors: those of replicate; InvalidArgument if replicas communicate inside a loop or a branch with
///         conditions of their own. Conditions of other processes' replicas are not checked.
void inline_replicas(ir::Builder& builder, const ir::Block& block, std::vector<ir::ValueMap>& maps,
                     std::int64_t num_processes = 1);

/// The bytes that each of n replicas of the block sends, in rings:
///
///     all_reduce                   2 (n - 1) / n of its bytes
///     reduce_scatter, all_to_all   (n - 1) / n of its bytes
///     any other collective         (n - 1) / n of the gathered bytes
///
/// A loop's body counts once.
runtime::ReplicaWork replica_work(const ir::Block& block, std::int64_t num_replicas);

/// A composite that contains collectives, a lookup in a sharded table or its gradient, and its part of
/// replica_work.
struct CompositeWork {
  const ir::Op* op = nullptr;
  runtime::ReplicaWork work;
};
/// The composites of a block in their order, also of inner blocks.
std::vector<CompositeWork> sharded_work(const ir::Block& block, std::int64_t num_replicas);

/// True if results of the op depend on the replica's number or on other replicas, also in its regions.
bool is_collective(const ir::Op& op);

}  // namespace cornu::inline v0::transform
