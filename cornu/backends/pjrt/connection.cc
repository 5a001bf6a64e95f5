#include "cornu/backends/pjrt/connection.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <condition_variable>
#include <string_view>

#include "cornu/backends/pjrt/element_types.h"
#include "cornu/base/environment.h"
#include "cornu/base/service_thread.h"

namespace cornu::inline v0::backends::pjrt {
std::string device_type(std::string_view platform) {
  if (platform == "cpu") return "XLA_CPU";  // "CPU" is this library's engine
  if (platform == "cuda" || platform == "rocm" || platform == "gpu" || platform == "sycl") return "GPU";
  std::string type;
  for (const char c : platform)
    type += std::isalnum(static_cast<unsigned char>(c)) != 0
                ? static_cast<char>(std::toupper(static_cast<unsigned char>(c)))
                : '_';
  return type.empty() ? "PJRT" : type;
}

bool OwnedEvent::is_ready() const {
  CallArguments<PJRT_Event_IsReady_Args> arguments;
  arguments->event = get();
  plugin().call(&PJRT_Api::PJRT_Event_IsReady, arguments, "say whether work is done");
  return arguments->is_ready;
}

void OwnedEvent::wait(std::string_view doing) const {
  CallArguments<PJRT_Event_Await_Args> arguments;
  arguments->event = get();
  plugin().call(&PJRT_Api::PJRT_Event_Await, arguments, doing);
}

namespace {

/// Shared by an event's callback and the waiting thread; the last one destroys it.
struct EventWait {
  explicit EventWait(const Plugin& of) : plugin(&of) {}
  const Plugin* plugin;
  std::mutex mutex;
  std::condition_variable changed;
  bool is_done = false;

  static void on_ready(PJRT_Error* error, void* user_arg) {
    const std::unique_ptr<std::shared_ptr<EventWait>> held(
        static_cast<std::shared_ptr<EventWait>*>(user_arg));
    EventWait& wait = **held;
    if (error != nullptr) wait.plugin->drop(error);  // the waiting thread reads the error from the event
    const std::lock_guard lock(wait.mutex);
    wait.is_done = true;
    wait.changed.notify_all();
  }
};

}  // namespace

void OwnedEvent::wait_and_look(std::string_view doing, const std::function<void()>& look) const {
  constexpr auto kBetweenLooks = std::chrono::milliseconds(200);
  const auto state = std::make_shared<EventWait>(plugin());
  auto held = std::make_unique<std::shared_ptr<EventWait>>(state);
  CallArguments<PJRT_Event_OnReady_Args> arguments;
  arguments->event = get();
  arguments->callback = &EventWait::on_ready;
  arguments->user_arg = held.get();
  plugin().call(&PJRT_Api::PJRT_Event_OnReady, arguments, "say when work is done");
  static_cast<void>(held.release());  // NOLINT(bugprone-unused-return-value): owned by the callback now
  std::unique_lock lock(state->mutex);
  while (!state->changed.wait_for(lock, kBetweenLooks, [&] { return state->is_done; })) {
    lock.unlock();
    look();
    lock.lock();
  }
  wait(doing);
}

Connection::Connection(std::shared_ptr<const Plugin> plugin, const std::string& settings, int num_threads,
                       std::shared_ptr<const runtime::ClientNode> node)
    : plugin_(std::move(plugin)), node_(std::move(node)) {
  ClientSettings checked(settings);
  create(checked, num_threads);
  describe_platform();
  checked.check_platform(platform_);
  list_devices();
}

void Connection::create(ClientSettings& settings, int num_threads) {
  // A plug-in reports its platform only after creation, and some reject settings of others.
  if (node_ != nullptr) add_node_settings(settings, plugin_->name(), *node_);
  if (plugin_->name().find("cpu") != std::string::npos) settings.set_default("cpu_device_count", "1");
  if (plugin_->name().find("cuda") != std::string::npos || plugin_->name().find("rocm") != std::string::npos)
    settings.set_default("preallocate", "false");
  if (num_threads > 0) environment::set_default("PJRT_NPROC", fmt::format("{}", num_threads));
  const SignalsBlocked signals_blocked;  // inherited by the threads that it starts
  CallArguments<PJRT_Client_Create_Args> arguments;
  if (node_ != nullptr) {
    keys_ = std::make_unique<KeyValueCallbacks>(node_->keys);
    keys_->give_to(*arguments.get());
  }
  arguments->create_options = settings.named_values().data();
  arguments->num_options = settings.named_values().size();
  try {
    plugin_->call(&PJRT_Api::PJRT_Client_Create, arguments, "use its devices");
  } catch (const Error& error) {
    if (node_ == nullptr || error.code() == ErrorCode::kUnavailable) throw;  // such as missing keys
    throw error.with({.notes = choice_of_devices(settings, *node_)});
  }
  client_ = OwnedClient(*plugin_, arguments->client);
}

void Connection::describe_platform() {
  CallArguments<PJRT_Client_PlatformName_Args> name;
  name->client = client();
  plugin_->call(&PJRT_Api::PJRT_Client_PlatformName, name, "name its platform");
  platform_.assign(name->platform_name, name->platform_name_size);
  CallArguments<PJRT_Client_PlatformVersion_Args> version;
  version->client = client();
  if (plugin_->try_call(&PJRT_Api::PJRT_Client_PlatformVersion, version))
    platform_version_.assign(version->platform_version, version->platform_version_size);
}

void Connection::list_devices() {
  CallArguments<PJRT_Client_AddressableDevices_Args> arguments;
  arguments->client = client();
  plugin_->call(&PJRT_Api::PJRT_Client_AddressableDevices, arguments, "list its devices");
  if (arguments->num_addressable_devices == 0)
    fail(ErrorCode::kUnavailable, "[pjrt] plug-in \"{}\" has no device", plugin_->name());
  for (std::size_t i = 0; i < arguments->num_addressable_devices; ++i) {
    PJRT_Device* const device = arguments->addressable_devices[i];
    CallArguments<PJRT_DeviceDescription_Id_Args> id;
    id->device_description = description_of(device);
    plugin_->call(&PJRT_Api::PJRT_DeviceDescription_Id, id, "number its devices");
    devices_.push_back({.handle = device, .id = id->id});
    CallArguments<PJRT_DeviceDescription_Kind_Args> kind;
    kind->device_description = description_of(device);
    plugin_->call(&PJRT_Api::PJRT_DeviceDescription_Kind, kind, "describe its devices");
    infos_.push_back({.type = device_type(platform_),
                      .kind = std::string(kind->device_kind, kind->device_kind_size),
                      .number = static_cast<int>(i),
                      .memory_bytes = static_cast<std::size_t>(
                          std::max<std::int64_t>(memory(static_cast<int>(i)).limit, 0)),
                      .is_addressable = false});
  }
  if (node_ != nullptr) list_nodes();
}

/// Sorts devices by their numbers, so that an index means the same device on all nodes.
void Connection::list_nodes() {
  nodes_ = devices_of_nodes(*plugin_, client(), *node_, devices_.size());
  const std::vector<std::int64_t>& own = nodes_[static_cast<std::size_t>(node_->id)];
  const bool is_in_order = std::equal(devices_.begin(), devices_.end(), own.begin(), own.end(),
                                      [](const Device& device, std::int64_t id) { return device.id == id; });
  if (!is_in_order)
    fail(ErrorCode::kUnimplemented,
         "[pjrt] plug-in \"{}\" lists two different sets of devices for this process", plugin_->name());
}

std::vector<std::int64_t> Connection::ids_on_all_nodes(const std::vector<int>& devices) const {
  std::vector<std::int64_t> ids;
  for (const std::vector<std::int64_t>& node : nodes_)
    for (const int device : devices) ids.push_back(node[static_cast<std::size_t>(device)]);
  return ids;
}

void Connection::wait_for_nodes(const OwnedEvent& event, std::string_view doing) {
  if (event.is_ready()) return event.wait(doing);
  event.wait_and_look(doing, [&] {
    try {
      node_->keys->check_peers();
    } catch (...) {
      is_left_alone_ = true;
      throw;
    }
  });
}

PJRT_DeviceDescription* Connection::description_of(PJRT_Device* device) const {
  CallArguments<PJRT_Device_GetDescription_Args> arguments;
  arguments->device = device;
  plugin_->call(&PJRT_Api::PJRT_Device_GetDescription, arguments, "describe its devices");
  return arguments->device_description;
}

Connection::Memory Connection::memory(int device) const {
  CallArguments<PJRT_Device_MemoryStats_Args> arguments;
  arguments->device = devices_[static_cast<std::size_t>(device)].handle;
  if (!plugin_->try_call(&PJRT_Api::PJRT_Device_MemoryStats, arguments)) return {};
  return {.in_use = arguments->bytes_in_use,
          .limit = arguments->bytes_limit_is_set ? arguments->bytes_limit : 0};
}

std::string Connection::memory_use(int device) const {
  const Memory memory = this->memory(device);
  return memory.limit == 0 ? "" : fmt::format(": {} of {} bytes are in use", memory.in_use, memory.limit);
}

OwnedBuffer Connection::send(const ir::TensorType& type, int device, const void* from, Send how,
                             OwnedEvent* released) const {
  constexpr std::byte kNothing{};
  CallArguments<PJRT_Client_BufferFromHostBuffer_Args> arguments;
  arguments->client = client();
  arguments->data = from == nullptr ? &kNothing : from;
  arguments->type = element_type(type.dtype);
  arguments->dims = type.dims.data();
  arguments->num_dims = type.dims.size();
  arguments->host_buffer_semantics = how == Send::kCopy ? PJRT_HostBufferSemantics_kImmutableOnlyDuringCall
                                                        : PJRT_HostBufferSemantics_kImmutableZeroCopy;
  arguments->device = devices_[static_cast<std::size_t>(device)].handle;
  try {
    plugin_->call(&PJRT_Api::PJRT_Client_BufferFromHostBuffer, arguments, "take a tensor");
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kResourceExhausted) throw;
    throw error.with(
        {.notes = fmt::format("{} takes {} bytes{}", type.str(), type.size_bytes(), memory_use(device))});
  }
  OwnedEvent done(*plugin_, arguments->done_with_host_buffer);
  if (released != nullptr) *released = std::move(done);
  return OwnedBuffer(*plugin_, arguments->buffer);
}

void Connection::require_company() const {
  if (is_left_alone())
    fail(ErrorCode::kUnavailable,
         "[pjrt] the devices of plug-in \"{}\" wait for another process, which is gone: start all processes "
         "again, to go on from the last backup",
         plugin_->name());
}

OwnedEvent Connection::receive(PJRT_Buffer* buffer, const ir::TensorType& type, void* to) const {
  require_company();
  std::vector<std::int64_t> minor_to_major(type.dims.size());
  for (std::size_t i = 0; i < minor_to_major.size(); ++i)
    minor_to_major[i] = static_cast<std::int64_t>(minor_to_major.size() - 1 - i);
  CallArguments<PJRT_Buffer_MemoryLayout> layout;
  layout->struct_size = PJRT_Buffer_MemoryLayout_STRUCT_SIZE;
  layout->type = PJRT_Buffer_MemoryLayout_Type_Tiled;
  layout->tiled.struct_size = PJRT_Buffer_MemoryLayout_Tiled_STRUCT_SIZE;
  layout->tiled.minor_to_major = minor_to_major.data();
  layout->tiled.minor_to_major_size = minor_to_major.size();
  CallArguments<PJRT_Buffer_ToHostBuffer_Args> arguments;
  arguments->src = buffer;
  arguments->host_layout = layout.get();
  arguments->dst = to;
  arguments->dst_size = type.size_bytes();
  plugin_->call(&PJRT_Api::PJRT_Buffer_ToHostBuffer, arguments, "give a tensor");
  return OwnedEvent(*plugin_, arguments->event);
}

OwnedEvent Connection::ready(PJRT_Buffer* buffer) const {
  require_company();
  CallArguments<PJRT_Buffer_ReadyEvent_Args> arguments;
  arguments->buffer = buffer;
  plugin_->call(&PJRT_Api::PJRT_Buffer_ReadyEvent, arguments, "say whether a tensor is there");
  return OwnedEvent(*plugin_, arguments->event);
}

const std::byte* Connection::address(PJRT_Buffer* buffer) const {
  CallArguments<PJRT_Buffer_UnsafePointer_Args> arguments;
  arguments->buffer = buffer;
  plugin_->call(&PJRT_Api::PJRT_Buffer_UnsafePointer, arguments, "say where a tensor is");
  // NOLINTNEXTLINE(performance-no-int-to-ptr): PJRT gives an address as a number
  return reinterpret_cast<const std::byte*>(arguments->buffer_pointer);
}

OwnedBuffer Connection::copy(PJRT_Buffer* buffer, int device) const {
  CallArguments<PJRT_Buffer_CopyToDevice_Args> arguments;
  arguments->buffer = buffer;
  arguments->dst_device = devices_[static_cast<std::size_t>(device)].handle;
  plugin_->call(&PJRT_Api::PJRT_Buffer_CopyToDevice, arguments, "copy a tensor to another device");
  return OwnedBuffer(*plugin_, arguments->dst_buffer);
}

std::shared_ptr<const OwnedBuffer> Connection::scalar(int device, std::int32_t value) {
  constexpr std::size_t kMost = 1024;
  const std::lock_guard lock(scalars_mutex_);
  if (scalars_.size() >= kMost) scalars_.clear();
  std::shared_ptr<const OwnedBuffer>& scalar = scalars_[{device, value}];
  if (scalar == nullptr)
    scalar = std::make_shared<const OwnedBuffer>(
        send({ir::DType::kI32, {}}, device, &value, Send::kCopy, nullptr));
  return scalar;
}

}  // namespace cornu::inline v0::backends::pjrt
