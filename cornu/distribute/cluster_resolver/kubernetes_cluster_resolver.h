#pragma once

#include "cornu/distribute/cluster_resolver/cluster_resolver.h"
#include "cornu/distribute/kubernetes/pods.h"

namespace cornu::inline v0::distribute {

struct KubernetesOptions {
  /// For each job the selectors of its pods' labels, whose pods are its tasks in the order of their names.
  std::map<std::string, std::vector<std::string>> job_to_label_mapping = {
      {"worker", {"job-name=tensorflow"}}};
  /// Where the worker of each pod listens.
  int server_port = 8470;
  std::string rpc_layer = "grpc";
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
