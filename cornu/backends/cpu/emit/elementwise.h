#pragma once

#include <llvm/IR/IRBuilder.h>

#include <vector>

#include "cornu/backends/cpu/target/target.h"
#include "cornu/ir/graph.h"

namespace cornu::inline v0::backends::cpu {

/// The LLVM type of `lanes` elements in registers (a scalar for 1); i1 is i1, f16 and bf16 are float.
llvm::Type* register_type(llvm::LLVMContext& context, ir::DType dtype, int lanes);

/// The LLVM type of an element in memory; i1 is i8, f16 and bf16 are i16.
llvm::Type* memory_type(llvm::LLVMContext& context, ir::DType dtype);

/// Converts between the memory type and the register type of a dtype.
llvm::Value* from_memory(llvm::IRBuilderBase& b, const Target& target, llvm::Value* value, ir::DType dtype);
llvm::Value* to_memory(llvm::IRBuilderBase& b, const Target& target, llvm::Value* value, ir::DType dtype);

/// The code of an elementwise op on registers of one width. Without `round` a result of f16 or bf16 keeps the
/// precision of f32 (inside a reduction, which rounds at its end).
llvm::Value* emit_elementwise(llvm::IRBuilderBase& b, const Target& target, const ir::Op& op,
                              const std::vector<llvm::Value*>& operands, bool round = true);

/// A literal's element as an LLVM constant of the scalar register type.
llvm::Constant* emit_constant(llvm::LLVMContext& context, const ir::Literal& literal, std::int64_t element);

// The engine's conversions of f16 and bf16, which are f32 in registers: each op computes in f32 and rounds
// its result to nearest even.

inline bool is_half(ir::DType dtype) { return dtype == ir::DType::kF16 || dtype == ir::DType::kBF16; }

/// 16-bit integers to floats, exactly.
llvm::Value* half_to_float(llvm::IRBuilderBase& b, const Target& target, llvm::Value* bits, ir::DType dtype);

/// Floats to 16-bit integers, rounded to nearest even.
llvm::Value* float_to_half(llvm::IRBuilderBase& b, const Target& target, llvm::Value* value, ir::DType dtype);

/// The nearest number of `dtype`, as a float.
llvm::Value* round_to_half(llvm::IRBuilderBase& b, const Target& target, llvm::Value* value, ir::DType dtype);

/// A double as a float whose last bit is 1 if the conversion was inexact (rounding to odd): rounding that
/// float to a half gives the same as rounding the double.
llvm::Value* double_to_odd_float(llvm::IRBuilderBase& b, llvm::Value* value);

}  // namespace cornu::inline v0::backends::cpu
