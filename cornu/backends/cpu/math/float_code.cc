#include "cornu/backends/cpu/math/float_code.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include <bit>
#include <limits>

#include "cornu/backends/cpu/math/coefficients.h"

namespace cornu::inline v0::backends::cpu {
namespace {

using llvm::Value;

bool is_float_register(const Value* x) { return x->getType()->isFPOrFPVectorTy(); }

/// The instruction for the type of x.
Value* by_type(const RegisterCode& code, llvm::Instruction::BinaryOps floating,
               llvm::Instruction::BinaryOps integer, llvm::Instruction::BinaryOps boolean, Value* x,
               Value* y) {
  const auto kind = is_float_register(x) ? floating : x->getType()->isIntOrIntVectorTy(1) ? boolean : integer;
  return code.builder().CreateBinOp(kind, x, y);
}

Value* compare(const RegisterCode& code, llvm::CmpInst::Predicate floating, llvm::CmpInst::Predicate integer,
               Value* x, Value* y) {
  return code.builder().CreateCmp(is_float_register(x) ? floating : integer, x, y);
}

Value* intrinsic(const RegisterCode& code, llvm::Intrinsic::ID id, llvm::ArrayRef<Value*> operands) {
  return code.builder().CreateIntrinsic(id, {operands[0]->getType()}, operands);
}

}  // namespace

using I = llvm::Instruction;
using P = llvm::CmpInst::Predicate;

Value* RegisterCode::integer_like(Value* like, std::int64_t value) const {
  return llvm::ConstantInt::get(like->getType(), static_cast<std::uint64_t>(value), true);
}

Value* RegisterCode::add(Value* x, Value* y) const { return by_type(*this, I::FAdd, I::Add, I::Or, x, y); }
Value* RegisterCode::subtract(Value* x, Value* y) const {
  return by_type(*this, I::FSub, I::Sub, I::Xor, x, y);
}
Value* RegisterCode::multiply(Value* x, Value* y) const {
  return by_type(*this, I::FMul, I::Mul, I::And, x, y);
}
Value* RegisterCode::negate(Value* x) const {
  return is_float_register(x) ? builder_.CreateFNeg(x) : builder_.CreateNeg(x);
}

Value* RegisterCode::divide(Value* x, Value* y) const { return builder_.CreateFDiv(x, y); }
Value* RegisterCode::remainder(Value* x, Value* y) const { return builder_.CreateFRem(x, y); }
Value* RegisterCode::fma(Value* x, Value* y, Value* z) const {
  return has_fma_ ? intrinsic(*this, llvm::Intrinsic::fma, {x, y, z}) : add(multiply(x, y), z);
}
Value* RegisterCode::sqrt(Value* x) const { return intrinsic(*this, llvm::Intrinsic::sqrt, {x}); }
Value* RegisterCode::copy_sign(Value* x, Value* y) const {
  return builder_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, x, y);
}

Value* RegisterCode::bit_and(Value* x, Value* y) const { return builder_.CreateAnd(x, y); }
Value* RegisterCode::bit_or(Value* x, Value* y) const { return builder_.CreateOr(x, y); }
Value* RegisterCode::bit_xor(Value* x, Value* y) const { return builder_.CreateXor(x, y); }
Value* RegisterCode::bit_not(Value* x) const { return builder_.CreateNot(x); }
Value* RegisterCode::shift_left(Value* x, Value* y) const { return builder_.CreateShl(x, y); }
Value* RegisterCode::shift_right_logical(Value* x, Value* y) const { return builder_.CreateLShr(x, y); }
Value* RegisterCode::shift_right_arithmetic(Value* x, Value* y) const { return builder_.CreateAShr(x, y); }
Value* RegisterCode::shift_left(Value* x, int bits) const { return shift_left(x, integer_like(x, bits)); }
Value* RegisterCode::shift_right_logical(Value* x, int bits) const {
  return shift_right_logical(x, integer_like(x, bits));
}
Value* RegisterCode::shift_right_arithmetic(Value* x, int bits) const {
  return shift_right_arithmetic(x, integer_like(x, bits));
}
Value* RegisterCode::count_ones(Value* x) const { return intrinsic(*this, llvm::Intrinsic::ctpop, {x}); }
Value* RegisterCode::count_leading_zeros(Value* x) const {
  return intrinsic(*this, llvm::Intrinsic::ctlz, {x, builder_.getFalse()});
}
Value* RegisterCode::truncate_like(Value* like, Value* x) const {
  return builder_.CreateTrunc(x, like->getType());
}
Value* RegisterCode::extend_like(Value* like, Value* x) const {
  return builder_.CreateZExt(x, like->getType());
}

Value* RegisterCode::equal(Value* x, Value* y) const { return compare(*this, P::FCMP_OEQ, P::ICMP_EQ, x, y); }
Value* RegisterCode::less(Value* x, Value* y) const { return compare(*this, P::FCMP_OLT, P::ICMP_SLT, x, y); }
Value* RegisterCode::less_equal(Value* x, Value* y) const {
  return compare(*this, P::FCMP_OLE, P::ICMP_SLE, x, y);
}
Value* RegisterCode::greater(Value* x, Value* y) const {
  return compare(*this, P::FCMP_OGT, P::ICMP_SGT, x, y);
}
Value* RegisterCode::greater_equal(Value* x, Value* y) const {
  return compare(*this, P::FCMP_OGE, P::ICMP_SGE, x, y);
}
Value* RegisterCode::unequal(Value* x, Value* y) const {
  return compare(*this, P::FCMP_ONE, P::ICMP_NE, x, y);
}
Value* RegisterCode::equal_or_nan(Value* x, Value* y) const { return builder_.CreateFCmpUEQ(x, y); }
Value* RegisterCode::any_nan(Value* x, Value* y) const { return builder_.CreateFCmpUNO(x, y); }
Value* RegisterCode::less_unsigned(Value* x, Value* y) const { return builder_.CreateICmpULT(x, y); }
Value* RegisterCode::greater_unsigned(Value* x, Value* y) const { return builder_.CreateICmpUGT(x, y); }
Value* RegisterCode::has_bits(Value* x, std::int64_t mask) const {
  return builder_.CreateICmpNE(builder_.CreateAnd(x, integer_like(x, mask)), integer_like(x, 0));
}

Value* RegisterCode::select(Value* predicate, Value* on_true, Value* on_false) const {
  return builder_.CreateSelect(predicate, on_true, on_false);
}

std::vector<Value*> RegisterCode::repeat(std::span<Value* const> first,
                                         const std::function<Turn(std::span<Value* const>)>& turn) const {
  llvm::BasicBlock* const before = builder_.GetInsertBlock();
  auto* const loop = llvm::BasicBlock::Create(builder_.getContext(), "turn", before->getParent());
  auto* const after = llvm::BasicBlock::Create(builder_.getContext(), "turned", before->getParent());
  builder_.CreateBr(loop);
  builder_.SetInsertPoint(loop);
  std::vector<Value*> variables;
  for (Value* const value : first) {
    auto* const variable = builder_.CreatePHI(value->getType(), 2);
    variable->addIncoming(value, before);
    variables.push_back(variable);
  }
  const Turn result = turn(variables);
  for (std::size_t i = 0; i < variables.size(); ++i)
    llvm::cast<llvm::PHINode>(variables[i])->addIncoming(result.variables[i], loop);
  Value* goes_on = result.needs_another;
  if (goes_on->getType()->isVectorTy()) goes_on = builder_.CreateOrReduce(goes_on);
  builder_.CreateCondBr(builder_.CreateFreeze(goes_on), loop, after);
  builder_.SetInsertPoint(after);
  return result.variables;
}

// ---- one type of floats ----

namespace {

constexpr FloatFormat kFloat = {.mantissa_bits = 23,
                                .exponent_bias = 127,
                                .round_magic = 0x1.8p23,
                                .min_normal = 0x1p-126,
                                .subnormal_scale = 0x1p23,
                                .subnormal_exponent = 23,
                                .log2_e_half = 0x1.715476p-1,
                                .log_2_high = 0x1.62e4p-1,
                                .log_2_low = 0x1.7f7d1cp-20,
                                .exp_high = 89.0,
                                .exp_low = -104.0,
                                .tanh_end = 10.0,
                                .tiny = 0x1p-26,
                                .largest_plain_angle = 1e6,
                                .exp_tail = kExpTail32,
                                .expm1_tail = kExpm1Tail32,
                                .tanh_tail = kTanhTail32,
                                .sine_tail = kSineTail32,
                                .cosine_tail = kCosineTail32};

constexpr FloatFormat kDouble = {.mantissa_bits = 52,
                                 .exponent_bias = 1023,
                                 .round_magic = 0x1.8p52,
                                 .min_normal = 0x1p-1022,
                                 .subnormal_scale = 0x1p54,
                                 .subnormal_exponent = 54,
                                 .log2_e_half = 0x1.71547652b82fep-1,
                                 .log_2_high = 0x1.62e42fefa38p-1,
                                 .log_2_low = 0x1.ef35793c7673p-45,
                                 .exp_high = 710.0,
                                 .exp_low = -746.0,
                                 .tanh_end = 20.0,
                                 .tiny = 0x1p-55,
                                 .largest_plain_angle = 1e5,
                                 .exp_tail = kExpTail64,
                                 .expm1_tail = kExpm1Tail64,
                                 .tanh_tail = kTanhTail64,
                                 .sine_tail = kSineTail64,
                                 .cosine_tail = kCosineTail64};

}  // namespace

FloatCode::FloatCode(llvm::IRBuilderBase& builder, bool has_fma, llvm::Type* type)
    : RegisterCode(builder, has_fma),
      type_(type),
      is_double_(type->getScalarType()->isDoubleTy()),
      int_type_(type->getWithNewType(is_double_ ? builder.getInt64Ty() : builder.getInt32Ty())),
      format_(is_double_ ? kDouble : kFloat) {}

FloatCode FloatCode::as_double() const {
  return {builder(), has_fma(), type_->getWithNewType(builder().getDoubleTy())};
}

Value* FloatCode::number(double value) const { return llvm::ConstantFP::get(type_, value); }
Value* FloatCode::infinity() const { return number(std::numeric_limits<double>::infinity()); }
Value* FloatCode::integer(std::uint64_t value) const {
  return llvm::ConstantInt::get(int_type_, is_double_ ? value : value & 0xffffffffU);
}
std::uint64_t FloatCode::bits_of(double value) const {
  return is_double_ ? std::bit_cast<std::uint64_t>(value)
                    : std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

Value* FloatCode::widened(Value* x) const {
  return is_double_ ? x : builder().CreateFPExt(x, type_->getWithNewType(builder().getDoubleTy()));
}
Value* FloatCode::narrowed(Value* x) const { return is_double_ ? x : builder().CreateFPTrunc(x, type_); }
Value* FloatCode::from_integer(Value* x) const { return builder().CreateSIToFP(x, type_); }
Value* FloatCode::bits(Value* x) const { return builder().CreateBitCast(x, int_type_); }
Value* FloatCode::from_bits(Value* x) const { return builder().CreateBitCast(x, type_); }
Value* FloatCode::abs(Value* x) const { return from_bits(bit_and(bits(x), integer(~sign_mask()))); }
Value* FloatCode::sign(Value* x) const { return bit_and(bits(x), integer(sign_mask())); }
Value* FloatCode::at_most(Value* x, double high) const {
  return select(greater(x, number(high)), number(high), x);
}
Value* FloatCode::at_least(Value* x, double low) const {
  return select(less(x, number(low)), number(low), x);
}

Value* FloatCode::product_error(Value* x, Value* y, Value* product) const {
  if (has_fma()) return fma(x, y, negate(product));
  const auto [x_high, x_low] = split(x);
  const auto [y_high, y_low] = split(y);
  Value* error = subtract(multiply(x_high, y_high), product);
  error = add(add(error, multiply(x_high, y_low)), multiply(x_low, y_high));
  return add(error, multiply(x_low, y_low));
}

Value* FloatCode::polynomial(std::span<const double> coefficients, Value* x, Value* square) const {
  Value* even = nullptr;
  Value* odd = nullptr;
  for (std::size_t i = coefficients.size(); i-- > 0;) {
    Value*& half = i % 2 == 0 ? even : odd;
    Value* c = number(coefficients[i]);
    half = half == nullptr ? c : fma(half, square, c);
  }
  return odd == nullptr ? even : fma(odd, x, even);
}

/// Two halves of at most 26 bits each (Dekker).
std::pair<Value*, Value*> FloatCode::split(Value* x) const {
  Value* scaled = multiply(x, number(0x1p27 + 1));
  Value* high = subtract(scaled, subtract(scaled, x));
  return {high, subtract(x, high)};
}

// ---- large angles ----

namespace {

// pi / 2 in parts; a multiple of the first two by an integer below 2^20 is exact.
constexpr double kHalfPiHigh = 0x1.921fb544p+0;
constexpr double kHalfPiMiddle = 0x1.0b4611a6p-34;
constexpr double kHalfPiLow = 0x1.3198a2e037073p-69;

// 2 / pi after 64 zero bits, the first bit of each word the highest.
constexpr std::uint64_t kTwoOverPi[] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
    0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};

/// Reduces one double with limit < |y| < infinity, to about 61 bits of r (Payne and Hanek): y = m 2^e with an
/// integer m. Only 192 bits of 2 / pi matter: their product with y is neither a multiple of 4 nor below the
/// last bit of r.
ReducedAngle reduce_large_angle(const FloatCode& m, Value* y, llvm::GlobalVariable* two_over_pi) {
  constexpr std::uint64_t kHalfPi = 0xc90fdaa22168c235;  // times 2^63
  llvm::IRBuilderBase& b = m.builder();
  llvm::Type* word = b.getInt64Ty();
  llvm::Type* wide = b.getInt128Ty();
  const auto widened = [&](Value* x) { return b.CreateZExt(x, wide); };
  const auto high_word = [&](Value* x) { return b.CreateTrunc(b.CreateLShr(x, 64), word); };
  Value* magnitude = b.CreateAnd(m.bits(y), m.integer(~m.sign_mask()));
  Value* integer = b.CreateOr(b.CreateAnd(magnitude, b.getInt64((1ULL << 52) - 1)), b.getInt64(1ULL << 52));
  // The first bit of 2 / pi that matters is e - 2 positions after the point; the table begins 64 before it.
  Value* position = b.CreateSub(b.CreateLShr(magnitude, 52), b.getInt64(1075 + 2 - 64));
  Value* first = b.CreateLShr(position, 6);
  Value* words[4];
  for (std::uint64_t i = 0; i < 4; ++i) {
    Value* address = b.CreateInBoundsGEP(two_over_pi->getValueType(), two_over_pi,
                                         {b.getInt64(0), b.CreateAdd(first, b.getInt64(i))});
    words[i] = b.CreateLoad(word, address);
  }
  const auto window = [&](int i) {
    return b.CreateIntrinsic(llvm::Intrinsic::fshl, {word}, {words[i], words[i + 1], position});
  };
  Value* product = b.CreateMul(widened(integer), widened(window(2)));
  product = b.CreateAdd(b.CreateMul(widened(integer), widened(window(1))), b.CreateLShr(product, 64));
  Value* top = b.CreateAdd(b.CreateMul(integer, window(0)), high_word(product));
  Value* turns = b.CreateOr(b.CreateShl(widened(top), 64),
                            b.CreateAnd(product, widened(b.getInt64(~0ULL))));  // quadrants times 2^126
  // To the nearest quadrant; the rest is a signed fraction of one.
  Value* quadrant = b.CreateLShr(b.CreateAdd(top, b.getInt64(1ULL << 61)), 62);
  Value* fraction = b.CreateShl(turns, 2);
  Value* is_below = b.CreateICmpSLT(fraction, llvm::ConstantInt::get(wide, 0));
  fraction = b.CreateSelect(is_below, b.CreateNeg(fraction), fraction);
  Value* zeros = b.CreateIntrinsic(llvm::Intrinsic::ctlz, {wide}, {fraction, b.getTrue()});
  Value* digits =
      high_word(b.CreateMul(widened(high_word(b.CreateShl(fraction, zeros))), widened(b.getInt64(kHalfPi))));
  Value* scale = b.CreateShl(b.CreateSub(b.getInt64(1023 - 62), b.CreateTrunc(zeros, word)), 52);
  digits = b.CreateLShr(digits, 1);
  Value* high = b.CreateSIToFP(digits, m.type());
  Value* low = b.CreateSIToFP(b.CreateSub(digits, b.CreateFPToSI(high, word)), m.type());
  Value* sign = b.CreateXor(m.sign(y), b.CreateSelect(is_below, m.integer(m.sign_mask()), m.integer(0)));
  const auto scaled = [&](Value* x) {
    return m.from_bits(b.CreateXor(m.bits(m.multiply(x, m.from_bits(scale))), sign));
  };
  Value* is_negative = b.CreateICmpNE(m.sign(y), m.integer(0));
  return {scaled(high), scaled(low), b.CreateSelect(is_negative, b.CreateNeg(quadrant), quadrant)};
}

/// void(y, r, r_low, quadrant, count, limit), arrays of doubles and 64-bit integers: reduces each y beyond the
/// limit. A module has one such function, because it is rarely called.
llvm::Function* large_angles_function(llvm::Module& module, bool has_fma) {
  constexpr const char* kName = "large_angles";
  if (llvm::Function* made = module.getFunction(kName)) return made;
  llvm::LLVMContext& context = module.getContext();
  llvm::IRBuilder<> b(context);
  const FloatCode m(b, has_fma, b.getDoubleTy());
  auto* bits = llvm::ConstantDataArray::get(context, llvm::ArrayRef<std::uint64_t>(kTwoOverPi));
  auto* two_over_pi = new llvm::GlobalVariable(module, bits->getType(), true,
                                               llvm::GlobalValue::PrivateLinkage, bits, "two_over_pi");
  llvm::Type* pointer = b.getPtrTy();
  auto* signature = llvm::FunctionType::get(
      b.getVoidTy(), {pointer, pointer, pointer, pointer, b.getInt64Ty(), b.getDoubleTy()}, false);
  auto* function = llvm::Function::Create(signature, llvm::Function::InternalLinkage, kName, module);
  function->addFnAttr(llvm::Attribute::NoInline);
  function->addFnAttr(llvm::Attribute::Cold);
  auto* entry = llvm::BasicBlock::Create(context, "entry", function);
  auto* loop = llvm::BasicBlock::Create(context, "loop", function);
  auto* large = llvm::BasicBlock::Create(context, "large", function);
  auto* next = llvm::BasicBlock::Create(context, "next", function);
  auto* done = llvm::BasicBlock::Create(context, "done", function);
  b.SetInsertPoint(entry);
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  auto* index = b.CreatePHI(b.getInt64Ty(), 2);
  index->addIncoming(b.getInt64(0), entry);
  const auto at = [&](unsigned array, llvm::Type* type) {
    return b.CreateInBoundsGEP(type, function->getArg(array), index);
  };
  Value* y = b.CreateLoad(b.getDoubleTy(), at(0, b.getDoubleTy()));
  Value* size = m.abs(y);
  b.CreateCondBr(b.CreateAnd(m.greater(size, function->getArg(5)), m.less(size, m.infinity())), large, next);
  b.SetInsertPoint(large);
  const ReducedAngle angle = reduce_large_angle(m, y, two_over_pi);
  b.CreateStore(angle.r, at(1, b.getDoubleTy()));
  b.CreateStore(angle.r_low, at(2, b.getDoubleTy()));
  b.CreateStore(angle.quadrant, at(3, b.getInt64Ty()));
  b.CreateBr(next);
  b.SetInsertPoint(next);
  Value* following = b.CreateAdd(index, b.getInt64(1));
  index->addIncoming(following, next);
  b.CreateCondBr(b.CreateICmpULT(following, function->getArg(4)), loop, done);
  b.SetInsertPoint(done);
  b.CreateRetVoid();
  return function;
}

}  // namespace

ReducedAngle reduce_angle(const FloatCode& m, Value* x) {
  llvm::IRBuilderBase& b = m.builder();
  const FloatCode wide = m.as_double();
  Value* y = m.widened(x);
  Value* magic = wide.number(wide.format().round_magic);
  Value* shifted = wide.fma(y, wide.number(0x1.45f306dc9c883p-1), magic);
  Value* k = wide.subtract(shifted, magic);
  Value* first = wide.fma(k, wide.number(-kHalfPiHigh), y);  // exact
  Value* r = wide.fma(k, wide.number(-kHalfPiMiddle), first);
  Value* r_low = nullptr;
  if (m.is_double()) {
    Value* lost = wide.fma(k, wide.number(-kHalfPiMiddle), wide.subtract(first, r));
    Value* rest = wide.fma(k, wide.number(-kHalfPiLow), lost);
    Value* sum = wide.add(r, rest);
    r_low = wide.add(wide.subtract(r, sum), rest);
    r = sum;
  }
  Value* quadrant = wide.bits(shifted);
  const double limit = m.format().largest_plain_angle;
  Value* is_large = m.greater(m.abs(x), m.number(limit));
  if (is_large->getType()->isVectorTy()) is_large = b.CreateOrReduce(is_large);

  llvm::BasicBlock* before = b.GetInsertBlock();
  llvm::Function* function = before->getParent();
  auto* large = llvm::BasicBlock::Create(b.getContext(), "large_angles", function);
  auto* after = llvm::BasicBlock::Create(b.getContext(), "angles", function);
  b.CreateCondBr(b.CreateFreeze(is_large), large, after,
                 llvm::MDBuilder(b.getContext()).createBranchWeights(1, 1 << 20));
  b.SetInsertPoint(large);
  llvm::IRBuilder<> at_entry(&function->getEntryBlock(), function->getEntryBlock().getFirstInsertionPt());
  std::vector<Value*> arguments;
  for (Value* value : {y, r, r_low, quadrant}) {
    arguments.push_back(at_entry.CreateAlloca(value == nullptr ? r->getType() : value->getType()));
    if (value != nullptr) b.CreateStore(value, arguments.back());
  }
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(wide.type());
  arguments.push_back(b.getInt64(vector == nullptr ? 1 : vector->getNumElements()));
  arguments.push_back(llvm::ConstantFP::get(b.getDoubleTy(), limit));
  b.CreateCall(large_angles_function(*function->getParent(), m.has_fma()), arguments);
  Value* large_r = b.CreateLoad(r->getType(), arguments[1]);
  Value* large_r_low = b.CreateLoad(r->getType(), arguments[2]);
  Value* large_quadrant = b.CreateLoad(quadrant->getType(), arguments[3]);
  b.CreateBr(after);
  b.SetInsertPoint(after);
  const auto either = [&](Value* plain, Value* other) {
    llvm::PHINode* value = b.CreatePHI(plain->getType(), 2);
    value->addIncoming(plain, before);
    value->addIncoming(other, large);
    return value;
  };
  return {either(r, large_r), r_low == nullptr ? nullptr : either(r_low, large_r_low),
          either(quadrant, large_quadrant)};
}

}  // namespace cornu::inline v0::backends::cpu
