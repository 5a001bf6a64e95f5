#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <string>

#include "cornu/backends/cpu/target/target.h"

/// How modules become machine code: steps, when they are compiled, and eager mode's kernels, when Cornu is
/// built, have the same settings and so the same bits.
namespace cornu::inline v0::backends::cpu {

inline constexpr const char* kTriple = "x86_64-unknown-linux-gnu";

std::unique_ptr<llvm::TargetMachine> make_machine(const Target& target);

/// All that machine code depends on besides the modules that it is made of.
std::string machine_name(const Target& target);

/// The emitter already makes vector code without redundancy but for addresses; few passes are worth their
/// compile time. `hoists`: where time does not matter, code that does not depend on a loop moves out of it.
void optimize(llvm::Module& module, llvm::TargetMachine& machine, bool hoists = false);

/// An object or assembly file.
llvm::SmallVector<char, 0> print_module(llvm::Module& module, llvm::TargetMachine& machine,
                                        llvm::CodeGenFileType type);

}  // namespace cornu::inline v0::backends::cpu
