#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cornu/backends/cpu/emit/step_context.h"
#include "cornu/backends/cpu/emit/target.h"
#include "cornu/backends/cpu/plan/plan.h"

namespace cornu::inline v0::backends::cpu {

/// A plan as machine code: one function that runs `num_steps` steps.
/// Owns:    the code. Lifetime: the plan is not needed any more, but by the callbacks.
/// Threads: safe.
class CompiledStep {
 public:
  virtual ~CompiledStep() = default;

  /// Runs the steps of `context`; returns how many ran (fewer when *stop was set).
  std::int64_t run(StepContext* context) const { return function_(context); }

  /// How many slices a group's loop really has (see Group::num_slices, which is the plan's wish), by group id; 1 where none is emitted.
  const std::vector<std::int64_t>& num_slices() const { return num_slices_; }

  /// "llvm" (as emitted), "optimized" or "assembly"; made again on demand.
  virtual std::string text(const std::string& stage) const = 0;

 protected:
  std::int64_t (*function_)(StepContext*) = nullptr;
  std::vector<std::int64_t> num_slices_;
};

/// Emits and compiles. `plan` must live as long as the result (its text is made on demand). `measure`: the code counts the time of each
/// group (StepContext::ticks and what follows it).
std::unique_ptr<CompiledStep> compile_step(const Plan& plan, const Target& target, bool measure = false);

}  // namespace cornu::inline v0::backends::cpu
