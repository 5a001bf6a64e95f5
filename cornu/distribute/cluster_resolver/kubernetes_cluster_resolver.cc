#include "cornu/distribute/cluster_resolver/kubernetes_cluster_resolver.h"

#include "cornu/base/check.h"

namespace cornu::inline v0::distribute {
namespace {

constexpr const char* kKubernetesTag = "KubernetesClusterResolver";

}  // namespace

KubernetesClusterResolver::KubernetesClusterResolver(KubernetesOptions options)
    : options_(std::move(options)) {
  if (options_.job_to_label_mapping.empty())
    invalid_argument("[{}] job_to_label_mapping must have at least one job", kKubernetesTag);
  for (const auto& [job, selectors] : options_.job_to_label_mapping)
    if (selectors.empty())
      invalid_argument("[{}] job \"{}\" needs a selector of labels, e.g. \"job-name=worker\"", kKubernetesTag,
                       job);
  if (options_.server_port < 1 || options_.server_port > 65535)
    invalid_argument("[{}] server_port must be from 1 to 65535; got {}", kKubernetesTag,
                     options_.server_port);
}

ClusterSpec KubernetesClusterResolver::cluster_spec() const {
  std::map<std::string, std::vector<std::string>> jobs;
  for (const auto& [job, selectors] : options_.job_to_label_mapping)
    for (const std::string& selector : selectors) {
      const std::vector<Pod> pods = list_pods(options_.access, selector);
      if (pods.empty())
        fail(ErrorCode::kNotFound, "[{}] no pod has the labels \"{}\" of job \"{}\"", kKubernetesTag,
             selector, job);
      for (const Pod& pod : pods) {
        if (pod.phase != "Running")
          fail(ErrorCode::kFailedPrecondition,
               "[{}] pod \"{}\" of job \"{}\" is not running, its phase is {}: try again later",
               kKubernetesTag, pod.name, job, pod.phase);
        const bool is_ipv6 = pod.host_ip.find(':') != std::string::npos;
        jobs[job].push_back(fmt::format("{}{}{}:{}", is_ipv6 ? "[" : "", pod.host_ip, is_ipv6 ? "]" : "",
                                        options_.server_port));
      }
    }
  return ClusterSpec(jobs);
}

std::string KubernetesClusterResolver::master(const TaskName& task) const {
  if (!task.task_type.has_value() || !task.task_id.has_value()) return "";
  return master_url(cluster_spec().task_address(*task.task_type, *task.task_id),
                    task.rpc_layer.value_or(options_.rpc_layer));
}

}  // namespace cornu::inline v0::distribute
