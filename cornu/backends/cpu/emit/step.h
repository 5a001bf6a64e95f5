#pragma once

#include <llvm/IR/Module.h>

#include <memory>
#include <string>

#include "cornu/backends/cpu/plan/plan.h"
#include "cornu/backends/cpu/target/target.h"

namespace cornu::inline v0::backends::cpu {

inline constexpr const char* kStepFunctionName = "cornu_steps";

/// Properties of a group's code that the loop over steps needs.
struct GroupCode {
  std::int64_t num_slices = 1;
  bool is_emitted = false;  // a function of the group's name; else a callback runs it
  bool has_finish = false;  // a second function runs after all slices
};

/// The part, of `num_parts`, that gets a group's code, by group id; -1 for groups without code.
std::vector<int> assign_parts(const Plan& plan, int num_parts);

/// The functions of the groups of a part, in a module of their own. Writes the entries of these groups in
/// `code`, which has one a group. `numbers` gets what the symbol number_table_name(part) must point at.
/// Threads: safe for different parts, contexts being different.
std::unique_ptr<llvm::Module> emit_part(llvm::LLVMContext& context, const Plan& plan, const Target& target,
                                        const std::vector<int>& parts, int part, std::vector<GroupCode>& code,
                                        std::vector<std::uint32_t>& numbers);

/// A symbol that the code reads.
std::string constant_name(std::size_t number);
std::string number_table_name(int part);

/// `i64 cornu_steps(StepContext*)`, the loop over steps that calls the groups. `measure`: see compile_step.
std::unique_ptr<llvm::Module> emit_step_loop(llvm::LLVMContext& context, const Plan& plan,
                                             const Target& target, const std::vector<GroupCode>& code,
                                             bool measure = false);

}  // namespace cornu::inline v0::backends::cpu
