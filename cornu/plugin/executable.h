#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/plugin/buffer.h"
#include "cornu/plugin/client.h"
#include "cornu/plugin/compile_options.h"
#include "cornu/plugin/layouts.h"
#include "cornu/plugin/shardings.h"
#include "cornu/runtime/host_view.h"

namespace cornu::inline v0::plugin {

/// Type of a parameter or a result of a program, and the kind of memory of a result.
struct TensorInfo {
  PJRT_Buffer_Type type;
  Dims dims;
  std::size_t size_bytes;
  std::size_t memory_kind = 0;  // in kMemoryKinds
  bool fits(const PJRT_Buffer& buffer) const { return type == buffer.type && dims == buffer.dims; }
};

/// The operands of the engine's program, which the executions fill in: they follow each other on the client's
/// queue.
struct CallFrame {
  std::vector<runtime::HostView> state_views, fixed_views;
  std::vector<runtime::Buffer*> state, fixed;
  std::vector<std::byte*> outputs;
};

inline constexpr std::int64_t kNotDonated = -1;

/// A program that was compiled for devices of a client. Its replicas, or its partitions, are one program of the
/// engine.
struct Program {
  std::string name;
  PJRT_Client* client = nullptr;
  CompileOptions options;
  std::string source, fingerprint;    // source: the program and its options
  std::vector<PJRT_Device*> devices;  // one for each replica or partition
  std::unique_ptr<runtime::Executable> engine;
  std::vector<TensorInfo> parameters, results;  // on one device, like the donations
  std::vector<std::int64_t> donations;  // by parameter: the result that takes its memory, or kNotDonated
  std::size_t new_bytes = 0;            // memory of the results on one device that take no argument's
  // Operands of all devices, those of the first one first; the executing thread uses them.
  CallFrame frame;
  std::vector<std::size_t> positions;  // by parameter: in the frame's state or fixed operands
  std::vector<std::int64_t> outputs;   // by result: in the frame's outputs; kNotDonated: it is state
  std::byte token = {};                // the last output of a program with side effects
  bool calls_host = false;             // an execution ends before the call that begins it returns
  bool is_running = false;             // used by the executing thread
  /// Duration of the last execution in nanoseconds.
  std::atomic<std::int64_t> duration_ns{1'000'000'000};
  // Descriptions in the form of the C interface.
  LayoutList parameter_layouts, output_layouts;
  ShardingList parameter_shardings, result_shardings;
  std::vector<PJRT_Buffer_Type> result_types;
  std::vector<std::int64_t> result_dims;
  std::vector<std::size_t> result_ranks;
  std::vector<const char*> memory_kinds;
  std::vector<std::size_t> memory_kind_sizes;
  std::array<PJRT_NamedValue, 2> costs = {};
};

/// Compiles StableHLO, as text or bytecode, with a CompileOptionsProto.
/// Errors: those of the reader, of the options and of the engine; those of transform::partition; Unimplemented for replicas
///         of several partitions.
std::shared_ptr<Program> compile(PJRT_Client& client, std::string_view code, std::string_view options);
/// The program as it was given, as text or bytecode.
std::string_view code_of(const Program& program);
/// The program, its options, and its machine code if the client's cache has it.
std::string serialize(const Program& program);
/// Compiles a serialized program; its machine code goes to the client's cache, where the compilation finds it.
/// Errors: InvalidArgument if another version wrote it, or if it is cut off.
std::shared_ptr<Program> load(PJRT_Client& client, std::string_view serialized);

/// Begins an execution. One of a program that calls functions of the host ends before this returns.
/// Errors: InvalidArgument, with nothing changed, for arguments that do not fit. An error of the program itself
///         is reported by its results and events, or here if the program calls functions of the host.
void execute(const std::shared_ptr<Program>& program, PJRT_LoadedExecutable_Execute_Args& args);

/// Adds the functions of executables to the interface.
void add_executable_functions(PJRT_Api& api);

}  // namespace cornu::inline v0::plugin

struct PJRT_Executable {
  std::shared_ptr<cornu::plugin::Program> program;
};

struct PJRT_LoadedExecutable {
  std::shared_ptr<cornu::plugin::Program> program;
  std::atomic<bool> is_deleted{false};
};
