#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <functional>
#include <string>
#include <vector>

#include "cornu/backends/cpu/target/target.h"
#include "cornu/ir/graph.h"

namespace cornu::inline v0::backends::cpu {

/// Emits eager mode's kernel of an elementwise op as a function of the type ElementwiseKernel, from the code
/// that fused loops have (CpuOp::emit). The op's operands are followed by `num_parameters` 64-bit integers.
///
/// The code is emitted for each pattern of contiguous operands and single values, in vectors of falling width.
/// A second function gathers elements at other strides. An element's bits depend neither on the width nor on
/// the pattern.
class KernelEmitter {
 public:
  KernelEmitter(llvm::Module& module, const Target& target, const ir::Op& op, std::size_t num_parameters);

  /// True if it computes more than it loads and stores, so that it gains from wider registers.
  bool computes() const { return !body_.is_scalar && body_.num_instructions > kTinyBody; }

  /// The kernel, and the function that it calls for other strides, or null. They are named "kernel" and
  /// "strided"; rename them before the next call.
  struct Functions {
    llvm::Function* kernel = nullptr;
    llvm::Function* strided = nullptr;
  };
  Functions emit();

 private:
  /// Bodies of more instructions have the pattern of contiguous operands only: a gathered single value takes
  /// little time beside them.
  static constexpr std::size_t kLargeBody = 40;
  /// The most instructions of a body that may have its values in several registers each.
  static constexpr std::size_t kTinyBody = 20;

  struct Operand {
    ir::DType dtype = ir::DType::kF32;
    llvm::Value* base = nullptr;
    llvm::Value* stride = nullptr;  // elements
  };
  /// Size of a body, and whether it has instructions that exist for single elements only (division of
  /// integers).
  struct Body {
    std::size_t num_instructions = 0;
    bool is_scalar = false;
  };
  using Emit = std::function<void(llvm::Value*)>;

  Body measure_body();
  void begin_function(const std::string& name);
  llvm::Value* is_stride(const Operand& operand, std::int64_t stride);
  llvm::Value* compute(std::vector<llvm::Value*> operands);
  llvm::Value* load_lanes(ir::DType dtype, llvm::Value* address, unsigned lanes);
  llvm::Value* gather_lanes(const Operand& operand, llvm::Value* index, unsigned lanes);
  void store_lanes(llvm::Value* value, llvm::Value* address);
  llvm::Value* element_address(const Operand& operand, llvm::Value* index);
  llvm::Value* result_address(llvm::Value* index);
  void loop(llvm::Value* begin, llvm::Value* end, std::uint64_t step, const Emit& body);

  void end_function();
  void emit_patterns(unsigned lanes, llvm::Function* strided);
  void emit_strided(unsigned lanes);
  void emit_pattern(unsigned contiguous, unsigned lanes);
  llvm::Value* rounded_down(unsigned width);
  void emit_elements(llvm::Value* begin);

  llvm::Module& module_;
  const Target& target_;
  const ir::Op& op_;
  llvm::IRBuilder<> builder_;
  std::vector<Operand> operands_;
  std::vector<llvm::Value*> parameters_;
  Body body_;
  llvm::Function* function_ = nullptr;
  llvm::Value* count_ = nullptr;
  llvm::Value* out_ = nullptr;
  llvm::BasicBlock* done_ = nullptr;
};

}  // namespace cornu::inline v0::backends::cpu
