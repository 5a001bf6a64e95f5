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

/// The pods of a Kubernetes cluster, asked for over its API each time.
class KubernetesClusterResolver : public ClusterResolver {
 public:
  /// Errors: InvalidArgument for no job, a job without selectors or a port that is none.
  explicit KubernetesClusterResolver(KubernetesOptions options = {});

  /// Errors: as list_pods; FailedPrecondition for a pod that does not run, naming it and its phase; NotFound
  /// for selectors that find nothing.
  ClusterSpec cluster_spec() const override;
  /// Empty unless a task is named. Errors: as cluster_spec.
  std::string master(const TaskName& task = {}) const override;
  std::string rpc_layer() const override { return options_.rpc_layer; }

 private:
  KubernetesOptions options_;
};

}  // namespace cornu::inline v0::distribute
