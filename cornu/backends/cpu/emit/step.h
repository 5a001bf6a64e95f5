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
  bool is_emitted = false;               // a function of the group's name; else a callback runs it
  bool has_finish = false;               // a second function runs after all slices
  int function = -1;                     // the group whose functions are this one's
  std::vector<std::int64_t> table = {};  // of shared functions: StepContext::table
  std::size_t table_begin = 0;           // set by join_tables
};

/// A distribution of the groups with code over modules.
struct Parts {
  /// The units of a distribution: groups that look alike are one, so that they can share code.
  int num_units = 0;
  std::vector<int> units;       // by group id; -1 for groups without code
  std::vector<bool> may_share;  // by group id: several groups look like this one
  int num_parts = 1;
  int of(int group) const {
    const int unit = units[static_cast<std::size_t>(group)];
    return unit < 0 ? -1 : unit % num_parts;
  }
};
/// All groups in one part.
Parts make_parts(const Plan& plan);

/// The functions of the groups of a part, in a module of their own. Writes the entries of these groups in
/// `code`, which has one a group. `numbers` gets what the symbol number_table_name(part) must point at.
/// Groups whose code differs by the numbers in their tables only share it.
/// Threads: safe for different parts, contexts being different.
std::unique_ptr<llvm::Module> emit_part(llvm::LLVMContext& context, const Plan& plan, const Target& target,
                                        const Parts& parts, int part, std::vector<GroupCode>& code,
                                        std::vector<std::uint32_t>& numbers);

/// All groups' tables, one after the other: what the symbol kTablesName must point at.
std::vector<std::int64_t> join_tables(std::vector<GroupCode>& code);
inline constexpr const char* kTablesName = "tables";

/// A symbol that the code reads.
std::string constant_name(std::size_t number);
std::string number_table_name(int part);

/// `i64 cornu_steps(StepContext*)`, the loop over steps that calls the groups. `measure`: see compile_step.
void add_step_loop(llvm::Module& module, const Plan& plan, const Target& target,
                   const std::vector<GroupCode>& code, bool measure = false);

}  // namespace cornu::inline v0::backends::cpu
