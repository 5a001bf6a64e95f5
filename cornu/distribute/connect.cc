#include "cornu/distribute/connect.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/error.h"
#include "cornu/distribute/cluster_resolver/device_lists.h"
#include "cornu/runtime/distant_client.h"
#include "cornu/tensor/value/device_discovery.h"

namespace cornu::inline v0::distribute {
namespace {

using Clients = std::vector<std::shared_ptr<runtime::Client>>;

/// A task of a cluster; without a job: no task.
struct Task {
  std::string job = {};
  int number = 0;
  bool operator==(const Task&) const = default;
};

/// The connected devices of a spec.
struct KnownSpec {
  Clients clients;
  Task task;  // the task in whose name the devices are
};

/// The connected devices by spec.
struct Connections {
  std::mutex mutex;
  std::map<std::string, KnownSpec> by_spec;
};
Connections& connections() {
  static Connections& all = *new Connections;
  return all;
}

/// Adds the names of a client's devices; devices without names get new ones.
void add_names(const Clients& clients, std::vector<std::string>& names) {
  for (const std::shared_ptr<runtime::Client>& client : clients)
    for (std::string& name : add_devices(client)) names.push_back(std::move(name));
}

bool has_lost_devices(const std::shared_ptr<runtime::Client>& client) { return client->has_lost_devices(); }

/// Reconnects a client that has lost its devices. False: they are gone, or replaced by others.
bool is_there_again(const std::shared_ptr<runtime::Client>& client) {
  runtime::DistantClient* const distant = client->distant();
  // Read before, because fit may reconnect concurrently.
  const std::uint64_t generation = distant == nullptr ? 0 : distant->generation();
  if (!client->has_lost_devices()) return true;
  if (distant == nullptr) return false;
  try {
    distant->reconnect(generation);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kFailedPrecondition) throw;
    return false;
  }
  return true;
}

/// Connects all or none of a spec's devices. Devices of a worker that was lost keep their names if it has the
/// same ones now; new ones get names of their own and those of its task. Under the lock.
const Clients& connect(const std::string& spec) {
  std::map<std::string, KnownSpec>& all = connections().by_spec;
  const auto found = all.find(spec);
  const Clients known = found == all.end() ? Clients() : found->second.clients;
  if (!known.empty() && std::none_of(known.begin(), known.end(), has_lost_devices))
    return found->second.clients;
  const std::vector<std::string> specs = specs_of_devices(spec);
  if (!known.empty() && known.size() == specs.size() &&
      std::all_of(known.begin(), known.end(), is_there_again))
    return found->second.clients;
  Clients made;
  for (const std::string& one : specs) made.push_back(runtime::make_client(one, default_client_options()));
  for (const std::shared_ptr<runtime::Client>& old : known) remove_devices(old);
  KnownSpec& entry = all[spec];
  entry.clients = std::move(made);
  for (const std::shared_ptr<runtime::Client>& client : entry.clients) add_devices(client);
  if (!entry.task.job.empty()) detail::set_task(entry.clients, entry.task.job, entry.task.number);
  return entry.clients;
}

/// Reconnects groups of a spec's devices: their own sessions were lost with the worker, too. A group of
/// several workers is reconnected with its last worker.
void reconnect_groups(const Clients& clients) {
  for (const detail::DeviceGroupEntry& group : detail::device_groups()) {
    bool is_of_spec = false, are_members_there = true;
    for (const runtime::GroupMember& member : group.members) {
      is_of_spec = is_of_spec || std::find(clients.begin(), clients.end(), member.client) != clients.end();
      are_members_there = are_members_there && !member.client->has_lost_devices();
    }
    if (!is_of_spec || !are_members_there || group.client->distant() == nullptr) continue;
    const std::uint64_t generation = group.client->distant()->generation();
    if (group.client->has_lost_devices()) group.client->distant()->reconnect(generation);
  }
}

/// Gives the devices of a connected spec a task's names, and takes these names from other devices.
void name_by_task(const std::string& spec, const Task& task) {
  std::map<std::string, KnownSpec>& all = connections().by_spec;
  for (auto& [other, known] : all)
    if (known.task == task) known.task = {};
  KnownSpec& known = all.at(spec);
  known.task = task;
  detail::set_task(known.clients, task.job, task.number);
}

void disconnect(const std::string& spec) {
  const auto found = connections().by_spec.find(spec);
  if (found == connections().by_spec.end()) return;
  for (const std::shared_ptr<runtime::Client>& client : found->second.clients) remove_devices(client);
  connections().by_spec.erase(found);
}

/// The spec of HOST:PORT, to which fields may be appended after commas; a spec is returned unchanged.
std::string spec_of_address(const std::string& address) {
  const std::string host_port = address.substr(0, address.find(','));
  const bool is_worker =
      host_port.empty() ||  // the backend reports what is missing
      (host_port.find(':') != std::string::npos && host_port.find("://") == std::string::npos &&
       host_port.find_first_not_of("0123456789", host_port.rfind(':') + 1) == std::string::npos);
  return is_worker ? "grpc://" + address : address;
}

using SpecsOfTasks = std::vector<std::pair<std::string, Task>>;

/// Adds a task; of several at one address only the first, since they are one worker.
void add_task(SpecsOfTasks& specs, const std::string& spec, Task task) {
  const bool is_there =
      std::any_of(specs.begin(), specs.end(), [&](const auto& other) { return other.first == spec; });
  if (!is_there) specs.emplace_back(spec, std::move(task));
}

/// Connects all specs, in order; on an error disconnects the new ones.
std::vector<std::string> connect_all(const SpecsOfTasks& task_of_spec) {
  const std::lock_guard lock(connections().mutex);
  std::vector<std::string> made, names;
  for (const auto& [spec, task] : task_of_spec) {
    const bool is_new = !connections().by_spec.contains(spec);
    try {
      const Clients& clients = connect(spec);
      reconnect_groups(clients);
      add_names(clients, names);
    } catch (const Error& error) {
      for (const std::string& other : made) disconnect(other);
      throw error.with(
          {.notes = task.job.empty() ? "" : fmt::format("task {} of job \"{}\"", task.number, task.job)});
    }
    if (is_new) made.push_back(spec);
  }
  for (const auto& [spec, task] : task_of_spec)
    if (!task.job.empty()) name_by_task(spec, task);
  return names;
}

/// The names of TPUs, without job and task.
std::vector<LogicalDevice> tpus_among(const std::vector<std::string>& names) {
  std::vector<LogicalDevice> devices;
  for (const std::string& name : names) {
    const std::size_t begin = name.rfind("/device:");
    if (name.compare(begin, 12, "/device:TPU:") == 0) devices.push_back({name.substr(begin), "TPU"});
  }
  return devices;
}

/// TPUs that have names now; does not search for more.
std::vector<std::string> named_tpus() {
  std::vector<std::string> names;
  for (const LogicalDevice& device : detail::connected_devices("TPU")) names.push_back(device.name);
  return names;
}

/// Rejects TPUs that were connected by specs other than the system's. Under the lock.
void check_is_only(const std::vector<std::string>& specs) {
  for (const auto& [spec, entry] : connections().by_spec) {
    if (std::find(specs.begin(), specs.end(), spec) != specs.end()) continue;
    std::vector<std::string> names;
    add_names(entry.clients, names);
    if (!tpus_among(names).empty())
      fail(ErrorCode::kFailedPrecondition,
           "[initialize_tpu_system] the TPUs at \"{}\" are connected already, and a program can have one TPU "
           "system only: call shutdown_tpu_system for them first, or name the addresses of all tasks in one "
           "resolver",
           spec);
  }
}

/// Rejects named TPUs that neither initialize_tpu_system nor connect_to_host connected. Under the lock.
void check_is_first() {
  std::vector<std::string> known;
  for (const auto& [spec, entry] : connections().by_spec) add_names(entry.clients, known);
  const std::size_t own = tpus_among(known).size();
  const std::vector<std::string> all = named_tpus();
  if (all.size() > own)
    fail(ErrorCode::kFailedPrecondition,
         "[initialize_tpu_system] there are TPUs with names already ({}): call it first, before devices are "
         "listed, connected or used",
         fmt::join(all, ", "));
}

}  // namespace

std::vector<std::string> connect_to_host(const StringArgument& address) {
  return connect_all({std::pair(spec_of_address(address), Task())});
}

std::vector<std::string> connect_to_cluster(const ClusterResolver& resolver) {
  const std::optional<std::pair<std::string, int>> own = resolver.own_task();
  SpecsOfTasks specs;
  for (const auto& [job, tasks] : resolver.task_specs())
    for (const auto& [task, spec] : tasks)
      if (own != std::pair(job, task)) add_task(specs, spec, {job, task});
  return connect_all(specs);
}

std::vector<std::string> connect_to_cluster(const ClusterSpec& cluster) {
  SpecsOfTasks specs;
  for (const auto& [job, tasks] : cluster.as_map())
    for (const auto& [task, address] : tasks) add_task(specs, "grpc://" + address, {job, task});
  return connect_all(specs);
}

namespace {

/// Connects the tasks of a TPU system. After an error only earlier connections remain. Under the lock.
std::vector<LogicalDevice> connect_tasks(const TPUClusterResolver& resolver) {
  const std::vector<std::string>& specs = resolver.client_specs();
  const auto is_new = [](const std::string& spec) { return !connections().by_spec.contains(spec); };
  std::vector<std::string> made;
  std::copy_if(specs.begin(), specs.end(), std::back_inserter(made), is_new);
  if (!made.empty()) {
    check_is_only(specs);
    check_is_first();
  }
  std::vector<LogicalDevice> tpus;
  try {
    for (std::size_t task = 0; task < specs.size(); ++task) {
      std::vector<std::string> names;
      const Clients& clients = connect(specs[task]);
      reconnect_groups(clients);
      add_names(clients, names);
      const std::vector<LogicalDevice> found = tpus_among(names);
      if (found.empty())
        fail(ErrorCode::kNotFound,
             "[initialize_tpu_system] \"{}\" has no TPU, but: {}; start the worker with TPU devices",
             specs[task], fmt::join(names, ", "));
      tpus.insert(tpus.end(), found.begin(), found.end());
      if (tpus.size() != (task + 1) * found.size())
        invalid_argument(
            "[initialize_tpu_system] the tasks of a system must have the same number of TPUs; \"{}\" "
            "has {}, those before it have {}",
            specs[task], found.size(), (tpus.size() - found.size()) / task);
    }
  } catch (...) {
    for (const std::string& spec : made) disconnect(spec);
    throw;
  }
  for (std::size_t task = 0; task < specs.size(); ++task)
    name_by_task(specs[task], {.job = resolver.task_type(), .number = static_cast<int>(task)});
  return tpus;
}

}  // namespace

TpuTopology initialize_tpu_system(const TPUClusterResolver& resolver) {
  const std::size_t num_tasks = std::max<std::size_t>(resolver.client_specs().size(), 1);
  std::vector<LogicalDevice> tpus;
  if (resolver.client_specs().empty()) {
    {
      const std::lock_guard lock(connections().mutex);
      check_is_only({});
    }
    tpus = list_logical_devices("TPU");
    if (tpus.empty())
      fail(ErrorCode::kNotFound,
           "[initialize_tpu_system] no plug-in provides a TPU on this machine: install libtpu or name it "
           "in CORNU_PJRT_PLUGINS, or give the address of a worker");
  } else {
    const std::lock_guard lock(connections().mutex);
    tpus = connect_tasks(resolver);
  }
  return {.num_tasks = static_cast<int>(num_tasks),
          .num_tpu_devices_per_task = static_cast<int>(tpus.size() / num_tasks),
          .devices = tpus};
}

TpuTopology initialize_tpu_system() { return initialize_tpu_system(TPUClusterResolver("")); }

namespace {

/// Throws unless the system is initialized. Under the lock.
void check_is_initialized(const char* caller, const TPUClusterResolver& resolver) {
  const std::vector<std::string>& specs = resolver.client_specs();
  const bool is_connected = std::all_of(specs.begin(), specs.end(), [](const std::string& spec) {
    return connections().by_spec.contains(spec);
  });
  if (is_connected && !specs.empty()) return;
  fail(ErrorCode::kFailedPrecondition, {.argument = "resolver"},
       "[{}] the TPU system at \"{}\" was not initialized: call initialize_tpu_system first", caller,
       specs.empty() ? "local" : fmt::format("{}", fmt::join(specs, ",")));
}

}  // namespace

std::vector<LogicalDevice> tpu_devices(const TPUClusterResolver& resolver) {
  if (resolver.client_specs().empty()) return detail::connected_devices("TPU");
  const std::lock_guard lock(connections().mutex);
  check_is_initialized("TPUStrategy", resolver);
  std::vector<std::string> names;
  for (const std::string& spec : resolver.client_specs())
    add_names(connections().by_spec.at(spec).clients, names);
  return tpus_among(names);
}

void shutdown_tpu_system(const TPUClusterResolver& resolver) {
  const std::lock_guard lock(connections().mutex);
  check_is_initialized("shutdown_tpu_system", resolver);
  for (const std::string& spec : resolver.client_specs()) disconnect(spec);
}

}  // namespace cornu::inline v0::distribute
