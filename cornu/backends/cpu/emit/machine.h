#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <string>

#include "cornu/backends/cpu/target/target.h"

/// Machine code of modules. Steps, which are compiled at run time, and eager mode's kernels, which are made
/// when Cornu is built, have the same settings and so the same bits.
namespace cornu::inline v0::backends::cpu {

inline constexpr const char* kTriple = "x86_64-unknown-linux-gnu";

std::unique_ptr<llvm::TargetMachine> make_machine(const Target& target);

/// A machine for one thread at a time. It is kept for a later lease when the last copy of the pointer goes:
/// making one takes longer than the code of a small group.
std::shared_ptr<llvm::TargetMachine> lease_machine(const Target& target);

/// All that machine code depends on besides the modules that it is made of.
std::string machine_name(const Target& target);

/// The emitter already makes vector code without redundancy except for addresses; few passes are worth their
/// compile time. `hoists`: moves code out of loops that it does not depend on, where compile time is free.
void optimize(llvm::Module& module, llvm::TargetMachine& machine, bool hoists = false);

/// An object or assembly file.
llvm::SmallVector<char, 0> print_module(llvm::Module& module, llvm::TargetMachine& machine,
                                        llvm::CodeGenFileType type);

}  // namespace cornu::inline v0::backends::cpu
