#pragma once

#include "cornu/distribute/cluster_resolver/cluster_resolver.h"

namespace cornu::inline v0::distribute {

struct SimpleClusterOptions {  // options/distribute.toml
  /// Address that master() returns without a task; empty: this process.
  std::string master = {};
  /// Job of this process, such as "worker"; empty: unknown.
  std::string task_type = {};
  /// Index of this process in its job; unset: unknown.
  std::optional<int> task_id = {};
  /// Name of the environment, such as "google" or "colab"; empty: no particular one.
  std::string environment = {};
  /// Number of devices of each type at each task; unset: connects to the task and queries its worker.
  std::optional<NumAccelerators> num_accelerators = {};
  /// Protocol in addresses, as in "grpc://HOST:PORT"; empty: none.
  std::string rpc_layer = "grpc";
};

/// A fixed cluster.
class SimpleClusterResolver : public ClusterResolver {
 public:
  explicit SimpleClusterResolver(ClusterSpec cluster_spec, SimpleClusterOptions options = {})
      : cluster_spec_(std::move(cluster_spec)), options_(std::move(options)) {}

  ClusterSpec cluster_spec() const override { return cluster_spec_; }
  std::string master(const TaskName& task = {}) const override;
  NumAccelerators num_accelerators(const TaskName& task = {}) const override;
  std::string environment() const override { return options_.environment; }
  std::string task_type() const override { return options_.task_type; }
  std::optional<int> task_id() const override { return options_.task_id; }
  std::string rpc_layer() const override { return options_.rpc_layer; }

 private:
  ClusterSpec cluster_spec_;
  SimpleClusterOptions options_;
};

}  // namespace cornu::inline v0::distribute
