#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cornu/runtime/buffer.h"
#include "cornu/runtime/event.h"
#include "cornu/runtime/precision.h"

namespace cornu::inline v0::ir {
struct Function;
}  // namespace cornu::inline v0::ir

/// Requirements on a backend's executables:
///  * Make a ProgramSignature of the program and the client, and let it check each execution before any work.
///  * Run num_steps steps: rows are gathered by the indices from host memory or from a device's buffer, the
///    state is carried from step to step, and outputs of all steps are concatenated. The backend chooses how
///    steps reach the device (one by one, or as a loop over stacked batches).
///  * Read the rows in host memory and their indices before execute returns. The caller keeps all other
///    operands unchanged until the event is done, and no longer; the backend copies what it needs later. An
///    empty event means that the work is done when execute returns.
///  * Let executions be submitted while earlier ones run. If one fails, those after it that use its state fail
///    with the same error and change nothing.
///  * Poll Progress where steps can end: on the CPU between two steps, elsewhere before each call to the
///    device. Finish the steps that have begun.
///  * When a step fails, throw an Error that states the cause. The state's buffers then hold the values from
///    before the execution or from between two of its steps, as Progress::steps_done tells; if the device has
///    destroyed them, every use of these buffers throws an Error that states it. Outputs are undefined.
/// The one interface to run programs. Backends implement it independently of each other.
namespace cornu::inline v0::runtime {

/// The role of a step's argument.
enum class ArgumentKind {
  kState,      // carried from step to step: result i of the step replaces state argument i in place (donated)
  kFixed,      // the same buffer in every step, which is only read
  kRows,       // [batch, ...]: the program gathers its rows from a base by the step's indices
  kValidRows,  // i32 scalar: how many of the batch's rows are data; the rest is padding
};

/// Algorithms allowed for the convolutions of a program.
enum class ConvolutionAlgorithm {
  kAuto,    // the fastest one, unless the environment selects kDirect
  kDirect,  // the sums of the definition, without Winograd's method
};

/// Communication volume of replicas fused into one program; the simulator adds its cost.
struct ReplicaWork {
  std::int64_t num_replicas = 1;
  double exchanged_bytes = 0;  // bytes that each replica sends to its ring neighbour in one step
  double num_messages = 0;     // number of messages for them
};

/// A program: one step as a function, run any number of times a call. The number of steps and the number of
/// data rows of a kRows argument are run-time values, never part of the compiled code.
///
/// Arguments of different kinds may be mixed. Results are first one for each kState argument, in their order,
/// then outputs of any shape. The outputs of all steps are concatenated in the caller's memory: [batch, ...]
/// gives all rows in order.
struct StepProgram {
  const ir::Function* step = nullptr;
  std::vector<ArgumentKind> arguments;
  std::string name = "step";
  ConvolutionAlgorithm convolution_algorithm = ConvolutionAlgorithm::kAuto;
  /// Precision of its f32 dots and convolutions.
  Precision precision = Precision::kAuto;
  /// When set, compilation stops soon with an Error(kCancelled); null: never.
  const std::atomic<bool>* stop = nullptr;
  /// Indices of the client's devices that run it together, one replica each, in this order; empty: device 0
  /// alone.
  std::vector<int> devices = {};
  /// If true, every node of the client (Client::node) runs it on as many devices as `devices` names, and the
  /// replicas of all nodes work together, those of node 0 first. An execution here runs this node's replicas;
  /// all nodes must execute the same programs in the same order.
  bool spans_nodes = false;
  /// True if its buffers may be in the memory of any device of the client: replicas that are fused into one
  /// program hold parts of variables in their own memory.
  bool reaches_all_devices = false;
  /// Communication volume, if the program does the work of several replicas on one device.
  ReplicaWork replica_work = {};
};

/// Shared with a running execution; both sides may read and write at any time.
struct Progress {
  std::atomic<std::int64_t> steps_done{0};  // written by the program after each step, or after several
  std::atomic<bool> stop{false};  // set by the host: the program ends before the steps that it has not begun
  /// A request to stop that several executions share; null: none.
  const std::atomic<bool>* shared_stop = nullptr;

  bool is_stopping() const { return stop.load() || (shared_stop != nullptr && shared_stop->load()); }
};

/// The operands of one device in an execution. Spans are in the order of the step's arguments (results) of
/// that kind.
struct Replica {
  std::span<Buffer* const> state = {};
  std::span<Buffer* const> fixed = {};
  /// Sources of rows: either addresses of row-major host data, in which row r starts at r * row_bytes, or
  /// buffers [rows, ...] on the device.
  std::span<const std::byte* const> rows = {};
  std::span<Buffer* const> row_buffers = {};
  /// num_steps * batch row numbers in host memory. All are valid rows, also those of padding.
  const std::int64_t* row_indices = nullptr;
  std::int64_t num_rows = 0;  // data rows in all steps together; step k has min(batch, num_rows - k * batch)
  /// Destinations of outputs, each large enough for num_steps steps: either host memory or buffers on the
  /// device.
  std::span<std::byte* const> outputs = {};
  std::span<Buffer* const> output_buffers = {};
};

/// The operands of one execution.
struct Execution {
  std::span<const Replica> replicas;  // one for each device of the program
  std::int64_t num_steps = 1;
  Progress* progress = nullptr;  // may be null
};

/// An execution that was submitted.
struct Submission {
  /// Is done when all submitted work is done; an empty event is already done.
  Event done;
  /// Fewer than requested if Progress::stop was set; final once `done` is.
  std::int64_t num_steps = 0;
};

/// Results of compilation, for History, `explain` and tests.
struct CompileStats {
  double compile_seconds = 0;
  double code_seconds = 0;  // part of compile_seconds for machine code: generation or cache lookup
  bool from_cache = false;  // machine code came from the disk cache
  std::size_t arena_bytes = 0;
  int num_groups = 0;
  int num_library_calls = 0;
  int num_reference_fallbacks = 0;
  /// Multiplications and additions of a step's dots, convolutions and recurrent sequences; what is inside a
  /// loop counts once.
  double flops = 0;
  /// The parts of `flops` in convolutions and in recurrent sequences; 0 if the backend does not separate
  /// them.
  double convolution_flops = 0;
  double sequence_flops = 0;
  /// The size of the step's state: weights, optimizer slots and metrics. Each is read and written at most
  /// once a step.
  std::size_t state_bytes = 0;
};

class Profiler;

/// A compiled StepProgram. Threads: execute may be called from many threads at once (on different state);
/// each call leases an arena.
class Executable {
 public:
  virtual ~Executable() = default;

  /// Begins to run `execution.num_steps` steps, after all earlier calls of the client. The execution uses
  /// host memory and buffers until it is done.
  /// Errors: InvalidArgument, with nothing changed, if the execution does not fit the program, or a buffer
  ///         belongs to another client. An error inside a step comes from here or from the event; the top of
  ///         this file specifies the state then.
  virtual Submission execute(const Execution& execution) = 0;
  /// Runs a program of one replica and waits; returns the number of steps done.
  std::int64_t run(const Replica& replica, std::int64_t num_steps = 1, Progress* progress = nullptr) {
    const Submission submission =
        execute({.replicas = {&replica, 1}, .num_steps = num_steps, .progress = progress});
    submission.done.wait();
    return submission.num_steps;
  }

  /// Compiles the missing programs for executions of `num_steps` steps: a device that runs steps as a loop
  /// over stacked batches has programs of a few lengths. Without this call the first such execution compiles.
  /// Errors: those of Client::compile.
  virtual void prepare(std::int64_t num_steps) { (void)num_steps; }

  /// Returns the bytes of memory, besides buffers, that the executable keeps after an execution of `num_steps`
  /// steps of each replica's operands, if executions run one at a time. Compiles as prepare does.
  virtual std::size_t kept_bytes(const Replica& replica, std::int64_t num_steps) {
    (void)replica;
    prepare(num_steps);
    return stats().arena_bytes;
  }

  virtual const CompileStats& stats() const = 0;

  /// A readable report: each group with its ops, bytes, flops and predicted microseconds, library calls,
  /// fallbacks, arena size; with a profiler that has measured this executable, the measured microseconds too.
  virtual std::string explain(const Profiler* measured) const = 0;
  std::string explain() const { return explain(nullptr); }

  /// The lowered program of a stage ("plan", "llvm", "assembly", ...); throws InvalidArgument that lists the
  /// stages there are.
  virtual std::string dump(const std::string& stage) const = 0;
};

}  // namespace cornu::inline v0::runtime
