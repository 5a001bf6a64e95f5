#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/distribute/cluster_resolver/cluster_resolver.h"
#include "cornu/distribute/cluster_resolver/tpu_cluster_resolver.h"
#include "cornu/tensor/device.h"

namespace cornu::inline v0::distribute {

/// Connects all devices of a worker: "grpc://HOST:PORT", "HOST:PORT", both with optional ",FIELD=VALUE", or
/// any other spec of runtime::make_client. Returns their full names, like connect_devices; for a worker that
/// is already connected, its existing names.
///
/// A worker that was lost is reconnected: its devices keep their names, or get new ones if the devices
/// changed. Values on the lost devices are lost; reading them is FailedPrecondition.
/// Errors: those of connecting.
std::vector<std::string> connect_to_host(const StringArgument& address);

/// Connects all tasks of a cluster except this process's own (ClusterResolver::own_task), by job and index.
/// Errors: those of connect_to_host, with the task; after an error only earlier connections remain.
///
/// A task's devices also have names by the task, "/job:worker/task:1/device:CPU:0", which they keep when they
/// are reconnected. If two clusters have the same task, the one connected last has these names.
std::vector<std::string> connect_to_cluster(const ClusterResolver& resolver);
std::vector<std::string> connect_to_cluster(const ClusterSpec& cluster);

/// The TPUs of a system.
struct TpuTopology {
  int num_tasks = 0;
  int num_tpu_devices_per_task = 0;
  std::vector<LogicalDevice> devices;  // "/device:TPU:0", ...
};

/// Connects a TPU's devices under the names "TPU:0", "TPU:1" and so on. Call it before any other use of TPUs:
/// afterwards list_logical_devices("TPU") shows only these. A repeated call for the same system reconnects
/// lost devices, or does nothing.
///
/// An empty address or no resolver: the default of TPUClusterResolver.
/// Errors: NotFound if there is no TPU at the address; FailedPrecondition if other TPUs have names already,
///         for example those of another system; those of connecting.
TpuTopology initialize_tpu_system(const TPUClusterResolver& resolver);
TpuTopology initialize_tpu_system();

/// The TPUs of an initialized system. Errors: FailedPrecondition for a system that was not initialized.
std::vector<LogicalDevice> tpu_devices(const TPUClusterResolver& resolver);

/// Removes the names and closes the connections; values on the devices are lost with the worker's session.
/// Errors: FailedPrecondition for a system that was not initialized.
void shutdown_tpu_system(const TPUClusterResolver& resolver);

}  // namespace cornu::inline v0::distribute
