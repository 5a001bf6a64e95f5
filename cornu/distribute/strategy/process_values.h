#pragma once

#include <span>
#include <vector>

#include "cornu/tensor/trace/replicas.h"

namespace cornu::inline v0::distribute {

/// The values of the replicas of all processes in their order; `own`: of those of this one. While something
/// is traced they become part of the program, and have the same shapes everywhere.
/// Errors: FailedPrecondition, on all, when dtypes or ranks of processes differ;
///         `caller` ("gather") stands in it.
std::vector<Tensor> of_all_processes(const ReplicaSet& replicas, const char* caller,
                                     std::span<const Tensor> own);
/// The sum over all processes of a number that each has.
double sum_over_processes(const ReplicaSet& replicas, double own);

}  // namespace cornu::inline v0::distribute
