#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cornu/backends/cpu/emit/step_context.h"
#include "cornu/backends/cpu/plan/plan.h"
#include "cornu/backends/cpu/target/target.h"
#include "cornu/base/disk_cache.h"
#include "cornu/base/thread_pool.h"

namespace cornu::inline v0::backends::cpu {

/// A plan as machine code: one function that runs `num_steps` steps.
/// Owns:    the code.
/// Lifetime: the plan is not needed any more, but by the callbacks.
/// Threads: safe.
class CompiledStep {
 public:
  virtual ~CompiledStep() = default;

  /// Runs the steps of `context`; returns how many ran (fewer when *stop was set).
  std::int64_t run(StepContext* context) const { return function_(context); }

  /// The number of slices of a group's loop by group id (Group::num_slices is the plan's wish); 1 where none
  /// is emitted.
  const std::vector<std::int64_t>& num_slices() const { return num_slices_; }

  /// The number of functions that were compiled for groups: equal groups share one.
  int num_functions() const { return num_functions_; }

  /// The code was made by another process, or an earlier compilation.
  bool from_cache() const { return from_cache_; }
  /// The code's key in the disk cache; empty if there is no cache.
  const std::string& cache_key() const { return cache_key_; }

  /// "llvm" (as emitted), "optimized" or "assembly"; made again on demand.
  virtual std::string text(const std::string& stage) const = 0;

 protected:
  std::int64_t (*function_)(StepContext*) = nullptr;
  std::vector<std::int64_t> num_slices_;
  int num_functions_ = 0;
  bool from_cache_ = false;
  std::string cache_key_;
};

struct CompileStepOptions {
  /// The code counts the time of each group (StepContext::ticks and what follows it).
  bool measure = false;
  /// Compiles on these threads; null: on the caller's.
  ThreadPool* pool = nullptr;
  /// A folder that may contain the code already, and keeps it; null for none.
  const DiskCache* cache = nullptr;
  /// Not null: compilation stops soon after it is set.
  const std::atomic<bool>* stop = nullptr;
};

/// Emits, and compiles what was not compiled before. `plan` must live as long as the result (its text is made
/// on demand).
/// Errors: ResourceExhausted when memory runs out, Cancelled when *stop was set.
std::unique_ptr<CompiledStep> compile_step(const Plan& plan, const Target& target,
                                           const CompileStepOptions& options = {});

}  // namespace cornu::inline v0::backends::cpu
