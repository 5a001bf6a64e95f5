#pragma once

#include <llvm/IR/Module.h>

#include <memory>
#include <string>

#include "cornu/backends/cpu/emit/target.h"
#include "cornu/backends/cpu/plan/plan.h"

namespace cornu::inline v0::backends::cpu {

inline constexpr const char* kStepFunctionName = "cornu_steps";

/// The module of a plan: a function a group, and `i64 cornu_steps(StepContext*)`, the loop over steps that calls them.
/// `num_slices`, if asked for, gets the slices that each group's loop has, by group id.
std::unique_ptr<llvm::Module> emit_module(llvm::LLVMContext& context, const Plan& plan, const Target& target,
                                          std::vector<std::int64_t>* num_slices = nullptr);

}  // namespace cornu::inline v0::backends::cpu
