#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/runtime/device_group.h"
#include "cornu/tensor/value/device.h"

namespace cornu::inline v0::detail {

/// Connects the devices of a type ("GPU") that installed plug-ins find. Each plug-in is tried once a process.
/// Returns: for each plug-in that cannot be used a sentence that states why.
/// Threads: safe.
std::vector<std::string> connect_found_devices(std::string_view device_type);

/// The named devices of a type: does not search for devices, and does not fix their number.
std::vector<LogicalDevice> connected_devices(std::string_view device_type);

/// The parts of a device's name. The device need not exist.
struct ParsedDeviceName {
  std::string type;  // "GPU"; empty: omitted
  std::optional<int> number;
};
/// Errors: InvalidArgument if it is not a device name.
ParsedDeviceName parsed_device_name(std::string_view name);

/// The index of a device group in the table of devices; the group is made if there is none yet. It has the
/// name of the device at index `first`, its first member, and is removed with the devices of a member's
/// client.
/// Errors: those of runtime::make_device_group. Threads: safe.
int add_device_group(int first, const std::vector<runtime::GroupMember>& members,
                     runtime::GroupReach reach = runtime::GroupReach::kThisProcess);

/// A group of devices that a strategy uses, and its members.
struct DeviceGroupEntry {
  std::shared_ptr<runtime::Client> client;
  std::vector<runtime::GroupMember> members;
};
/// All device groups. Threads: safe.
std::vector<DeviceGroupEntry> device_groups();

/// Makes the devices of these clients, which have names, the devices of a cluster's task:
/// "/job:worker/task:1/device:TPU:0" is the first TPU of that task, in addition to its name here. Replaces an
/// earlier call for the task. Devices are numbered in the order of the clients. Threads: safe.
void set_task(std::span<const std::shared_ptr<runtime::Client>> clients, const std::string& job, int task);

}  // namespace cornu::inline v0::detail
