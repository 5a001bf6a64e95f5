#include "cornu/tensor/device.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <charconv>
#include <deque>
#include <mutex>
#include <optional>

#include "cornu/base/check.h"
#include "cornu/base/environment.h"

namespace cornu::inline v0 {
namespace {

std::mutex mutex;
std::shared_ptr<runtime::Client>& slot() {
  static auto& client = *new std::shared_ptr<runtime::Client>;  // never destroyed, as all statics (see docs/adr/0017)
  return client;
}
std::atomic<std::uint64_t> generation{1};

/// One device. Further platforms add rows; nothing else knows how many kinds there are.
struct Device {
  std::string type;
  int number = 0;
  std::string full_name;
};

struct Table {
  std::deque<Device> devices;  // grows only, so that names stay where they are
  std::atomic<bool> used{false};
  Table() { grow("CPU", 1); }
  void grow(const std::string& type, int count) {
    for (int i = static_cast<int>(devices.size()); i < count; ++i)
      devices.push_back({type, i, fmt::format("/job:localhost/replica:0/task:0/device:{}:{}", type, i)});
  }
};
Table& table() {
  static Table& devices = *new Table;
  return devices;
}

thread_local int current_device = 0;

std::string upper(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return result;
}

/// A name taken apart; what it does not say is empty.
struct DeviceName {
  std::string job, type;
  std::optional<int> replica, task, number;
};

std::string names_of_devices() {
  std::vector<std::string> names;
  for (const Device& device : table().devices) names.push_back(device.full_name);
  return fmt::format("{}", fmt::join(names, ", "));
}

[[noreturn]] void no_device_name(std::string_view name, std::string_view why) {
  invalid_argument("[device] \"{}\" is no device name: {}; a name looks like \"CPU:0\" or \"/device:CPU:0\"; there are: {}", name, why,
                   names_of_devices());
}

/// What may stand without "device:" in front, as in TensorFlow: kinds of devices that are known, whether they are here or not.
bool is_known_type(std::string_view type) {
  const std::array<std::string_view, 3> known = {"CPU", "GPU", "TPU"};
  return std::find(known.begin(), known.end(), upper(type)) != known.end();
}

int parse_number(std::string_view name, std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || number < 0)
    no_device_name(name, fmt::format("\"{}\" is no number", text));
  return number;
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
      result.replica = parse_number(name, part);
    } else if (take("task")) {
      result.task = parse_number(name, part);
    } else {
      const bool says_device = take("device");
      const std::size_t colon = std::min(part.find(':'), part.size());
      const std::string_view type = part.substr(0, colon);
      if (type.empty() || !result.type.empty() ||
          !std::all_of(type.begin(), type.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; }))
        no_device_name(name, fmt::format("\"{}\" is no part of one", part));
      if (!says_device && !is_known_type(type)) no_device_name(name, fmt::format("\"{}\" is no kind of device", type));
      result.type = upper(type);
      if (colon < part.size() && part.substr(colon + 1) != "*") result.number = parse_number(name, part.substr(colon + 1));
    }
  }
  return result;
}

int find_device(std::string_view name) {
  const DeviceName asked = parse(name);
  const std::deque<Device>& devices = table().devices;
  const bool here = (asked.job.empty() || asked.job == "localhost" || asked.job == "worker") && asked.replica.value_or(0) == 0 &&
                    asked.task.value_or(0) == 0;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const bool is_type = asked.type.empty() || asked.type == devices[i].type;
    if (here && is_type && asked.number.value_or(0) == devices[i].number) return static_cast<int>(i);
  }
  fail(ErrorCode::kNotFound, "[device] there is no device \"{}\"; there are: {}", name, names_of_devices());
}

}  // namespace

runtime::ClientOptions default_client_options() { return {.num_threads = environment::num_threads().value_or(0)}; }

std::shared_ptr<runtime::Client> default_client() {
  const std::lock_guard lock(mutex);
  if (slot() == nullptr) slot() = runtime::make_client("cpu", default_client_options());
  return slot();
}

void set_default_client(std::shared_ptr<runtime::Client> client) {
  const std::lock_guard lock(mutex);
  slot() = std::move(client);
  generation.fetch_add(1);
}

std::vector<LogicalDevice> list_logical_devices(std::string_view device_type) {
  detail::mark_devices_used();
  std::vector<LogicalDevice> result;
  for (const Device& device : table().devices)
    if (device_type.empty() || upper(device_type) == device.type)
      result.push_back({fmt::format("/device:{}:{}", device.type, device.number), device.type});
  return result;
}

std::vector<PhysicalDevice> list_physical_devices(std::string_view device_type) {
  if (!device_type.empty() && upper(device_type) != "CPU") return {};
  return {{"/physical_device:CPU:0", "CPU"}};
}

void set_logical_devices(const LogicalDevices& devices) {
  constexpr int kMost = 256;
  if (devices.cpu < 1 || devices.cpu > kMost)
    invalid_argument("[set_logical_devices] there can be 1 to {} CPU devices; got cpu = {}", kMost, devices.cpu);
  const std::lock_guard lock(mutex);
  const int now = static_cast<int>(table().devices.size());
  if (devices.cpu == now) return;
  if (table().used.load())
    fail(ErrorCode::kFailedPrecondition,
         "[set_logical_devices] the devices were used already and stay as they are; got cpu = {}, there are {}: ask for them first",
         devices.cpu, now);
  table().devices.resize(1);
  table().grow("CPU", devices.cpu);
}

std::string canonical_device_name(std::string_view name) { return table().devices[static_cast<std::size_t>(find_device(name))].full_name; }

DeviceScope::DeviceScope(std::string_view name) : before_(current_device) {
  detail::mark_devices_used();
  current_device = name.empty() ? 0 : find_device(name);
}
DeviceScope::~DeviceScope() { current_device = before_; }

Tensor to_device(const Tensor& tensor, std::string_view name) {
  detail::mark_devices_used();
  return tensor.on_device(find_device(name));
}

namespace detail {

int current_device_index() { return current_device; }
const std::string& device_name(int index) { return table().devices[static_cast<std::size_t>(index)].full_name; }
std::string short_device_name(int index) {
  const Device& device = table().devices[static_cast<std::size_t>(index)];
  return fmt::format("{}:{}", device.type, device.number);
}
void mark_devices_used() {
  static std::atomic<bool>& used = table().used;
  if (!used.load(std::memory_order_relaxed)) used.store(true, std::memory_order_relaxed);
}
std::uint64_t default_client_generation() { return generation.load(std::memory_order_acquire); }

}  // namespace detail

}  // namespace cornu::inline v0
