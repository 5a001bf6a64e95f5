#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/base/string_argument.h"
#include "cornu/runtime/buffer.h"
#include "cornu/runtime/call_counts.h"
#include "cornu/runtime/device_info.h"
#include "cornu/runtime/eager_program.h"
#include "cornu/runtime/executable.h"
#include "cornu/runtime/key_value_store.h"

/// What a backend must do:
///  * Derive Client, and give its constructor the devices that it has. Implement do_allocate and compile; on
///    devices that the host cannot address also do_write and do_read, each call of which is one round trip
///    however many buffers it moves; do_copy where the device can copy without the host; now() where time is
///    not the host's.
///  * Derive Buffer, and implement host_data and writable_host_data only where the host can address the
///    memory.
///  * Derive Executable (see executable.h for what an execution means).
///  * Order: what a client is told to do takes effect in the order in which it was told, from whatever
///    thread: a read sees the execution before it. Nothing else may be assumed about when it happens; only
///    events, reads and copies to the host wait.
///  * Errors: a failed execution says so once it is known, by throwing from execute, from its event, or from
///    the first read of what it should have made. Until then all that builds on it fails with the same error,
///    and changes nothing. After that the client goes on: buffers hold what executable.h says, and the next
///    execution may succeed.
///  * Counting: with a device that is not addressable, note() executions and compiles; writes, reads and
///    copies are counted here.
///  * A folder cornu/backends/NAME with a backend.h (see cmake/Backends.cmake).
namespace cornu::inline v0::runtime {

class DistantClient;

/// Settings of a client, fixed for its life. Backends ignore what does not concern them.
struct ClientOptions {
  /// Worker threads of the host, the caller included; 0: what the affinity mask and the cgroup's CPU quota
  /// allow.
  int num_threads = 0;
  /// Instruction set level: "sse2", "avx2", "avx512"; empty: the best this CPU has.
  std::string isa;
  /// The folder that keeps compiled code between processes; empty: the environment's (see
  /// environment::cache_folder), "off": none.
  std::string cache_folder;
  /// Where it is set, several processes make their clients together, and each client knows the devices of
  /// all. Backends that cannot do that refuse it.
  std::shared_ptr<const ClientNode> node = nullptr;
};

/// Which one a client is among those of several processes that know each other.
struct NodePlace {
  int id = 0;
  int count = 1;
  bool operator==(const NodePlace&) const = default;
};

/// One buffer's part of a batch that is copied from / to host memory of type().size_bytes() bytes.
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
  virtual ~Client() = default;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  virtual std::string platform() const = 0;  // "cpu", "reference"
  /// One line for `cornu devices`: processor, threads, instruction set in use and those there are.
  virtual std::string description() const = 0;
  virtual int num_threads() const { return 1; }
  /// Platform and a number that no other client of this process has, for errors: "cpu (client 1)".
  std::string name() const;

  /// At least one; the list never changes.
  std::span<const DeviceInfo> devices() const { return devices_; }
  /// Whether the host reads and writes the memory of all devices in place.
  bool is_addressable() const { return is_addressable_; }
  /// Whether a device is simulated, here or in a worker: then figures of this client must be called so
  /// wherever they are printed.
  bool is_simulated() const;
  /// What a client whose devices are in another process can do besides; null for all others.
  virtual DistantClient* distant() { return nullptr; }
  /// Whether the devices are gone, with all that they held: a device went away, or the session on its worker
  /// has ended. A worker that has just fallen silent may still be taken to be there.
  virtual bool has_lost_devices() const { return false; }
  /// Whether rows that are used again are better kept in buffers here than sent each time: executions gather
  /// them where they are (Replica::row_buffers).
  virtual bool keeps_rows() { return distant() != nullptr; }
  /// Which of several processes' clients this is (ClientOptions::node); devices() are those of this process.
  virtual NodePlace node() const { return {}; }

  /// Seconds since some moment, by the clock that this client's work is measured with: the host's, or a
  /// virtual one.
  virtual double now() const;

  /// Memory for a tensor on a device. It is filled with zeros where the host can address it; elsewhere it has
  /// no value until it is written, or an execution puts an output there.
  /// Errors: ResourceExhausted, naming the bytes, when there is not enough; InvalidArgument for a device that
  ///         is not there.
  std::unique_ptr<Buffer> allocate(const ir::TensorType& type, int device = 0);
  /// A buffer of its own with the same value on a device of this client. Errors: as read, and as allocate.
  std::unique_ptr<Buffer> copy(const Buffer& buffer, int device);

  /// Copies many buffers from / to host memory in one round trip. When it returns, host memory is the
  /// caller's again.
  /// Errors: InvalidArgument, naming both clients, for a buffer of another client, and FailedPrecondition for
  ///         a null pointer where there are bytes: nothing is copied then. Or the backend's own error, after
  ///         which some buffers of a write may have their new values and others not.
  void write(std::span<const Write> writes);
  void read(std::span<const Read> reads);

  /// Compiles a program, which is copied, not kept.
  virtual std::unique_ptr<Executable> compile(const StepProgram& program) = 0;

  /// Makes a function ready to run at once on host memory. That is cheap to make and to call, for what runs
  /// op by op. The function is copied, not kept. Null where the client runs whole programs only: single
  /// operations become programs then.
  virtual std::unique_ptr<EagerProgram> prepare(const ir::Function&) { return nullptr; }

  /// What was done so far on devices that are not addressable.
  CallCounts counts() const;
  /// Adds a call of one kind. Backends add their executions and compiles, and transfers inside an execution.
  void note(CallCount CallCounts::* kind, const CallCount& call);

  /// Throws InvalidArgument that names this client and the buffer's, unless the buffer is this client's.
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
  /// By default it copies through host memory.
  virtual std::unique_ptr<Buffer> do_copy(const Buffer& buffer, int device);

 private:
  [[noreturn]] void refuse_foreign(const Buffer& buffer, std::string_view what) const;
  template <typename F>
  void counted(CallCount CallCounts::* kind, std::size_t num_buffers, std::size_t num_bytes, const F& work);

  std::vector<DeviceInfo> devices_;
  bool is_addressable_;
  int id_;
  mutable std::mutex counts_mutex_;
  CallCounts counts_;
};

/// Creates a client of a registered backend from "NAME" or "NAME:ARGUMENT": "cpu", "reference"; what the
/// argument means is the backend's business.
/// Errors: NotFound that lists what there is; InvalidArgument for an argument that is missing or not taken.
std::shared_ptr<Client> make_client(const StringArgument& spec, const ClientOptions& options = {});

/// An argument of a backend that comes with the library, for lists.
struct KnownArgument {
  std::string argument;
  std::string description;
};

/// A row of the table that CMake generates from the folders under cornu/backends (see cmake/Backends.cmake).
struct BackendEntry {
  const char* name;
  /// What users write behind the colon, as "PROFILE"; empty where there is no colon.
  const char* argument;
  std::shared_ptr<Client> (*make)(const std::string& argument, const ClientOptions&);
  std::vector<KnownArgument> (*known_arguments)();
};
const std::vector<BackendEntry>& backend_entries();

}  // namespace cornu::inline v0::runtime
