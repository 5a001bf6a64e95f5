#pragma once

#include <memory>
#include <vector>

#include "cornu/ir/graph.h"
#include "cornu/transform/sharding.h"

/// Ops of Shardy in programs, for partition.
namespace cornu::inline v0::transform {

bool is_manual_computation(const ir::Op& op);
bool is_sharding_constraint(const ir::Op& op);

/// The cuts of a manual computation's operands and results, along its manual axes only.
struct ManualShardings {
  std::vector<TensorSharding> operands, results;
};
ManualShardings manual_shardings(const ir::Op& op, const ShardingReader& reader);

/// A copy of the body of a manual computation as the program of a replica: collectives among devices are
/// among replicas, and a device's number is the replica's.
/// Errors: Unimplemented for a manual computation inside, and for a collective that names replicas.
std::unique_ptr<ir::Block> local_body(const ir::Block& body);

}  // namespace cornu::inline v0::transform
