#include "cornu/distribute/cluster_resolver/simple_cluster_resolver.h"

namespace cornu::inline v0::distribute {

std::string SimpleClusterResolver::master(const TaskName& task) const {
  const std::string layer = task.rpc_layer.value_or(options_.rpc_layer);
  if (!task.task_type.has_value() || !task.task_id.has_value()) return master_url(options_.master, layer);
  return master_url(cluster_spec_.task_address(*task.task_type, *task.task_id), layer);
}

NumAccelerators SimpleClusterResolver::num_accelerators(const TaskName& task) const {
  return options_.num_accelerators.has_value() ? *options_.num_accelerators
                                               : ClusterResolver::num_accelerators(task);
}

}  // namespace cornu::inline v0::distribute
