#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cornu/ir/graph.h"

/// The one interface to run programs. Backends implement it; none knows another.
namespace cornu::inline v0::runtime {

/// A tensor in a device's memory, row-major, 64-byte aligned.
/// Threads: one writer at a time.
class Buffer {
 public:
  virtual ~Buffer() = default;
  const ir::TensorType& type() const { return type_; }

  /// Copies size_bytes bytes from / to host memory; both wait for pending work on the buffer.
  virtual void copy_from_host(const void* source) = 0;
  virtual void copy_to_host(void* destination) const = 0;

  /// Where the bytes are, to read, if the host can address them; else null.
  virtual std::byte* host_data() { return nullptr; }
  /// The same, to write in place: bytes that were shared are left to those who share them, the buffer goes on with a copy.
  virtual std::byte* writable_host_data() { return host_data(); }
  /// The bytes as they are now, which no later write to the buffer changes; null where the host cannot address them. Threads: safe while
  /// nobody writes.
  virtual std::shared_ptr<const std::byte> share() const { return nullptr; }

 protected:
  explicit Buffer(ir::TensorType type) : type_(std::move(type)) {}

 private:
  ir::TensorType type_;
};

/// How a step's argument is fed.
enum class ArgumentKind {
  kState,      // carried from step to step; result i of the step replaces state argument i in place (donated)
  kFixed,      // the same buffer in every step, only read
  kRows,       // [batch, ...]: the program gathers its rows from a base pointer by the step's indices
  kValidRows,  // i32 scalar: how many of the batch's rows are data; the rest is padding
};

/// How the convolutions of a program may be computed.
enum class ConvolutionAlgorithm {
  kAuto,    // as is fastest, unless the environment wants the definition
  kDirect,  // by the sums of the definition: no Winograd's method
};

/// A program: one step as a function, run any number of times a call. The number of steps and the number of rows behind a
/// kRows argument are run-time values, never part of what is compiled.
///
/// The step's arguments come in any order of kinds; its results are first one a kState argument (in their order), then outputs of any
/// shape: those of all steps follow each other in the caller's memory (so [batch, ...] gives all rows in order).
struct StepProgram {
  const ir::Function* step = nullptr;
  std::vector<ArgumentKind> arguments;
  std::string name = "step";
  ConvolutionAlgorithm convolution_algorithm = ConvolutionAlgorithm::kAuto;
  /// Compiling it gives up, with an Error(kCancelled), soon after this was set; null: never.
  const std::atomic<bool>* stop = nullptr;
};

/// Shared with a running execution; both sides may read and write at any time.
struct Progress {
  std::atomic<std::int64_t> steps_done{0};  // written by the program after each step
  std::atomic<bool> stop{false};            // set by the host: the program returns before the next step
};

/// What one execution works on. Spans are in the order of the step's arguments of that kind.
struct Execution {
  std::span<Buffer* const> state;
  std::span<Buffer* const> fixed;
  std::span<const std::byte* const> rows;     // base of row-major host data; row r starts at r * row_bytes
  const std::int64_t* row_indices = nullptr;  // num_steps * batch entries, each a valid row (padding too)
  std::int64_t num_rows = 0;                  // data rows in all steps together; step k has min(batch, num_rows - k * batch)
  std::int64_t num_steps = 1;
  std::span<std::byte* const> outputs;  // for each output memory for num_steps of it
  Progress* progress = nullptr;         // may be null
};

/// What compiling found out, for History, `explain` and tests.
struct CompileStats {
  double compile_seconds = 0;
  double code_seconds = 0;  // of those, to make or find machine code
  bool from_cache = false;  // machine code came from the disk cache
  std::size_t arena_bytes = 0;
  int num_groups = 0;
  int num_library_calls = 0;
  int num_reference_fallbacks = 0;
  /// Multiplications and additions of a step's dots, convolutions and recurrent sequences; what is inside a loop counts once.
  double flops = 0;
  /// Of the step's state: weights, optimizer slots, metrics. Each is read and written at most once a step.
  std::size_t state_bytes = 0;
};

class Profiler;

/// A compiled StepProgram. Threads: execute may be called from many threads at once (on different state); each call leases an arena.
class Executable {
 public:
  virtual ~Executable() = default;

  /// Runs `execution.num_steps` steps; returns when they are done or `progress->stop` was seen. Returns the steps done.
  /// Errors: InvalidArgument, with nothing changed, when the execution does not fit the program. An error inside a step (no memory, an op
  ///         without a kernel) leaves the state between that step and the one before.
  virtual std::int64_t execute(const Execution& execution) = 0;

  virtual const CompileStats& stats() const = 0;

  /// A readable report: each group with its ops, bytes, flops and predicted microseconds, library calls, fallbacks, arena size; with a
  /// profiler that has measured this executable, the measured microseconds too.
  virtual std::string explain(const Profiler* measured) const = 0;
  std::string explain() const { return explain(nullptr); }

  /// The lowered program of a stage ("plan", "llvm", "assembly", ...); throws InvalidArgument that lists the stages there are.
  virtual std::string dump(const std::string& stage) const = 0;
};

}  // namespace cornu::inline v0::runtime
