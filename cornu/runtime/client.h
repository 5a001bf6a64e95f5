#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cornu/runtime/eager_program.h"
#include "cornu/runtime/executable.h"

namespace cornu::inline v0::runtime {

/// Settings of a client, fixed for its life.
struct ClientOptions {
  /// Worker threads, the caller included; 0: what the affinity mask and the cgroup's CPU quota allow.
  int num_threads = 0;
  /// Instruction set level: "sse2", "avx2", "avx512"; empty: the best this CPU has.
  std::string isa;
  /// The folder that keeps compiled code between processes; empty: the environment's (see environment::cache_folder), "off": none.
  std::string cache_folder;
};

/// A connection to one backend's devices.
/// Threads: safe.
class Client {
 public:
  virtual ~Client() = default;

  virtual std::string platform() const = 0;  // "cpu", "reference"
  /// One line for `cornu devices`: processor, threads, instruction set in use and those there are.
  virtual std::string description() const = 0;
  virtual int num_threads() const { return 1; }

  /// Zero-filled memory. Throws ResourceExhausted, naming the bytes, when there is not enough.
  virtual std::unique_ptr<Buffer> allocate(const ir::TensorType& type) = 0;

  /// Compiles; the program is copied from, not kept.
  virtual std::unique_ptr<Executable> compile(const StepProgram& program) = 0;

  /// Makes a function ready to run at once on host memory: cheap to make, cheap to call, for what runs op by op. The function is copied
  /// from, not kept. Null: the client runs whole programs only, and operations run on the CPU.
  virtual std::unique_ptr<EagerProgram> prepare(const ir::Function&) { return nullptr; }
};

/// Creates a client of a registered backend. Throws NotFound that lists the names there are.
std::shared_ptr<Client> make_client(const std::string& platform, const ClientOptions& options = {});

/// A row of the table that CMake generates from the folders under cornu/backends (see cmake/Backends.cmake).
struct BackendEntry {
  const char* platform;
  std::shared_ptr<Client> (*make)(const ClientOptions&);
};
const std::vector<BackendEntry>& backend_entries();

}  // namespace cornu::inline v0::runtime
