#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "cornu/backends/cpu/math/float_code.h"
#include "cornu/ir/graph.h"

namespace cornu::inline v0::backends::cpu {

struct Target;

/// Primitives in which the rows of elementwise ops (x_cpu.cc) define the code of one op on registers, element
/// by element. Functions that consist of several primitives are defined in the folder of their op, shared
/// parts of functions in math/vector_math.h.
///
/// Operands and constants are of the dtype of the op's first operand, unless a comment says otherwise; f16 and
/// bf16 are f32 in registers.
class ElementCode : public RegisterCode {
 public:
  ElementCode(llvm::IRBuilderBase& builder, const Target& target, const ir::Op& op,
              const std::vector<llvm::Value*>& operands);

  const ir::Op& op() const { return op_; }
  /// Includes the parameters of an eager kernel, which follow the op's own operands (see
  /// ElementKernelColumn).
  std::size_t num_operands() const { return operands_.size(); }
  llvm::Value* operand(std::size_t i) const { return operands_[i]; }
  /// The first operand's.
  ir::DType dtype() const { return op_.operand(0).dtype(); }
  bool is_float() const { return ir::is_float(dtype()); }
  bool is_signed() const { return ir::is_signed_integer(dtype()); }
  /// Instructions on the floats of the first operand's register.
  FloatCode floats() const;
  /// A number in every lane.
  llvm::Value* constant(double value) const;
  /// A 64-bit integer in every lane, for the parameters of reduce_precision.
  llvm::Value* parameter(std::int64_t value) const;

  llvm::Value* abs(llvm::Value* x) const;
  /// They return NaN if an operand is NaN; -0 counts as less than 0.
  llvm::Value* maximum(llvm::Value* x, llvm::Value* y) const { return extremum(x, y, true); }
  llvm::Value* minimum(llvm::Value* x, llvm::Value* y) const { return extremum(x, y, false); }

  // Integers: the machine's division. It traps if y is zero, or if x is the least integer and y is -1.
  llvm::Value* divide_integers(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* remainder_of_integers(llvm::Value* x, llvm::Value* y) const;
  /// The truncated quotient of integers of at most 16 bits, y not zero: the quotient of floats is exact after
  /// rounding, and the machine divides vectors of floats.
  llvm::Value* divide_narrow_integers(llvm::Value* x, llvm::Value* y) const;

  // Floats.
  llvm::Value* floor(llvm::Value* x) const;
  llvm::Value* ceil(llvm::Value* x) const;
  llvm::Value* round_nearest_even(llvm::Value* x) const;
  llvm::Value* round_nearest_afz(llvm::Value* x) const;

  /// `direction`: EQ, NE, GE, GT, LE or LT. Gives i1.
  llvm::Value* compare(std::string_view direction, llvm::Value* x, llvm::Value* y) const;
  /// Converts from the first operand's dtype to the result's: the number, or the bits.
  llvm::Value* convert(llvm::Value* x) const;
  llvm::Value* bitcast(llvm::Value* x) const;
  /// The bits of x in memory, as integers of that width; the other way round.
  llvm::Value* memory_bits(llvm::Value* x, ir::DType dtype) const;
  llvm::Value* from_memory_bits(llvm::Value* bits, ir::DType dtype) const;

 private:
  llvm::Type* type() const;
  llvm::Value* fabs(llvm::Value* x) const;
  llvm::Value* extremum(llvm::Value* x, llvm::Value* y, bool largest) const;
  llvm::Value* extremum_with_single(llvm::Value* x, llvm::Value* y, bool largest) const;
  llvm::Value* round_up_or_down(llvm::Value* x, bool down) const;
  llvm::Value* float_to_integer(llvm::Value* x, llvm::Type* type, ir::DType to) const;

  const Target& target_;
  const ir::Op& op_;
  const std::vector<llvm::Value*>& operands_;
};

}  // namespace cornu::inline v0::backends::cpu
