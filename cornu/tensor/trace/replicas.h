#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0 {

/// The strategy's settings as seen by lower layers: the number of replicas that run a program together, and
/// their names.
struct ReplicaSet {
  std::string strategy;  // "MirroredStrategy"
  std::int64_t num_replicas = 1;
  std::vector<std::string> devices;   // their full names
  int device = 0;                     // index of replica 0's device in the table of devices
  std::int64_t num_shards = 0;        // parts into which fit splits a batch; 0: the number of replicas
  std::int64_t num_processes = 1;     // each has the same number of consecutive replicas
  std::int64_t process = 0;           // the number of this one
  bool compresses_gradients = false;  // gradients are summed in bf16
  /// True if each replica has a device of its own: `device` is the group of them (runtime::DeviceGroup).
  bool has_device_group = false;
  /// The axis along which a layer's trainable weight, given its path and shape, is stored in parts over the
  /// replicas; nullopt: each replica has the whole weight. Empty: no weight is cut.
  std::function<std::optional<std::int64_t>(StringViewArgument path, const Dims& shape)> cut_axis = {};

  std::int64_t num_parts() const { return num_shards == 0 ? num_replicas : num_shards; }
  std::int64_t num_replicas_here() const { return num_replicas / num_processes; }
  /// The replicas of a program in StableHLO's sense: the processes, or the devices of a group.
  std::int64_t num_program_replicas() const { return has_device_group ? num_replicas : num_processes; }
};

namespace detail {

/// The replica set of the strategy scope of this thread; null outside of any.
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

/// A step that is traced for one of several replicas, and becomes a program of all by Trace::replicate_op.
struct ReplicaTrace {
  std::int64_t num_replicas = 1;
  std::int64_t num_rows = 0;  // rows of each replica's batch; 0: unknown
};
/// The replica trace in progress; null for a single replica and outside traces.
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

/// The number of replicas that work together at this point: inside a replica's trace those of the trace; one
/// in a step on the whole batch; else those of the scope's strategy.
std::int64_t num_replicas_in_sync();
/// Marks a step on the whole batch, whatever the strategy.
class OneReplicaScope {
 public:
  OneReplicaScope();
  ~OneReplicaScope();
  OneReplicaScope(const OneReplicaScope&) = delete;
  OneReplicaScope& operator=(const OneReplicaScope&) = delete;

 private:
  bool before_;
};

// Collectives among the replicas of the current ReplicaTrace. Without one: the tensors unchanged, replica 0.

enum class ReplicaReduction { kSum, kMean, kMin, kMax };
/// Reduces elementwise over all replicas. Tensors of one dtype are combined into one collective.
std::vector<Tensor> all_reduce(std::span<const Tensor> tensors, ReplicaReduction reduction);
Tensor all_reduce(const Tensor& tensor, ReplicaReduction reduction);
/// Joins the replicas' tensors along `axis`, which may count from the end. Errors: InvalidArgument for a
/// scalar or an axis that does not exist.
Tensor all_gather(const Tensor& tensor, std::int64_t axis);
/// The sums over all replicas, in the precision that the scope's strategy sets for gradients.
std::vector<Tensor> sum_of_gradients(std::span<const Tensor> gradients);
/// The tensor of replica 0.
Tensor of_first_replica(const Tensor& tensor);
/// The number of the replica, a u32 scalar.
Tensor replica_id();

// Collectives among program replicas: the processes of the scope's strategy, or its devices if they are a
// group. Usable in a program, outside of replicas.

/// The number of processes; 1 if the process is alone.
std::int64_t num_processes();
/// The number of replicas of a program in StableHLO's sense; 1 without other processes or a group.
std::int64_t num_program_replicas();
/// True if replicas run on a group of devices.
bool has_device_group();
/// The number of the process, or of the device, that runs the program, an i32 scalar. Only inside a trace.
Tensor process_id();
/// Joins the tensors of `count` processes, or devices, along the first axis. Only inside a trace.
Tensor gather_from_processes(const Tensor& tensor, std::int64_t count);
/// Numbering of replicas: `num_here` consecutive ones in each process.
struct ProgramLayout {
  std::int64_t num_here = 1, num_processes = 1;
};
/// Joins the tensors of the replicas with the same index in each process along the first axis.
Tensor gather_from_same_places(const Tensor& tensor, const ProgramLayout& layout);
/// Joins the tensors of the replicas of this process along the first axis.
Tensor gather_from_this_process(const Tensor& tensor, const ProgramLayout& layout);
/// The sum of the tensors of `count` processes, or devices. Only inside a trace.
Tensor sum_over_processes(const Tensor& tensor, std::int64_t count);

}  // namespace detail

}  // namespace cornu::inline v0
