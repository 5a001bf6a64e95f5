#pragma once

#include <memory>

#include "cornu/ir/graph.h"
#include "cornu/ir/op_def.h"

/// interpreter.run_parallel of StableHLO's tests: one function on several processes at once.
namespace cornu::inline v0::cli {

/// The op in the graph, which only with_replicas can run.
const ir::OpDef& run_parallel_op();

/// Copies a function with each run_parallel as the ops of its function's replicas. The processes of a
/// grid are numbered by replica, then by partition.
///
/// Errors: Unimplemented for processes that run different functions; NotFound for a function that the module does
///         not have; those of transform::replicate.
std::unique_ptr<ir::Function> with_replicas(const ir::Module& module, const ir::Function& function);

}  // namespace cornu::inline v0::cli
