// A plug-in for tests that connects several processes, as those for GPUs do: the one for CPUs
// (CORNU_TEST_PJRT_CPU names its library) with the devices of all processes in each. A program of all runs on
// all of them in every process, on arguments that processes send each other by keys before, and a process
// takes the results of its own devices. Slow, and the same to who uses it.
//
// What it does besides, by the environment:
//   CORNU_TEST_NODE_PLATFORM  the platform that it says it is
//   CORNU_TEST_NODE_LOG       a folder: what each process compiles and executes goes to NODE.log there
//   CORNU_TEST_NODE_FAULT     "WHAT:NODE", what is wrong with a process; see fault()
#include "tests/pjrt/several_nodes_plugin.h"

#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "tests/pjrt/own_errors.h"

namespace cornu::inline v0::pjrt_tests {
namespace {

const PJRT_Api* real = nullptr;
PJRT_Api api;

/// A client of several processes.
struct Node {
  PJRT_Client* client = nullptr;
  std::int64_t id = 0, count = 1, num_here = 1;
  PJRT_Client_Create_Args callbacks{};
  std::vector<PJRT_Device*> own, all;
  std::map<const PJRT_DeviceDescription*, int> process_of;
  std::int64_t num_runs = 0;
};
std::mutex mutex;  // of an execution
std::vector<std::unique_ptr<Node>> nodes;

/// Null: the client, or what else is asked, is of a process alone.
template <typename F>
Node* find_node(const F& is_of) {
  for (const std::unique_ptr<Node>& node : nodes)
    if (is_of(*node)) return node.get();
  return nullptr;
}
Node* node_of(const PJRT_Client* client) {
  return find_node([&](const Node& node) { return node.client == client; });
}

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// Whether this is what is wrong with this process: "no_device" (it has none), "silent" (it says nothing
/// of its own for a while), "dies" (while clients are made), "dies_in_step", "fails_in_step", "is_other"
/// (it numbers itself otherwise).
bool fault(const char* what, std::int64_t id) {
  return environment("CORNU_TEST_NODE_FAULT") == std::string(what) + ":" + std::to_string(id);
}

void log(const Node& node, const std::string& line) {
  const std::string folder = environment("CORNU_TEST_NODE_LOG");
  if (!folder.empty())
    std::ofstream(folder + "/" + std::to_string(node.id) + ".log", std::ios::app) << line << "\n";
}

PJRT_Error* failed(const std::string& message, PJRT_Error_Code code = PJRT_Error_Code_INTERNAL) {
  return OwnErrors::make(code, message);
}

PJRT_Error* make_callback_error(PJRT_Error_Code code, const char* message, std::size_t size) {
  return OwnErrors::make(code, std::string(message, size));
}
PJRT_CallbackError callback_error = make_callback_error;

PJRT_Error* put(const Node& node, const std::string& key, const std::string& value) {
  PJRT_KeyValuePutCallback_Args args;
  std::memset(&args, 0xff, sizeof(args));  // struct_size is undefined, as real ones leave it
  args.key = key.data();
  args.key_size = key.size();
  args.value = value.data();
  args.value_size = value.size();
  args.callback_error = &callback_error;
  args.user_arg = node.callbacks.kv_put_user_arg;
  return node.callbacks.kv_put_callback(&args);
}

PJRT_Error* get(const Node& node, const std::string& key, int timeout_ms, std::string& value) {
  PJRT_KeyValueGetCallback_Args args;
  std::memset(&args, 0xff, sizeof(args));
  args.key = key.data();
  args.key_size = key.size();
  args.timeout_in_ms = timeout_ms;
  args.callback_error = &callback_error;
  args.user_arg = node.callbacks.kv_get_user_arg;
  if (PJRT_Error* const error = node.callbacks.kv_get_callback(&args)) return error;
  value.assign(args.value, args.value_size);
  args.value_deleter_callback(args.value);
  return nullptr;
}

/// Null: it is there, or is not and the callback says so rightly.
PJRT_Error* try_get_what_is_not_there(const Node& node) {
  const std::string key = "nobody puts this";
  PJRT_KeyValueTryGetCallback_Args args;
  std::memset(&args, 0xff, sizeof(args));
  args.key = key.data();
  args.key_size = key.size();
  args.callback_error = &callback_error;
  args.user_arg = node.callbacks.kv_try_get_user_arg;
  PJRT_Error* const error = node.callbacks.kv_try_get_callback(&args);
  if (error == nullptr) return failed("a key is there that nobody has put");
  PJRT_Error_GetCode_Args code{};
  code.error = error;
  api.PJRT_Error_GetCode(&code);
  if (code.code != PJRT_Error_Code_NOT_FOUND) return error;
  PJRT_Error_Destroy_Args destroy{};
  destroy.error = error;
  OwnErrors::destroy(&destroy);
  return nullptr;
}

/// Every process says how many devices it has, and waits for what the others say.
PJRT_Error* exchange_topology(const Node& node) {
  if (fault("silent", node.id)) std::this_thread::sleep_for(std::chrono::seconds(4));
  if (fault("dies", node.id)) raise(SIGKILL);
  const auto key = [](std::int64_t id) { return "topology/" + std::to_string(id); };
  if (PJRT_Error* const error = try_get_what_is_not_there(node)) return error;
  if (PJRT_Error* const error = put(node, key(node.id), std::to_string(node.num_here))) return error;
  for (std::int64_t other = 0; other < node.count; ++other) {
    std::string value;
    if (PJRT_Error* const error = get(node, key(other), 60'000, value)) return error;
    if (value != std::to_string(node.num_here)) return failed("processes have different numbers of devices");
  }
  return nullptr;
}

PJRT_Error* list_devices(Node& node) {
  PJRT_Client_AddressableDevices_Args devices{};
  devices.struct_size = PJRT_Client_AddressableDevices_Args_STRUCT_SIZE;
  devices.client = node.client;
  if (PJRT_Error* const error = real->PJRT_Client_AddressableDevices(&devices)) return error;
  node.all.assign(devices.addressable_devices, devices.addressable_devices + devices.num_addressable_devices);
  for (std::size_t i = 0; i < node.all.size(); ++i) {
    const auto process = static_cast<std::int64_t>(i) / node.num_here;
    if (process == node.id) node.own.push_back(node.all[i]);
    PJRT_Device_GetDescription_Args description{};
    description.struct_size = PJRT_Device_GetDescription_Args_STRUCT_SIZE;
    description.device = node.all[i];
    if (PJRT_Error* const error = real->PJRT_Device_GetDescription(&description)) return error;
    node.process_of[description.device_description] = static_cast<int>(process);
  }
  return nullptr;
}

PJRT_Error* create(PJRT_Client_Create_Args* args) {
  auto made = std::make_unique<Node>();
  made->count = 0;
  for (std::size_t i = 0; i < args->num_options; ++i) {
    const PJRT_NamedValue& option = args->create_options[i];
    const std::string name(option.name, option.name_size);
    if (name == "node_id") made->id = option.int64_value;
    if (name == "num_nodes") made->count = option.int64_value;
    if (name == "cpu_device_count") made->num_here = option.int64_value;
    if (name == "visible_devices") made->num_here = static_cast<std::int64_t>(option.value_size);
  }
  if (made->count == 0) return real->PJRT_Client_Create(args);
  if (fault("no_device", made->id))
    return failed("No visible GPU devices.", PJRT_Error_Code_FAILED_PRECONDITION);
  PJRT_NamedValue all{};
  all.struct_size = PJRT_NamedValue_STRUCT_SIZE;
  all.name = "cpu_device_count";
  all.name_size = std::strlen(all.name);
  all.type = PJRT_NamedValue_kInt64;
  all.int64_value = made->count * made->num_here;
  all.value_size = 1;
  PJRT_Client_Create_Args inside{};
  inside.struct_size = PJRT_Client_Create_Args_STRUCT_SIZE;
  inside.create_options = &all;
  inside.num_options = 1;
  if (PJRT_Error* const error = real->PJRT_Client_Create(&inside)) return error;
  made->client = args->client = inside.client;
  made->callbacks = *args;
  Node& node = *nodes.emplace_back(std::move(made));
  for (std::size_t i = 0; i < args->num_options; ++i) {
    const PJRT_NamedValue& option = args->create_options[i];
    std::string values;
    if (option.type == PJRT_NamedValue_kInt64) values = " " + std::to_string(option.int64_value);
    if (option.type == PJRT_NamedValue_kInt64List)
      for (std::size_t k = 0; k < option.value_size; ++k)
        values += " " + std::to_string(option.int64_array_value[k]);
    log(node, "option " + std::string(option.name, option.name_size) + values);
  }
  if (PJRT_Error* const error = list_devices(node)) return error;
  return exchange_topology(node);
}

PJRT_Error* process_index(PJRT_Client_ProcessIndex_Args* args) {
  const Node* const node = node_of(args->client);
  if (node == nullptr) return real->PJRT_Client_ProcessIndex(args);
  args->process_index = static_cast<int>(fault("is_other", node->id) ? node->count - 1 - node->id : node->id);
  return nullptr;
}

PJRT_Error* process_of_device(PJRT_DeviceDescription_ProcessIndex_Args* args) {
  Node* const node =
      find_node([&](const Node& it) { return it.process_of.contains(args->device_description); });
  if (node == nullptr) return real->PJRT_DeviceDescription_ProcessIndex(args);
  args->process_index = node->process_of[args->device_description];
  return nullptr;
}

PJRT_Error* addressable_devices(PJRT_Client_AddressableDevices_Args* args) {
  Node* const node = node_of(args->client);
  if (node == nullptr) return real->PJRT_Client_AddressableDevices(args);
  args->addressable_devices = node->own.data();
  args->num_addressable_devices = node->own.size();
  return nullptr;
}

PJRT_Error* platform_name(PJRT_Client_PlatformName_Args* args) {
  static const auto& name = *new std::string(environment("CORNU_TEST_NODE_PLATFORM"));
  if (name.empty()) return real->PJRT_Client_PlatformName(args);
  args->platform_name = name.data();
  args->platform_name_size = name.size();
  return nullptr;
}

/// Where it says that it is something else than the plug-in for CPUs, options that this one needs are
/// missing: two flags of XLA that are false (see backends/pjrt/compile.cc).
/// A message is what two are behind each other.
std::string with_options_of_cpu(const std::string& options) {
  if (environment("CORNU_TEST_NODE_PLATFORM").empty()) return options;
  std::string all = options;
  for (const std::string name : {"xla_cpu_enable_fast_min_max", "xla_cpu_use_xnnpack"}) {
    const std::string entry =
        "\x0a" + std::string(1, static_cast<char>(name.size())) + name + std::string("\x12\x02\x10\x00", 4);
    all += "\x3a" + std::string(1, static_cast<char>(entry.size())) + entry;
  }
  return all;
}

PJRT_Error* compile(PJRT_Client_Compile_Args* args) {
  const std::string options(args->compile_options, args->compile_options_size);
  std::string hex;
  for (const char byte : options) {
    constexpr char kDigits[] = "0123456789abcdef";
    hex += kDigits[static_cast<unsigned char>(byte) >> 4];
    hex += kDigits[static_cast<unsigned char>(byte) & 15];
  }
  if (const Node* const node = node_of(args->client)) log(*node, "compile " + hex);
  const std::string all = with_options_of_cpu(options);
  args->compile_options = all.data();
  args->compile_options_size = all.size();
  PJRT_Error* const error = real->PJRT_Client_Compile(args);
  args->compile_options = options.data();
  args->compile_options_size = options.size();
  return error;
}

PJRT_Error* execute(PJRT_LoadedExecutable_Execute_Args* args) {
  PJRT_LoadedExecutable_AddressableDevices_Args devices{};
  devices.struct_size = PJRT_LoadedExecutable_AddressableDevices_Args_STRUCT_SIZE;
  devices.executable = args->executable;
  if (PJRT_Error* const error = real->PJRT_LoadedExecutable_AddressableDevices(&devices)) return error;
  if (devices.num_addressable_devices == args->num_devices) return real->PJRT_LoadedExecutable_Execute(args);
  const std::lock_guard lock(mutex);
  Node* const node = find_node([&](const Node& it) { return it.all[0] == devices.addressable_devices[0]; });
  if (node == nullptr || std::cmp_not_equal(args->num_devices, node->num_here) ||
      devices.num_addressable_devices != node->all.size())
    return failed("a program of other devices than there are");
  if (fault("dies_in_step", node->id) && node->num_runs == 2) raise(SIGKILL);
  if (fault("fails_in_step", node->id) && node->num_runs == 2)
    return failed("a chip fell off", PJRT_Error_Code_UNAVAILABLE);
  const std::string run = "run/" + std::to_string(node->num_runs++) + "/";
  JointRun joint(*real, *args, node->client, node->all);
  std::string own;
  if (PJRT_Error* const error = joint.pack(own)) return error;
  std::string shapes;
  for (const std::string& shape : joint.shapes()) shapes += " " + shape;
  log(*node, "execute on " + std::to_string(args->num_devices) + " devices:" + shapes);
  if (PJRT_Error* const error = put(*node, run + std::to_string(node->id), own)) return error;
  for (std::int64_t other = 0; other < node->count; ++other) {
    std::string packed;
    if (other == node->id) {
      joint.add_own();
      continue;
    }
    if (PJRT_Error* const error = get(*node, run + std::to_string(other), 120'000, packed)) return error;
    if (PJRT_Error* const error = joint.add(packed)) return error;
  }
  return joint.run(static_cast<std::size_t>(node->id * node->num_here));
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): PJRT's name
extern "C" const PJRT_Api* GetPjrtApi() {
  real = OwnErrors::take_over(api);
  if (real == nullptr) return nullptr;
  api.PJRT_Client_Create = create;
  api.PJRT_Client_ProcessIndex = process_index;
  api.PJRT_Client_AddressableDevices = addressable_devices;
  api.PJRT_Client_PlatformName = platform_name;
  api.PJRT_Client_Compile = compile;
  api.PJRT_DeviceDescription_ProcessIndex = process_of_device;
  api.PJRT_LoadedExecutable_Execute = execute;
  return &api;
}

}  // namespace cornu::inline v0::pjrt_tests
