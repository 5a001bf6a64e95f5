#pragma once

#include <memory>

#include "cornu/backends/cpu/kernels/slices.h"
#include "cornu/runtime/processes.h"

/// Collectives of a program that several processes run, each as one replica:
/// they go through runtime::Processes.
namespace cornu::inline v0::backends::cpu {

/// Whether an all_reduce is a sum over processes: over one group of all in order.
bool is_sum_over_processes(const ir::Op& op);

/// Whether an all_gather is one over processes: along the first dimension, over one group of all in order.
bool is_gather_over_processes(const ir::Op& op);

/// Of such an op: the bytes that this process sends in one run of it.
double bytes_sent_for_sum(const ir::Op& all_reduce);
double bytes_sent_for_gather(const ir::Op& all_gather);

/// For make, of such an op; Errors: Unimplemented unless as many processes were joined as the op names.
std::unique_ptr<GroupKernel> make_sum_kernel(const ir::Op& op, const Target& target, int num_threads);
std::unique_ptr<GroupKernel> make_gather_kernel(const ir::Op& op, const Target& target, int num_threads);

/// Of a sum over processes: whether it is large enough to go on while other groups run, and the kernels that
/// begin and end it.
bool pays_beside_others(const ir::Op& op);
std::unique_ptr<GroupKernel> make_begin_of_sum(const ir::Op& op);
std::unique_ptr<GroupKernel> make_end_of_sum(const ir::Op& op);

/// The number of this process.
std::unique_ptr<GroupKernel> make_replica_id_kernel(const ir::Op& op, const Target& target, int num_threads);

}  // namespace cornu::inline v0::backends::cpu
