#include "cornu/distribute/strategy/process_devices.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/cluster_environment.h"
#include "cornu/distribute/processes/key_store.h"
#include "cornu/distribute/strategy/process_faults_support.h"
#include "cornu/runtime/device_specs.h"
#include "cornu/tensor/device.h"
#include "cornu/tensor/value/device_discovery.h"

namespace cornu::inline v0::distribute {
namespace {

using runtime::GroupReach;

constexpr std::string_view kPlugin = "pjrt:";

void require_same_text(runtime::Collective& processes, const char* strategy, const char* what,
                       const std::string& own) {
  const std::vector<std::string> all = gather_texts(processes, own);
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all[0])
      fail(ErrorCode::kFailedPrecondition, {.argument = "devices"},
           "[{}] all ranks must {}: rank 0 has {}, rank {} has {}", strategy, what, all[0], rank, all[rank]);
}

/// Runs work that may fail on some processes only, and then fails on all.
void on_all(runtime::Collective& processes, const char* strategy, const std::function<void()>& work) {
  on_all_processes(processes,
                   {.strategy = strategy, .failure = "cannot use its devices", .argument = "devices"}, work);
}

bool is_spec(const std::string& asked) { return asked.starts_with(kPlugin); }

/// "GPU", or "pjrt:cuda": the part that ranks must agree on, without settings.
std::string kind_of(const std::string& asked) {
  return is_spec(asked) ? asked.substr(0, asked.find(',')) : cornu::detail::parsed_device_name(asked).type;
}

/// Checks that the devices of this process have the numbers 0, 1, ..., whichever they are of the machine's.
void check_names(const char* strategy, const std::vector<std::string>& asked) {
  if (is_spec(asked[0])) {
    if (asked.size() > 1)
      invalid_argument(
          {.argument = "devices"},
          "[{}] a client stands for all its devices, so it must be the only entry; got devices = [{}]",
          strategy, fmt::join(asked, ", "));
    return;
  }
  for (std::size_t i = 0; i < asked.size(); ++i)
    if (const auto name = cornu::detail::parsed_device_name(asked[i]);
        name.type != kind_of(asked[0]) || name.number.value_or(0) != static_cast<int>(i))
      invalid_argument(
          {.argument = "devices"},
          "[{}] each process numbers its own devices of a plug-in from 0, whatever their numbers on the "
          "machine: give {}:0, {}:1, ... as many as each process has; got devices = [{}]",
          strategy, kind_of(asked[0]), kind_of(asked[0]), fmt::join(asked, ", "));
}

/// The client of a spec that was made here.
std::shared_ptr<runtime::Client>& client_of_spec(const std::string& spec) {
  static auto& made = *new std::map<std::string, std::shared_ptr<runtime::Client>>;
  return made[spec];
}

/// The client made here for `asked`, or of named devices of this kind; null if there is none.
std::shared_ptr<runtime::Client> connected_client(const std::string& asked, const std::string& kind) {
  if (is_spec(asked)) return client_of_spec(asked);
  const std::vector<LogicalDevice> devices = cornu::detail::connected_devices(kind);
  if (devices.empty()) return nullptr;
  const DeviceScope scope(devices[0].name);
  return current_placement().client();
}

/// Makes the client of a plug-in on all processes; each then has the list of all processes' devices.
std::shared_ptr<runtime::Client> connect(runtime::Collective& processes, const char* strategy,
                                         const std::string& spec, int num_devices) {
  const auto node = std::make_shared<runtime::ClientNode>();
  node->id = processes.rank();
  node->count = processes.size();
  node->local_rank = local_rank(processes, environment::visible_gpus());
  node->num_devices = num_devices;
  node->keys = processes.open_store();
  runtime::ClientOptions options = default_client_options();
  options.node = node;
  std::shared_ptr<runtime::Client> client;
  on_all(processes, strategy, [&] {
    try {
      client = runtime::make_client(spec, options);
    } catch (const Error& error) {
      node->keys->give_up(error.what());  // others may wait for this process
      throw;
    }
  });
  const runtime::DeviceInfo& info = client->devices()[0];
  require_same_text(processes, strategy, "have devices of one kind",
                    info.kind.empty() ? info.type : fmt::format("{} ({})", info.type, info.kind));
  return client;
}

/// Tries the plug-ins that may have such devices, in the same order on all processes.
std::shared_ptr<runtime::Client> connect_found(runtime::Collective& processes, const char* strategy,
                                               const std::string& type, int num_devices) {
  std::vector<std::string> specs;
  on_all(processes, strategy, [&] { specs = runtime::client_specs_for(type); });
  require_same_text(processes, strategy, fmt::format("find the same plug-ins for {}", type).c_str(),
                    specs.empty() ? "none" : fmt::format("{}", fmt::join(specs, ", ")));
  if (specs.empty())
    fail(ErrorCode::kNotFound, {.argument = "devices"},
         "[{}] there is no device \"{}:0\": no plug-in with such devices was found", strategy, type);
  std::optional<Error> first;
  for (const std::string& spec : specs) {
    try {
      return connect(processes, strategy, spec, num_devices);
    } catch (const Error& error) {
      if (!first.has_value()) first = error;
    }
  }
  throw Error(*first);
}

/// Uses devices under their own names in this process, such as the CPU's; a plug-in's only if there is one
/// process.
ProcessDevices as_they_are(const char* strategy, const std::vector<std::string>& asked) {
  ProcessDevices devices;
  if (is_spec(asked[0]))
    devices.names = connect_devices(asked[0], default_client_options());
  else
    devices.names = asked;
  const DeviceScope scope(devices.names[0]);
  const std::string platform = current_placement().client()->platform();
  if (platform != "cpu" && !platform.starts_with(kPlugin))
    fail(ErrorCode::kUnimplemented, {.argument = "devices"},
         "[{}] processes must use their CPUs or devices of a plug-in; got devices of {}", strategy, platform);
  return devices;
}

}  // namespace

ProcessDevices devices_of_processes(runtime::Collective& processes, const char* strategy,
                                    const std::vector<std::string>& asked) {
  processes.require_same("the number of devices", asked.size());
  std::string kind;
  on_all(processes, strategy, [&] {
    if (asked.empty())
      invalid_argument({.argument = "devices"}, "[{}] there is no device to run on", strategy);
    kind = kind_of(asked[0]);
  });
  require_same_text(processes, strategy, "ask for devices of one kind", kind);
  if (processes.size() == 1 || kind.empty() || kind == "CPU") {
    ProcessDevices own;
    on_all(processes, strategy, [&] { own = as_they_are(strategy, asked); });
    return own;
  }
  std::shared_ptr<runtime::Client> known;
  on_all(processes, strategy, [&] {
    known = connected_client(asked[0], kind);
    if (known != nullptr && !known->platform().starts_with(kPlugin)) as_they_are(strategy, asked);
    check_names(strategy, asked);
    if (known != nullptr && known->node().count != processes.size())
      fail(ErrorCode::kFailedPrecondition, {.argument = "devices"},
           "[{}] {} was used before this strategy was made, so its plug-in has the devices of this process "
           "only: make the strategy first",
           strategy, asked[0]);
  });
  processes.require_same("whether devices of a plug-in are connected", known != nullptr ? 1 : 0);
  if (known != nullptr)
    return {.names = is_spec(kind) ? add_devices(known) : asked, .reach = GroupReach::kAllNodes};
  const std::shared_ptr<runtime::Client> client =
      is_spec(kind) ? connect(processes, strategy, asked[0], 0)
                    : connect_found(processes, strategy, kind, static_cast<int>(asked.size()));
  if (is_spec(kind)) client_of_spec(asked[0]) = client;
  return {.names = add_devices(client), .reach = GroupReach::kAllNodes};
}

}  // namespace cornu::inline v0::distribute
