#pragma once

#include <memory>

#include "cornu/backends/cpu/kernels/slices.h"
#include "cornu/runtime/processes.h"

/// Collectives of a program that several processes run, each as one replica: they go through runtime::Processes.
namespace cornu::inline v0::backends::cpu {

/// Whether the op works over processes, and there is a kernel: an all_reduce that is a sum, an all_gather along the
/// first dimension, each over one group of all in order.
bool meets_processes(const ir::Op& op);

/// The bytes that this process sends in one run of it.
double sent_to_processes(const ir::Op& op);

/// For make, of an op that meets_processes; Errors: Unimplemented unless as many processes were joined as the op names.
std::unique_ptr<GroupKernel> make_processes_kernel(const ir::Op& op, const Target& target, int num_threads);

/// Of a sum: whether it is large enough to go on while other groups run, and the kernels that begin and end it.
bool pays_beside_others(const ir::Op& op);
std::unique_ptr<GroupKernel> make_begin_of_sum(const ir::Op& op);
std::unique_ptr<GroupKernel> make_end_of_sum(const ir::Op& op);

/// The number of this process.
std::unique_ptr<GroupKernel> make_replica_id_kernel(const ir::Op& op, const Target& target, int num_threads);

}  // namespace cornu::inline v0::backends::cpu
