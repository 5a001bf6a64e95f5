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

/// The type in names of a platform's devices: "GPU" for cuda and rocm, "XLA_CPU" for cpu, else the platform
/// in capitals.
std::string device_type(std::string_view platform);

/// An object made by a plug-in and destroyed by a call: an event, a buffer, an executable.
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

/// Completion of a plug-in's work.
class OwnedEvent : public Owned<PJRT_Event, PJRT_Event_Destroy_Args, &PJRT_Api::PJRT_Event_Destroy,
                                &PJRT_Event_Destroy_Args::event> {
 public:
  using Owned::Owned;
  bool is_ready() const;
  /// Waits. Errors: the plug-in's, with "cannot `doing`" prepended; the same at each call.
  void wait(std::string_view doing) const;
  /// Waits, and calls `look` five times a second meanwhile; an exception of `look` ends the wait.
  void wait_and_look(std::string_view doing, const std::function<void()>& look) const;
};

/// A client of a plug-in and its devices, shared by buffers and programs.
/// Threads: safe.
class Connection {
 public:
  /// `settings`: as in ClientSettings; `node` null: this process alone.
  /// Errors: those of ClientSettings; the plug-in's, with the reason why its devices cannot be used; those of
  ///         devices_of_nodes.
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
  /// The plug-in's numbers of the devices with these indices on each node, concatenated over all nodes.
  std::vector<std::int64_t> ids_on_all_nodes(const std::vector<int>& devices) const;
  /// Waits for work that devices of all nodes do together.
  /// Errors: those of OwnedEvent::wait; kUnavailable if another process is gone. The work then never ends,
  ///         and its memory must never be freed (is_left_alone).
  void wait_for_nodes(const OwnedEvent& event, std::string_view doing);
  bool is_left_alone() const { return is_left_alone_.load(std::memory_order_relaxed); }
  /// Errors: kUnavailable if devices wait for a process that is gone, which would block the caller, too.
  void require_company() const;
  /// Notifies the other nodes, which may wait for this one, of a failure. Throws nothing.
  void give_up(const std::string& why) const noexcept { node_->keys->give_up(why); }
  /// Withdraws earlier failures after all nodes have synchronized.
  void go_on() const { node_->keys->go_on(); }
  const std::string& platform() const { return platform_; }
  const std::string& platform_version() const { return platform_version_; }
  /// True if the host can read results in place.
  bool is_on_host() const { return platform_ == "cpu"; }
  /// ": 1000 of 2000 bytes are in use", or an empty text if the plug-in does not report it.
  std::string memory_use(int device) const;

  /// Ownership of host memory that is sent.
  enum class Send {
    kCopy,    // the caller may change it at once
    kBorrow,  // it must stay unchanged until the buffer is destroyed and `released` is done
  };
  /// Sends host memory to a new buffer of a device. `released` is null for kCopy.
  /// Errors: ResourceExhausted with the bytes; the plug-in's.
  OwnedBuffer send(const ir::TensorType& type, int device, const void* from, Send how,
                   OwnedEvent* released) const;
  /// Begins to copy a buffer, row-major, to host memory of its size, which must not be 0.
  OwnedEvent receive(PJRT_Buffer* buffer, const ir::TensorType& type, void* to) const;
  /// Completion of a buffer's value.
  OwnedEvent ready(PJRT_Buffer* buffer) const;
  /// The address of a buffer whose value is complete, on a device that is the host.
  const std::byte* address(PJRT_Buffer* buffer) const;
  /// Copies to another device of this client.
  OwnedBuffer copy(PJRT_Buffer* buffer, int device) const;
  /// Held while a program of several devices is submitted.
  std::mutex& order() { return order_; }
  /// An i32 scalar, cached for later calls.
  std::shared_ptr<const OwnedBuffer> scalar(int device, std::int32_t value);

 private:
  /// Bytes; 0 if the plug-in does not report them.
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
  std::unique_ptr<KeyValueCallbacks> keys_;  // the client calls them until it is destroyed
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
