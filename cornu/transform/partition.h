#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "cornu/ir/parse.h"
#include "cornu/transform/sharding.h"

namespace cornu::inline v0::transform {

/// A program for several devices, fused into one program for a device that has the tensors of all.
struct PartitionedProgram {
  /// The arguments are the parts of device 0, then of device 1, and so on; the results likewise.
  std::unique_ptr<ir::Function> function;
  /// By argument and by result of the original program.
  std::vector<TensorSharding> arguments, results;
};

/// The ops of Shardy that partition supports: "sdy.manual_computation" and "sdy.sharding_constraint"; null
/// for other names. For the readers of programs, see ir::FindOp.
const ir::OpDef* find_sharding_op(std::string_view full_name);

/// Fuses the partitions of a program whose shardings are Shardy's, read with find_sharding_op.
///
/// Semantics: ops outside manual computations work on whole tensors, which are joined of their parts where
///            needed: each op is computed once. A manual computation is the replicas of its body, one for
///            each device, on parts of its operands (see replicate). Results are cut by their sharding; a
///            result without one takes the sharding of a tensor that it follows from, or is replicated.
/// Errors:    those of ShardingReader and of replicate; Unimplemented for GSPMD's shardings (mhlo.sharding),
///            for parts of different sizes, for a manual computation in a loop or a branch of another one,
///            and for collectives inside them that name replicas.
PartitionedProgram partition(const ir::ParsedModule& parsed, std::int64_t num_devices);

}  // namespace cornu::inline v0::transform
