#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "cornu/backends/cpu/emit/compiled_step.h"
#include "cornu/backends/cpu/kernels/matrix_dot.h"
#include "cornu/backends/cpu/kernels/slices.h"
#include "cornu/backends/cpu/memory/cpu_buffer.h"
#include "cornu/base/disk_cache.h"
#include "cornu/base/thread_pool.h"
#include "cornu/runtime/collective.h"
#include "cornu/runtime/profiler.h"
#include "cornu/runtime/program_signature.h"

namespace cornu::inline v0::backends::cpu {

/// A planned and compiled step.
/// Threads: execute is safe; each call leases an arena (the first call of each degree of concurrency
///          allocates one).
class CpuExecutable final : public runtime::Executable {
 public:
  /// Errors: Unimplemented for more than one replica.
  CpuExecutable(const runtime::StepProgram& program, const runtime::Client& client, const Target& target,
                const PlanOptions& options, std::shared_ptr<ThreadPool> pool, const DiskCache& cache);

  runtime::Submission execute(const runtime::Execution& execution) override;
  const runtime::CompileStats& stats() const override { return stats_; }
  using runtime::Executable::explain;
  std::string explain(const runtime::Profiler* measured) const override;
  std::string dump(const std::string& stage) const override;

 private:
  /// State that the callbacks of one execution share.
  struct Frame {
    const CpuExecutable* executable = nullptr;
    std::exception_ptr error;  // compiled code cannot be unwound: thrown after it has returned
  };
  static void parallel_for(StepContext* context, std::int64_t num_slices, void (*body)(void*, std::int64_t));
  static void run_kernel(StepContext* context, std::int64_t group);
  static void reference(StepContext* context, std::int64_t group);
  /// Calls f(executable); keeps what it throws for `execute`, which ends after this step.
  template <typename F>
  static void guarded(StepContext* context, const F& f);
  void build_kernels();
  /// Finds out whether the program communicates with other processes.
  void find_processes(const runtime::StepProgram& program);
  /// The number of steps to run, 0 when one of the processes wants to stop. Called before each execution of a
  /// program that communicates with other processes: it checks that they are about to run the same.
  std::int64_t agreed_steps(const runtime::Execution& execution) const;
  /// A group that a callback runs, with the places of its tensors.
  struct Launch {
    const ir::Op* op = nullptr;
    std::vector<const PlanBuffer*> operands, results;  // of a reference kernel: and of captured values
    const PlanBuffer* scratch = nullptr;               // null: none
    bool makes_view = false;                           // true: the kernel gives the address of result 0
    const GroupKernel* kernel = nullptr;               // null: a matrix dot or a reference kernel
    MatrixDot dot = {};
  };
  Launch make_launch(const Group& group) const;
  void run_matrix_dot_launch(const StepContext& context, const Launch& launch) const;
  void run_kernel_launch(const StepContext& context, const Launch& launch) const;
  void run_reference_launch(const StepContext& context, const Launch& launch) const;
  std::byte* address(const StepContext& context, const PlanBuffer& buffer) const;
  AlignedBytes lease_arena();
  std::string arena_name() const;
  /// Numbers that the measuring code of one execution writes.
  struct Measurement {
    std::vector<std::int64_t> ticks, calls;  // by group
    std::unique_ptr<runtime::ProfileEvent[]> events;
    std::size_t num_places = 0;  // of events
  };
  /// Runs the measuring code, which is compiled at the first call.
  std::int64_t run_measured(StepContext& context, runtime::Profiler& profiler);
  /// Memory for an execution with at most `max_events` events, all ticks and calls 0. The caller holds
  /// measured_mutex_.
  Measurement lease_measurement(std::size_t max_events);
  std::string kind_of(const Group& group) const;
  /// The tensors that replicas exchange; empty if there is one replica.
  std::string explain_collectives(const runtime::ProgramProfile* measured) const;
  std::int64_t num_slices_of(const Group& group) const;
  std::shared_ptr<const runtime::ProgramFacts> make_facts() const;

  runtime::ProgramSignature signature_;
  Plan plan_;
  Target target_;
  std::shared_ptr<ThreadPool> pool_;
  std::unique_ptr<CompiledStep> step_;
  runtime::CompileStats stats_;
  std::vector<const Group*> groups_;                // by id
  std::shared_ptr<runtime::Collective> processes_;  // that the program meets; null: none
  runtime::ReplicaWork replica_work_;
  std::string name_;
  std::uint64_t fingerprint_ = 0;  // of what must be the same in all of them
  std::vector<Launch> launches_;   // by group; empty for emitted and control groups
  std::mutex arenas_mutex_;
  std::vector<AlignedBytes> free_arenas_;
  mutable std::mutex measured_mutex_;  // of those below, made when a profiler asks first
  std::unique_ptr<CompiledStep> measured_step_;
  std::shared_ptr<const runtime::ProgramFacts> facts_;
  std::vector<Measurement> free_measurements_;
};

}  // namespace cornu::inline v0::backends::cpu
