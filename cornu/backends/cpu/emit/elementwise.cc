#include "cornu/backends/cpu/emit/elementwise.h"

#include <llvm/IR/Intrinsics.h>

#include <cstring>
#include <functional>
#include <string_view>
#include <unordered_map>

#include "cornu/backends/cpu/math/vector_math.h"
#include "cornu/base/check.h"

namespace cornu::backends::cpu {
namespace {

using ir::DType;
using llvm::Value;
using Operands = std::vector<Value*>;

struct Emit {
  llvm::IRBuilderBase& b;
  MathTarget math;
  const ir::Op& op;
  const Operands& x;

  DType dtype() const { return op.operand(0).dtype(); }
  bool is_float() const { return ir::is_float(dtype()); }
  bool is_signed() const { return ir::is_signed_integer(dtype()); }
  llvm::Type* type() const { return x[0]->getType(); }
  int bits() const { return ir::bit_width(dtype()); }
  Value* integer(std::int64_t v) const { return llvm::ConstantInt::get(type(), static_cast<std::uint64_t>(v), true); }
  Value* real(double v) const { return llvm::ConstantFP::get(type(), v); }
  Value* intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<Value*> args) const { return b.CreateIntrinsic(id, {type()}, args); }
};

/// Division by zero gives -1 (all ones) and INT_MIN / -1 gives INT_MIN, as the reference kernels; x86 would trap.
Value* integer_division(const Emit& e, bool remainder) {
  Value* zero = e.b.CreateICmpEQ(e.x[1], e.integer(0));
  Value* divisor = e.b.CreateSelect(zero, e.integer(1), e.x[1]);
  Value* overflow = nullptr;
  if (e.is_signed()) {
    Value* lowest = llvm::ConstantInt::get(e.type(), llvm::APInt::getSignedMinValue(static_cast<unsigned>(e.bits())));
    overflow = e.b.CreateAnd(e.b.CreateICmpEQ(e.x[0], lowest), e.b.CreateICmpEQ(e.x[1], e.integer(-1)));
    divisor = e.b.CreateSelect(overflow, e.integer(1), divisor);
  }
  Value* result = remainder ? (e.is_signed() ? e.b.CreateSRem(e.x[0], divisor) : e.b.CreateURem(e.x[0], divisor))
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

Value* power_of_integers(const Emit& e) {
  // By squaring, on unsigned bits; a negative exponent gives 0 but for bases 1 and -1.
  Value* result = e.integer(1);
  Value* base = e.x[0];
  for (int bit = 0; bit < e.bits(); ++bit) {
    Value* has = e.b.CreateICmpNE(e.b.CreateAnd(e.b.CreateLShr(e.x[1], e.integer(bit)), e.integer(1)), e.integer(0));
    result = e.b.CreateSelect(has, e.b.CreateMul(result, base), result);
    base = e.b.CreateMul(base, base);
  }
  if (!e.is_signed()) return result;
  Value* odd = e.b.CreateICmpNE(e.b.CreateAnd(e.x[1], e.integer(1)), e.integer(0));
  Value* minus_one = e.b.CreateSelect(odd, e.integer(-1), e.integer(1));
  Value* is_one = e.b.CreateICmpEQ(e.x[0], e.integer(1));
  Value* is_minus_one = e.b.CreateICmpEQ(e.x[0], e.integer(-1));
  Value* negative = e.b.CreateSelect(is_one, e.integer(1), e.b.CreateSelect(is_minus_one, minus_one, e.integer(0)));
  return e.b.CreateSelect(e.b.CreateICmpSLT(e.x[1], e.integer(0)), negative, result);
}

Value* sign(const Emit& e) {
  if (!e.is_float()) {
    Value* positive = e.b.CreateZExt(e.b.CreateICmpSGT(e.x[0], e.integer(0)), e.type());
    return e.b.CreateOr(positive, e.b.CreateAShr(e.x[0], e.integer(e.bits() - 1)));
  }
  Value* one = e.b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, e.real(1), e.x[0]);
  return e.b.CreateSelect(e.b.CreateFCmpONE(e.x[0], e.real(0)), one, e.x[0]);  // zeros and NaN stay
}

/// SSE2 has no rounding instruction, and LLVM would call libm for each lane: through integers there, where the number has a fraction at
/// all.
Value* rounded(const Emit& e, llvm::Intrinsic::ID id) {
  if (e.math.has_fma) return e.intrinsic(id, {e.x[0]});
  const bool is_double = e.dtype() == DType::kF64;
  llvm::Type* scalar = is_double ? static_cast<llvm::Type*>(e.b.getInt64Ty()) : e.b.getInt32Ty();
  llvm::Type* integers =
      e.type()->isVectorTy() ? llvm::VectorType::get(scalar, llvm::cast<llvm::VectorType>(e.type())->getElementCount()) : scalar;
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

Value* compare(const Emit& e) {
  const std::string& d = e.op.attributes().get<std::string>("comparison_direction");
  using P = llvm::CmpInst::Predicate;
  struct Row {
    P floating, signed_integer, unsigned_integer;
  };
  static const std::unordered_map<std::string, Row> rows = {
      {"EQ", {P::FCMP_OEQ, P::ICMP_EQ, P::ICMP_EQ}},   {"NE", {P::FCMP_UNE, P::ICMP_NE, P::ICMP_NE}},
      {"GE", {P::FCMP_OGE, P::ICMP_SGE, P::ICMP_UGE}}, {"GT", {P::FCMP_OGT, P::ICMP_SGT, P::ICMP_UGT}},
      {"LE", {P::FCMP_OLE, P::ICMP_SLE, P::ICMP_ULE}}, {"LT", {P::FCMP_OLT, P::ICMP_SLT, P::ICMP_ULT}}};
  const Row& row = rows.at(d);
  if (e.is_float()) return e.b.CreateFCmp(row.floating, e.x[0], e.x[1]);
  return e.b.CreateICmp(e.is_signed() ? row.signed_integer : row.unsigned_integer, e.x[0], e.x[1]);
}

Value* convert(const Emit& e) {
  const DType from = e.dtype();
  const DType to = e.op.result().dtype();
  if (from == to) return e.x[0];
  llvm::Type* scalar = register_type(e.b.getContext(), to, 1);
  llvm::Type* type =
      e.type()->isVectorTy() ? llvm::VectorType::get(scalar, llvm::cast<llvm::VectorType>(e.type())->getElementCount()) : scalar;
  if (to == DType::kI1) return ir::is_float(from) ? e.b.CreateFCmpUNE(e.x[0], e.real(0)) : e.b.CreateICmpNE(e.x[0], e.integer(0));
  if (ir::is_float(from)) {
    if (ir::is_float(to)) return e.b.CreateFPCast(e.x[0], type);
    const auto id = ir::is_signed_integer(to) ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
    return e.b.CreateIntrinsic(id, {type, e.type()}, {e.x[0]});
  }
  const bool is_signed = ir::is_signed_integer(from);
  if (ir::is_float(to)) return is_signed ? e.b.CreateSIToFP(e.x[0], type) : e.b.CreateUIToFP(e.x[0], type);
  return is_signed ? e.b.CreateSExtOrTrunc(e.x[0], type) : e.b.CreateZExtOrTrunc(e.x[0], type);
}

Value* bitcast(const Emit& e) {
  llvm::Type* scalar = register_type(e.b.getContext(), e.op.result().dtype(), 1);
  llvm::Type* type =
      e.type()->isVectorTy() ? llvm::VectorType::get(scalar, llvm::cast<llvm::VectorType>(e.type())->getElementCount()) : scalar;
  return e.b.CreateBitCast(e.x[0], type);
}

/// StableHLO's maximum and minimum pass NaN on; -0 counts as less than 0.
Value* extremum(const Emit& e, bool largest) {
  if (e.is_float()) return e.b.CreateBinaryIntrinsic(largest ? llvm::Intrinsic::maximum : llvm::Intrinsic::minimum, e.x[0], e.x[1]);
  const auto id =
      e.is_signed() ? (largest ? llvm::Intrinsic::smax : llvm::Intrinsic::smin) : (largest ? llvm::Intrinsic::umax : llvm::Intrinsic::umin);
  return e.b.CreateBinaryIntrinsic(id, e.x[0], e.x[1]);
}

Value* clamp(const Emit& e) {
  const Operands with_min = {e.x[1], e.x[0]};
  Value* raised = extremum(Emit{e.b, e.math, e.op, with_min}, true);
  const Operands with_max = {raised, e.x[2]};
  return extremum(Emit{e.b, e.math, e.op, with_max}, false);
}

/// i1: add is or, multiply is and, as the specification says.
Value* arithmetic(const Emit& e, llvm::Instruction::BinaryOps floating, llvm::Instruction::BinaryOps integer,
                  llvm::Instruction::BinaryOps boolean) {
  return e.b.CreateBinOp(e.is_float() ? floating : e.dtype() == DType::kI1 ? boolean : integer, e.x[0], e.x[1]);
}

using EmitFn = Value* (*)(const Emit&);
using I = llvm::Instruction;

const std::unordered_map<std::string_view, EmitFn>& table() {
  static const std::unordered_map<std::string_view, EmitFn> rows = {
      {"abs",
       [](const Emit& e) {
         return e.is_float() ? e.intrinsic(llvm::Intrinsic::fabs, {e.x[0]}) : e.intrinsic(llvm::Intrinsic::abs, {e.x[0], e.b.getFalse()});
       }},
      {"negate", [](const Emit& e) { return e.is_float() ? e.b.CreateFNeg(e.x[0]) : e.b.CreateNeg(e.x[0]); }},
      {"sign", sign},
      {"exponential", [](const Emit& e) { return emit_exponential(e.b, e.math, e.x[0]); }},
      {"exponential_minus_one", [](const Emit& e) { return emit_exponential_minus_one(e.b, e.math, e.x[0]); }},
      {"log", [](const Emit& e) { return emit_log(e.b, e.math, e.x[0]); }},
      {"log_plus_one", [](const Emit& e) { return emit_log_plus_one(e.b, e.math, e.x[0]); }},
      {"logistic", [](const Emit& e) { return emit_logistic(e.b, e.math, e.x[0]); }},
      {"tanh", [](const Emit& e) { return emit_tanh(e.b, e.math, e.x[0]); }},
      {"sine", [](const Emit& e) { return emit_sine(e.b, e.math, e.x[0]); }},
      {"cosine", [](const Emit& e) { return emit_cosine(e.b, e.math, e.x[0]); }},
      {"sqrt", [](const Emit& e) { return e.intrinsic(llvm::Intrinsic::sqrt, {e.x[0]}); }},
      {"rsqrt", [](const Emit& e) { return emit_rsqrt(e.b, e.math, e.x[0]); }},
      {"floor", [](const Emit& e) { return rounded(e, llvm::Intrinsic::floor); }},
      {"ceil", [](const Emit& e) { return rounded(e, llvm::Intrinsic::ceil); }},
      {"is_finite",
       [](const Emit& e) {
         return e.b.CreateFCmpOLT(e.intrinsic(llvm::Intrinsic::fabs, {e.x[0]}), llvm::ConstantFP::getInfinity(e.type()));
       }},
      {"not", [](const Emit& e) { return e.b.CreateNot(e.x[0]); }},
      {"add", [](const Emit& e) { return arithmetic(e, I::FAdd, I::Add, I::Or); }},
      {"subtract", [](const Emit& e) { return arithmetic(e, I::FSub, I::Sub, I::Xor); }},
      {"multiply", [](const Emit& e) { return arithmetic(e, I::FMul, I::Mul, I::And); }},
      {"divide", [](const Emit& e) { return e.is_float() ? e.b.CreateFDiv(e.x[0], e.x[1]) : integer_division(e, false); }},
      {"remainder", [](const Emit& e) { return e.is_float() ? e.b.CreateFRem(e.x[0], e.x[1]) : integer_division(e, true); }},
      {"maximum", [](const Emit& e) { return extremum(e, true); }},
      {"minimum", [](const Emit& e) { return extremum(e, false); }},
      {"power", [](const Emit& e) { return e.is_float() ? emit_power(e.b, e.math, e.x[0], e.x[1]) : power_of_integers(e); }},
      {"and", [](const Emit& e) { return e.b.CreateAnd(e.x[0], e.x[1]); }},
      {"or", [](const Emit& e) { return e.b.CreateOr(e.x[0], e.x[1]); }},
      {"xor", [](const Emit& e) { return e.b.CreateXor(e.x[0], e.x[1]); }},
      {"shift_left", [](const Emit& e) { return shift(e, I::Shl); }},
      {"shift_right_logical", [](const Emit& e) { return shift(e, I::LShr); }},
      {"shift_right_arithmetic", [](const Emit& e) { return shift(e, I::AShr); }},
      {"select", [](const Emit& e) { return e.b.CreateSelect(e.x[0], e.x[1], e.x[2]); }},
      {"clamp", clamp},
      {"compare", compare},
      {"convert", convert},
      {"bitcast_convert", bitcast},
  };
  return rows;
}

}  // namespace

bool can_emit_elementwise(std::string_view name) { return table().count(name) != 0; }

llvm::Type* register_type(llvm::LLVMContext& context, ir::DType dtype, int lanes) {
  llvm::Type* scalar = dtype == DType::kF32 ? llvm::Type::getFloatTy(context)
                       : dtype == DType::kF64
                           ? llvm::Type::getDoubleTy(context)
                           : static_cast<llvm::Type*>(llvm::Type::getIntNTy(context, static_cast<unsigned>(ir::bit_width(dtype))));
  return lanes == 1 ? scalar : llvm::FixedVectorType::get(scalar, static_cast<unsigned>(lanes));
}

llvm::Type* memory_type(llvm::LLVMContext& context, ir::DType dtype) {
  return dtype == DType::kI1 ? llvm::Type::getInt8Ty(context) : register_type(context, dtype, 1);
}

llvm::Value* emit_elementwise(llvm::IRBuilderBase& b, const Target& target, const ir::Op& op, const std::vector<llvm::Value*>& operands) {
  const auto row = table().find(op.name());
  CORNU_CHECK(row != table().end(), "no code for {}", op.name());
  return row->second(Emit{b, MathTarget{target.has_fma}, op, operands});
}

llvm::Constant* emit_constant(llvm::LLVMContext& context, const ir::Literal& literal, std::int64_t element) {
  const DType dtype = literal.type().dtype;
  llvm::Type* type = register_type(context, dtype, 1);
  if (dtype == DType::kF16 || dtype == DType::kBF16) {  // only moved about: their bits
    std::uint16_t half = 0;
    std::memcpy(&half, literal.bytes().data() + 2 * element, sizeof half);
    return llvm::ConstantInt::get(type, half);
  }
  if (ir::is_float(dtype)) return llvm::ConstantFP::get(type, literal.at(element));
  std::uint64_t bits = 0;
  ir::visit_dtype(dtype, [&]<typename T>() { bits = static_cast<std::uint64_t>(literal.data<T>()[static_cast<std::size_t>(element)]); });
  return llvm::ConstantInt::get(type, bits);
}

}  // namespace cornu::backends::cpu
