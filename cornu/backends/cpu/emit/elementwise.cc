#include "cornu/backends/cpu/emit/elementwise.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include <cmath>
#include <unordered_map>

#include "cornu/backends/cpu/emit/element_code.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::backends::cpu {
namespace {

using ir::DType;
using llvm::Value;

/// From this number on each float is an integer.
double first_without_fraction(DType dtype) { return dtype == DType::kF64 ? 4503599627370496.0 : 8388608.0; }

/// The positive constant, or positive zero, that a register holds.
llvm::ConstantFP* positive_constant(Value* x) {
  auto* constant = llvm::dyn_cast<llvm::Constant>(x);
  if (constant != nullptr && x->getType()->isVectorTy()) constant = constant->getSplatValue();
  auto* number = llvm::dyn_cast_or_null<llvm::ConstantFP>(constant);
  return number == nullptr || number->isNegative() || number->isNaN() ? nullptr : number;
}

/// max(x, c), c positive or zero, in two cheap instructions: the machine's maximum returns its second operand
/// when one is not a number or both are zero, and adding zero clears the sign of a zero.
Value* maximum_with_positive(const ElementCode& code, Value* x, Value* c, bool is_zero) {
  Value* larger = code.select(code.greater(c, x), c, x);
  return is_zero ? code.add(larger, c) : larger;
}

}  // namespace

ElementCode::ElementCode(llvm::IRBuilderBase& builder, const Target& target, const ir::Op& op,
                         const std::vector<Value*>& operands)
    : RegisterCode(builder, target.has_fma), target_(target), op_(op), operands_(operands) {}

llvm::Type* ElementCode::type() const { return operands_[0]->getType(); }

FloatCode ElementCode::floats() const { return {builder(), has_fma(), type()}; }

Value* ElementCode::constant(double value) const {
  return is_float() ? llvm::ConstantFP::get(type(), value)
                    : integer_like(operands_[0], static_cast<std::int64_t>(value));
}

Value* ElementCode::parameter(std::int64_t value) const {
  llvm::Type* const integers = type()->getWithNewType(builder().getInt64Ty());
  return llvm::ConstantInt::get(integers, static_cast<std::uint64_t>(value));
}

Value* ElementCode::fabs(Value* x) const {
  return builder().CreateIntrinsic(llvm::Intrinsic::fabs, {x->getType()}, {x});
}

Value* ElementCode::abs(Value* x) const {
  if (is_float()) return fabs(x);
  return builder().CreateIntrinsic(llvm::Intrinsic::abs, {x->getType()}, {x, builder().getFalse()});
}

/// The maximum or minimum of x and of y, which is one number in all lanes: what depends on y alone is outside
/// of the loop. The machine's instruction returns x when both are zero or one is not a number.
Value* ElementCode::extremum_with_single(Value* x, Value* y, bool largest) const {
  llvm::IRBuilderBase& b = builder();
  llvm::Type* const scalar = b.getIntNTy(static_cast<unsigned>(x->getType()->getScalarSizeInBits()));
  const auto mask = [&](Value* condition) {
    return b.CreateSExt(condition, condition->getType()->getWithNewType(scalar));
  };
  const auto as = [&](Value* value, llvm::Type* to) {
    return b.CreateBitCast(value, value->getType()->getWithNewType(to));
  };
  Value* const y_bits = as(y, scalar);
  const auto sign = static_cast<std::int64_t>(std::uint64_t{1} << (scalar->getIntegerBitWidth() - 1));
  // +0 is larger than -0, and NaN passes.
  Value* const zero = equal(y_bits, integer_like(y_bits, largest ? 0 : sign));
  Value* const sign_of_zero = bit_and(mask(zero), integer_like(y_bits, sign));
  Value* const nan = mask(any_nan(y, y));
  Value* result = as(select(largest ? greater(y, x) : less(y, x), y, x), scalar);
  if (largest) result = bit_and(result, bit_not(sign_of_zero));
  return as(bit_or(result, largest ? nan : bit_or(sign_of_zero, nan)), x->getType()->getScalarType());
}

Value* ElementCode::extremum(Value* x, Value* y, bool largest) const {
  if (!is_float()) {
    const auto id = is_signed() ? (largest ? llvm::Intrinsic::smax : llvm::Intrinsic::smin)
                                : (largest ? llvm::Intrinsic::umax : llvm::Intrinsic::umin);
    return builder().CreateBinaryIntrinsic(id, x, y);
  }
  if (largest) {
    if (llvm::ConstantFP* c = positive_constant(y)) return maximum_with_positive(*this, x, y, c->isZero());
    if (llvm::ConstantFP* c = positive_constant(x)) return maximum_with_positive(*this, y, x, c->isZero());
  }
  if (x->getType()->isVectorTy()) {
    if (llvm::getSplatValue(y) != nullptr) return extremum_with_single(x, y, largest);
    if (llvm::getSplatValue(x) != nullptr) return extremum_with_single(y, x, largest);
  }
  return builder().CreateBinaryIntrinsic(largest ? llvm::Intrinsic::maximum : llvm::Intrinsic::minimum, x, y);
}

Value* ElementCode::divide_integers(Value* x, Value* y) const {
  return is_signed() ? builder().CreateSDiv(x, y) : builder().CreateUDiv(x, y);
}
Value* ElementCode::remainder_of_integers(Value* x, Value* y) const {
  return is_signed() ? builder().CreateSRem(x, y) : builder().CreateURem(x, y);
}
Value* ElementCode::divide_narrow_integers(Value* x, Value* y) const {
  llvm::IRBuilderBase& b = builder();
  llvm::Type* const floats = x->getType()->getWithNewType(b.getFloatTy());
  const auto number = [&](Value* n) {
    return is_signed() ? b.CreateSIToFP(n, floats) : b.CreateUIToFP(n, floats);
  };
  Value* const quotient = b.CreateFDiv(number(x), number(y));
  return b.CreateTrunc(b.CreateFPToSI(quotient, x->getType()->getWithNewType(b.getInt32Ty())), x->getType());
}

/// SSE2 has no rounding instruction, and LLVM would call libm for each lane: converts to integers there, if
/// the number has a fraction at all.
Value* ElementCode::round_up_or_down(Value* x, bool down) const {
  llvm::IRBuilderBase& b = builder();
  if (has_fma())
    return b.CreateIntrinsic(down ? llvm::Intrinsic::floor : llvm::Intrinsic::ceil, {x->getType()}, {x});
  const bool is_double = dtype() == DType::kF64;
  llvm::Type* const integers = x->getType()->getWithNewType(is_double ? b.getInt64Ty() : b.getInt32Ty());
  Value* has_fraction = less(fabs(x), constant(first_without_fraction(dtype())));
  Value* small = select(has_fraction, x, constant(0));
  Value* truncated = b.CreateSIToFP(b.CreateFPToSI(small, integers), x->getType());
  Value* beyond = down ? greater(truncated, small) : less(truncated, small);
  Value* result = add(truncated, select(beyond, constant(down ? -1 : 1), constant(0)));
  return select(has_fraction, copy_sign(result, x), x);
}

Value* ElementCode::floor(Value* x) const { return round_up_or_down(x, true); }
Value* ElementCode::ceil(Value* x) const { return round_up_or_down(x, false); }

/// To the nearest integer, halves to even.
Value* ElementCode::round_nearest_even(Value* x) const {
  if (has_fma()) return builder().CreateIntrinsic(llvm::Intrinsic::roundeven, {x->getType()}, {x});
  Value* limit = constant(first_without_fraction(dtype()));
  Value* magnitude = fabs(x);
  Value* result = copy_sign(subtract(add(magnitude, limit), limit), x);
  return select(less(magnitude, limit), result, x);
}

/// To the nearest integer, halves away from zero; |x| - floor(|x|) is exact.
Value* ElementCode::round_nearest_afz(Value* x) const {
  if (has_fma()) return builder().CreateIntrinsic(llvm::Intrinsic::round, {x->getType()}, {x});
  Value* magnitude = fabs(x);
  Value* below = floor(magnitude);
  Value* up = greater_equal(subtract(magnitude, below), constant(0.5));
  return copy_sign(add(below, select(up, constant(1), constant(0))), x);
}

Value* ElementCode::compare(std::string_view direction, Value* x, Value* y) const {
  using P = llvm::CmpInst::Predicate;
  struct Row {
    P floating, signed_integer, unsigned_integer;
  };
  static const auto& rows = *new const std::unordered_map<std::string_view, Row>{
      {"EQ", {P::FCMP_OEQ, P::ICMP_EQ, P::ICMP_EQ}},   {"NE", {P::FCMP_UNE, P::ICMP_NE, P::ICMP_NE}},
      {"GE", {P::FCMP_OGE, P::ICMP_SGE, P::ICMP_UGE}}, {"GT", {P::FCMP_OGT, P::ICMP_SGT, P::ICMP_UGT}},
      {"LE", {P::FCMP_OLE, P::ICMP_SLE, P::ICMP_ULE}}, {"LT", {P::FCMP_OLT, P::ICMP_SLT, P::ICMP_ULT}}};
  const Row& row = rows.at(direction);
  return builder().CreateCmp(is_float()    ? row.floating
                             : is_signed() ? row.signed_integer
                                           : row.unsigned_integer,
                             x, y);
}

/// Saturates; NaN becomes 0.
Value* ElementCode::float_to_integer(Value* x, llvm::Type* type, DType to) const {
  llvm::IRBuilderBase& b = builder();
  const bool is_signed = ir::is_signed_integer(to);
  const int digits = ir::bit_width(to) - (is_signed ? 1 : 0);
  const double end = std::ldexp(1.0, digits), begin = is_signed ? -end : 0.0;
  const auto number = [&](Value* n) { return is_signed ? b.CreateFPToSI(n, type) : b.CreateFPToUI(n, type); };
  Value* const zero = constant(0);
  if (digits <= (dtype() == DType::kF64 ? 53 : 24)) {  // the limits are numbers of the type
    Value* inside = select(greater(x, constant(begin)), x, constant(begin));  // NaN becomes the limit
    inside = select(less(inside, constant(end - 1)), inside, constant(end - 1));
    if (is_signed) inside = select(any_nan(x, x), zero, inside);
    return number(inside);
  }
  const auto integer = [&](const llvm::APInt& value) { return llvm::ConstantInt::get(type, value); };
  const auto bits = static_cast<unsigned>(ir::bit_width(to));
  Value* const is_large = greater_equal(x, constant(end));
  Value* const fits = greater(x, constant(is_signed ? begin : -1.0));
  Value* result = number(select(bit_and(fits, bit_not(is_large)), x, zero));
  result = select(is_large,
                  integer(is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits)),
                  result);
  if (!is_signed) return result;
  return select(less_equal(x, constant(begin)), integer(llvm::APInt::getSignedMinValue(bits)), result);
}

Value* ElementCode::convert(Value* x) const {
  llvm::IRBuilderBase& b = builder();
  const DType from = dtype();
  const DType to = op_.result().dtype();
  if (from == to) return x;
  llvm::Type* type = x->getType()->getWithNewType(register_type(b.getContext(), to, 1));
  if (to == DType::kI1)
    return ir::is_float(from) ? b.CreateFCmpUNE(x, constant(0)) : b.CreateICmpNE(x, constant(0));
  if (is_half(to)) {  // rounded once: through a type that holds each such number, or marks it as inexact
    if (!ir::is_float(from)) {
      // Integers that f32 rounds are infinite in f16.
      const bool fits = ir::bit_width(from) <= 16 || to == DType::kF16;
      llvm::Type* const wide = x->getType()->getWithNewType(fits ? b.getFloatTy() : b.getDoubleTy());
      x = is_signed() ? b.CreateSIToFP(x, wide) : b.CreateUIToFP(x, wide);
    }
    return x->getType()->getScalarType()->isDoubleTy() ? double_to_odd_float(b, x) : x;
  }
  if (ir::is_float(from)) return ir::is_float(to) ? b.CreateFPCast(x, type) : float_to_integer(x, type, to);
  if (ir::is_float(to)) return is_signed() ? b.CreateSIToFP(x, type) : b.CreateUIToFP(x, type);
  return is_signed() ? b.CreateSExtOrTrunc(x, type) : b.CreateZExtOrTrunc(x, type);
}

Value* ElementCode::memory_bits(Value* x, DType dtype) const {
  if (is_half(dtype)) return float_to_half(builder(), target_, x, dtype);
  const auto width = static_cast<unsigned>(ir::bit_width(dtype));
  return builder().CreateBitCast(x, x->getType()->getWithNewType(builder().getIntNTy(width)));
}

Value* ElementCode::from_memory_bits(Value* bits, DType dtype) const {
  if (is_half(dtype)) return half_to_float(builder(), target_, bits, dtype);
  llvm::Type* const scalar = register_type(builder().getContext(), dtype, 1);
  return builder().CreateBitCast(bits, bits->getType()->getWithNewType(scalar));
}

Value* ElementCode::bitcast(Value* x) const {
  const DType from = dtype(), to = op_.result().dtype();
  return from == to ? x : from_memory_bits(memory_bits(x, from), to);
}

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

// ---- f16 and bf16 ----

namespace {

llvm::Constant* bits_like(Value* like, std::uint64_t value) {
  return llvm::ConstantInt::get(like->getType(), value);
}

Value* as(llvm::IRBuilderBase& b, Value* value, llvm::Type* scalar) {
  return b.CreateBitCast(value, value->getType()->getWithNewType(scalar));
}

/// Rounds at bit 16, because bf16 is the upper half of an f32; NaN stays NaN. The results are 32-bit integers
/// with zeros below.
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

/// Rounds to 16 bits by vcvtneps2bf16; subnormal numbers become zeros.
Value* convert_to_bf16(llvm::IRBuilderBase& b, Value* value) {
  Value* const rounded = b.CreateFPTrunc(value, value->getType()->getWithNewType(b.getBFloatTy()));
  return b.CreateBitCast(rounded, value->getType()->getWithNewType(b.getInt16Ty()));
}

/// The bits of a number that code of this file rounded to bf16 or read as bf16; null for any other.
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

}  // namespace

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
