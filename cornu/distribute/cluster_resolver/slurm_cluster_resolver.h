#pragma once

#include <utility>

#include "cornu/base/string_argument.h"
#include "cornu/distribute/cluster_resolver/cluster_resolver.h"

namespace cornu::inline v0::distribute {

struct SlurmOptions {  // options/distribute.toml
  /// Job names with their numbers of tasks, in the order of the step's tasks; empty: all tasks are workers.
  std::vector<std::pair<std::string, int>> jobs = {};
  /// Port of the first task on a node: task i listens at port_base + i.
  int port_base = 8888;
  /// Number of GPUs of each task; 0: unknown.
  int gpus_per_task = 0;
  /// Protocol in addresses, as in "grpc://HOST:PORT"; empty: none.
  std::string rpc_layer = "grpc";
};

/// The tasks of this process's Slurm step, from the environment that srun sets. The environment is read by
/// the constructor.
class SlurmClusterResolver : public ClusterResolver {
 public:
  /// Errors: FailedPrecondition outside a step; InvalidArgument for inconsistent variables, or jobs whose
  ///         number of tasks differs from the step's, or that are given twice.
  explicit SlurmClusterResolver(SlurmOptions options = {});

  ClusterSpec cluster_spec() const override { return cluster_spec_; }
  std::string master(const TaskName& task = {}) const override;
  NumAccelerators num_accelerators(const TaskName& task = {}) const override;
  std::string task_type() const override { return task_type_; }
  std::optional<int> task_id() const override { return task_id_; }
  std::string rpc_layer() const override { return options_.rpc_layer; }

 private:
  SlurmOptions options_;
  ClusterSpec cluster_spec_;
  std::string task_type_;
  int task_id_ = 0;
};

/// Expands a host list: "n[1-2,07],m" gives n1, n2, n07, m. Errors: InvalidArgument for other text, or more
/// than 100,000 names.
std::vector<std::string> expand_host_list(StringViewArgument text);
/// Expands "2(x3),1" to 2, 2, 2, 1. Errors: those of expand_host_list.
std::vector<int> expand_tasks_per_node(StringViewArgument text);

}  // namespace cornu::inline v0::distribute
