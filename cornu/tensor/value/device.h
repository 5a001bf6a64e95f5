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

/// What the default client is made with: CORNU_NUM_THREADS threads if that is set. Errors: InvalidArgument
/// when it holds no such number.
runtime::ClientOptions default_client_options();

/// The client of the first CPU and of all virtual ones, which works where no DeviceScope says otherwise:
/// platform "cpu" (with CORNU_NUM_THREADS threads if that is set) unless another was set, made on first need.
/// Threads: safe.
std::shared_ptr<runtime::Client> default_client();

/// Replaces the default client; null: back to a lazily made "cpu", with the options that it has at the start
/// of a process. Variables move to it with their next use.
void set_default_client(std::shared_ptr<runtime::Client> client);

/// Gives the devices of another client names: by their types, numbered behind those there are ("GPU:0",
/// "GPU:1"; a further CPU is "CPU:1"). From here on DeviceScope, to_device, models and functions can use
/// them. Returns their full names; of devices that have names already, those.
/// Errors: FailedPrecondition for null. Threads: safe.
std::vector<std::string> add_devices(std::shared_ptr<runtime::Client> client);
/// The same of a client that is made by its spec (see runtime::make_client).
std::vector<std::string> connect_devices(const StringArgument& spec,
                                         const runtime::ClientOptions& options = default_client_options());
/// Takes the names away; using them is NotFound from then on. What lives on the devices stays readable as
/// long as the client can read it. The default client's stay. Threads: safe.
void remove_devices(const std::shared_ptr<runtime::Client>& client);

/// A device that tensors and operations can be placed on.
struct LogicalDevice {
  std::string name;         // "/device:CPU:0"
  std::string device_type;  // "CPU"
};
/// A device that the machine has.
struct PhysicalDevice {
  std::string name;  // "/physical_device:CPU:0"
  std::string device_type;
};

/// The devices of one type ("CPU"; upper and lower case are one), or all. GPUs and TPUs of plug-ins that are
/// installed are connected; a plug-in's CPU ("XLA_CPU") only where it is asked for by its type. From here on
/// they are fixed (see set_logical_devices).
std::vector<LogicalDevice> list_logical_devices(StringViewArgument device_type = "");
std::vector<PhysicalDevice> list_physical_devices(StringViewArgument device_type = "");

struct LogicalDevices {
  int cpu = 1;
};
/// Makes N virtual CPU devices, to run and test programs for several devices on one. They share the
/// processor, its threads and its memory.
/// Errors: InvalidArgument unless there are 1 to 256; FailedPrecondition once devices were used (listed,
///         entered, or an operation ran), and nothing changes; the number that there is already is no error.
void set_logical_devices(const LogicalDevices& devices);

/// The full name of a device, as TensorFlow prints it: "/job:localhost/replica:0/task:0/device:CPU:0".
///
/// Understands every form: "CPU:0", "cpu:0", "CPU", "/CPU:0", "/device:CPU:1",
/// "/job:worker/replica:0/task:0/device:CPU:0". Parts may be left out; a device without a number is number 0.
/// This process is replica 0, task 0 of the jobs "localhost" and "worker".
/// Errors: InvalidArgument for what is no device name, NotFound for a device that is not there; both list
///         those there are. There is no soft placement: nothing runs elsewhere than it was asked to.
std::string canonical_device_name(StringViewArgument name);

namespace detail {

/// The device of this thread's operations.
struct CurrentDevice {
  int index = 0;            // in the table of devices
  bool is_foreign = false;  // not one of the default client's
  bool is_scoped = false;   // a scope that names a device says so
};

}  // namespace detail

/// While it exists, operations of this thread run on this device and their results live there, whatever
/// devices their operands are on (these are copied; between the CPU's virtual devices the copy shares
/// memory). Outside any scope that is the first CPU. Scopes nest; an empty name means the default device
/// again. Functions and models that are compiled in it run there. On a device that runs whole programs only,
/// each operation becomes a program of its own.
/// Errors: as canonical_device_name.
class DeviceScope {
 public:
  explicit DeviceScope(StringViewArgument name);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  detail::CurrentDevice before_;
};

/// f() inside a scope.
template <typename F>
auto with_device(StringViewArgument name, F&& f) {
  const DeviceScope scope(name);
  return f();
}

/// The tensor on another device, in its memory; a symbolic tensor stays as it is (programs run where their
/// step runs). Gradients flow back to the device where it was.
/// Errors: as canonical_device_name; what moving it throws.
Tensor to_device(const Tensor& tensor, StringViewArgument name);

namespace detail {

const CurrentDevice& current_device();
/// The places of devices in the table.
int current_device_index();
const std::string& device_name(int index);
std::string short_device_name(int index);  // "CPU:0"
/// A client and its device. Errors: NotFound when the device has been removed.
Placement placement_of(int index);
/// The place of a client's device; -1 for one that has none.
int index_of_device(const runtime::Client* client, int device);
/// Runs on the host what would otherwise run on the scope's device: arithmetic on a few numbers that are read
/// from there.
class HostScope {
 public:
  HostScope();
  ~HostScope();
  HostScope(const HostScope&) = delete;
  HostScope& operator=(const HostScope&) = delete;

 private:
  CurrentDevice before_;
};
/// An operation ran: the devices are fixed.
void mark_devices_used();

/// Changes whenever the default client does.
std::uint64_t default_client_generation();

/// Makes a "cpu" client with these options the default one. host_client() has the options too, until
/// set_default_client(null). Errors: as runtime::make_client, and nothing changes.
void set_default_cpu(const runtime::ClientOptions& options);
/// The "cpu" client that single operations run on when the default client runs whole programs only. Made on
/// first need. Threads: safe.
std::shared_ptr<runtime::Client> host_client();

}  // namespace detail

}  // namespace cornu::inline v0
