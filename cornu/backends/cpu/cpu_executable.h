#pragma once

#include <exception>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "cornu/backends/cpu/cpu_buffer.h"
#include "cornu/backends/cpu/emit/compiled_step.h"
#include "cornu/backends/cpu/group_kernel.h"
#include "cornu/backends/cpu/matrix_dot.h"
#include "cornu/base/thread_pool.h"
#include "cornu/runtime/program_signature.h"

namespace cornu::inline v0::backends::cpu {

/// A planned and compiled step.
/// Threads: execute is safe; each call leases an arena (the first call of each degree of concurrency allocates one).
class CpuExecutable final : public runtime::Executable {
 public:
  CpuExecutable(const runtime::StepProgram& program, const Target& target, const PlanOptions& options, std::shared_ptr<ThreadPool> pool);

  std::int64_t execute(const runtime::Execution& execution) override;
  const runtime::CompileStats& stats() const override { return stats_; }
  std::string explain() const override;
  std::string dump(const std::string& stage) const override;

 private:
  /// What the callbacks of one execution share.
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
  void run_matrix_dot_group(StepContext* context, std::size_t group) const;
  void run_group_kernel(StepContext* context, std::size_t group) const;
  void run_reference(StepContext* context, std::size_t group) const;
  std::byte* address(const StepContext& context, int buffer) const;
  AlignedBytes lease_arena();
  std::string arena_name() const;

  runtime::ProgramSignature signature_;
  Plan plan_;
  Target target_;
  std::shared_ptr<ThreadPool> pool_;
  std::unique_ptr<CompiledStep> step_;
  runtime::CompileStats stats_;
  std::vector<const Group*> groups_;                               // by id
  std::vector<MatrixDot> dots_;                                    // by group; of matrix dots only
  std::unordered_map<int, std::unique_ptr<GroupKernel>> kernels_;  // by group
  mutable std::mutex arenas_mutex_;                                // also of the measurements
  std::vector<AlignedBytes> free_arenas_;
  std::vector<std::int64_t> ticks_;  // by group, of all executions; with Plan::measure
  double measured_seconds_ = 0;
  std::int64_t measured_steps_ = 0;
};

}  // namespace cornu::inline v0::backends::cpu
