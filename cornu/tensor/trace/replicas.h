#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0 {

/// What a strategy is to the floors below it: how many replicas run a program together,
/// and what to call them.
struct ReplicaSet {
  std::string strategy;  // "MirroredStrategy"
  std::int64_t num_replicas = 1;
  std::vector<std::string> devices;  // their full names
  int device = 0;                    // the device of replica 0, in the table of devices
  std::int64_t num_shards = 0;       // of a batch that fit cuts; 0: as many as replicas
  std::int64_t num_processes = 1;    // that have as many replicas each, one behind the other
  std::int64_t process = 0;          // the number of this one
  bool halves_gradients = false;     // they are added as bf16
  /// Each replica has a device of its own: `device` is the group of them (runtime::DeviceGroup).
  bool has_device_group = false;

  std::int64_t num_parts() const { return num_shards == 0 ? num_replicas : num_shards; }
  std::int64_t num_replicas_here() const { return num_replicas / num_processes; }
  /// The replicas of a program in StableHLO's sense: the processes, or the devices of a group.
  std::int64_t num_program_replicas() const { return has_device_group ? num_replicas : num_processes; }
};

namespace detail {

/// The set whose strategy's scope this thread is in; null outside of any.
const std::shared_ptr<const ReplicaSet>& current_replica_set();
class ReplicaSetScope {
 public:
  explicit ReplicaSetScope(std::shared_ptr<const ReplicaSet> replicas);
  ~ReplicaSetScope();
  ReplicaSetScope(const ReplicaSetScope&) = delete;
  ReplicaSetScope& operator=(const ReplicaSetScope&) = delete;

 private:
  std::shared_ptr<const ReplicaSet> before_;
};

/// A step that is traced for one replica of several, to be made into a program of all by Trace::replicate_op.
struct ReplicaTrace {
  std::int64_t num_replicas = 1;
  std::int64_t num_rows = 0;  // of each replica's batch; 0: it is not known what a row is
};
/// Null where one replica is all there is, and while nothing is traced.
const ReplicaTrace* current_replica_trace();
class ReplicaTraceScope {
 public:
  explicit ReplicaTraceScope(const ReplicaTrace* replica);
  ~ReplicaTraceScope();
  ReplicaTraceScope(const ReplicaTraceScope&) = delete;
  ReplicaTraceScope& operator=(const ReplicaTraceScope&) = delete;

 private:
  const ReplicaTrace* before_;
};

/// How many work together where it is asked: in a replica that is traced, those of its trace; where a step
/// works on the whole batch, one; else those of the scope's strategy.
std::int64_t num_replicas_in_sync();
/// A step that works on the whole batch whatever the strategy.
class OneReplicaScope {
 public:
  OneReplicaScope();
  ~OneReplicaScope();
  OneReplicaScope(const OneReplicaScope&) = delete;
  OneReplicaScope& operator=(const OneReplicaScope&) = delete;

 private:
  bool before_;
};

// Among the replicas of the current ReplicaTrace. Without one: the tensors as they are, replica 0.

enum class ReplicaReduction { kSum, kMean, kMin, kMax };
/// Element by element, over all replicas. Tensors of one dtype go together.
std::vector<Tensor> all_reduce(std::span<const Tensor> tensors, ReplicaReduction reduction);
Tensor all_reduce(const Tensor& tensor, ReplicaReduction reduction);
/// Joins the replicas' tensors along `axis`, which may count from the end. Errors: InvalidArgument for a
/// scalar or an axis that is not there.
Tensor all_gather(const Tensor& tensor, std::int64_t axis);
/// The sums over all replicas, as the scope's strategy wants gradients to be added.
std::vector<Tensor> sum_of_gradients(std::span<const Tensor> gradients);
/// The tensor of replica 0.
Tensor of_first_replica(const Tensor& tensor);
/// The number of the replica, a u32 scalar.
Tensor replica_id();

// Among the processes of the scope's strategy, or its devices where they are a group: the replicas that
// StableHLO knows of a program. In a program and outside of replicas.

/// The number of processes; 1 where the process is alone.
std::int64_t num_processes();
/// The number of replicas that StableHLO knows of a program; 1 where nobody else runs it.
std::int64_t num_program_replicas();
/// Whether replicas run on a group of devices.
bool has_device_group();
/// The number of the process, or of the device, that runs the program, an i32 scalar. Only while something is
/// traced.
Tensor process_id();
/// Joins the tensors of `count` processes, or devices, along the first axis. Only while something is traced.
Tensor gather_from_processes(const Tensor& tensor, std::int64_t count);
/// How replicas of a program lie: so many in each process, one process behind the other.
struct ProgramLayout {
  std::int64_t num_here = 1, num_processes = 1;
};
/// Joins the tensors of the replicas that have the same place in each process along the first axis.
Tensor gather_from_same_places(const Tensor& tensor, const ProgramLayout& layout);
/// Joins the tensors of the replicas of this process along the first axis.
Tensor gather_from_this_process(const Tensor& tensor, const ProgramLayout& layout);
/// The sum of the tensors of `count` processes, or devices. Only while something is traced.
Tensor sum_over_processes(const Tensor& tensor, std::int64_t count);

}  // namespace detail

}  // namespace cornu::inline v0
