#include "cornu/backends/pjrt/topology.h"

#include <algorithm>
#include <map>

#include "cornu/base/check.h"

namespace cornu::inline v0::backends::pjrt {
namespace {

bool is_gpu_plugin(const std::string& name) {
  return name.find("cuda") != std::string::npos || name.find("rocm") != std::string::npos ||
         name.find("gpu") != std::string::npos;
}

/// "2+3": of the devices of the machine.
std::string own_devices(const runtime::ClientNode& node) {
  const int count = std::max(node.num_devices, 1);
  std::string text;
  for (int i = 0; i < count; ++i) text += fmt::format("{}{}", i == 0 ? "" : "+", node.local_rank * count + i);
  return text;
}

PJRT_DeviceDescription* description_of(const Plugin& plugin, PJRT_Device* device) {
  CallArguments<PJRT_Device_GetDescription_Args> arguments;
  arguments->device = device;
  plugin.call(&PJRT_Api::PJRT_Device_GetDescription, arguments, "describe its devices");
  return arguments->device_description;
}

/// The devices of all processes by the number that the plug-in gives the process.
std::map<int, std::vector<std::int64_t>> devices_by_process(const Plugin& plugin, PJRT_Client* client) {
  CallArguments<PJRT_Client_Devices_Args> all;
  all->client = client;
  plugin.call(&PJRT_Api::PJRT_Client_Devices, all, "list the devices of all processes");
  std::map<int, std::vector<std::int64_t>> found;
  for (std::size_t i = 0; i < all->num_devices; ++i) {
    CallArguments<PJRT_DeviceDescription_ProcessIndex_Args> process;
    process->device_description = description_of(plugin, all->devices[i]);
    plugin.call(&PJRT_Api::PJRT_DeviceDescription_ProcessIndex, process, "say whose devices are whose");
    CallArguments<PJRT_DeviceDescription_Id_Args> id;
    id->device_description = process->device_description;
    plugin.call(&PJRT_Api::PJRT_DeviceDescription_Id, id, "number its devices");
    found[process->process_index].push_back(id->id);
  }
  return found;
}

}  // namespace

void add_node_settings(ClientSettings& settings, const std::string& plugin_name,
                       const runtime::ClientNode& node) {
  settings.add_number("node_id", node.id);
  settings.add_number("num_nodes", node.count);
  if (is_gpu_plugin(plugin_name)) settings.set_default("visible_devices", own_devices(node));
  if (plugin_name.find("cpu") != std::string::npos)
    settings.set_default("cpu_device_count", fmt::format("{}", std::max(node.num_devices, 1)));
}

NodeDevices devices_of_nodes(const Plugin& plugin, PJRT_Client* client, const runtime::ClientNode& node,
                             std::size_t num_here) {
  const std::map<int, std::vector<std::int64_t>> found = devices_by_process(plugin, client);
  if (found.size() < 2)
    fail(ErrorCode::kUnimplemented,
         "[pjrt] plug-in \"{}\" ({}) does not connect the devices of several processes: it was started as "
         "process {} of {}, and lists only its own devices. Train in one process, or take a plug-in that "
         "does (CUDA's)",
         plugin.name(), plugin.versions(), node.id, node.count);
  if (std::cmp_not_equal(found.size(), node.count))
    fail(ErrorCode::kFailedPrecondition, "[pjrt] plug-in \"{}\" connects {} processes where {} were started",
         plugin.name(), found.size(), node.count);
  CallArguments<PJRT_Client_ProcessIndex_Args> own;
  own->client = client;
  plugin.call(&PJRT_Api::PJRT_Client_ProcessIndex, own, "say which process it is");
  if (own->process_index != node.id)
    fail(ErrorCode::kFailedPrecondition, "[pjrt] plug-in \"{}\" numbers this process {}, and it is rank {}",
         plugin.name(), own->process_index, node.id);
  const std::size_t wanted = node.num_devices > 0 ? static_cast<std::size_t>(node.num_devices) : num_here;
  NodeDevices devices;
  for (const auto& [process, ids] : found) {
    if (ids.size() != wanted)
      fail(ErrorCode::kFailedPrecondition,
           "[pjrt] each process is to have {} device{} of plug-in \"{}\"; process {} has {}: start as many "
           "processes on a machine as it has devices for, or say by visible_devices which each takes",
           wanted, wanted == 1 ? "" : "s", plugin.name(), process, ids.size());
    devices.push_back(ids);
    std::sort(devices.back().begin(), devices.back().end());
  }
  return devices;
}

std::string choice_of_devices(const ClientSettings& settings, const runtime::ClientNode& node) {
  const std::optional<std::string> devices = settings.text_of("visible_devices");
  return fmt::format(
      "process {} of {} is number {} of those on its machine{}: start no more on a machine than it has "
      "devices for, or say by visible_devices which each takes",
      node.id, node.count, node.local_rank,
      devices.has_value() ? fmt::format(", and takes its devices {}", *devices) : "");
}

}  // namespace cornu::inline v0::backends::pjrt
