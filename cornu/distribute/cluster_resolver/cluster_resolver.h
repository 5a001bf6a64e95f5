#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/distribute/cluster_resolver/cluster_spec.h"

namespace cornu::inline v0::distribute {

/// How many devices of each type: {"TPU": 8}.
using NumAccelerators = std::map<std::string, int>;

/// What connects to each task, by job and index, as runtime::make_client takes it.
using TaskSpecs = std::map<std::string, std::map<int, std::string>>;

/// Which task somebody asks about; what is not said is the resolver's own.
struct TaskName {
  std::optional<std::string> task_type = {};
  std::optional<int> task_id = {};
  std::optional<std::string> rpc_layer = {};
};

/// Finds out who takes part: asks files, variables or a cluster's manager.
/// Threads: safe.
class ClusterResolver {
 public:
  virtual ~ClusterResolver() = default;

  /// Asked anew each time, since tasks may move.
  virtual ClusterSpec cluster_spec() const = 0;
  /// The address to connect to: "grpc://10.0.0.2:8470"; empty: this process. Errors: NotFound for a task that
  /// is not there.
  virtual std::string master(const TaskName& task = {}) const = 0;
  /// Of one task; all types when the resolver knows of them. Errors: as of connecting where that is asked.
  virtual NumAccelerators num_accelerators(const TaskName& task = {}) const;
  /// Where it runs: "", "google", "colab".
  virtual std::string environment() const { return ""; }
  /// Of this process; "" and 0 where nothing says it.
  virtual std::string task_type() const { return ""; }
  virtual std::optional<int> task_id() const { return std::nullopt; }
  virtual std::string rpc_layer() const { return "grpc"; }

  /// Of all tasks of cluster_spec(), asked anew too.
  virtual TaskSpecs task_specs() const;
  /// Of one. Errors: NotFound for a task that is not there.
  std::string client_spec(const StringArgument& job, int task) const;
};

/// Errors: NotFound for a task that is not there.
const std::string& spec_of_task(const TaskSpecs& specs, const StringArgument& job, int task);

/// "grpc" and "h:1" are "grpc://h:1"; an address with a protocol of its own stays as it is.
std::string master_url(const StringArgument& address, const StringArgument& rpc_layer);

}  // namespace cornu::inline v0::distribute
