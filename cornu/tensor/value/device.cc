#include "cornu/tensor/value/device.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "cornu/base/check.h"
#include "cornu/base/environment.h"
#include "cornu/base/parse_number.h"
#include "cornu/base/undefined.h"
#include "cornu/runtime/device_group.h"
#include "cornu/tensor/value/device_discovery.h"
#include "cornu/tensor/value/submitted_call.h"

namespace cornu::inline v0 {
namespace {

std::mutex mutex;
std::shared_ptr<runtime::Client>& slot() {
  static auto& client =
      *new std::shared_ptr<runtime::Client>;  // never destroyed, like all statics (docs/adr/0017)
  return client;
}
std::atomic<std::uint64_t> generation{1};

/// The host client and its options.
struct Host {
  std::optional<runtime::ClientOptions> options;  // empty: default_client_options()
  std::shared_ptr<runtime::Client> client;        // null until first use
};
Host& host() {
  static auto& made = *new Host;
  return made;
}

/// One device. A name keeps its address and is reused only after its device has been removed.
struct Device {
  std::string type;
  int number = 0;
  std::string full_name;
  std::shared_ptr<runtime::Client> client;  // null for the default client's devices
  int place = 0;                            // index in client->devices()
  bool is_removed = false;
  /// Job and task, if it is a cluster's device, and its number among the devices of its type there.
  std::string job = {};
  int task = 0, number_in_task = 0;
  /// True for a group of devices of a strategy (add_device_group): it has the name of its first device, and
  /// is not in any list.
  bool is_group = false;
  std::vector<runtime::GroupMember> members = {};
  runtime::GroupReach reach = runtime::GroupReach::kThisProcess;

  bool is_listed() const { return !is_removed && !is_group; }
};

struct Table {
  std::deque<Device> devices;  // grows only, so that names keep their addresses; guarded by `mutex`
  std::atomic<bool> used{false};
  Table() { grow("CPU", 1); }
  /// Adds devices until there are `count` of this type.
  void grow(const std::string& type, int count) {
    for (int i = num_devices(type); i < count; ++i) add(type, i);
  }
  int num_devices(const std::string& type) const {
    return static_cast<int>(std::count_if(devices.begin(), devices.end(), [&](const Device& device) {
      return device.type == type && !device.is_group;
    }));
  }
  Device& add(const std::string& type, int number) {
    devices.push_back({.type = type,
                       .number = number,
                       .full_name = fmt::format("/job:localhost/replica:0/task:0/device:{}:{}", type, number),
                       .client = nullptr});
    return devices.back();
  }
  /// The first free entry of this type, else a new one.
  Device& place_for(const std::string& type) {
    for (Device& device : devices)
      if (device.is_removed && !device.is_group && device.type == type) return device;
    return add(type, num_devices(type));
  }
};
Table& table() {
  static Table& devices = *new Table;
  return devices;
}

thread_local detail::CurrentDevice current;

std::string upper(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return result;
}

/// A parsed name; omitted parts are empty.
struct DeviceName {
  std::string job, type;
  std::optional<int> replica, task, number;
};

std::string names_of_devices() {
  std::vector<std::string> names;
  for (const Device& device : table().devices)
    if (device.is_listed()) names.push_back(device.full_name);
  return fmt::format("{}", fmt::join(names, ", "));
}

[[noreturn]] void no_device_name(std::string_view name, std::string_view why) {
  invalid_argument(
      "[device] \"{}\" is no device name: {}; a name looks like \"CPU:0\" or \"/device:CPU:0\"; there are: "
      "{}",
      name, why, names_of_devices());
}

/// True for types that may be used without the prefix "device:", as in TensorFlow, whether such a device
/// exists or not.
bool is_known_type(std::string_view type) {
  const std::array<std::string_view, 4> known = {"CPU", "GPU", "TPU", "XLA_CPU"};
  return std::find(known.begin(), known.end(), upper(type)) != known.end();
}

int parse_index(std::string_view name, std::string_view text) {
  const std::optional<int> number = parse_number<int>(text);
  if (!number.has_value() || *number < 0) no_device_name(name, fmt::format("\"{}\" is no number", text));
  return *number;
}

DeviceName parse(std::string_view name) {
  DeviceName result;
  std::string_view rest = name;
  if (rest.starts_with('/')) rest.remove_prefix(1);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('/'), rest.size());
    std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const auto take = [&](std::string_view key) {
      if (!part.starts_with(key) || part.size() <= key.size() || part[key.size()] != ':') return false;
      part.remove_prefix(key.size() + 1);
      return true;
    };
    if (take("job")) {
      result.job = part;
    } else if (take("replica")) {
      result.replica = parse_index(name, part);
    } else if (take("task")) {
      result.task = parse_index(name, part);
    } else {
      const bool says_device = take("device");
      const std::size_t colon = std::min(part.find(':'), part.size());
      const std::string_view type = part.substr(0, colon);
      if (type.empty() || !result.type.empty() ||
          !std::all_of(type.begin(), type.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; }))
        no_device_name(name, fmt::format("\"{}\" is no part of one", part));
      if (!says_device && !is_known_type(type))
        no_device_name(name, fmt::format("\"{}\" is no kind of device", type));
      result.type = upper(type);
      if (colon < part.size() && part.substr(colon + 1) != "*")
        result.number = parse_index(name, part.substr(colon + 1));
    }
  }
  return result;
}

bool is_here(const DeviceName& name) {
  return (name.job.empty() || name.job == "localhost" || name.job == "worker") &&
         name.replica.value_or(0) == 0 && name.task.value_or(0) == 0;
}

/// The index of a cluster's device that is selected by its task; -1: none. Under the lock.
int find_in_task(const DeviceName& asked) {
  const std::deque<Device>& devices = table().devices;
  if (!asked.task.has_value() || asked.replica.value_or(0) != 0) return -1;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const Device& device = devices[i];
    if (!device.job.empty() && !device.is_removed && (asked.job.empty() || asked.job == device.job) &&
        *asked.task == device.task && (asked.type.empty() || asked.type == device.type) &&
        asked.number.value_or(0) == device.number_in_task)
      return static_cast<int>(i);
  }
  return -1;
}

/// The device's index in the table; -1: not found. Under the lock.
int find_in_table(const DeviceName& asked) {
  const std::deque<Device>& devices = table().devices;
  if (const int place = find_in_task(asked); place >= 0) return place;
  for (std::size_t i = 0; is_here(asked) && i < devices.size(); ++i) {
    const bool is_type = asked.type.empty() || asked.type == devices[i].type;
    if (is_type && devices[i].is_listed() && asked.number.value_or(0) == devices[i].number)
      return static_cast<int>(i);
  }
  return -1;
}

/// The index of a device, which is connected if it is found on this machine.
int find_device(std::string_view name) {
  DeviceName asked;
  {
    const std::lock_guard lock(mutex);
    asked = parse(name);
    if (const int place = find_in_table(asked); place >= 0) return place;
  }
  const bool may_be_found = is_here(asked) && !asked.type.empty() && asked.type != "CPU";
  const std::vector<std::string> reasons =
      may_be_found ? detail::connect_found_devices(asked.type) : std::vector<std::string>();
  const std::lock_guard lock(mutex);
  if (const int place = find_in_table(asked); place >= 0) return place;
  fail(ErrorCode::kNotFound, "[device] there is no device \"{}\"; there are: {}{}{}{}", name,
       names_of_devices(), reasons.empty() ? "" : "; ", fmt::join(reasons, "; "),
       asked.type == "TPU" ? "; TPUs of a worker have names once initialize_tpu_system was called, which is "
                             "to be the first that a program does with them"
                           : "");
}

/// Connects the devices for a list of this type, or of all types if it is empty.
void connect_for_list(std::string_view device_type) {
  if (device_type.empty()) {
    for (const char* const type : {"GPU", "TPU"}) detail::connect_found_devices(type);
  } else if (upper(device_type) != "CPU") {
    detail::connect_found_devices(upper(device_type));
  }
}

}  // namespace

runtime::ClientOptions default_client_options() {
  return {.num_threads = environment::num_threads().value_or(0)};
}

std::shared_ptr<runtime::Client> default_client() {
  const std::lock_guard lock(mutex);
  if (slot() == nullptr) slot() = runtime::make_client("cpu", default_client_options());
  return slot();
}

void set_default_client(std::shared_ptr<runtime::Client> client) {
  Host dropped;  // its client may be destroyed here, outside the lock
  const std::lock_guard lock(mutex);
  if (client == nullptr) dropped = std::exchange(host(), {});
  slot().swap(client);
  generation.fetch_add(1);
}

void detail::set_default_cpu(const runtime::ClientOptions& options) {
  std::shared_ptr<runtime::Client> client = runtime::make_client("cpu", options);
  Host dropped;
  const std::lock_guard lock(mutex);
  dropped = std::exchange(host(), {.options = options, .client = nullptr});
  slot().swap(client);
  generation.fetch_add(1);
}

std::shared_ptr<runtime::Client> detail::host_client() {
  const std::lock_guard lock(mutex);
  if (host().client == nullptr)
    host().client = runtime::make_client("cpu", host().options.value_or(default_client_options()));
  return host().client;
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): the interface; the table keeps copies
std::vector<std::string> add_devices(std::shared_ptr<runtime::Client> client) {
  const std::span<const runtime::DeviceInfo> infos = require_defined(client, "client").devices();
  detail::mark_devices_used();
  const std::lock_guard lock(mutex);
  std::vector<std::string> names;
  for (const Device& device : table().devices)
    if (device.client == client) names.push_back(device.full_name);
  if (!names.empty()) return names;
  for (std::size_t i = 0; i < infos.size(); ++i) {
    Device& device = table().place_for(upper(infos[i].type));
    device.client = client;
    device.place = static_cast<int>(i);
    device.is_removed = false;
    device.job.clear();
    names.push_back(device.full_name);
  }
  return names;
}

std::vector<std::string> connect_devices(const StringArgument& spec, const runtime::ClientOptions& options) {
  return add_devices(runtime::make_client(spec, options));
}

void remove_devices(const std::shared_ptr<runtime::Client>& client) {
  if (client != nullptr) detail::finish_calls(*client);
  std::vector<std::shared_ptr<runtime::Client>> dropped;  // may be destroyed here, outside the lock
  const std::lock_guard lock(mutex);
  for (Device& device : table().devices) {
    const bool is_of_client =
        device.client == client ||
        std::any_of(device.members.begin(), device.members.end(),
                    [&](const runtime::GroupMember& member) { return member.client == client; });
    if (device.client == nullptr || !is_of_client) continue;
    dropped.push_back(std::move(device.client));
    device.client = nullptr;
    device.members.clear();
    device.is_removed = true;
  }
}

detail::ParsedDeviceName detail::parsed_device_name(std::string_view name) {
  const std::lock_guard lock(mutex);
  const DeviceName parsed = parse(name);
  return {.type = parsed.type, .number = parsed.number};
}

int detail::add_device_group(int first, const std::vector<runtime::GroupMember>& members,
                             runtime::GroupReach reach) {
  const auto find = [&] {
    const std::deque<Device>& devices = table().devices;
    for (std::size_t i = 0; i < devices.size(); ++i)
      if (devices[i].is_group && devices[i].members == members && devices[i].reach == reach)
        return static_cast<int>(i);
    return -1;
  };
  {
    const std::lock_guard lock(mutex);
    if (const int known = find(); known >= 0) return known;
  }
  const std::shared_ptr<runtime::Client> group =
      runtime::make_device_group(members, reach);  // may call a worker
  const std::lock_guard lock(mutex);
  if (const int known = find(); known >= 0) return known;
  std::deque<Device>& devices = table().devices;
  const Device& named = devices[static_cast<std::size_t>(first)];
  devices.push_back({.type = named.type,
                     .number = named.number,
                     .full_name = named.full_name,
                     .client = group,
                     .is_group = true,
                     .members = members,
                     .reach = reach});
  return static_cast<int>(devices.size()) - 1;
}

std::vector<detail::DeviceGroupEntry> detail::device_groups() {
  const std::lock_guard lock(mutex);
  std::vector<DeviceGroupEntry> groups;
  for (const Device& device : table().devices)
    if (device.is_group && !device.is_removed) groups.push_back({device.client, device.members});
  return groups;
}

void detail::set_task(std::span<const std::shared_ptr<runtime::Client>> clients, const std::string& job,
                      int task) {
  const std::lock_guard lock(mutex);
  for (Device& device : table().devices)
    if (device.job == job && device.task == task) device.job.clear();
  std::map<std::string, int> counts;
  for (const std::shared_ptr<runtime::Client>& client : clients)
    for (Device& device : table().devices) {
      if (device.client == nullptr || device.client != client) continue;
      device.job = job;
      device.task = task;
      device.number_in_task = counts[device.type]++;
    }
}

std::vector<LogicalDevice> detail::connected_devices(std::string_view device_type) {
  const std::lock_guard lock(mutex);
  std::vector<LogicalDevice> result;
  for (const Device& device : table().devices)
    if (device.is_listed() && (device_type.empty() || upper(device_type) == device.type))
      result.push_back({fmt::format("/device:{}:{}", device.type, device.number), device.type});
  return result;
}

std::vector<LogicalDevice> list_logical_devices(StringViewArgument device_type) {
  connect_for_list(device_type);
  detail::mark_devices_used();
  return detail::connected_devices(device_type);
}

std::vector<PhysicalDevice> list_physical_devices(StringViewArgument device_type) {
  connect_for_list(device_type);
  const std::lock_guard lock(mutex);
  std::vector<PhysicalDevice> result;
  for (std::size_t i = 0; i < table().devices.size(); ++i) {
    const Device& device = table().devices[i];
    const bool is_virtual = i > 0 && device.client == nullptr;
    if (is_virtual || !device.is_listed() || !(device_type.empty() || upper(device_type) == device.type))
      continue;
    result.push_back({fmt::format("/physical_device:{}:{}", device.type, device.number), device.type});
  }
  return result;
}

void set_logical_devices(const LogicalDevices& devices) {
  constexpr int kMost = 256;
  if (devices.cpu < 1 || devices.cpu > kMost)
    invalid_argument({.argument = "cpu"},
                     "[set_logical_devices] there can be 1 to {} CPU devices; got cpu = {}", kMost,
                     devices.cpu);
  const std::lock_guard lock(mutex);
  const int now = table().num_devices("CPU");
  if (devices.cpu == now) return;
  if (table().used.load())
    fail(ErrorCode::kFailedPrecondition, {.argument = "cpu"},
         "[set_logical_devices] the devices were used already and stay as they are; got cpu = {}, there are "
         "{}: ask for them first",
         devices.cpu, now);
  table().devices.resize(1);  // unused, so nothing else has been added
  table().grow("CPU", devices.cpu);
}

std::string canonical_device_name(StringViewArgument name) {
  const int index = find_device(name);
  const std::lock_guard lock(mutex);
  return table().devices[static_cast<std::size_t>(index)].full_name;
}

DeviceScope::DeviceScope(StringViewArgument name) : before_(current) {
  detail::mark_devices_used();
  if (name.empty()) {
    current = {};
    return;
  }
  const int index = find_device(name);
  const std::lock_guard lock(mutex);
  current = {.index = index,
             .is_foreign = table().devices[static_cast<std::size_t>(index)].client != nullptr,
             .is_scoped = true};
}
DeviceScope::~DeviceScope() { current = before_; }

Placement::Placement(std::shared_ptr<runtime::Client> client, std::vector<int> devices)
    : client_(std::move(client)), devices_(std::move(devices)) {
  require_defined(client_, "client");
  if (devices_.size() == 1 && devices_[0] == 0) devices_.clear();
}

std::string Placement::explain_calls() const {
  const std::string calls = client_->counts().str();
  const std::string& kind = client_->devices()[0].kind;
  return calls.empty()
             ? calls
             : fmt::format("calls of {}{}{} so far{}:\n{}", client_->name(), kind.empty() ? "" : ", ", kind,
                           client_->is_simulated() ? ", in simulated seconds" : "", calls);
}

Placement current_placement() { return detail::placement_of(current.index); }

namespace detail {

const CurrentDevice& current_device() { return current; }
int current_device_index() { return current.index; }
const std::string& device_name(int index) {
  const std::lock_guard lock(mutex);
  return table().devices[static_cast<std::size_t>(index)].full_name;
}
std::string short_device_name(int index) {
  const std::lock_guard lock(mutex);
  const Device& device = table().devices[static_cast<std::size_t>(index)];
  return fmt::format("{}:{}", device.type, device.number);
}

Placement placement_of(int index) {
  if (index != 0) {
    const std::lock_guard lock(mutex);
    const Device& device = table().devices[static_cast<std::size_t>(index)];
    if (device.is_removed && device.is_group)
      fail(ErrorCode::kNotFound,
           "[device] devices of a strategy, the first of which was \"{}\", have been removed; a name that is "
           "there again belongs to another connection: make the strategy again; there are: {}",
           device.full_name, names_of_devices());
    if (device.is_removed)
      fail(ErrorCode::kNotFound, "[device] \"{}\" has been removed; there are: {}", device.full_name,
           names_of_devices());
    if (device.client != nullptr) return Placement(device.client, {device.place});
  }
  return Placement(default_client());
}

int index_of_device(const runtime::Client* client, int device) {
  const std::lock_guard lock(mutex);
  if (client == slot().get()) return 0;
  for (std::size_t i = 0; i < table().devices.size(); ++i)
    if (table().devices[i].client.get() == client && client != nullptr && table().devices[i].place == device)
      return static_cast<int>(i);
  return -1;
}

HostScope::HostScope() : before_(current) {
  if (current.is_foreign) current = {};
}
HostScope::~HostScope() { current = before_; }

void mark_devices_used() {
  static std::atomic<bool>& used = table().used;
  if (!used.load(std::memory_order_relaxed)) used.store(true, std::memory_order_relaxed);
}
std::uint64_t default_client_generation() { return generation.load(std::memory_order_acquire); }

}  // namespace detail

}  // namespace cornu::inline v0
