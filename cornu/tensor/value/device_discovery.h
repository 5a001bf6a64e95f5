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

/// Connects the devices of a type ("GPU") that plug-ins installed on this machine find. Each plug-in is tried
/// once a process.
/// Returns: for each plug-in that cannot be used a sentence that says why.
/// Threads: safe.
std::vector<std::string> connect_found_devices(std::string_view device_type);

/// The devices of a type that have names now: nothing is looked for, and they are not fixed by it.
std::vector<LogicalDevice> connected_devices(std::string_view device_type);

/// What a name of a device says: nothing is looked for, and there need not be such a device.
struct ParsedDeviceName {
  std::string type;  // "GPU"; empty: it says none
  std::optional<int> number;
};
/// Errors: InvalidArgument for what is no name.
ParsedDeviceName parsed_device_name(std::string_view name);

/// The place in the table of devices that a group of them has; the group is made if there is none yet. It has
/// the name of the device at place `first`, which is its first member, and goes when the devices of a
/// member's client are removed.
/// Errors: as runtime::make_device_group. Threads: safe.
int add_device_group(int first, const std::vector<runtime::GroupMember>& members,
                     runtime::GroupReach reach = runtime::GroupReach::kThisProcess);

/// A group of devices that a strategy uses, and its members.
struct DeviceGroupEntry {
  std::shared_ptr<runtime::Client> client;
  std::vector<runtime::GroupMember> members;
};
/// All that there are. Threads: safe.
std::vector<DeviceGroupEntry> device_groups();

/// The devices of these clients, which have names, are those of a task of a cluster, and no others are:
/// "/job:worker/task:1/device:TPU:0" is the first TPU of that task, beside the names that they have here.
/// They are numbered in the order of the clients. Threads: safe.
void set_task(std::span<const std::shared_ptr<runtime::Client>> clients, const std::string& job, int task);

}  // namespace cornu::inline v0::detail
