#include <algorithm>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/distribute/connect.h"
#include "cornu/distribute/strategy/replica_sets_support.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/value/device_discovery.h"

namespace cornu::inline v0::distribute {
namespace {

/// True if devices of the client can run fused replicas as one program, because they share a processor: those
/// of the CPU, and simulated ones.
bool can_share_a_program(const runtime::Client& client) {
  return client.is_addressable() || client.platform().starts_with("sim:");
}

/// True if devices of the client can run a program with a replica on each. A worker reports itself whether it
/// can.
bool can_be_a_group(runtime::Client& client) {
  return client.platform().starts_with("pjrt:") || client.distant() != nullptr;
}

/// True if both are devices of workers, which each have a client of their own and may work together.
bool are_of_workers(runtime::Client& a, runtime::Client& b) {
  return a.platform().starts_with("grpc://") && b.platform().starts_with("grpc://");
}

runtime::Client& client_of(const std::vector<runtime::GroupMember>& members) { return *members[0].client; }

}  // namespace

std::shared_ptr<ReplicaSet> make_replicas(const char* strategy, const std::vector<std::string>& names,
                                          runtime::GroupReach reach) {
  if (names.empty()) invalid_argument({.argument = "devices"}, "[{}] there is no device to run on", strategy);
  ReplicaSet set{.strategy = strategy, .num_replicas = static_cast<std::int64_t>(names.size())};
  const auto type_of = [](const std::string& name) {
    const std::size_t begin = name.rfind("device:") + 7;
    return name.substr(begin, name.find(':', begin) - begin);
  };
  std::vector<runtime::GroupMember> members;
  for (const std::string& name : names) {
    const std::string full = canonical_device_name(name);
    if (std::find(set.devices.begin(), set.devices.end(), full) != set.devices.end())
      invalid_argument({.argument = "devices"}, "[{}] device \"{}\" is given twice; devices = [{}]", strategy,
                       name, fmt::join(names, ", "));
    if (!set.devices.empty() && type_of(full) != type_of(set.devices[0]))
      invalid_argument({.argument = "devices"}, "[{}] devices must be of one kind; got a {} and a {}",
                       strategy, type_of(set.devices[0]), type_of(full));
    const DeviceScope scope(full);
    const Placement here = current_placement();
    if (members.empty()) {
      set.device = cornu::detail::current_device_index();
    } else if (here.client() != members[0].client && !are_of_workers(*here.client(), client_of(members))) {
      invalid_argument({.argument = "devices"},
                       "[{}] devices must belong to one client; {} is of {}, {} of {}", strategy,
                       set.devices[0], client_of(members).name(), full, here.client()->name());
    }
    set.devices.push_back(full);
    members.push_back({here.client(), here.device()});
  }
  const bool is_group = set.num_replicas > 1 || reach == runtime::GroupReach::kAllNodes;
  if (is_group && !can_share_a_program(client_of(members))) {
    if (!can_be_a_group(client_of(members)))
      fail(ErrorCode::kUnimplemented, {.argument = "devices"},
           "[{}] replicas run on the CPU's logical devices, on the cores of a simulated device and on the "
           "devices of a plug-in, also of a worker's; several devices of {} are not supported yet",
           strategy, client_of(members).platform());
    set.device = cornu::detail::add_device_group(set.device, members, reach);
    set.has_device_group =
        runtime::device_group(cornu::detail::placement_of(set.device).client().get()) != nullptr;
  }
  return std::make_shared<ReplicaSet>(std::move(set));
}

std::vector<std::string> devices_of_type(std::string_view type) {
  std::vector<std::string> names;
  for (const LogicalDevice& device : list_logical_devices(type)) names.push_back(device.name);
  return names;
}

void set_shards(ReplicaSet& replicas, std::int64_t shards) {
  constexpr std::int64_t kMostShards = 4096;
  if (shards < 0 || shards > kMostShards || shards % replicas.num_replicas != 0)
    invalid_argument({.argument = "shards"},
                     "[{}] shards must be a multiple of the {} replicas, at most {}; got shards = {}",
                     replicas.strategy, replicas.num_replicas, kMostShards, shards);
  if (shards > 0 && replicas.has_device_group)
    fail(ErrorCode::kUnimplemented, {.argument = "shards"},
         "[{}] shards guarantee the same bits for any number of replicas, but sums over {} devices have no "
         "fixed order; got shards = {}",
         replicas.strategy, replicas.num_replicas, shards);
  replicas.num_shards = shards;
}

}  // namespace cornu::inline v0::distribute
