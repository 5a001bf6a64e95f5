#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/distribute/cluster_resolver/cluster_resolver.h"
#include "cornu/distribute/cluster_resolver/tpu_cluster_resolver.h"
#include "cornu/tensor/device.h"

namespace cornu::inline v0::distribute {

/// Connects all devices of a worker: "grpc://HOST:PORT", "HOST:PORT", both with ",FIELD=VALUE" behind
/// them, or what else runtime::make_client takes. Returns their full names, as connect_devices does; of a
/// worker that is connected already, those that it has.
///
/// A worker that was lost since is connected again: its devices keep their names, or get new ones where they
/// are others now. What lived there is lost, and reading it is FailedPrecondition.
/// Errors: as of connecting.
std::vector<std::string> connect_to_host(const StringArgument& address);

/// Connects all tasks of a cluster but this process's own. Errors: as connect_to_host, naming the task; of a
/// failure nothing stays connected that was not before. A task's devices have names by it as well,
/// "/job:worker/task:1/device:CPU:0", which they keep when they are connected again; of two clusters with
/// such a task, the one that was connected last has these names.
std::vector<std::string> connect_to_cluster(const ClusterResolver& resolver);
std::vector<std::string> connect_to_cluster(const ClusterSpec& cluster);

/// The TPUs of a system.
struct TpuTopology {
  int num_tasks = 0;
  int num_tpu_devices_per_task = 0;
  std::vector<LogicalDevice> devices;  // "/device:TPU:0", ...
};

/// Connects a TPU's devices, after which they are called "TPU:0", "TPU:1" and so on. It is to be the first
/// that a program does with TPUs: afterwards list_logical_devices("TPU") shows these and no others. Called
/// again for the same system it connects again what was lost, and else does nothing.
///
/// "" and no resolver: what TPUClusterResolver makes of "".
/// Errors: NotFound when there is no TPU behind the address; FailedPrecondition when TPUs that this does not
/// connect have names already, those of another system for example; as of connecting.
TpuTopology initialize_tpu_system(const TPUClusterResolver& resolver);
TpuTopology initialize_tpu_system();

/// The TPUs that were connected so. Errors: FailedPrecondition for a system that was not initialized.
std::vector<LogicalDevice> tpu_devices(const TPUClusterResolver& resolver);

/// Takes the names away and closes the connections; what lived there is gone with the worker's session.
/// Errors: FailedPrecondition for a system that was not initialized.
void shutdown_tpu_system(const TPUClusterResolver& resolver);

}  // namespace cornu::inline v0::distribute
