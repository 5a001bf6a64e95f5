#include "cornu/backends/cpu/emit/elementwise.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include <cmath>
#include <string_view>
#include <unordered_map>

#include "cornu/backends/cpu/emit/element_code.h"
#include "cornu/backends/cpu/math/vector_math.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::backends::cpu {
namespace {

using ir::DType;
using llvm::Value;
using Operands = std::vector<Value*>;

llvm::Constant* bits_like(Value* like, std::uint64_t value) {
  return llvm::ConstantInt::get(like->getType(), value);
}

Value* as(llvm::IRBuilderBase& b, Value* value, llvm::Type* scalar) {
  return b.CreateBitCast(value, value->getType()->getWithNewType(scalar));
}

/// bf16 is the upper half of an f32: round at bit 16, where NaN stays NaN. As 32-bit integers with zeros
/// below.
Value* round_bits_to_bf16(llvm::IRBuilderBase& b, Value* value) {
  Value* bits = as(b, value, b.getInt32Ty());
  Value* odd = b.CreateAnd(b.CreateLShr(bits, 16), bits_like(bits, 1));
  Value* rounded = b.CreateAdd(bits, b.CreateAdd(odd, bits_like(bits, 0x7fff)));
  Value* quiet = b.CreateOr(bits, bits_like(bits, 0x400000));
  return b.CreateAnd(b.CreateSelect(b.CreateFCmpUNO(value, value), quiet, rounded),
                     bits_like(bits, 0xffff0000));
}

/// Without conversion instructions (SSE2).
Value* half_bits_to_float(llvm::IRBuilderBase& b, Value* bits16) {
  Value* bits = b.CreateZExt(bits16, bits16->getType()->getWithNewType(b.getInt32Ty()));
  Value* sign = b.CreateShl(b.CreateAnd(bits, bits_like(bits, 0x8000)), 16);
  Value* magnitude = b.CreateAnd(bits, bits_like(bits, 0x7fff));
  Value* is_normal = b.CreateICmpUGE(magnitude, bits_like(bits, 0x400));
  Value* is_special = b.CreateICmpUGE(magnitude, bits_like(bits, 0x7c00));
  Value* shifted = b.CreateShl(magnitude, 13);
  Value* normal = b.CreateAdd(shifted, bits_like(bits, std::uint64_t{112} << 23));
  Value* special = b.CreateOr(shifted, bits_like(bits, 0x7f800000));
  // A subnormal is its integer times 2^-24, exactly.
  llvm::Type* floats = bits->getType()->getWithNewType(b.getFloatTy());
  Value* small =
      as(b, b.CreateFMul(b.CreateSIToFP(magnitude, floats), llvm::ConstantFP::get(floats, 0x1p-24)),
         b.getInt32Ty());
  Value* result = b.CreateSelect(is_special, special, b.CreateSelect(is_normal, normal, small));
  return as(b, b.CreateOr(result, sign), b.getFloatTy());
}

Value* float_to_half_bits(llvm::IRBuilderBase& b, Value* value) {
  Value* bits = as(b, value, b.getInt32Ty());
  Value* sign = b.CreateAnd(b.CreateLShr(bits, 16), bits_like(bits, 0x8000));
  Value* magnitude = b.CreateAnd(bits, bits_like(bits, 0x7fffffff));
  Value* odd = b.CreateAnd(b.CreateLShr(magnitude, 13), bits_like(bits, 1));
  Value* normal = b.CreateAdd(magnitude, b.CreateAdd(odd, bits_like(bits, 0xfff)));
  normal = b.CreateLShr(b.CreateSub(normal, bits_like(bits, std::uint64_t{112} << 23)), 13);
  // Adding 1/2 moves the bits of a subnormal to the bottom of the significand, rounded.
  llvm::Type* floats = value->getType();
  Value* absolute = as(b, magnitude, b.getFloatTy());
  Value* small =
      b.CreateSub(as(b, b.CreateFAdd(absolute, llvm::ConstantFP::get(floats, 0.5)), b.getInt32Ty()),
                  bits_like(bits, 0x3f000000));
  Value* result = b.CreateSelect(b.CreateICmpULT(magnitude, bits_like(bits, 0x38800000)), small, normal);
  result = b.CreateSelect(b.CreateICmpUGE(magnitude, bits_like(bits, 0x477ff000)), bits_like(bits, 0x7c00),
                          result);
  result = b.CreateSelect(b.CreateICmpUGT(magnitude, bits_like(bits, 0x7f800000)), bits_like(bits, 0x7e00),
                          result);
  return b.CreateTrunc(b.CreateOr(result, sign), bits->getType()->getWithNewType(b.getInt16Ty()));
}

/// The same as bits of 16, by vcvtneps2bf16; subnormal numbers become zeros.
Value* convert_to_bf16(llvm::IRBuilderBase& b, Value* value) {
  Value* const rounded = b.CreateFPTrunc(value, value->getType()->getWithNewType(b.getBFloatTy()));
  return b.CreateBitCast(rounded, value->getType()->getWithNewType(b.getInt16Ty()));
}

/// The bits of a number that was rounded to bf16 or read as one, as code of this file does it; null: of any
/// other.
Value* known_bf16_bits(llvm::IRBuilderBase& b, Value* value) {
  namespace match = llvm::PatternMatch;
  Value* bits = nullptr;
  if (match::match(value, match::m_BitCast(
                              match::m_Shl(match::m_ZExt(match::m_Value(bits)), match::m_SpecificInt(16)))) &&
      bits->getType()->getScalarSizeInBits() == 16)
    return bits;
  if (!match::match(value,
                    match::m_BitCast(match::m_And(match::m_Value(bits), match::m_SpecificInt(0xffff0000)))))
    return nullptr;
  bits = llvm::cast<llvm::Operator>(value)->getOperand(0);
  return b.CreateTrunc(b.CreateLShr(bits, 16), bits->getType()->getWithNewType(b.getInt16Ty()));
}

bool has_conversions(const Target& target) { return target.isa != IsaLevel::kSse2; }

struct Emit {
  llvm::IRBuilderBase& b;
  const Target& target;
  MathTarget math;
  const ir::Op& op;
  Operands x;

  DType dtype() const { return op.operand(0).dtype(); }
  bool is_float() const { return ir::is_float(dtype()); }
  bool is_signed() const { return ir::is_signed_integer(dtype()); }
  llvm::Type* type() const { return x[0]->getType(); }
  int bits() const { return ir::bit_width(dtype()); }
  Value* integer(std::int64_t v) const {
    return llvm::ConstantInt::get(type(), static_cast<std::uint64_t>(v), true);
  }
  Value* real(double v) const { return llvm::ConstantFP::get(type(), v); }
  Value* intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<Value*> args) const {
    return b.CreateIntrinsic(id, {type()}, args);
  }
};

/// The quotient of integers of at most 16 bits: that of floats, rounded and cut off, is exact, and the
/// machine divides vectors of them.
Value* narrow_quotient(const Emit& e, Value* divisor) {
  llvm::IRBuilderBase& b = e.b;
  llvm::Type* const floats = e.type()->getWithNewType(b.getFloatTy());
  const auto number = [&](Value* x) {
    return e.is_signed() ? b.CreateSIToFP(x, floats) : b.CreateUIToFP(x, floats);
  };
  Value* const quotient = b.CreateFDiv(number(e.x[0]), number(divisor));
  return b.CreateTrunc(b.CreateFPToSI(quotient, e.type()->getWithNewType(b.getInt32Ty())), e.type());
}

/// Division by zero gives -1 (all ones) and INT_MIN / -1 gives INT_MIN, as the reference kernels; x86 would
/// trap.
Value* integer_division(const Emit& e, bool remainder) {
  Value* const zero = e.b.CreateICmpEQ(e.x[1], e.integer(0));
  Value* divisor = e.b.CreateSelect(zero, e.integer(1), e.x[1]);
  if (e.bits() <= 16) {
    Value* const quotient = narrow_quotient(e, divisor);
    Value* const result = remainder ? e.b.CreateSub(e.x[0], e.b.CreateMul(quotient, divisor)) : quotient;
    return e.b.CreateSelect(zero, remainder ? e.x[0] : e.integer(-1), result);
  }
  Value* overflow = nullptr;
  if (e.is_signed()) {
    Value* lowest =
        llvm::ConstantInt::get(e.type(), llvm::APInt::getSignedMinValue(static_cast<unsigned>(e.bits())));
    overflow = e.b.CreateAnd(e.b.CreateICmpEQ(e.x[0], lowest), e.b.CreateICmpEQ(e.x[1], e.integer(-1)));
    divisor = e.b.CreateSelect(overflow, e.integer(1), divisor);
  }
  Value* result = remainder
                      ? (e.is_signed() ? e.b.CreateSRem(e.x[0], divisor) : e.b.CreateURem(e.x[0], divisor))
                      : (e.is_signed() ? e.b.CreateSDiv(e.x[0], divisor) : e.b.CreateUDiv(e.x[0], divisor));
  if (remainder && overflow) result = e.b.CreateSelect(overflow, e.integer(0), result);
  return e.b.CreateSelect(zero, remainder ? e.x[0] : e.integer(-1), result);
}

/// A shift by the width or more gives zeros (copies of the sign for the arithmetic one).
Value* shift(const Emit& e, llvm::Instruction::BinaryOps kind) {
  const bool arithmetic = kind == llvm::Instruction::AShr;
  Value* in_range = e.b.CreateICmpULT(e.x[1], e.integer(e.bits()));
  Value* amount = e.b.CreateSelect(in_range, e.x[1], e.integer(arithmetic ? e.bits() - 1 : 0));
  Value* shifted = e.b.CreateBinOp(kind, e.x[0], amount);
  return arithmetic ? shifted : e.b.CreateSelect(in_range, shifted, e.integer(0));
}

/// By squaring, on unsigned bits, as long as a lane has bits of its exponent left; a negative exponent gives
/// 0 but for bases 1 and -1. The builder goes on in a new block.
Value* power_of_integers(const Emit& e) {
  Value* const is_negative = e.is_signed() ? e.b.CreateICmpSLT(e.x[1], e.integer(0)) : nullptr;
  Value* const exponent = e.is_signed() ? e.b.CreateSelect(is_negative, e.integer(0), e.x[1]) : e.x[1];
  llvm::BasicBlock* const before = e.b.GetInsertBlock();
  auto* const loop = llvm::BasicBlock::Create(e.b.getContext(), "squares", before->getParent());
  auto* const after = llvm::BasicBlock::Create(e.b.getContext(), "power", before->getParent());
  e.b.CreateBr(loop);
  e.b.SetInsertPoint(loop);
  const auto variable = [&](Value* first) {
    auto* const phi = e.b.CreatePHI(e.type(), 2);
    phi->addIncoming(first, before);
    return phi;
  };
  auto* const product = variable(e.integer(1));
  auto* const base = variable(e.x[0]);
  auto* const left = variable(exponent);
  Value* const has = e.b.CreateICmpNE(e.b.CreateAnd(left, e.integer(1)), e.integer(0));
  Value* const result = e.b.CreateSelect(has, e.b.CreateMul(product, base), product);
  product->addIncoming(result, loop);
  base->addIncoming(e.b.CreateMul(base, base), loop);
  Value* const rest = e.b.CreateLShr(left, e.integer(1));
  left->addIncoming(rest, loop);
  Value* goes_on = e.b.CreateICmpNE(rest, e.integer(0));
  if (goes_on->getType()->isVectorTy()) goes_on = e.b.CreateOrReduce(goes_on);
  e.b.CreateCondBr(e.b.CreateFreeze(goes_on), loop, after);
  e.b.SetInsertPoint(after);
  if (!e.is_signed()) return result;
  Value* odd = e.b.CreateICmpNE(e.b.CreateAnd(e.x[1], e.integer(1)), e.integer(0));
  Value* minus_one = e.b.CreateSelect(odd, e.integer(-1), e.integer(1));
  Value* is_one = e.b.CreateICmpEQ(e.x[0], e.integer(1));
  Value* is_minus_one = e.b.CreateICmpEQ(e.x[0], e.integer(-1));
  Value* negative =
      e.b.CreateSelect(is_one, e.integer(1), e.b.CreateSelect(is_minus_one, minus_one, e.integer(0)));
  return e.b.CreateSelect(is_negative, negative, result);
}

Value* sign_of(const Emit& e) {
  if (!e.is_float()) {
    Value* positive = e.b.CreateZExt(e.b.CreateICmpSGT(e.x[0], e.integer(0)), e.type());
    return e.b.CreateOr(positive, e.b.CreateAShr(e.x[0], e.integer(e.bits() - 1)));
  }
  Value* one = e.b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, e.real(1), e.x[0]);
  return e.b.CreateSelect(e.b.CreateFCmpONE(e.x[0], e.real(0)), one, e.x[0]);  // zeros and NaN stay
}

/// SSE2 has no rounding instruction, and LLVM would call libm for each lane: through integers there, where
/// the number has a fraction at all.
Value* rounded(const Emit& e, llvm::Intrinsic::ID id) {
  if (e.math.has_fma) return e.intrinsic(id, {e.x[0]});
  const bool is_double = e.dtype() == DType::kF64;
  llvm::Type* scalar = is_double ? static_cast<llvm::Type*>(e.b.getInt64Ty()) : e.b.getInt32Ty();
  llvm::Type* integers =
      e.type()->isVectorTy()
          ? llvm::VectorType::get(scalar, llvm::cast<llvm::VectorType>(e.type())->getElementCount())
          : scalar;
  Value* magnitude = e.intrinsic(llvm::Intrinsic::fabs, {e.x[0]});
  Value* has_fraction = e.b.CreateFCmpOLT(magnitude, e.real(is_double ? 4503599627370496.0 : 8388608.0));
  Value* small = e.b.CreateSelect(has_fraction, e.x[0], e.real(0));
  Value* truncated = e.b.CreateSIToFP(e.b.CreateFPToSI(small, integers), e.type());
  const bool down = id == llvm::Intrinsic::floor;
  Value* beyond = down ? e.b.CreateFCmpOGT(truncated, small) : e.b.CreateFCmpOLT(truncated, small);
  Value* result = e.b.CreateFAdd(truncated, e.b.CreateSelect(beyond, e.real(down ? -1 : 1), e.real(0)));
  result = e.b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, result, e.x[0]);
  return e.b.CreateSelect(has_fraction, result, e.x[0]);
}

/// To the nearest integer, halves to even.
Value* rounded_even(const Emit& e) {
  if (e.math.has_fma) return e.intrinsic(llvm::Intrinsic::roundeven, {e.x[0]});
  const bool is_double = e.dtype() == DType::kF64;
  Value* limit = e.real(is_double ? 4503599627370496.0 : 8388608.0);
  Value* magnitude = e.intrinsic(llvm::Intrinsic::fabs, {e.x[0]});
  Value* result = e.b.CreateFSub(e.b.CreateFAdd(magnitude, limit), limit);
  result = e.b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, result, e.x[0]);
  return e.b.CreateSelect(e.b.CreateFCmpOLT(magnitude, limit), result, e.x[0]);
}

/// To the nearest integer, halves away from zero; |x| - floor(|x|) is exact.
Value* rounded_away(const Emit& e) {
  if (e.math.has_fma) return e.intrinsic(llvm::Intrinsic::round, {e.x[0]});
  const Operands magnitude = {e.intrinsic(llvm::Intrinsic::fabs, {e.x[0]})};
  Value* below = rounded(Emit{e.b, e.target, e.math, e.op, magnitude}, llvm::Intrinsic::floor);
  Value* up = e.b.CreateFCmpOGE(e.b.CreateFSub(magnitude[0], below), e.real(0.5));
  Value* result = e.b.CreateFAdd(below, e.b.CreateSelect(up, e.real(1), e.real(0)));
  return e.b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, result, e.x[0]);
}

/// On the bits of the type in memory, as the definition is. The numbers of bits that are kept are 64-bit
/// integers, in fused code constants.
Value* to_lower_precision(const Emit& e, Value* exponent_bits, Value* mantissa_bits) {
  llvm::IRBuilderBase& b = e.b;
  const int own_mantissa = e.dtype() == DType::kF16    ? 10
                           : e.dtype() == DType::kBF16 ? 7
                           : e.dtype() == DType::kF32  ? 23
                                                       : 52;
  const int own_exponent = e.bits() - 1 - own_mantissa;
  Value* const bits =
      is_half(e.dtype())
          ? float_to_half(b, e.target, e.x[0], e.dtype())
          : b.CreateBitCast(e.x[0], e.type()->getWithNewType(b.getIntNTy(static_cast<unsigned>(e.bits()))));
  auto number = [&](std::uint64_t v) { return llvm::ConstantInt::get(bits->getType(), v); };
  auto at_most = [&](Value* kept, int own) {
    Value* const most = bits_like(kept, static_cast<std::uint64_t>(own));
    return b.CreateTrunc(b.CreateSelect(b.CreateICmpULT(kept, most), kept, most), bits->getType());
  };
  const std::uint64_t sign = std::uint64_t{1} << (e.bits() - 1);
  const std::uint64_t mantissa_mask = (std::uint64_t{1} << own_mantissa) - 1;
  Value* const zero = number(0);
  Value* const one = number(1);
  Value* const infinity = number(((std::uint64_t{1} << own_exponent) - 1) << own_mantissa);
  Value* const magnitude = b.CreateAnd(bits, number(sign - 1));

  Value* const mantissa = at_most(mantissa_bits, own_mantissa);
  Value* const unit =
      b.CreateShl(one, b.CreateSub(number(static_cast<std::uint64_t>(own_mantissa)), mantissa));
  Value* const below_half = b.CreateSub(b.CreateLShr(unit, 1), one);
  Value* const is_odd = b.CreateICmpNE(b.CreateAnd(magnitude, unit), zero);
  Value* const addend = b.CreateSelect(is_odd, b.CreateAdd(below_half, one), below_half);
  Value* result = b.CreateAnd(b.CreateAdd(magnitude, addend), b.CreateNeg(unit));
  result = b.CreateSelect(b.CreateICmpEQ(unit, one), magnitude, result);

  Value* const exponent = at_most(exponent_bits, own_exponent);
  Value* const is_narrow = b.CreateICmpULT(exponent, number(static_cast<std::uint64_t>(own_exponent)));
  Value* const reach = b.CreateSub(b.CreateShl(one, b.CreateSub(exponent, one)), one);
  Value* const bias = number((std::uint64_t{1} << (own_exponent - 1)) - 1);
  const auto field_end = [&](Value* field) {  // the largest number of this exponent
    return b.CreateOr(b.CreateShl(field, static_cast<std::uint64_t>(own_mantissa)), number(mantissa_mask));
  };
  // Outside of these no number is large or small.
  Value* const most = b.CreateSelect(is_narrow, field_end(b.CreateAdd(bias, reach)), number(sign - 1));
  Value* const least = b.CreateSelect(is_narrow, b.CreateAdd(field_end(b.CreateSub(bias, reach)), one), zero);
  Value* const is_small = b.CreateICmpULT(result, least);
  result = b.CreateSelect(b.CreateICmpUGT(result, most), infinity, result);
  result = b.CreateSelect(is_small, zero, result);
  // NaN stays; a format without a mantissa has none.
  Value* const nan = b.CreateSelect(b.CreateICmpEQ(mantissa, zero), infinity, magnitude);
  result = b.CreateSelect(b.CreateICmpUGT(magnitude, infinity), nan, result);
  result = b.CreateOr(result, b.CreateAnd(bits, number(sign)));
  return is_half(e.dtype()) ? half_to_float(b, e.target, result, e.dtype())
                            : b.CreateBitCast(result, e.type());
}

Value* compared(const Emit& e, std::string_view direction) {
  using P = llvm::CmpInst::Predicate;
  struct Row {
    P floating, signed_integer, unsigned_integer;
  };
  static const auto& rows = *new const std::unordered_map<std::string_view, Row>{
      {"EQ", {P::FCMP_OEQ, P::ICMP_EQ, P::ICMP_EQ}},   {"NE", {P::FCMP_UNE, P::ICMP_NE, P::ICMP_NE}},
      {"GE", {P::FCMP_OGE, P::ICMP_SGE, P::ICMP_UGE}}, {"GT", {P::FCMP_OGT, P::ICMP_SGT, P::ICMP_UGT}},
      {"LE", {P::FCMP_OLE, P::ICMP_SLE, P::ICMP_ULE}}, {"LT", {P::FCMP_OLT, P::ICMP_SLT, P::ICMP_ULT}}};
  const Row& row = rows.at(direction);
  if (e.is_float()) return e.b.CreateFCmp(row.floating, e.x[0], e.x[1]);
  return e.b.CreateICmp(e.is_signed() ? row.signed_integer : row.unsigned_integer, e.x[0], e.x[1]);
}

/// Saturates; NaN becomes 0.
Value* float_to_integer(const Emit& e, llvm::Type* type, DType to) {
  llvm::IRBuilderBase& b = e.b;
  const bool is_signed = ir::is_signed_integer(to);
  const int digits = ir::bit_width(to) - (is_signed ? 1 : 0);
  const double end = std::ldexp(1.0, digits), begin = is_signed ? -end : 0.0;
  const auto number = [&](Value* x) { return is_signed ? b.CreateFPToSI(x, type) : b.CreateFPToUI(x, type); };
  Value* const x = e.x[0];
  Value* const zero = e.real(0);
  if (digits <= (e.dtype() == DType::kF64 ? 53 : 24)) {  // the limits are numbers of the type
    Value* inside =
        b.CreateSelect(b.CreateFCmpOGT(x, e.real(begin)), x, e.real(begin));  // NaN becomes the limit
    inside = b.CreateSelect(b.CreateFCmpOLT(inside, e.real(end - 1)), inside, e.real(end - 1));
    if (is_signed) inside = b.CreateSelect(b.CreateFCmpUNO(x, x), zero, inside);
    return number(inside);
  }
  const auto integer = [&](const llvm::APInt& value) { return llvm::ConstantInt::get(type, value); };
  const auto bits = static_cast<unsigned>(ir::bit_width(to));
  Value* const is_large = b.CreateFCmpOGE(x, e.real(end));
  Value* const fits = b.CreateFCmpOGT(x, e.real(is_signed ? begin : -1.0));
  Value* result = number(b.CreateSelect(b.CreateAnd(fits, b.CreateNot(is_large)), x, zero));
  result = b.CreateSelect(
      is_large, integer(is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits)),
      result);
  if (!is_signed) return result;
  return b.CreateSelect(b.CreateFCmpOLE(x, e.real(begin)), integer(llvm::APInt::getSignedMinValue(bits)),
                        result);
}

Value* converted(const Emit& e) {
  const DType from = e.dtype();
  const DType to = e.op.result().dtype();
  if (from == to) return e.x[0];
  llvm::Type* scalar = register_type(e.b.getContext(), to, 1);
  llvm::Type* type =
      e.type()->isVectorTy()
          ? llvm::VectorType::get(scalar, llvm::cast<llvm::VectorType>(e.type())->getElementCount())
          : scalar;
  if (to == DType::kI1)
    return ir::is_float(from) ? e.b.CreateFCmpUNE(e.x[0], e.real(0)) : e.b.CreateICmpNE(e.x[0], e.integer(0));
  if (is_half(to)) {  // once rounded: through what holds every such number, or says that it does not
    Value* x = e.x[0];
    if (!ir::is_float(from)) {
      llvm::Type* const wide =
          e.type()->getWithNewType(e.bits() <= 16 ? e.b.getFloatTy() : e.b.getDoubleTy());
      x = ir::is_signed_integer(from) ? e.b.CreateSIToFP(x, wide) : e.b.CreateUIToFP(x, wide);
    }
    return x->getType()->getScalarType()->isDoubleTy() ? double_to_odd_float(e.b, x) : x;
  }
  if (ir::is_float(from))
    return ir::is_float(to) ? e.b.CreateFPCast(e.x[0], type) : float_to_integer(e, type, to);
  const bool is_signed = ir::is_signed_integer(from);
  if (ir::is_float(to)) return is_signed ? e.b.CreateSIToFP(e.x[0], type) : e.b.CreateUIToFP(e.x[0], type);
  return is_signed ? e.b.CreateSExtOrTrunc(e.x[0], type) : e.b.CreateZExtOrTrunc(e.x[0], type);
}

Value* same_bits(const Emit& e) {
  const DType from = e.dtype(), to = e.op.result().dtype();
  if (from == to) return e.x[0];
  if (is_half(from)) {
    Value* bits = float_to_half(e.b, e.target, e.x[0], from);
    return is_half(to) ? half_to_float(e.b, e.target, bits, to) : bits;
  }
  if (is_half(to)) return half_to_float(e.b, e.target, e.x[0], to);
  llvm::Type* scalar = register_type(e.b.getContext(), e.op.result().dtype(), 1);
  llvm::Type* type =
      e.type()->isVectorTy()
          ? llvm::VectorType::get(scalar, llvm::cast<llvm::VectorType>(e.type())->getElementCount())
          : scalar;
  return e.b.CreateBitCast(e.x[0], type);
}

/// The positive constant, or positive zero, that a register holds.
llvm::ConstantFP* positive_constant(Value* x) {
  auto* constant = llvm::dyn_cast<llvm::Constant>(x);
  if (constant != nullptr && x->getType()->isVectorTy()) constant = constant->getSplatValue();
  auto* number = llvm::dyn_cast_or_null<llvm::ConstantFP>(constant);
  return number == nullptr || number->isNegative() || number->isNaN() ? nullptr : number;
}

/// max(x, c), c positive or zero, in two cheap instructions: the machine's maximum returns its second operand
/// when one is not a number or both are zero, and adding zero takes the sign of a zero away.
Value* maximum_with_positive(const Emit& e, Value* x, Value* c, bool is_zero) {
  Value* larger = e.b.CreateSelect(e.b.CreateFCmpOGT(c, x), c, x);
  return is_zero ? e.b.CreateFAdd(larger, c) : larger;
}

/// The maximum or minimum of x and of y, which is one number in all lanes: what depends on y alone is outside
/// of the loop. The machine's instruction returns x when both are zero or one is not a number.
Value* extremum_with_single(const Emit& e, Value* x, Value* y, bool largest) {
  llvm::IRBuilderBase& b = e.b;
  llvm::Type* const scalar = b.getIntNTy(static_cast<unsigned>(e.type()->getScalarSizeInBits()));
  const auto mask = [&](Value* condition) {
    return b.CreateSExt(condition, condition->getType()->getWithNewType(scalar));
  };
  Value* const y_bits = as(b, y, scalar);
  const std::uint64_t sign = std::uint64_t{1} << (scalar->getIntegerBitWidth() - 1);
  // +0 is larger than -0, and NaN passes.
  Value* const zero = b.CreateICmpEQ(y_bits, bits_like(y_bits, largest ? 0 : sign));
  Value* const sign_of_zero = b.CreateAnd(mask(zero), bits_like(y_bits, sign));
  Value* const nan = mask(b.CreateFCmpUNO(y, y));
  Value* result =
      as(b, b.CreateSelect(largest ? b.CreateFCmpOGT(y, x) : b.CreateFCmpOLT(y, x), y, x), scalar);
  if (largest) result = b.CreateAnd(result, b.CreateNot(sign_of_zero));
  return as(b, b.CreateOr(result, largest ? nan : b.CreateOr(sign_of_zero, nan)), e.type()->getScalarType());
}

/// StableHLO's maximum and minimum pass NaN on; -0 counts as less than 0.
Value* extremum(const Emit& e, bool largest) {
  if (e.is_float() && largest)
    for (const unsigned side : {1U, 0U})
      if (llvm::ConstantFP* c = positive_constant(e.x[side]))
        return maximum_with_positive(e, e.x[1 - side], e.x[side], c->isZero());
  if (e.is_float())
    for (const unsigned side : {1U, 0U})
      if (e.type()->isVectorTy() && llvm::getSplatValue(e.x[side]) != nullptr)
        return extremum_with_single(e, e.x[1 - side], e.x[side], largest);
  if (e.is_float())
    return e.b.CreateBinaryIntrinsic(largest ? llvm::Intrinsic::maximum : llvm::Intrinsic::minimum, e.x[0],
                                     e.x[1]);
  const auto id = e.is_signed() ? (largest ? llvm::Intrinsic::smax : llvm::Intrinsic::smin)
                                : (largest ? llvm::Intrinsic::umax : llvm::Intrinsic::umin);
  return e.b.CreateBinaryIntrinsic(id, e.x[0], e.x[1]);
}

/// i1: add is or, multiply is and, as the specification says.
Value* arithmetic(const Emit& e, llvm::Instruction::BinaryOps floating, llvm::Instruction::BinaryOps integer,
                  llvm::Instruction::BinaryOps boolean) {
  return e.b.CreateBinOp(e.is_float()              ? floating
                         : e.dtype() == DType::kI1 ? boolean
                                                   : integer,
                         e.x[0], e.x[1]);
}

using I = llvm::Instruction;

/// The same op on other operands.
Emit on(const ElementCode& code, Operands operands) {
  return {code.builder(), code.target(), {code.target().has_fma}, code.op(), std::move(operands)};
}

MathTarget math(const ElementCode& code) { return {code.target().has_fma}; }

}  // namespace

Value* ElementCode::constant(double value) const {
  const Emit e = on(*this, operands_);
  return e.is_float() ? e.real(value) : e.integer(static_cast<std::int64_t>(value));
}

Value* ElementCode::parameter(std::int64_t value) const {
  llvm::Type* const type = operands_[0]->getType()->getWithNewType(builder_.getInt64Ty());
  return llvm::ConstantInt::get(type, static_cast<std::uint64_t>(value));
}

Value* ElementCode::add(Value* x, Value* y) const {
  return arithmetic(on(*this, {x, y}), I::FAdd, I::Add, I::Or);
}
Value* ElementCode::subtract(Value* x, Value* y) const {
  return arithmetic(on(*this, {x, y}), I::FSub, I::Sub, I::Xor);
}
Value* ElementCode::multiply(Value* x, Value* y) const {
  return arithmetic(on(*this, {x, y}), I::FMul, I::Mul, I::And);
}
Value* ElementCode::divide(Value* x, Value* y) const {
  return is_float() ? builder_.CreateFDiv(x, y) : integer_division(on(*this, {x, y}), false);
}
Value* ElementCode::remainder(Value* x, Value* y) const {
  return is_float() ? builder_.CreateFRem(x, y) : integer_division(on(*this, {x, y}), true);
}
Value* ElementCode::power(Value* x, Value* y) const {
  return is_float() ? emit_power(builder_, math(*this), x, y) : power_of_integers(on(*this, {x, y}));
}
Value* ElementCode::negate(Value* x) const {
  return is_float() ? builder_.CreateFNeg(x) : builder_.CreateNeg(x);
}
Value* ElementCode::abs(Value* x) const {
  const Emit e = on(*this, {x});
  return is_float() ? e.intrinsic(llvm::Intrinsic::fabs, {x})
                    : e.intrinsic(llvm::Intrinsic::abs, {x, builder_.getFalse()});
}
Value* ElementCode::sign(Value* x) const { return sign_of(on(*this, {x})); }
Value* ElementCode::maximum(Value* x, Value* y) const { return extremum(on(*this, {x, y}), true); }
Value* ElementCode::minimum(Value* x, Value* y) const { return extremum(on(*this, {x, y}), false); }

Value* ElementCode::bit_and(Value* x, Value* y) const { return builder_.CreateAnd(x, y); }
Value* ElementCode::bit_or(Value* x, Value* y) const { return builder_.CreateOr(x, y); }
Value* ElementCode::bit_xor(Value* x, Value* y) const { return builder_.CreateXor(x, y); }
Value* ElementCode::bit_not(Value* x) const { return builder_.CreateNot(x); }
Value* ElementCode::shift_left(Value* x, Value* y) const { return shift(on(*this, {x, y}), I::Shl); }
Value* ElementCode::shift_right_logical(Value* x, Value* y) const {
  return shift(on(*this, {x, y}), I::LShr);
}
Value* ElementCode::shift_right_arithmetic(Value* x, Value* y) const {
  return shift(on(*this, {x, y}), I::AShr);
}
Value* ElementCode::count_ones(Value* x) const {
  return on(*this, {x}).intrinsic(llvm::Intrinsic::ctpop, {x});
}
Value* ElementCode::count_leading_zeros(Value* x) const {
  return on(*this, {x}).intrinsic(llvm::Intrinsic::ctlz, {x, builder_.getFalse()});
}

Value* ElementCode::floor(Value* x) const { return rounded(on(*this, {x}), llvm::Intrinsic::floor); }
Value* ElementCode::ceil(Value* x) const { return rounded(on(*this, {x}), llvm::Intrinsic::ceil); }
Value* ElementCode::round_nearest_even(Value* x) const { return rounded_even(on(*this, {x})); }
Value* ElementCode::round_nearest_afz(Value* x) const { return rounded_away(on(*this, {x})); }
Value* ElementCode::is_finite(Value* x) const {
  return builder_.CreateFCmpOLT(on(*this, {x}).intrinsic(llvm::Intrinsic::fabs, {x}),
                                llvm::ConstantFP::getInfinity(x->getType()));
}
Value* ElementCode::sqrt(Value* x) const { return on(*this, {x}).intrinsic(llvm::Intrinsic::sqrt, {x}); }
Value* ElementCode::rsqrt(Value* x) const { return emit_rsqrt(builder_, math(*this), x); }
Value* ElementCode::cbrt(Value* x) const { return emit_cbrt(builder_, math(*this), x); }
Value* ElementCode::exponential(Value* x) const { return emit_exponential(builder_, math(*this), x); }
Value* ElementCode::exponential_minus_one(Value* x) const {
  return emit_exponential_minus_one(builder_, math(*this), x);
}
Value* ElementCode::log(Value* x) const { return emit_log(builder_, math(*this), x); }
Value* ElementCode::log_plus_one(Value* x) const { return emit_log_plus_one(builder_, math(*this), x); }
Value* ElementCode::logistic(Value* x) const { return emit_logistic(builder_, math(*this), x); }
Value* ElementCode::tanh(Value* x) const { return emit_tanh(builder_, math(*this), x); }
Value* ElementCode::sine(Value* x) const { return emit_sine(builder_, math(*this), x); }
Value* ElementCode::cosine(Value* x) const { return emit_cosine(builder_, math(*this), x); }
Value* ElementCode::tan(Value* x) const { return emit_tan(builder_, math(*this), x); }
Value* ElementCode::atan2(Value* y, Value* x) const { return emit_atan2(builder_, math(*this), y, x); }
Value* ElementCode::reduce_precision(Value* x, Value* exponent_bits, Value* mantissa_bits) const {
  return to_lower_precision(on(*this, {x}), exponent_bits, mantissa_bits);
}

Value* ElementCode::compare(std::string_view direction, Value* x, Value* y) const {
  return compared(on(*this, {x, y}), direction);
}
Value* ElementCode::select(Value* predicate, Value* on_true, Value* on_false) const {
  return builder_.CreateSelect(predicate, on_true, on_false);
}
Value* ElementCode::convert(Value* x) const { return converted(on(*this, {x})); }
Value* ElementCode::bitcast(Value* x) const { return same_bits(on(*this, {x})); }

llvm::Type* register_type(llvm::LLVMContext& context, ir::DType dtype, int lanes) {
  llvm::Type* scalar = dtype == DType::kF32 || is_half(dtype) ? llvm::Type::getFloatTy(context)
                       : dtype == DType::kF64                 ? llvm::Type::getDoubleTy(context)
                                              : static_cast<llvm::Type*>(llvm::Type::getIntNTy(
                                                    context, static_cast<unsigned>(ir::bit_width(dtype))));
  return lanes == 1 ? scalar : llvm::FixedVectorType::get(scalar, static_cast<unsigned>(lanes));
}

llvm::Type* memory_type(llvm::LLVMContext& context, ir::DType dtype) {
  if (is_half(dtype)) return llvm::Type::getInt16Ty(context);
  return dtype == DType::kI1 ? llvm::Type::getInt8Ty(context) : register_type(context, dtype, 1);
}

llvm::Value* from_memory(llvm::IRBuilderBase& b, const Target& target, llvm::Value* value, ir::DType dtype) {
  if (dtype == DType::kI1) return b.CreateICmpNE(value, llvm::Constant::getNullValue(value->getType()));
  return is_half(dtype) ? half_to_float(b, target, value, dtype) : value;
}

llvm::Value* to_memory(llvm::IRBuilderBase& b, const Target& target, llvm::Value* value, ir::DType dtype) {
  if (dtype == DType::kI1) return b.CreateZExt(value, value->getType()->getWithNewType(b.getInt8Ty()));
  return is_half(dtype) ? float_to_half(b, target, value, dtype) : value;
}

llvm::Value* emit_elementwise(llvm::IRBuilderBase& b, const Target& target, const ir::Op& op,
                              const std::vector<llvm::Value*>& operands, bool round) {
  const CpuOp* const row = find_cpu_op(op);
  CORNU_CHECK(row != nullptr && row->emit != nullptr, "no code for {}", op.name());
  llvm::Value* result = row->emit(ElementCode(b, target, op, operands));
  const DType dtype = op.result().dtype();
  return round && is_half(dtype) && !row->keeps_numbers ? round_to_half(b, target, result, dtype) : result;
}

llvm::Constant* emit_constant(llvm::LLVMContext& context, const ir::Literal& literal, std::int64_t element) {
  const DType dtype = literal.type().dtype;
  llvm::Type* type = register_type(context, dtype, 1);
  if (ir::is_float(dtype)) return llvm::ConstantFP::get(type, literal.at(element));
  std::uint64_t bits = 0;
  ir::visit_dtype(dtype, [&]<typename T>() {
    bits = static_cast<std::uint64_t>(literal.data<T>()[static_cast<std::size_t>(element)]);
  });
  return llvm::ConstantInt::get(type, bits);
}

Value* half_to_float(llvm::IRBuilderBase& b, const Target& target, Value* bits, DType dtype) {
  if (dtype == DType::kBF16) {
    Value* wide = b.CreateZExt(bits, bits->getType()->getWithNewType(b.getInt32Ty()));
    return as(b, b.CreateShl(wide, 16), b.getFloatTy());
  }
  if (!has_conversions(target)) return half_bits_to_float(b, bits);
  return b.CreateFPExt(as(b, bits, b.getHalfTy()), bits->getType()->getWithNewType(b.getFloatTy()));
}

Value* float_to_half(llvm::IRBuilderBase& b, const Target& target, Value* value, DType dtype) {
  if (dtype == DType::kBF16) {
    if (Value* const bits = known_bf16_bits(b, value)) return bits;
    if (target.has_bf16_products()) return convert_to_bf16(b, value);
    return b.CreateTrunc(b.CreateLShr(round_bits_to_bf16(b, value), 16),
                         value->getType()->getWithNewType(b.getInt16Ty()));
  }
  if (!has_conversions(target)) return float_to_half_bits(b, value);
  return as(b, b.CreateFPTrunc(value, value->getType()->getWithNewType(b.getHalfTy())), b.getInt16Ty());
}

Value* round_to_half(llvm::IRBuilderBase& b, const Target& target, Value* value, DType dtype) {
  if (dtype == DType::kBF16 && !target.has_bf16_products())
    return as(b, round_bits_to_bf16(b, value), b.getFloatTy());
  return half_to_float(b, target, float_to_half(b, target, value, dtype), dtype);
}

Value* double_to_odd_float(llvm::IRBuilderBase& b, Value* value) {
  llvm::Type* floats = value->getType()->getWithNewType(b.getFloatTy());
  Value* nearest = b.CreateFPTrunc(value, floats);
  Value* back = b.CreateFPExt(nearest, value->getType());
  Value* bits = as(b, nearest, b.getInt32Ty());
  auto magnitude = [&](Value* x) { return b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x); };
  Value* too_large = b.CreateFCmpOGT(magnitude(back), magnitude(value));
  Value* toward_zero = b.CreateSelect(too_large, b.CreateSub(bits, bits_like(bits, 1)), bits);
  Value* inexact = b.CreateFCmpONE(back, value);
  return as(b, b.CreateSelect(inexact, b.CreateOr(toward_zero, bits_like(bits, 1)), bits), b.getFloatTy());
}

}  // namespace cornu::inline v0::backends::cpu
