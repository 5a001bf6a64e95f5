#pragma once

#include <pjrt_c_api.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cornu/backends/pjrt/client_settings.h"
#include "cornu/backends/pjrt/plugin.h"
#include "cornu/runtime/key_value_store.h"

/// Clients of several processes that know each other's devices: what they are made with,
/// and whether a plug-in has understood it. Most plug-ins ignore options that they do not know, so nothing is
/// believed that is not looked at.
namespace cornu::inline v0::backends::pjrt {

/// Adds what tells a plug-in of this name which node it is of how many, and which of the machine's devices
/// are its own, unless the user's settings say the latter.
void add_node_settings(ClientSettings& settings, const std::string& plugin_name,
                       const runtime::ClientNode& node);

/// The plug-in's numbers of the devices of each node, in ascending order.
using NodeDevices = std::vector<std::vector<std::int64_t>>;

/// What a client shows, which must be what was asked for; `num_here`: how many devices it has of this
/// process.
/// Errors: Unimplemented when the plug-in knows of this process only; FailedPrecondition when it counts
///         other processes, numbers this one otherwise, or has another number of devices of one than was
///         wanted, or than there are here.
NodeDevices devices_of_nodes(const Plugin& plugin, PJRT_Client* client, const runtime::ClientNode& node,
                             std::size_t num_here);

/// What may be wrong where this node's devices cannot be used: "process 1 of 2 is number 1 on its
/// machine ...".
std::string choice_of_devices(const ClientSettings& settings, const runtime::ClientNode& node);

}  // namespace cornu::inline v0::backends::pjrt
