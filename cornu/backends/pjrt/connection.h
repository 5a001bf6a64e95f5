#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "cornu/backends/pjrt/client_settings.h"
#include "cornu/backends/pjrt/key_value_callbacks.h"
#include "cornu/backends/pjrt/plugin.h"
#include "cornu/backends/pjrt/topology.h"
#include "cornu/ir/type.h"
#include "cornu/runtime/client.h"
#include "cornu/runtime/device_info.h"

namespace cornu::inline v0::backends::pjrt {

/// What devices of a platform are named by: "GPU" for cuda and rocm, "XLA_CPU" for cpu, else the platform in
/// capitals.
std::string device_type(std::string_view platform);

/// Something that a plug-in made and that is destroyed by a call: an event, a buffer, an executable.
/// Owns: the handle. Lifetime: within the plug-in's client.
template <typename Handle, typename DestroyArgs, PJRT_Error* (*PJRT_Api::*destroy)(DestroyArgs*),
          Handle* DestroyArgs::* member>
class Owned {
 public:
  Owned() = default;
  Owned(const Plugin& plugin, Handle* handle) : plugin_(&plugin), handle_(handle) {}
  Owned(Owned&& other) noexcept : plugin_(other.plugin_), handle_(std::exchange(other.handle_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(plugin_, other.plugin_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() { reset(); }

  Handle* get() const { return handle_; }
  const Plugin& plugin() const { return *plugin_; }
  explicit operator bool() const { return handle_ != nullptr; }
  void reset() {
    if (handle_ == nullptr) return;
    CallArguments<DestroyArgs> arguments;
    arguments.get()->*member = std::exchange(handle_, nullptr);
    plugin_->try_call(destroy, arguments);
  }

 private:
  const Plugin* plugin_ = nullptr;
  Handle* handle_ = nullptr;
};

using OwnedBuffer = Owned<PJRT_Buffer, PJRT_Buffer_Destroy_Args, &PJRT_Api::PJRT_Buffer_Destroy,
                          &PJRT_Buffer_Destroy_Args::buffer>;
using OwnedExecutable =
    Owned<PJRT_LoadedExecutable, PJRT_LoadedExecutable_Destroy_Args, &PJRT_Api::PJRT_LoadedExecutable_Destroy,
          &PJRT_LoadedExecutable_Destroy_Args::executable>;
using OwnedProgram = Owned<PJRT_Executable, PJRT_Executable_Destroy_Args, &PJRT_Api::PJRT_Executable_Destroy,
                           &PJRT_Executable_Destroy_Args::executable>;

using OwnedClient = Owned<PJRT_Client, PJRT_Client_Destroy_Args, &PJRT_Api::PJRT_Client_Destroy,
                          &PJRT_Client_Destroy_Args::client>;

/// When a plug-in has done something.
class OwnedEvent : public Owned<PJRT_Event, PJRT_Event_Destroy_Args, &PJRT_Api::PJRT_Event_Destroy,
                                &PJRT_Event_Destroy_Args::event> {
 public:
  using Owned::Owned;
  bool is_ready() const;
  /// Errors: what failed, with "cannot `doing`" in front; the same each time.
  void wait(std::string_view doing) const;
  /// The same; whatever `look` throws, which is called five times a second meanwhile, ends the wait.
  void wait_and_look(std::string_view doing, const std::function<void()>& look) const;
};

/// A client of a plug-in and its devices: what buffers and programs share with it.
/// Threads: safe.
class Connection {
 public:
  /// `settings` as ClientSettings takes them; `node` null: of this process alone.
  /// Errors: as there; the plug-in's, which say why its devices cannot be used; as devices_of_nodes.
  Connection(std::shared_ptr<const Plugin> plugin, const std::string& settings, int num_threads,
             std::shared_ptr<const runtime::ClientNode> node = nullptr);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  const Plugin& plugin() const { return *plugin_; }
  PJRT_Client* client() const { return client_.get(); }
  const std::vector<runtime::DeviceInfo>& devices() const { return infos_; }
  /// The plug-in's number of a device.
  std::int64_t device_id(int device) const { return devices_[static_cast<std::size_t>(device)].id; }
  runtime::NodePlace node() const {
    return node_ == nullptr ? runtime::NodePlace{} : runtime::NodePlace{node_->id, node_->count};
  }
  /// The plug-in's numbers of devices that have these places on their nodes: of all nodes,
  /// one behind the other.
  std::vector<std::int64_t> ids_on_all_nodes(const std::vector<int>& devices) const;
  /// Waits for what devices of all nodes do together.
  /// Errors: as OwnedEvent::wait; kUnavailable when another process is gone. What was begun never ends then,
  ///         and what it uses must stay (is_left_alone).
  void wait_for_nodes(const OwnedEvent& event, std::string_view doing);
  bool is_left_alone() const { return is_left_alone_.load(std::memory_order_relaxed); }
  /// Errors: kUnavailable where devices wait for a process that is gone, and so would who asks them.
  void require_company() const;
  /// Tells the other nodes, which may wait for this one, that it does not come. Throws nothing.
  void give_up(const std::string& why) const noexcept { node_->keys->give_up(why); }
  /// All have met: what one could not do before holds no more.
  void go_on() const { node_->keys->go_on(); }
  const std::string& platform() const { return platform_; }
  const std::string& platform_version() const { return platform_version_; }
  /// Whether the host can read results where they are.
  bool is_on_host() const { return platform_ == "cpu"; }
  /// ": 1000 of 2000 bytes are in use", or nothing where the plug-in does not say.
  std::string memory_use(int device) const;

  /// What becomes of host memory that is sent.
  enum class Send {
    kCopy,    // it is the caller's again at once
    kBorrow,  // it stays as it is until the buffer has been destroyed and `released` has happened
  };
  /// Memory of the host as a buffer of a device. `released` null: for kCopy.
  /// Errors: ResourceExhausted with the bytes; the plug-in's.
  OwnedBuffer send(const ir::TensorType& type, int device, const void* from, Send how,
                   OwnedEvent* released) const;
  /// Begins to copy a buffer, row-major, to host memory of this many bytes (which are not none).
  OwnedEvent receive(PJRT_Buffer* buffer, const ir::TensorType& type, void* to) const;
  /// When a buffer's value is there.
  OwnedEvent ready(PJRT_Buffer* buffer) const;
  /// Where the bytes of a buffer are whose value is there, on a device that is the host.
  const std::byte* address(PJRT_Buffer* buffer) const;
  /// A copy on another device of this client.
  OwnedBuffer copy(PJRT_Buffer* buffer, int device) const;
  /// Held while a program of several devices is submitted.
  std::mutex& order() { return order_; }
  /// An i32 scalar, which is kept for the next who asks for it.
  std::shared_ptr<const OwnedBuffer> scalar(int device, std::int32_t value);

 private:
  /// Bytes; 0 where the plug-in does not say.
  struct Memory {
    std::int64_t in_use = 0, limit = 0;
  };
  Memory memory(int device) const;

  struct Device {
    PJRT_Device* handle = nullptr;
    std::int64_t id = 0;
  };
  void create(ClientSettings& settings, int num_threads);
  void describe_platform();
  void list_devices();
  void list_nodes();
  PJRT_DeviceDescription* description_of(PJRT_Device* device) const;

  std::shared_ptr<const Plugin> plugin_;
  std::shared_ptr<const runtime::ClientNode> node_;
  std::unique_ptr<KeyValueCallbacks> keys_;  // the client calls them until it is gone
  OwnedClient client_;
  NodeDevices nodes_;
  std::atomic<bool> is_left_alone_{false};
  std::vector<Device> devices_;
  std::vector<runtime::DeviceInfo> infos_;
  std::string platform_, platform_version_;
  std::mutex order_;
  std::mutex scalars_mutex_;
  std::map<std::pair<int, std::int32_t>, std::shared_ptr<const OwnedBuffer>> scalars_;
};

}  // namespace cornu::inline v0::backends::pjrt
