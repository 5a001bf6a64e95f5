#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/runtime/client.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0 {

/// What the default client is made with: CORNU_NUM_THREADS threads if that is set. Errors: InvalidArgument when it holds no such number.
runtime::ClientOptions default_client_options();

/// The client that variables and programs use: platform "cpu" (with CORNU_NUM_THREADS threads if that is set) unless another was set,
/// made on first need. All CPU devices share it. Threads: safe.
std::shared_ptr<runtime::Client> default_client();

/// Replaces the default client; null: back to a lazily made "cpu". Variables move to it with their next use.
void set_default_client(std::shared_ptr<runtime::Client> client);

/// A device that tensors and operations can be placed on.
struct LogicalDevice {
  std::string name;         // "/device:CPU:0"
  std::string device_type;  // "CPU"
};
/// What the machine has.
struct PhysicalDevice {
  std::string name;  // "/physical_device:CPU:0"
  std::string device_type;
};

/// The devices of one type ("CPU"; upper and lower case are one), or all. From here on they are fixed (see set_logical_devices).
std::vector<LogicalDevice> list_logical_devices(std::string_view device_type = {});
std::vector<PhysicalDevice> list_physical_devices(std::string_view device_type = {});

struct LogicalDevices {
  int cpu = 1;
};
/// Makes N virtual CPU devices, to run and test programs for several devices on one. They share the processor, its threads and its memory.
/// Errors: InvalidArgument unless there are 1 to 256; FailedPrecondition once devices were used (listed, entered, or an operation ran), and
///         nothing changes; the number that there is already is no error.
void set_logical_devices(const LogicalDevices& devices);

/// The full name of a device, as TensorFlow prints it: "/job:localhost/replica:0/task:0/device:CPU:0".
///
/// Understands every form: "CPU:0", "cpu:0", "CPU", "/CPU:0", "/device:CPU:1", "/job:worker/replica:0/task:0/device:CPU:0". Parts may be
/// left out; a device without a number is number 0. This process is replica 0, task 0 of the jobs "localhost" and "worker".
/// Errors: InvalidArgument for what is no device name, NotFound for a device that is not there; both list those there are. There is no soft
///         placement: nothing runs elsewhere than it was asked to.
std::string canonical_device_name(std::string_view name);

/// While it exists, operations of this thread run on this device and their results live there, whatever devices their operands are on
/// (these are copied; between CPU devices the copy shares memory). Outside any scope that is the first CPU. Scopes nest; an empty name
/// means the default device again. Errors: as canonical_device_name.
class DeviceScope {
 public:
  explicit DeviceScope(std::string_view name);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  int before_;
};

/// f() inside a scope.
template <typename F>
auto with_device(std::string_view name, F&& f) {
  const DeviceScope scope(name);
  return f();
}

/// The tensor on another device; a symbolic tensor stays as it is (programs run where their step runs). Errors: as canonical_device_name.
Tensor to_device(const Tensor& tensor, std::string_view name);

namespace detail {

/// The devices' numbers in list_logical_devices.
int current_device_index();
const std::string& device_name(int index);
std::string short_device_name(int index);  // "CPU:0"
/// An operation ran: the devices are fixed.
void mark_devices_used();

/// Changes whenever set_default_client does.
std::uint64_t default_client_generation();

}  // namespace detail

}  // namespace cornu::inline v0
