#include "cornu/distribute/cluster_resolver/cluster_resolver.h"

#include "cornu/distribute/cluster_resolver/device_lists.h"

namespace cornu::inline v0::distribute {

NumAccelerators ClusterResolver::num_accelerators(const TaskName& task) const {
  const std::string address = master(task);
  return address.empty() ? count_local_accelerators() : count_accelerators(address);
}

std::string ClusterResolver::client_spec(const std::string& job, int task) const {
  return master_url(cluster_spec().task_address(job, task), "grpc");
}

std::string master_url(const std::string& address, const std::string& rpc_layer) {
  if (address.empty() || rpc_layer.empty() || address.find("://") != std::string::npos) return address;
  return rpc_layer + "://" + address;
}

}  // namespace cornu::inline v0::distribute
