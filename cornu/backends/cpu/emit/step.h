#pragma once

#include <llvm/IR/Module.h>

#include <memory>
#include <string>

#include "cornu/backends/cpu/emit/target.h"
#include "cornu/backends/cpu/plan/plan.h"

namespace cornu::inline v0::backends::cpu {

inline constexpr const char* kStepFunctionName = "cornu_steps";

struct EmitOptions {
  bool measure = false;                             // see compile_step
  std::vector<std::int64_t>* num_slices = nullptr;  // gets the slices that each group's loop has, by group id
};

/// The module of a plan: a function a group, and `i64 cornu_steps(StepContext*)`, the loop over steps that calls them.
std::unique_ptr<llvm::Module> emit_module(llvm::LLVMContext& context, const Plan& plan, const Target& target,
                                          const EmitOptions& options = {});

}  // namespace cornu::inline v0::backends::cpu
