#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "cornu/backends/slabs/host_memory_block.h"
#include "cornu/backends/slabs/host_slabs.h"
#include "cornu/backends/slabs/slab_sizes.h"
#include "cornu/runtime/client.h"
#include "cornu/runtime/program_signature.h"
#include "cornu/transform/step_loop.h"

namespace cornu::inline v0::backends::slabs {

/// What one device does in a call of a LoopProgram. All that it refers to stays as it is until the launch is
/// done.
struct LoopLaunch {
  std::span<runtime::Buffer* const> state;
  std::span<runtime::Buffer* const> fixed;
  /// [max_steps, batch, ...] a row argument: host memory that must be sent, or memory that the device can
  /// read where it is.
  std::span<const std::byte* const> slabs;
  bool slabs_are_on_device = false;
  /// Instead of slabs, for a device that gathers rows itself: buffers [rows, ...] of it, one a row argument,
  /// and the row of each entry of max_steps batches, in host memory.
  std::span<runtime::Buffer* const> row_buffers;
  const std::int64_t* row_indices = nullptr;
  std::int64_t num_steps = 0;
  std::int64_t num_rows = 0;  // of data, in all steps of this launch
  /// Where outputs go: host memory for max_steps of each output. Empty: into buffers, from step
  /// `first_output_step` of them on.
  std::span<std::byte* const> outputs;
  std::span<runtime::Buffer* const> output_buffers;
  std::int64_t first_output_step = 0;
};

/// A StepLoop, compiled for a device: what a backend implements.
class LoopProgram {
 public:
  virtual ~LoopProgram() = default;
  /// Begins; state buffers hold the new state once it is done. Errors, from here or from the event: the state
  /// is that from before.
  virtual runtime::Event launch(const LoopLaunch& launch) = 0;
  /// Begins on all devices of the program, which run the same steps together; an entry a replica. Where
  /// devices run programs alone there is only one entry, and nothing to override.
  virtual runtime::Event launch_together(std::span<const LoopLaunch> launches) {
    return launch(launches.front());
  }
  virtual const runtime::CompileStats& stats() const = 0;
  virtual std::string explain(const runtime::Profiler* measured) const = 0;
  /// The program at a stage. Errors: InvalidArgument for one that it does not have, with those that it has.
  virtual std::string dump(const std::string& stage) const = 0;
};

/// The loop as StableHLO, with what is donated: what "loop" dumps.
std::string loop_text(const transform::StepLoop& loop);

/// An executable of a device that the host's memory is out of reach for: steps become loops over slabs of
/// rows, which are gathered here and sent with a launch.
///
/// Programs are compiled for a few numbers of steps (see SlabSizes), each when it is first needed; more steps
/// than the largest has are run by several launches. The rows of a launch are gathered while the one before
/// it runs. Progress and requests to stop act between launches.
/// Threads:  execute may be called from many threads at once, on different state.
/// Lifetime: an execution that runs keeps what it needs; neither the executable nor its event need to stay.
///           Who drops the event waits.
class SlabExecutable : public runtime::Executable {
 public:
  ~SlabExecutable() override;

  /// Errors: also Unimplemented for rows in buffers of a device that neither gathers them (gathers_rows)
  ///         nor says where they are (device_memory).
  runtime::Submission execute(const runtime::Execution& execution) override;
  void prepare(std::int64_t num_steps) override;
  /// Of the program that was compiled last, with the times of all; zeros before the first.
  const runtime::CompileStats& stats() const override;
  using runtime::Executable::explain;
  /// Of the program that was compiled last; one for a single step is compiled when there is none.
  std::string explain(const runtime::Profiler* measured) const override;
  /// "loop" is the StepLoop as StableHLO, of the program that was compiled last; before the first, of one for
  /// a single step, which is not compiled for that. The other stages are the program's.
  std::string dump(const std::string& stage) const override;

 protected:
  /// Copies what it needs of `program`.
  /// Errors: as ProgramSignature; Unimplemented for more replicas than `limits` allows.
  SlabExecutable(const runtime::StepProgram& program, const runtime::Client& client,
                 const SlabLimits& limits);

  /// What explain says of the program that runs so many steps; it is compiled if it is not there.
  std::string explain_for(std::int64_t num_steps, const runtime::Profiler* measured) const;

  /// The loop that a program for so many steps is compiled from.
  transform::StepLoop loop_for(std::int64_t num_steps) const;

  virtual std::unique_ptr<LoopProgram> compile_loop(const transform::StepLoop& loop) const = 0;
  /// Whether a LoopProgram gathers rows of buffers itself (LoopLaunch::row_buffers).
  virtual bool gathers_rows() const { return false; }
  /// Else where the device reads a buffer's bytes, for gathering rows on the device; null: it cannot.
  virtual const std::byte* device_memory(const runtime::Buffer& buffer) const {
    (void)buffer;
    return nullptr;
  }

 private:
  struct Slot;
  class Slots;
  struct Entry;
  class Run;

  /// The program that runs so many steps, at most sizes_.largest(); compiled if it is not there.
  std::shared_ptr<const Entry> entry_for(std::int64_t num_steps) const;
  std::shared_ptr<const Entry> last_entry() const;
  std::string explain_entry(const Entry& entry, const runtime::Profiler* measured) const;
  std::vector<const std::byte*> row_bases(const runtime::Replica& replica) const;

  std::unique_ptr<ir::Function> step_;
  runtime::StepProgram program_;
  runtime::ProgramSignature signature_;
  std::shared_ptr<Slots> slots_;
  SlabSizes sizes_;
  mutable std::mutex entries_mutex_;
  mutable std::vector<std::shared_ptr<const Entry>> entries_;  // in the order in which they were compiled
};

}  // namespace cornu::inline v0::backends::slabs
