#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "cornu/backends/stacked/host_memory_block.h"
#include "cornu/backends/stacked/stack_sizes.h"
#include "cornu/backends/stacked/stacked_batches.h"
#include "cornu/runtime/client.h"
#include "cornu/runtime/program_signature.h"
#include "cornu/transform/step_loop.h"

namespace cornu::inline v0::backends::stacked {

/// The operands of one device in a call of a LoopProgram. They must stay unchanged until the launch is done.
struct LoopLaunch {
  std::span<runtime::Buffer* const> state;
  std::span<runtime::Buffer* const> fixed;
  /// [max_steps, batch, ...] for each row argument: host memory to be sent, or memory that the device can
  /// read in place.
  std::span<const std::byte* const> stacks;
  bool stacks_are_on_device = false;
  /// Instead of stacks, for a device that gathers rows itself: its buffers [rows, ...], one for each row
  /// argument, and the row numbers of max_steps batches, in host memory.
  std::span<runtime::Buffer* const> row_buffers;
  const std::int64_t* row_indices = nullptr;
  std::int64_t num_steps = 0;
  std::int64_t num_rows = 0;  // rows of data in all steps of this launch
  /// Destinations of outputs: host memory for max_steps of each output. Empty: buffers, beginning at their
  /// step `first_output_step`.
  std::span<std::byte* const> outputs;
  std::span<runtime::Buffer* const> output_buffers;
  std::int64_t first_output_step = 0;
};

/// A StepLoop compiled for a device: the interface that a backend implements.
class LoopProgram {
 public:
  virtual ~LoopProgram() = default;
  /// Begins a launch; state buffers hold the new state once it is done. After an error, from here or from the
  /// event, the state is unchanged.
  virtual runtime::Event launch(const LoopLaunch& launch) = 0;
  /// Begins a launch on all devices of the program, which run the same steps together; one entry for each
  /// replica. If devices run programs alone there is only one entry, and no override is needed.
  virtual runtime::Event launch_together(std::span<const LoopLaunch> launches) {
    return launch(launches.front());
  }
  virtual const runtime::CompileStats& stats() const = 0;
  virtual std::string explain(const runtime::Profiler* measured) const = 0;
  /// The program at a stage. Errors: InvalidArgument for an unknown stage, with the existing ones.
  virtual std::string dump(const std::string& stage) const = 0;
};

/// The loop as StableHLO with donations, for the stage "loop".
std::string loop_text(const transform::StepLoop& loop);

/// An executable for a device that cannot read the host's memory. Steps become loops over stacked batches of
/// rows, which are gathered on the host and sent with a launch.
///
/// Programs are compiled for a few numbers of steps (see StackSizes), each at first use; a larger number of
/// steps is run by several launches. The rows of a launch are gathered while the previous one runs. Progress
/// and stop requests are handled between launches.
/// Threads:  execute may be called from many threads at once, on different state.
/// Lifetime: a running execution keeps what it needs; the executable and its event may be destroyed.
///           Destroying the event waits.
class StackedExecutable : public runtime::Executable {
 public:
  ~StackedExecutable() override;

  /// Errors: also Unimplemented for rows in buffers of a device that neither gathers them (gathers_rows) nor
  ///         lets the host's loop read them (device_memory).
  runtime::Submission execute(const runtime::Execution& execution) override;
  void prepare(std::int64_t num_steps) override;
  std::size_t kept_bytes(const runtime::Replica& replica, std::int64_t num_steps) override;
  /// The statistics of the most recently compiled program, with the times of all; zeros before the first.
  const runtime::CompileStats& stats() const override;
  using runtime::Executable::explain;
  /// The report on the most recently compiled program; if there is none, one for a single step is compiled.
  std::string explain(const runtime::Profiler* measured) const override;
  /// "loop" is the StepLoop as StableHLO, of the most recently compiled program; before the first, of a
  /// program for a single step, without compiling it. The other stages are those of the compiled program.
  std::string dump(const std::string& stage) const override;

 protected:
  /// Copies the parts of `program` that it needs.
  /// Errors: those of ProgramSignature; Unimplemented for more replicas than `limits` allows.
  StackedExecutable(const runtime::StepProgram& program, const runtime::Client& client,
                    const LaunchLimits& limits);

  /// The report on the program for `num_steps` steps, which is compiled if needed.
  std::string explain_for(std::int64_t num_steps, const runtime::Profiler* measured) const;

  /// The loop from which the program for `num_steps` steps is compiled.
  transform::StepLoop loop_for(std::int64_t num_steps) const;

  virtual std::unique_ptr<LoopProgram> compile_loop(const transform::StepLoop& loop) const = 0;
  /// True if a LoopProgram gathers rows of buffers itself (LoopLaunch::row_buffers).
  virtual bool gathers_rows() const { return false; }
  /// Otherwise the memory of a buffer, to gather rows on the device; null if it cannot be read.
  virtual const std::byte* device_memory(const runtime::Buffer& buffer) const {
    (void)buffer;
    return nullptr;
  }

 private:
  struct Slot;
  class Slots;
  struct Entry;
  class Run;

  /// The program for `num_steps` steps, at most sizes_.largest(); compiled if needed.
  std::shared_ptr<const Entry> entry_for(std::int64_t num_steps) const;
  std::shared_ptr<const Entry> last_entry() const;
  std::string explain_entry(const Entry& entry, const runtime::Profiler* measured) const;
  std::vector<const std::byte*> row_bases(const runtime::Replica& replica) const;

  std::unique_ptr<ir::Function> step_;
  runtime::StepProgram program_;
  runtime::ProgramSignature signature_;
  std::shared_ptr<Slots> slots_;
  StackSizes sizes_;
  mutable std::mutex entries_mutex_;
  mutable std::vector<std::shared_ptr<const Entry>> entries_;  // in the order of compilation
  std::size_t most_launch_bytes_ = 0;                          // of the executions that kept_bytes has seen
};

}  // namespace cornu::inline v0::backends::stacked
