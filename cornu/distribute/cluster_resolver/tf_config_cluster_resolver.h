#pragma once

#include "cornu/distribute/cluster_resolver/cluster_resolver.h"

namespace cornu::inline v0::distribute {

/// Overrides of values in TF_CONFIG.
struct TfConfigOptions {  // options/distribute.toml
  /// Job of this process; unset: "type" of TF_CONFIG.
  std::optional<std::string> task_type = {};
  /// Index of this process in its job; unset: "index" of TF_CONFIG.
  std::optional<int> task_id = {};
  /// Protocol in addresses; unset: "rpc_layer" of TF_CONFIG, else "grpc".
  std::optional<std::string> rpc_layer = {};
  /// Name of the environment; unset: "environment" of TF_CONFIG.
  std::optional<std::string> environment = {};
};

/// The cluster in the variable TF_CONFIG:
///
///     {"cluster": {"worker": ["a:8470", "b:8470"]}, "task": {"type": "worker", "index": 1}}
///
/// It is read by the constructor. An unset variable means this process alone.
class TFConfigClusterResolver : public ClusterResolver {
 public:
  /// Errors: InvalidArgument with the invalid part of TF_CONFIG, with line and column if it is not JSON; or
  ///         if this process's task is not in the cluster.
  explicit TFConfigClusterResolver(const TfConfigOptions& options = {});

  ClusterSpec cluster_spec() const override { return cluster_spec_; }
  /// Empty for a cluster of one task, which is this process.
  std::string master(const TaskName& task = {}) const override;
  std::string environment() const override { return environment_; }
  std::string task_type() const override { return task_type_; }
  std::optional<int> task_id() const override { return task_id_; }
  std::string rpc_layer() const override { return rpc_layer_; }

 private:
  ClusterSpec cluster_spec_;
  std::string task_type_, rpc_layer_, environment_;
  std::optional<int> task_id_;
};

}  // namespace cornu::inline v0::distribute
