#pragma once

#include <span>
#include <vector>

#include "cornu/tensor/trace/replicas.h"

namespace cornu::inline v0::distribute {

/// Gathers the values of the replicas of all processes in order; `own`: those of this process. Inside a trace
/// they become part of the program, and must have the same shapes on all processes.
/// Errors: FailedPrecondition, on all, if dtypes or ranks differ between processes; it contains `caller`
///         ("gather").
std::vector<Tensor> of_all_processes(const ReplicaSet& replicas, const char* caller,
                                     std::span<const Tensor> own);
/// The sum over all processes of their numbers.
double sum_over_processes(const ReplicaSet& replicas, double own);

}  // namespace cornu::inline v0::distribute
