#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/runtime/buffer.h"
#include "cornu/runtime/client_node.h"
#include "cornu/runtime/device_info.h"
#include "cornu/runtime/eager_program.h"
#include "cornu/runtime/executable.h"
#include "cornu/runtime/transfer_statistics.h"

/// Requirements on a backend:
///  * Derive Client, and give its constructor the list of devices. Implement do_allocate and compile. For
///    devices that the host cannot address implement also do_write and do_read, each call of which is one
///    round trip however many buffers it moves; do_copy if the device can copy without the host; now() if
///    time is not the host's.
///  * Derive Buffer, and implement host_data and writable_host_data only if the host can address the memory.
///  * Derive Executable (executable.h specifies an execution).
///  * Order: calls take effect in the order in which they were made, from any thread: a read sees the
///    execution before it. Nothing else may be assumed about the time; only events, reads and copies to the
///    host wait.
///  * Errors: a failed execution reports its error once it is known, by throwing from execute, from its
///    event, or from the first read of a result. Until then all that depends on the execution fails with the
///    same error and changes nothing. After that the client stays usable: buffers hold what executable.h
///    specifies, and the next execution may succeed.
///  * Counting: if a device is not addressable, note() executions and compiles; writes, reads and copies are
///    counted here.
///  * Registration: a folder cornu/backends/NAME with a backend.h (see cmake/Backends.cmake).
namespace cornu::inline v0::runtime {

class DistantClient;

/// Settings of a client, fixed for its life. Backends ignore what does not concern them.
struct ClientOptions {  // options/runtime.toml
  /// Threads of the host, the caller included; 0: as many as the affinity mask and the cgroup's CPU quota
  /// allow.
  int num_threads = 0;
  /// Instruction set level: "sse2", "avx2" or "avx512"; empty: the best that the CPU has.
  std::string isa;
  /// Folder that keeps compiled code between processes; "off": none. Empty: the folder of the environment
  /// (see environment::cache_folder).
  std::string cache_folder;
  /// Rendezvous of processes that make their clients together, so that each client has the devices of all;
  /// null: a client of this process alone. Backends without support throw.
  std::shared_ptr<const ClientNode> node = nullptr;
};

/// A client's rank among the clients of several connected processes (ClientOptions::node).
struct NodePlace {
  int id = 0;
  int count = 1;
  bool operator==(const NodePlace&) const = default;
};

/// One buffer of a batched copy from / to host memory of type().size_bytes() bytes.
struct Write {
  Buffer* to = nullptr;
  const void* from = nullptr;
};
struct Read {
  const Buffer* from = nullptr;
  void* to = nullptr;
};

/// A connection to one backend's devices.
/// Threads: safe.
class Client {
 public:
  virtual ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  virtual std::string platform() const = 0;  // "cpu", "reference"
  /// One line for `cornu devices`: processor, threads, instruction set in use and those there are.
  virtual std::string description() const = 0;
  virtual int num_threads() const { return 1; }
  /// Platform and a number that no other client of this process has, for errors: "cpu (client 1)".
  std::string name() const;

  /// At least one; the list never changes.
  std::span<const DeviceInfo> devices() const { return {devices_.data(), devices_.size()}; }
  /// True if the host reads and writes the memory of all devices in place.
  bool is_addressable() const { return is_addressable_; }
  /// True if a device is simulated, here or in a worker. Printed figures of this client must then be marked
  /// as simulated.
  bool is_simulated() const;
  /// The additional interface of a client whose devices are in another process; null for all others.
  virtual DistantClient* distant() { return nullptr; }
  /// True if the devices and their contents are lost: a device was removed, or the session on its worker has
  /// ended. It may stay false for a while after a worker stops responding.
  virtual bool has_lost_devices() const { return false; }
  /// True if reused rows are better kept in device buffers than sent each time; executions then gather them
  /// on the device (Replica::row_buffers).
  virtual bool keeps_rows() { return distant() != nullptr; }
  /// The client's rank among several processes (ClientOptions::node); devices() are those of this process.
  virtual NodePlace node() const { return {}; }

  /// Seconds since a fixed moment, by the clock that measures this client's work: the host's or a virtual
  /// one.
  virtual double now() const;

  /// Allocates memory for a tensor on a device. It is filled with zeros if the host can address it; otherwise
  /// its value is undefined until a write or an execution's output.
  /// Errors: ResourceExhausted, with the number of bytes, if memory is short; InvalidArgument for a device
  ///         that does not exist.
  std::unique_ptr<Buffer> allocate(const ir::TensorType& type, int device = 0);
  /// Copies a buffer into a new buffer on a device of this client. Errors: those of read and allocate.
  std::unique_ptr<Buffer> copy(const Buffer& buffer, int device);

  /// Copies many buffers from / to host memory in one round trip. The caller may change the host memory after
  /// the return.
  /// Errors: InvalidArgument, with both clients' names, for a buffer of another client, and
  ///         FailedPrecondition for a null pointer to a tensor that has bytes: nothing is copied then.
  ///         Otherwise the backend's own error, after which some buffers of a write may have their new values
  ///         and others not.
  void write(std::span<const Write> writes);
  void read(std::span<const Read> reads);

  /// Compiles a program. The program is copied if needed later, not kept.
  virtual std::unique_ptr<Executable> compile(const StepProgram& program) = 0;

  /// Prepares a function to run at once on host memory, for eager operations: cheap to make and to call. The
  /// function is copied, not kept. Null if the client runs only whole programs; eager operations are compiled
  /// as programs then.
  virtual std::unique_ptr<EagerProgram> prepare(const ir::Function& function);

  /// Calls so far to devices that are not addressable.
  TransferStatistics counts() const;
  /// Adds a call of one kind. Backends add their executions and compiles, and transfers inside an execution.
  void note(CallTotal TransferStatistics::* kind, const CallTotal& call);

  /// Throws InvalidArgument with both clients' names unless the buffer belongs to this client.
  void require_own(const Buffer& buffer, std::string_view what) const {
    if (buffer.client() != this) [[unlikely]]
      refuse_foreign(buffer, what);
  }

 protected:
  explicit Client(std::vector<DeviceInfo> devices);

  /// `device` is one of devices(). Errors: ResourceExhausted.
  virtual std::unique_ptr<Buffer> do_allocate(const ir::TensorType& type, int device) = 0;
  /// The buffers are this client's, and a pointer is null only where there are no bytes. The default is for
  /// addressable devices.
  virtual void do_write(std::span<const Write> writes);
  virtual void do_read(std::span<const Read> reads);
  /// Copies through host memory by default.
  virtual std::unique_ptr<Buffer> do_copy(const Buffer& buffer, int device);

 private:
  [[noreturn]] void refuse_foreign(const Buffer& buffer, std::string_view what) const;
  template <typename F>
  void counted(CallTotal TransferStatistics::* kind, std::size_t num_buffers, std::size_t num_bytes,
               const F& work);

  std::vector<DeviceInfo> devices_;
  bool is_addressable_;
  int id_;
  struct Counts;
  std::unique_ptr<Counts> counts_;
};

/// Creates a client of a registered backend from "NAME" or "NAME:ARGUMENT": "cpu", "reference". Each backend
/// defines its argument.
/// Errors: NotFound that lists the backends; InvalidArgument for an argument that is missing or not accepted.
std::shared_ptr<Client> make_client(const StringArgument& spec, const ClientOptions& options = {});

/// An argument of a backend that is part of the library, for lists.
struct KnownArgument {
  std::string argument;
  std::string description;
};

/// A row of the table that CMake generates from the folders under cornu/backends (see cmake/Backends.cmake).
struct BackendEntry {
  const char* name;
  /// Placeholder of the text after the colon, such as "PROFILE"; empty if the backend takes no argument.
  const char* argument;
  std::shared_ptr<Client> (*make)(const std::string& argument, const ClientOptions&);
  std::vector<KnownArgument> (*known_arguments)();
};
const std::vector<BackendEntry>& backend_entries();

}  // namespace cornu::inline v0::runtime
