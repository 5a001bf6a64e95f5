#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cornu/ir/graph.h"
#include "cornu/transform/sharding.h"

/// Ops of Shardy in programs, for partition.
namespace cornu::inline v0::transform {

bool is_manual_computation(const ir::Op& op);
bool is_sharding_constraint(const ir::Op& op);

/// The cuts of a manual computation's operands and results, along its manual axes only.
struct ManualShardings {
  std::vector<std::string> axes;
  std::vector<TensorSharding> operands, results;
};
ManualShardings manual_shardings(const ir::Op& op, const ShardingReader& reader);

/// The body of a manual computation as the program of a replica: collectives among devices are among replicas,
/// and a device's number is the replica's. Manual computations inside divide it into segments.
struct LocalBody {
  struct Nested {
    const ir::Op* op;  // of the original; later segments use its results
    std::vector<ir::Value> operands;
  };
  std::vector<std::unique_ptr<ir::Block>> segments;
  std::vector<Nested> nested;  // after each segment, except the last one
  std::vector<ir::Value> results;

  std::span<const ir::Value> arguments() const { return segments[0]->arguments(); }
};
/// Errors: Unimplemented for a manual computation in the body of a loop or a branch, and for a collective that
///         names replicas.
LocalBody local_body(const ir::Block& body);

}  // namespace cornu::inline v0::transform
