#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cornu/ir/graph.h"
#include "cornu/runtime/buffer.h"
#include "cornu/runtime/event.h"
#include "cornu/runtime/precision.h"

/// What a backend's executables must do:
///  * Give a ProgramSignature the program and the client when they are made, and have it check each execution
///    before anything is done with it.
///  * Run num_steps steps: rows are gathered by the indices from host memory or from a device's buffer, the
///    state goes from step to step, and outputs of all steps follow each other. How the steps reach the
///    device (one by one, or as a loop over slabs) is theirs to choose.
///  * All that an execution refers to stays as it is until its event is done, and no longer: what is needed
///    later is copied before. An event that is empty says that the work is done when execute returns.
///  * Look at Progress where steps can end: on the CPU between two steps, elsewhere before each call to the
///    device. What they have begun they finish.
///  * When a step fails: an Error says why. The state's buffers then hold the values from before the
///    execution or from between two of its steps, and Progress::steps_done says which; where the device has
///    destroyed them, every use of these buffers throws an Error that says so. Outputs are undefined.
/// The one interface to run programs. Backends implement it; none knows another.
namespace cornu::inline v0::runtime {

/// How a step's argument is fed.
enum class ArgumentKind {
  kState,      // carried from step to step: result i of the step replaces state argument i in place (donated)
  kFixed,      // the same buffer in every step, which is only read
  kRows,       // [batch, ...]: the program gathers its rows from a base by the step's indices
  kValidRows,  // i32 scalar: how many of the batch's rows are data; the rest is padding
};

/// How the convolutions of a program may be computed.
enum class ConvolutionAlgorithm {
  kAuto,    // by what is fastest, unless the environment asks for kDirect
  kDirect,  // by the sums of the definition, without Winograd's method
};

/// What replicas that were made into one program would exchange if each ran on a device of its own.
/// Who simulates such devices charges it.
struct ReplicaWork {
  std::int64_t num_replicas = 1;
  double exchanged_bytes = 0;  // what each replica sends to its neighbour in a ring in one step
  double num_messages = 0;     // in how many messages it sends them
};

/// A program: one step as a function, run any number of times a call. The number of steps and the number of
/// rows behind a kRows argument are run-time values, never part of what is compiled.
///
/// The step's arguments come in any order of kinds; its results are first one a kState argument (in their
/// order), then outputs of any shape: those of all steps follow each other in the caller's memory (so [batch,
/// ...] gives all rows in order).
struct StepProgram {
  const ir::Function* step = nullptr;
  std::vector<ArgumentKind> arguments;
  std::string name = "step";
  ConvolutionAlgorithm convolution_algorithm = ConvolutionAlgorithm::kAuto;
  /// How exactly its dots and convolutions of f32 are computed.
  Precision precision = Precision::kAuto;
  /// Compiling it gives up, with an Error(kCancelled), soon after this was set; null: never.
  const std::atomic<bool>* stop = nullptr;
  /// The client's devices that run it together, a replica on each, in this order; empty: device 0 alone.
  std::vector<int> devices = {};
  /// Every node of the client (Client::node) runs it on as many devices as `devices` names, and the replicas
  /// of all nodes work together, those of node 0 first. An execution here runs this node's replicas; all
  /// nodes execute the same programs in the same order.
  bool spans_nodes = false;
  /// What its replicas would exchange, where it does the work of several replicas on one device.
  ReplicaWork replica_work = {};
};

/// Shared with a running execution; both sides may read and write at any time.
struct Progress {
  std::atomic<std::int64_t> steps_done{0};  // written by the program after each step, or after several
  std::atomic<bool> stop{false};  // set by the host: the program ends before the steps that it has not begun
};

/// What one device works on in an execution. Spans are in the order of the step's arguments (results) of that
/// kind.
struct Replica {
  std::span<Buffer* const> state = {};
  std::span<Buffer* const> fixed = {};
  /// Where rows are gathered from: addresses of row-major host data, row r starts at r * row_bytes; or
  /// buffers [rows, ...] on the device. One of the two.
  std::span<const std::byte* const> rows = {};
  std::span<Buffer* const> row_buffers = {};
  /// num_steps * batch entries in host memory. Each is a valid row, those of padding too.
  const std::int64_t* row_indices = nullptr;
  std::int64_t num_rows = 0;  // data rows in all steps together; step k has min(batch, num_rows - k * batch)
  /// Where outputs go, each with room for those of num_steps steps: host memory, or buffers on the device.
  /// One of the two.
  std::span<std::byte* const> outputs = {};
  std::span<Buffer* const> output_buffers = {};
};

/// What one execution works on.
struct Execution {
  std::span<const Replica> replicas;  // one for each device of the program
  std::int64_t num_steps = 1;
  Progress* progress = nullptr;  // may be null
};

/// An execution that was submitted.
struct Submission {
  /// Comes when all that was submitted has been done; an empty event says that it has been already.
  Event done;
  /// Fewer than were asked for where Progress said stop; final once `done` is.
  std::int64_t num_steps = 0;
};

/// What compiling found out, for History, `explain` and tests.
struct CompileStats {
  double compile_seconds = 0;
  double code_seconds = 0;  // the part of compile_seconds in which machine code was made or found
  bool from_cache = false;  // machine code came from the disk cache
  std::size_t arena_bytes = 0;
  int num_groups = 0;
  int num_library_calls = 0;
  int num_reference_fallbacks = 0;
  /// Multiplications and additions of a step's dots, convolutions and recurrent sequences; what is inside a
  /// loop counts once.
  double flops = 0;
  /// The parts of `flops` that are in convolutions and in recurrent sequences; 0 where a backend does not
  /// tell them apart.
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

  /// Begins to run `execution.num_steps` steps, behind all that the client was told before; host memory and
  /// buffers are the execution's until it is done.
  /// Errors: InvalidArgument, with nothing changed, when the execution does not fit the program, or a buffer
  ///         is another client's. An error inside a step comes from here or from the event; see the top of
  ///         this file for the state.
  virtual Submission execute(const Execution& execution) = 0;
  /// Runs a program of one replica until it is done; returns the steps done.
  std::int64_t run(const Replica& replica, std::int64_t num_steps = 1, Progress* progress = nullptr) {
    const Submission submission =
        execute({.replicas = {&replica, 1}, .num_steps = num_steps, .progress = progress});
    submission.done.wait();
    return submission.num_steps;
  }

  /// Compiles what executions of `num_steps` steps need and is not there yet: a device that runs many steps
  /// as a loop over slabs has programs of a few lengths. Without it the first such execution compiles.
  /// Errors: as Client::compile.
  virtual void prepare(std::int64_t num_steps) { (void)num_steps; }

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
