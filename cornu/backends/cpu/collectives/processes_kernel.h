#pragma once

#include <memory>

#include "cornu/backends/cpu/kernels/slices.h"
#include "cornu/runtime/collective.h"

/// Collectives of a program that several processes run, each as one replica: they use runtime::Collective.
namespace cornu::inline v0::backends::cpu {

/// True if an all_reduce is a sum over processes: over one group of all in order.
bool is_sum_over_processes(const ir::Op& op);

/// True if an all_gather is over processes: along the first dimension, over one group of all in order.
bool is_gather_over_processes(const ir::Op& op);

/// The bytes that this process sends in one run of such an op.
double bytes_sent_for_sum(const ir::Op& all_reduce);
double bytes_sent_for_gather(const ir::Op& all_gather);

/// Makes the kernel of such an op. Errors: Unimplemented unless the number of joined processes is the op's.
std::unique_ptr<GroupKernel> make_sum_kernel(const ir::Op& op, const Target& target, int num_threads);
std::unique_ptr<GroupKernel> make_gather_kernel(const ir::Op& op, const Target& target, int num_threads);

/// True if a sum over processes is large enough to be asynchronous; and the kernels that start and finish it.
bool pays_beside_others(const ir::Op& op);
std::unique_ptr<GroupKernel> make_begin_of_sum(const ir::Op& op);
std::unique_ptr<GroupKernel> make_end_of_sum(const ir::Op& op);

/// Makes a kernel that returns the number of this process.
std::unique_ptr<GroupKernel> make_replica_id_kernel(const ir::Op& op, const Target& target, int num_threads);

}  // namespace cornu::inline v0::backends::cpu
