#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace llvm {
class IRBuilderBase;
class Type;
class Value;
}  // namespace llvm

namespace cornu::inline v0::backends::cpu {

/// Instructions on registers, scalars and vectors alike, without LLVM's headers.
///
/// Each function adds instructions to the loop that is being emitted and returns the register of the result.
/// The type of the registers selects the instruction: floats, integers, which wrap, or i1. The builder must
/// have no fast-math flags: the code depends on exact rounding.
class RegisterCode {
 public:
  /// With `has_fma` llvm.fma is one instruction (AVX2 with FMA, AVX-512). Without it a product and a sum are
  /// each rounded, so the bits differ.
  RegisterCode(llvm::IRBuilderBase& builder, bool has_fma) : builder_(builder), has_fma_(has_fma) {}

  llvm::IRBuilderBase& builder() const { return builder_; }
  bool has_fma() const { return has_fma_; }
  /// An integer in every lane of the type of `like`.
  llvm::Value* integer_like(llvm::Value* like, std::int64_t value) const;

  // Sums of i1 are or, differences xor and products and, as StableHLO specifies.
  llvm::Value* add(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* subtract(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* multiply(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* negate(llvm::Value* x) const;

  // Floats.
  llvm::Value* divide(llvm::Value* x, llvm::Value* y) const;
  /// The rest of a truncated division, exactly; it has the sign of x.
  llvm::Value* remainder(llvm::Value* x, llvm::Value* y) const;
  /// x y + z, rounded once where the target can.
  llvm::Value* fma(llvm::Value* x, llvm::Value* y, llvm::Value* z) const;
  llvm::Value* sqrt(llvm::Value* x) const;
  /// |x| with the sign of y.
  llvm::Value* copy_sign(llvm::Value* x, llvm::Value* y) const;

  // Integers and i1. A shift by the width or more gives no defined bits.
  llvm::Value* bit_and(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* bit_or(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* bit_xor(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* bit_not(llvm::Value* x) const;
  llvm::Value* shift_left(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* shift_right_logical(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* shift_right_arithmetic(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* shift_left(llvm::Value* x, int bits) const;
  llvm::Value* shift_right_logical(llvm::Value* x, int bits) const;
  llvm::Value* shift_right_arithmetic(llvm::Value* x, int bits) const;
  llvm::Value* count_ones(llvm::Value* x) const;
  llvm::Value* count_leading_zeros(llvm::Value* x) const;
  /// Drops the upper bits, down to the type of `like`.
  llvm::Value* truncate_like(llvm::Value* like, llvm::Value* x) const;
  /// i1 to the integer type of `like`, 0 or 1.
  llvm::Value* extend_like(llvm::Value* like, llvm::Value* x) const;

  // Comparisons give i1. Those of floats are false where an operand is NaN, unless their name includes NaN;
  // integers are signed, unless the name says unsigned.
  llvm::Value* equal(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* less(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* less_equal(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* greater(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* greater_equal(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* unequal(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* equal_or_nan(llvm::Value* x, llvm::Value* y) const;
  /// True if x or y is NaN.
  llvm::Value* any_nan(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* less_unsigned(llvm::Value* x, llvm::Value* y) const;
  llvm::Value* greater_unsigned(llvm::Value* x, llvm::Value* y) const;
  /// True if x has a bit of the integer `mask`.
  llvm::Value* has_bits(llvm::Value* x, std::int64_t mask) const;

  /// The predicate is i1, the others are of one type.
  llvm::Value* select(llvm::Value* predicate, llvm::Value* on_true, llvm::Value* on_false) const;

  /// New values of a loop's variables, and i1: the lanes that need another turn.
  struct Turn {
    std::vector<llvm::Value*> variables;
    llvm::Value* needs_another = nullptr;
  };
  /// Runs `turn` on the variables, which begin as `first`, until no lane needs another turn; returns the
  /// variables of the last turn. The builder goes on in a new block.
  std::vector<llvm::Value*> repeat(std::span<llvm::Value* const> first,
                                   const std::function<Turn(std::span<llvm::Value* const>)>& turn) const;

 private:
  llvm::IRBuilderBase& builder_;
  bool has_fma_;
};

/// Constants in which the functions of float and of double differ.
struct FloatFormat {
  int mantissa_bits;
  int exponent_bias;
  double round_magic;            // adding it rounds to an integer, which is then in the low bits
  double min_normal;             // smallest normal number
  double subnormal_scale;        // makes every subnormal normal
  int subnormal_exponent;        // its exponent
  double log2_e_half;            // log2(e) / 2
  double log_2_high, log_2_low;  // log 2 in two parts; a multiple of the high part by any exponent is exact
  double exp_high, exp_low;      // e^x is infinite at and above, 0 at and below these
  double tanh_end;               // tanh is 1 from here
  double tiny;                   // log(1 + x) is x below
  double largest_plain_angle;    // pi / 2 in parts reduces angles up to here
  std::span<const double> exp_tail, expm1_tail, tanh_tail, sine_tail, cosine_tail;
};

/// Instructions and constants of one type of floats: float, double, or a vector of either.
class FloatCode : public RegisterCode {
 public:
  FloatCode(llvm::IRBuilderBase& builder, bool has_fma, llvm::Type* type);

  /// The same for double.
  FloatCode as_double() const;
  const FloatFormat& format() const { return format_; }
  bool is_double() const { return is_double_; }
  llvm::Type* type() const { return type_; }

  llvm::Value* number(double value) const;
  llvm::Value* infinity() const;
  /// Integer of the floats' width.
  llvm::Value* integer(std::uint64_t value) const;
  std::uint64_t bits_of(double value) const;
  std::uint64_t sign_mask() const { return bits_of(-0.0); }

  /// Floats to double; double stays.
  llvm::Value* widened(llvm::Value* x) const;
  /// Double to this type, rounded.
  llvm::Value* narrowed(llvm::Value* x) const;
  /// The signed integer x as a float of this type.
  llvm::Value* from_integer(llvm::Value* x) const;
  llvm::Value* bits(llvm::Value* x) const;
  llvm::Value* from_bits(llvm::Value* x) const;
  /// Clears the bit of the sign.
  llvm::Value* abs(llvm::Value* x) const;
  /// The bit of the sign.
  llvm::Value* sign(llvm::Value* x) const;
  /// NaN passes: the comparison's false side is x, as in x86's minimum and maximum.
  llvm::Value* at_most(llvm::Value* x, double high) const;
  llvm::Value* at_least(llvm::Value* x, double low) const;
  /// The exact difference between x y and the rounded `product`, if nothing overflows.
  llvm::Value* product_error(llvm::Value* x, llvm::Value* y, llvm::Value* product) const;
  /// Evaluates even and odd coefficients separately: one multiplication more than Horner's rule, half its
  /// latency. `square` is x^2.
  llvm::Value* polynomial(std::span<const double> coefficients, llvm::Value* x, llvm::Value* square) const;

 private:
  std::pair<llvm::Value*, llvm::Value*> split(llvm::Value* x) const;

  llvm::Type* type_;
  bool is_double_;
  llvm::Type* int_type_;
  const FloatFormat& format_;
};

/// An angle of doubles is quadrant pi / 2 + r + r_low, |r| <= pi / 4. Only the two lowest bits of the quadrant
/// matter.
struct ReducedAngle {
  llvm::Value* r;
  llvm::Value* r_low;
  llvm::Value* quadrant;
};

/// Reduces x in doubles. For floats r_low is null, because doubles have enough bits without it.
///
/// This code is no straight line: if a lane is beyond 1e6 (float) or 1e5 (double), a branch calls a function
/// of the same module, which reduces such lanes one by one, exactly. The builder goes on in a new block.
ReducedAngle reduce_angle(const FloatCode& m, llvm::Value* x);

}  // namespace cornu::inline v0::backends::cpu
