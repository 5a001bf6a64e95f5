#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/distribute/cluster_resolver/cluster_spec.h"

namespace cornu::inline v0::distribute {

/// The number of devices of each type: {"TPU": 8}.
using NumAccelerators = std::map<std::string, int>;

/// The client spec of each task, by job and index, for runtime::make_client.
using TaskSpecs = std::map<std::string, std::map<int, std::string>>;

/// A task to query; fields that are not set are the resolver's own.
struct TaskName {
  std::optional<std::string> task_type = {};
  std::optional<int> task_id = {};
  std::optional<std::string> rpc_layer = {};
};

/// Determines the tasks of a cluster from files, variables or a cluster manager.
/// Threads: safe.
class ClusterResolver {
 public:
  virtual ~ClusterResolver() = default;

  /// The current cluster; queried at each call, since tasks may move.
  virtual ClusterSpec cluster_spec() const = 0;
  /// The address to connect to: "grpc://10.0.0.2:8470"; empty: this process. Errors: NotFound for a task that
  /// does not exist.
  virtual std::string master(const TaskName& task = {}) const = 0;
  /// The accelerators of one task, of all types that the resolver can determine. Errors: those of connecting,
  /// if it must connect to the task.
  virtual NumAccelerators num_accelerators(const TaskName& task = {}) const;
  /// The environment in which it runs: "", "google", "colab".
  virtual std::string environment() const { return ""; }
  /// The job and index of this process; "" and empty if unknown.
  virtual std::string task_type() const { return ""; }
  virtual std::optional<int> task_id() const { return std::nullopt; }
  virtual std::string rpc_layer() const { return "grpc"; }
  /// The job and index of this process in cluster_spec(); empty if unknown, or if this process is a client of
  /// the cluster and none of its tasks.
  virtual std::optional<std::pair<std::string, int>> own_task() const;

  /// The specs of all tasks of cluster_spec(), also queried at each call.
  virtual TaskSpecs task_specs() const;
  /// The spec of one task. Errors: NotFound for a task that does not exist.
  std::string client_spec(const StringArgument& job, int task) const;
};

/// The spec of one task. Errors: NotFound for a task that does not exist.
const std::string& spec_of_task(const TaskSpecs& specs, const StringArgument& job, int task);

/// Adds a protocol: "grpc" and "h:1" give "grpc://h:1"; an address with a protocol is returned unchanged.
std::string master_url(const StringArgument& address, const StringArgument& rpc_layer);

}  // namespace cornu::inline v0::distribute
