#include "cornu/distribute/cluster_resolver/cluster_resolver.h"

#include "cornu/base/check.h"
#include "cornu/distribute/cluster_resolver/device_lists.h"

namespace cornu::inline v0::distribute {

NumAccelerators ClusterResolver::num_accelerators(const TaskName& task) const {
  const std::string address = master(task);
  return address.empty() ? count_local_accelerators() : count_accelerators(address);
}

std::optional<std::pair<std::string, int>> ClusterResolver::own_task() const {
  const std::optional<int> index = task_id();
  if (task_type().empty() || !index.has_value()) return std::nullopt;
  return std::pair(task_type(), *index);
}

TaskSpecs ClusterResolver::task_specs() const {
  TaskSpecs specs;
  const ClusterSpec cluster = cluster_spec();
  for (const auto& [job, tasks] : cluster.as_map())
    for (const auto& [task, address] : tasks) specs[job][task] = master_url(address, "grpc");
  return specs;
}

std::string ClusterResolver::client_spec(const StringArgument& job, int task) const {
  return spec_of_task(task_specs(), job, task);
}

const std::string& spec_of_task(const TaskSpecs& specs, const StringArgument& job, int task) {
  if (const auto tasks = specs.find(job); tasks != specs.end())
    if (const auto spec = tasks->second.find(task); spec != tasks->second.end()) return spec->second;
  fail(ErrorCode::kNotFound, "[cluster_resolver] there is no task {} of job \"{}\"", task, job);
}

std::string master_url(const StringArgument& address, const StringArgument& rpc_layer) {
  if (address.empty() || rpc_layer.empty() || address.find("://") != std::string::npos) return address;
  return rpc_layer + "://" + address;
}

}  // namespace cornu::inline v0::distribute
