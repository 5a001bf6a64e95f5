#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/runtime/client.h"
#include "cornu/tensor/value/placement.h"
#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0 {

/// The options of the default client: CORNU_NUM_THREADS threads if that is set. Errors: InvalidArgument if it
/// is not a valid number.
runtime::ClientOptions default_client_options();

/// The client of the first CPU and of all virtual ones, used outside of any DeviceScope: platform "cpu" (with
/// CORNU_NUM_THREADS threads if that is set) unless another was set. Made on first use.
/// Threads: safe.
std::shared_ptr<runtime::Client> default_client();

/// Replaces the default client; null: back to a lazily made "cpu" with the options of the process's start.
/// Variables move to it at their next use.
void set_default_client(std::shared_ptr<runtime::Client> client);

/// Adds the devices of another client under names by their types, numbered after the existing ones ("GPU:0",
/// "GPU:1"; a further CPU is "CPU:1"). From here on DeviceScope, to_device, models and functions can use
/// them. Returns their full names; devices that were added before keep their names.
/// Errors: FailedPrecondition for null. Threads: safe.
std::vector<std::string> add_devices(std::shared_ptr<runtime::Client> client);
/// Makes a client by its spec (see runtime::make_client) and adds its devices.
std::vector<std::string> connect_devices(const StringArgument& spec,
                                         const runtime::ClientOptions& options = default_client_options());
/// Removes the names; using them is NotFound from then on. Values on the devices stay readable as long as the
/// client can read them. The default client's devices cannot be removed. Threads: safe.
void remove_devices(const std::shared_ptr<runtime::Client>& client);

/// A device that tensors and operations can be placed on.
struct LogicalDevice {
  std::string name;         // "/device:CPU:0"
  std::string device_type;  // "CPU"
};
/// A device of the machine.
struct PhysicalDevice {
  std::string name;  // "/physical_device:CPU:0"
  std::string device_type;
};

/// Lists the devices of one type ("CPU"; case does not matter), or all. GPUs and TPUs of installed plug-ins
/// are connected; a plug-in's CPU ("XLA_CPU") only if its type is requested. After this call the number of
/// virtual devices is fixed (see set_logical_devices).
std::vector<LogicalDevice> list_logical_devices(StringViewArgument device_type = "");
std::vector<PhysicalDevice> list_physical_devices(StringViewArgument device_type = "");

struct LogicalDevices {
  int cpu = 1;
};
/// Makes N virtual CPU devices, to run and test programs for several devices on one. They share the
/// processor, its threads and its memory.
/// Errors: InvalidArgument unless there are 1 to 256; FailedPrecondition once devices were used (listed,
///         entered, or an operation ran), with nothing changed; the current number is never an error.
void set_logical_devices(const LogicalDevices& devices);

/// The full name of a device, as TensorFlow prints it: "/job:localhost/replica:0/task:0/device:CPU:0".
///
/// Accepts every form: "CPU:0", "cpu:0", "CPU", "/CPU:0", "/device:CPU:1",
/// "/job:worker/replica:0/task:0/device:CPU:0". Parts may be omitted; a device without a number is number 0.
/// This process is replica 0, task 0 of the jobs "localhost" and "worker".
/// Errors: InvalidArgument if it is not a device name, NotFound for a device that does not exist; both list
///         the existing ones. There is no soft placement: operations run only where requested.
std::string canonical_device_name(StringViewArgument name);

namespace detail {

/// The device of this thread's operations.
struct CurrentDevice {
  int index = 0;            // in the table of devices
  bool is_foreign = false;  // true if it is not one of the default client's
  bool is_scoped = false;   // true inside a scope that names a device
};

}  // namespace detail

/// Runs this thread's operations on the device while it lives; their results are stored there, whatever
/// devices their operands are on (these are copied; between the CPU's virtual devices the copy shares
/// memory). Outside any scope the device is the first CPU. Scopes nest; an empty name means the default
/// device again. Functions and models that are compiled in the scope run there. On a device that runs whole
/// programs only, each operation becomes a program of its own.
/// Errors: those of canonical_device_name.
class DeviceScope {
 public:
  explicit DeviceScope(StringViewArgument name);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  detail::CurrentDevice before_;
};

/// Calls f() inside a scope.
template <typename F>
auto with_device(StringViewArgument name, F&& f) {
  const DeviceScope scope(name);
  return f();
}

/// Moves the tensor to another device; a symbolic tensor is returned unchanged (a program runs on one
/// device). Gradients flow back to the original device.
/// Errors: those of canonical_device_name and of the move.
Tensor to_device(const Tensor& tensor, StringViewArgument name);

namespace detail {

const CurrentDevice& current_device();
/// Indices in the table of devices.
int current_device_index();
const std::string& device_name(int index);
std::string short_device_name(int index);  // "CPU:0"
/// A client and its device. Errors: NotFound if the device has been removed.
Placement placement_of(int index);
/// The index of a client's device; -1 if it is not in the table.
int index_of_device(const runtime::Client* client, int device);
/// Runs this thread's operations on the host instead of the scope's device while it lives: for arithmetic on
/// a few numbers read from the device.
class HostScope {
 public:
  HostScope();
  ~HostScope();
  HostScope(const HostScope&) = delete;
  HostScope& operator=(const HostScope&) = delete;

 private:
  CurrentDevice before_;
};
/// Notes that an operation ran: the number of devices is fixed from now on.
void mark_devices_used();

/// Changes whenever the default client does.
std::uint64_t default_client_generation();

/// Makes a "cpu" client with these options the default one. host_client() uses the options too, until
/// set_default_client(null). Errors: those of runtime::make_client, with nothing changed.
void set_default_cpu(const runtime::ClientOptions& options);
/// The "cpu" client for eager operations when the default client runs whole programs only. Made on first use.
/// Threads: safe.
std::shared_ptr<runtime::Client> host_client();

}  // namespace detail

}  // namespace cornu::inline v0
