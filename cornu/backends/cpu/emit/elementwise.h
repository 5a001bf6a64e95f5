#pragma once

#include <llvm/IR/IRBuilder.h>

#include <string_view>
#include <vector>

#include "cornu/backends/cpu/emit/target.h"
#include "cornu/ir/graph.h"

namespace cornu::backends::cpu {

/// The LLVM type of `lanes` elements in registers (a scalar for 1); i1 is i1.
llvm::Type* register_type(llvm::LLVMContext& context, ir::DType dtype, int lanes);

/// The LLVM type of an element in memory; i1 is i8.
llvm::Type* memory_type(llvm::LLVMContext& context, ir::DType dtype);

/// Whether there is code for the op of this name.
bool can_emit_elementwise(std::string_view name);

/// The code of an elementwise op on registers of one width.
llvm::Value* emit_elementwise(llvm::IRBuilderBase& b, const Target& target, const ir::Op& op, const std::vector<llvm::Value*>& operands);

/// A literal's element as an LLVM constant of the scalar register type.
llvm::Constant* emit_constant(llvm::LLVMContext& context, const ir::Literal& literal, std::int64_t element);

}  // namespace cornu::backends::cpu
