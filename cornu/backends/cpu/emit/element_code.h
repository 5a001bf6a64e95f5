#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "cornu/ir/graph.h"

namespace llvm {
class IRBuilderBase;
class Value;
}  // namespace llvm

namespace cornu::inline v0::backends::cpu {

struct Target;

/// What the rows of elementwise ops are written in: the code of one op on registers, element by element,
/// without LLVM's headers.
///
/// Every function adds instructions to the loop that is being emitted and returns the register of the result.
/// Operands and constants are of the dtype of the op's first operand, unless it says otherwise; f16 and bf16
/// are f32 in registers. Integers wrap.
class ElementCode {
 public:
  ElementCode(llvm::IRBuilderBase& builder, const Target& target, const ir::Op& op,
              const std::vector<llvm::Value*>& operands)
      : builder_(builder), target_(target), op_(op), operands_(operands) {}

  const ir::Op& op() const { return op_; }
  /// Includes the parameters of an eager kernel, which follow the op's own operands (see
  /// ElementKernelColumn).
  std::size_t num_operands() const { return operands_.size(); }
  llvm::Value* operand(std::size_t i) const { return operands_[i]; }
  bool is_float() const { return ir::is_float(op_.operand(0).dtype()); }
  llvm::IRBuilderBase& builder() const { return builder_; }
  const Target& target() const { return target_; }
  /// A number in every lane.
  llvm::Value* constant(double value) const;
  /// A 64-bit integer in every lane, for the parameters of reduce_precision.
  llvm::Value* parameter(std::int64_t value) const;

  // Of i1, add is or, subtract is xor and multiply is and, as the specification says. Division by zero gives
  // -1, the least integer / -1 itself.
  llvm::Value* add(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* subtract(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* multiply(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* divide(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* remainder(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* power(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* negate(llvm::Value* x) const;
  llvm::Value* abs(llvm::Value* x) const;
  llvm::Value* sign(llvm::Value* x) const;
  /// They pass NaN on; -0 counts as less than 0.
  llvm::Value* maximum(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* minimum(llvm::Value* x, llvm::Value* y) const;

  // Integers and i1. A shift by the width or more gives what shifting bit by bit would.
  llvm::Value* bit_and(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* bit_or(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* bit_xor(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* bit_not(llvm::Value* x) const;
  llvm::Value* shift_left(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* shift_right_logical(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* shift_right_arithmetic(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* count_ones(llvm::Value* x) const;
  llvm::Value* count_leading_zeros(llvm::Value* x) const;

  // Floats.
  llvm::Value* floor(llvm::Value* x) const;
  llvm::Value* ceil(llvm::Value* x) const;
  llvm::Value* round_nearest_even(llvm::Value* x) const;
  llvm::Value* round_nearest_afz(llvm::Value* x) const;
  llvm::Value* is_finite(llvm::Value* x) const;
  llvm::Value* sqrt(llvm::Value* x) const;
  llvm::Value* rsqrt(llvm::Value* x) const;
  llvm::Value* cbrt(llvm::Value* x) const;
  llvm::Value* exponential(llvm::Value* x) const;
  llvm::Value* exponential_minus_one(llvm::Value* x) const;
  llvm::Value* log(llvm::Value* x) const;
  llvm::Value* log_plus_one(llvm::Value* x) const;
  llvm::Value* logistic(llvm::Value* x) const;
  llvm::Value* tanh(llvm::Value* x) const;
  llvm::Value* sine(llvm::Value* x) const;
  llvm::Value* cosine(llvm::Value* x) const;
  llvm::Value* tan(llvm::Value* x) const;
  llvm::Value* atan2(llvm::Value* y, llvm::Value* x) const;
  /// Rounds to a format of fewer bits of exponent and mantissa, which are parameters.
  llvm::Value* reduce_precision(llvm::Value* x, llvm::Value* exponent_bits, llvm::Value* mantissa_bits) const;

  /// `direction`: EQ, NE, GE, GT, LE or LT. Gives i1.
  llvm::Value* compare(std::string_view direction, llvm::Value* x, llvm::Value* y) const;
  /// The predicate is i1, the others of one dtype.
  llvm::Value* select(llvm::Value* predicate, llvm::Value* on_true, llvm::Value* on_false) const;
  /// Of the first operand's dtype, to the result's: the number, or the bits.
  llvm::Value* convert(llvm::Value* x) const;
  llvm::Value* bitcast(llvm::Value* x) const;

 private:
  llvm::IRBuilderBase& builder_;
  const Target& target_;
  const ir::Op& op_;
  const std::vector<llvm::Value*>& operands_;
};

}  // namespace cornu::inline v0::backends::cpu
