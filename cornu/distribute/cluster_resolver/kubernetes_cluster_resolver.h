#pragma once

#include "cornu/distribute/cluster_resolver/cluster_resolver.h"
#include "cornu/distribute/kubernetes/pods.h"

namespace cornu::inline v0::distribute {

struct KubernetesOptions {  // options/distribute.toml
  /// Label selectors of each job; the pods that match them are its tasks, in the order of their names.
  std::map<std::string, std::vector<std::string>> job_to_label_mapping = {
      {"worker", {"job-name=tensorflow"}}};
  /// Port at which the worker of each pod listens, in [1, 65535].
  int server_port = 8470;
  /// Protocol in addresses, as in "grpc://HOST:PORT"; empty: none.
  std::string rpc_layer = "grpc";
  /// Access to the API of the Kubernetes cluster.
  KubernetesAccess access = {};
};

/// The pods of a Kubernetes cluster, queried over its API at each call.
class KubernetesClusterResolver : public ClusterResolver {
 public:
  /// Errors: InvalidArgument for no job, a job without selectors or an invalid port.
  explicit KubernetesClusterResolver(KubernetesOptions options = {});

  /// Errors: those of list_pods; FailedPrecondition for a pod that does not run, with its name and phase;
  ///         NotFound if the selectors match nothing.
  ClusterSpec cluster_spec() const override;
  /// Empty unless a task is given. Errors: those of cluster_spec.
  std::string master(const TaskName& task = {}) const override;
  std::string rpc_layer() const override { return options_.rpc_layer; }

 private:
  KubernetesOptions options_;
};

}  // namespace cornu::inline v0::distribute
