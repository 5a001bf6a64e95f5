#include "cornu/backends/cpu/math/vector_math.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "cornu/backends/cpu/math/coefficients.h"

namespace cornu::inline v0::backends::cpu {
namespace {

using llvm::Value;

// What differs between float and double.
struct Format {
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

constexpr Format kFloat = {.mantissa_bits = 23,
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

constexpr Format kDouble = {.mantissa_bits = 52,
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

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// pi / 2 in parts; a multiple of the first two by an integer below 2^20 is exact.
constexpr double kHalfPiHigh = 0x1.921fb544p+0;
constexpr double kHalfPiMiddle = 0x1.0b4611a6p-34;
constexpr double kHalfPiLow = 0x1.3198a2e037073p-69;

// Short names for what the formulas below are made of, for one type.
class Math {
 public:
  Math(llvm::IRBuilderBase& b, const MathTarget& target, llvm::Type* type)
      : b_(b),
        guard_(b),
        target_(target),
        type_(type),
        is_double_(type->getScalarType()->isDoubleTy()),
        int_type_(type->getWithNewType(is_double_ ? b.getInt64Ty() : b.getInt32Ty())),
        format_(is_double_ ? kDouble : kFloat) {
    b_.setFastMathFlags(llvm::FastMathFlags());
  }

  Math with_type(llvm::Type* scalar) const { return Math(b_, target_, type_->getWithNewType(scalar)); }
  llvm::IRBuilderBase& builder() const { return b_; }
  const Format& format() const { return format_; }
  bool is_double() const { return is_double_; }
  llvm::Type* type() const { return type_; }
  llvm::Type* int_type() const { return int_type_; }

  Value* number(double value) const { return llvm::ConstantFP::get(type_, value); }
  Value* integer(std::uint64_t value) const {
    return llvm::ConstantInt::get(int_type_, is_double_ ? value : value & 0xffffffffu);
  }
  std::uint64_t bits_of(double value) const {
    return is_double_ ? std::bit_cast<std::uint64_t>(value)
                      : std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }
  std::uint64_t sign_mask() const { return bits_of(-0.0); }

  Value* add(Value* x, Value* y) const { return b_.CreateFAdd(x, y); }
  Value* sub(Value* x, Value* y) const { return b_.CreateFSub(x, y); }
  Value* mul(Value* x, Value* y) const { return b_.CreateFMul(x, y); }
  Value* div(Value* x, Value* y) const { return b_.CreateFDiv(x, y); }
  // x y + z, rounded once where the target can.
  Value* fma(Value* x, Value* y, Value* z) const {
    return target_.has_fma ? b_.CreateIntrinsic(llvm::Intrinsic::fma, {type_}, {x, y, z}) : add(mul(x, y), z);
  }
  // What x y lacks of the rounded product, exactly, if nothing overflows.
  Value* product_error(Value* x, Value* y, Value* product) const {
    if (target_.has_fma) return fma(x, y, b_.CreateFNeg(product));
    const auto [x_high, x_low] = split(x);
    const auto [y_high, y_low] = split(y);
    Value* error = sub(mul(x_high, y_high), product);
    error = add(add(error, mul(x_high, y_low)), mul(x_low, y_high));
    return add(error, mul(x_low, y_low));
  }

  Value* bits(Value* x) const { return b_.CreateBitCast(x, int_type_); }
  Value* from_bits(Value* x) const { return b_.CreateBitCast(x, type_); }
  Value* abs(Value* x) const { return from_bits(b_.CreateAnd(bits(x), integer(~sign_mask()))); }
  Value* sign(Value* x) const { return b_.CreateAnd(bits(x), integer(sign_mask())); }
  Value* select(Value* condition, Value* x, Value* y) const { return b_.CreateSelect(condition, x, y); }
  // The comparison's false side is x, so NaN passes; so x86's minimum and maximum do it in one instruction.
  Value* at_most(Value* x, double high) const {
    return select(b_.CreateFCmpOGT(x, number(high)), number(high), x);
  }
  Value* at_least(Value* x, double low) const {
    return select(b_.CreateFCmpOLT(x, number(low)), number(low), x);
  }

  // Even and odd coefficients apart: one multiplication more than Horner's rule, half its latency. `square`
  // is x^2.
  Value* polynomial(std::span<const double> coefficients, Value* x, Value* square) const {
    Value* even = nullptr;
    Value* odd = nullptr;
    for (std::size_t i = coefficients.size(); i-- > 0;) {
      Value*& half = i % 2 == 0 ? even : odd;
      Value* c = number(coefficients[i]);
      half = half == nullptr ? c : fma(half, square, c);
    }
    return odd == nullptr ? even : fma(odd, x, even);
  }

 private:
  // Two halves of at most 26 bits each (Dekker).
  std::pair<Value*, Value*> split(Value* x) const {
    Value* scaled = mul(x, number(0x1p27 + 1));
    Value* high = sub(scaled, sub(scaled, x));
    return {high, sub(x, high)};
  }

  llvm::IRBuilderBase& b_;
  llvm::IRBuilderBase::FastMathFlagGuard guard_;
  MathTarget target_;
  llvm::Type* type_;
  bool is_double_;
  llvm::Type* int_type_;
  const Format& format_;
};

// x = 2 h log 2 + r, |r| <= log 2; root = 2^h. The even exponent lets root * (root * y) overflow and
// underflow just as 2^2h y does, with one rounding, and is never itself out of range.
struct ExponentialParts {
  Value* r;
  Value* root;
};

// `correction`: a small addend of x, or null.
ExponentialParts reduce_exponential(const Math& m, Value* x, Value* correction = nullptr) {
  const Format& format = m.format();
  Value* magic = m.number(format.round_magic + format.exponent_bias);
  Value* shifted = m.fma(x, m.number(format.log2_e_half), magic);
  Value* h = m.sub(shifted, magic);
  Value* r = m.fma(h, m.number(-2 * format.log_2_high), x);
  if (correction != nullptr) r = m.add(r, correction);
  r = m.fma(h, m.number(-2 * format.log_2_low), r);
  Value* root = m.from_bits(m.builder().CreateShl(m.bits(shifted), format.mantissa_bits));
  return {r, root};
}

// e^x for exp_low <= x <= exp_high or NaN.
Value* exponential_in_range(const Math& m, Value* x, Value* correction = nullptr) {
  const auto [r, root] = reduce_exponential(m, x, correction);
  Value* square = m.mul(r, r);
  Value* tail = m.polynomial(m.format().exp_tail, r, square);
  Value* y = m.fma(square, tail, m.add(r, m.number(1)));
  return m.mul(m.mul(y, root), root);
}

// x = 2^exponent (1 + f), sqrt(1/2) <= 1 + f < sqrt(2), for normal x > 0.
struct LogarithmParts {
  Value* exponent;       // as a floating-point number
  Value* exponent_bits;  // the exponent in its field's place, plus the bias for double
  Value* mantissa;       // 1 + f
};

LogarithmParts reduce_logarithm(const Math& m, Value* x) {
  const Format& format = m.format();
  llvm::IRBuilderBase& b = m.builder();
  const std::uint64_t root_bits = m.bits_of(m.is_double() ? 0x1.6a09e667f3bcdp-1 : 0x1.6a09e6p-1);
  const std::uint64_t mantissa_mask = (std::uint64_t{1} << format.mantissa_bits) - 1;
  Value* exponent = nullptr;
  Value* shifted = nullptr;
  if (m.is_double()) {
    // AVX2 has neither an arithmetic shift nor a conversion of 64-bit integers: the bias keeps the number
    // positive, 2^52 converts it.
    const std::uint64_t bias_bits = m.bits_of(1.0);
    shifted = b.CreateAdd(m.bits(x), m.integer(bias_bits - root_bits));
    Value* biased = b.CreateOr(b.CreateLShr(shifted, format.mantissa_bits), m.integer(m.bits_of(0x1p52)));
    exponent = m.sub(m.from_bits(biased), m.number(0x1p52 + format.exponent_bias));
  } else {
    shifted = b.CreateSub(m.bits(x), m.integer(root_bits));
    exponent = b.CreateSIToFP(b.CreateAShr(shifted, format.mantissa_bits), m.type());
  }
  Value* mantissa =
      m.from_bits(b.CreateAdd(b.CreateAnd(shifted, m.integer(mantissa_mask)), m.integer(root_bits)));
  return {exponent, b.CreateAnd(shifted, m.integer(~mantissa_mask)), mantissa};
}

// exponent log 2 + log(1 + f).
Value* logarithm_of_parts(const Math& m, Value* exponent, Value* f) {
  Value* low = m.mul(exponent, m.number(m.format().log_2_low));
  Value* high = m.number(m.format().log_2_high);
  Value* square = m.mul(f, f);
  if (!m.is_double()) {
    Value* tail = m.fma(m.polynomial(kLogTail32, f, square), f, m.number(-0.5));
    return m.fma(exponent, high, m.add(f, m.fma(square, tail, low)));
  }
  // log(1 + f) = 2 atanh(s) = f - (f^2 / 2 - s (f^2 / 2 + R)), s = f / (2 + f).
  Value* s = m.div(f, m.add(f, m.number(2)));
  Value* z = m.mul(s, s);
  Value* half_square = m.mul(square, m.number(0.5));
  Value* rest = m.fma(m.polynomial(kAtanhTail64, z, m.mul(z, z)), z, half_square);
  return m.fma(exponent, high, m.sub(f, m.sub(half_square, m.fma(s, rest, low))));
}

// Subnormal x is scaled up; returns the exponent to subtract as a number.
struct Normalized {
  Value* x;
  Value* exponent;
};

Normalized normalize(const Math& m, Value* x) {
  const Format& format = m.format();
  Value* is_small = m.builder().CreateFCmpOLT(x, m.number(format.min_normal));
  return {m.select(is_small, m.mul(x, m.number(format.subnormal_scale)), x),
          m.select(is_small, m.number(format.subnormal_exponent), m.number(0))};
}

// log of x >= 0 but neither 0 nor infinite nor NaN.
Value* logarithm_in_range(const Math& m, Value* x) {
  const Normalized normal = normalize(m, x);
  const LogarithmParts parts = reduce_logarithm(m, normal.x);
  return logarithm_of_parts(m, m.sub(parts.exponent, normal.exponent), m.sub(parts.mantissa, m.number(1)));
}

// The values of log where its formula does not hold, `argument` being what is <= 0 then.
Value* logarithm_specials(const Math& m, Value* x, Value* argument, Value* result) {
  llvm::IRBuilderBase& b = m.builder();
  result = m.select(b.CreateFCmpOLT(x, m.number(kInfinity)), result, x);
  Value* outside = m.select(b.CreateFCmpOEQ(argument, m.number(0)), m.number(-kInfinity),
                            m.number(std::numeric_limits<double>::quiet_NaN()));
  return m.select(b.CreateFCmpOLE(argument, m.number(0)), outside, result);
}

// 2 / pi behind 64 zero bits, the first bit of each word the highest.
constexpr std::uint64_t kTwoOverPi[] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
    0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};

// An angle of doubles is quadrant pi / 2 + r + r_low, |r| <= pi / 4; of the quadrant the two lowest bits
// count.
struct ReducedAngle {
  Value* r;
  Value* r_low;
  Value* quadrant;
};

// Of one double with limit < |y| < infinity, to about 61 bits of r (Payne and Hanek): y = m 2^e
// with an integer m, and of 2 / pi only those 192 bits matter whose product with y is neither a multiple of 4
// nor below the last bit of r.
ReducedAngle reduce_large_angle(const Math& m, Value* y, llvm::GlobalVariable* two_over_pi) {
  constexpr std::uint64_t kHalfPi = 0xc90fdaa22168c235;  // times 2^63
  llvm::IRBuilderBase& b = m.builder();
  llvm::Type* word = b.getInt64Ty();
  llvm::Type* wide = b.getInt128Ty();
  const auto widened = [&](Value* x) { return b.CreateZExt(x, wide); };
  const auto high_word = [&](Value* x) { return b.CreateTrunc(b.CreateLShr(x, 64), word); };
  Value* magnitude = b.CreateAnd(m.bits(y), m.integer(~m.sign_mask()));
  Value* integer = b.CreateOr(b.CreateAnd(magnitude, b.getInt64((1ULL << 52) - 1)), b.getInt64(1ULL << 52));
  // The first bit of 2 / pi that counts stands e - 2 places behind the point; the table begins 64 before it.
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
    return m.from_bits(b.CreateXor(m.bits(m.mul(x, m.from_bits(scale))), sign));
  };
  Value* is_negative = b.CreateICmpNE(m.sign(y), m.integer(0));
  return {scaled(high), scaled(low), b.CreateSelect(is_negative, b.CreateNeg(quadrant), quadrant)};
}

// void(y, r, r_low, quadrant, count, limit), arrays of doubles and 64-bit integers: replaces what was found
// of those y that are beyond the limit. Once a module: it is rarely called.
llvm::Function* large_angles_function(llvm::Module& module, const MathTarget& target) {
  constexpr const char* kName = "large_angles";
  if (llvm::Function* made = module.getFunction(kName)) return made;
  llvm::LLVMContext& context = module.getContext();
  llvm::IRBuilder<> b(context);
  const Math m(b, target, b.getDoubleTy());
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
  b.CreateCondBr(
      b.CreateAnd(b.CreateFCmpOGT(size, function->getArg(5)), b.CreateFCmpOLT(size, m.number(kInfinity))),
      large, next);
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

// Of x, in doubles. Few angles are large: a branch that is hardly ever taken leaves them to a function.
// Doubles hold what floats need without r_low, which is 0 then.
ReducedAngle reduce_angle(const Math& m, const MathTarget& target, Value* x) {
  llvm::IRBuilderBase& b = m.builder();
  const Math wide = m.with_type(b.getDoubleTy());
  Value* y = m.is_double() ? x : b.CreateFPExt(x, wide.type());
  Value* magic = wide.number(wide.format().round_magic);
  Value* shifted = wide.fma(y, wide.number(0x1.45f306dc9c883p-1), magic);
  Value* k = wide.sub(shifted, magic);
  Value* first = wide.fma(k, wide.number(-kHalfPiHigh), y);  // exact
  Value* r = wide.fma(k, wide.number(-kHalfPiMiddle), first);
  Value* r_low = nullptr;
  if (m.is_double()) {
    Value* lost = wide.fma(k, wide.number(-kHalfPiMiddle), wide.sub(first, r));
    Value* rest = wide.fma(k, wide.number(-kHalfPiLow), lost);
    Value* sum = wide.add(r, rest);
    r_low = wide.add(wide.sub(r, sum), rest);
    r = sum;
  }
  Value* quadrant = wide.bits(shifted);
  const double limit = m.format().largest_plain_angle;
  Value* is_large = b.CreateFCmpOGT(m.abs(x), m.number(limit));
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
  b.CreateCall(large_angles_function(*function->getParent(), target), arguments);
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

// An unrounded sum of two numbers; the second is null where it would not matter.
struct TwoParts {
  Value* larger;
  Value* smaller;
};

Value* rounded(const Math& m, const TwoParts& sum) {
  return sum.smaller == nullptr ? sum.larger : m.add(sum.larger, sum.smaller);
}

// What the sum lacks when it is rounded to `high`.
Value* rest_of(const Math& m, const TwoParts& sum, Value* high) {
  return m.add(m.sub(sum.larger, high), sum.smaller);
}

struct SineAndCosine {
  TwoParts sine, cosine;
};

// Of doubles r + r_low, |r| <= pi / 4, by the polynomials of `format`. Little is rounded but the last sum.
// Without r_low the results are rounded, for floats. `square_low`: what r^2 lacks, or null.
SineAndCosine sine_and_cosine(const Math& m, const Format& format, Value* r, Value* r_low,
                              Value* square_low) {
  Value* one = m.number(1);
  Value* z = m.mul(r, r);
  Value* z2 = m.mul(z, z);
  Value* cube = m.mul(z, r);
  Value* sine_rest = m.polynomial(format.sine_tail, z, z2);
  Value* cosine_rest = m.polynomial(format.cosine_tail, z, z2);
  if (r_low == nullptr)
    return {{m.fma(cube, sine_rest, r), nullptr},
            {m.fma(m.fma(cosine_rest, z, m.number(-0.5)), z, one), nullptr}};
  Value* half = m.mul(z, m.number(0.5));
  Value* near_cosine = m.sub(one, half);
  Value* lost = m.sub(m.sub(one, near_cosine), half);
  if (square_low != nullptr) lost = m.fma(square_low, m.number(-0.5), lost);
  return {{r, m.fma(cube, sine_rest, m.mul(r_low, near_cosine))},
          {near_cosine, m.fma(z2, cosine_rest, m.sub(lost, m.mul(r, r_low)))}};
}

// Sine of x + quadrants * pi / 2. Floats are computed as doubles, which is as fast as two parts of each
// float.
Value* sine_of_quadrant(llvm::IRBuilderBase& b, const MathTarget& target, Value* x, int quadrants) {
  const Math m(b, target, x->getType());
  const Math wide = m.with_type(b.getDoubleTy());
  const auto [r, r_low, angle_quadrant] = reduce_angle(m, target, x);
  Value* quadrant = b.CreateAdd(angle_quadrant, wide.integer(static_cast<std::uint64_t>(quadrants)));
  const auto [sine, cosine] = sine_and_cosine(wide, m.format(), r, r_low, nullptr);
  Value* is_odd = b.CreateICmpNE(b.CreateAnd(quadrant, wide.integer(1)), wide.integer(0));
  Value* sign = b.CreateShl(b.CreateAnd(quadrant, wide.integer(2)), 62);
  Value* result = wide.select(is_odd, rounded(wide, cosine), rounded(wide, sine));
  result = wide.from_bits(b.CreateXor(wide.bits(result), sign));
  return m.is_double() ? result : b.CreateFPTrunc(result, m.type());
}

// atan(u), 0 <= u <= 1, for double.
Value* arctangent_of_ratio(const Math& m, Value* low, Value* high) {
  llvm::IRBuilderBase& b = m.builder();
  // Above tan(pi / 8) from pi / 4: atan(l / h) = pi / 4 + atan((l - h) / (l + h)).
  Value* is_steep = b.CreateFCmpOGT(low, m.mul(high, m.number(0x1.a827999fcef34p-2)));
  Value* u = m.div(m.select(is_steep, m.sub(low, high), low), m.select(is_steep, m.add(low, high), high));
  Value* z = m.mul(u, u);
  Value* tail = m.mul(m.mul(u, z), m.polynomial(kAtanTail64, z, m.mul(z, z)));
  Value* base = m.select(is_steep, m.number(0x1.921fb54442d18p-1), m.number(0));
  Value* base_low = m.select(is_steep, m.number(0x1.1a62633145c07p-55), m.number(0));
  return m.add(base, m.add(u, m.add(tail, base_low)));
}

// x^y for double x > 0 neither infinite nor NaN, |y| <= 2^70: the logarithm in two parts, about 2^-64
// relative to its exact value.
Value* power_in_range(const Math& m, Value* x, Value* y) {
  constexpr double kTwoThirdsHigh = 0x1.5555555555555p-1, kTwoThirdsLow = 0x1.5555555555555p-55;
  llvm::IRBuilderBase& b = m.builder();
  const Normalized normal = normalize(m, x);
  const LogarithmParts parts = reduce_logarithm(m, normal.x);
  Value* exponent = m.sub(parts.exponent, normal.exponent);
  Value* one = m.number(1);
  // s = f / (2 + f)
  Value* f = m.sub(parts.mantissa, one);
  Value* g = m.add(parts.mantissa, one);
  Value* g_low = m.sub(parts.mantissa, m.sub(g, one));
  Value* s = m.div(f, g);
  Value* s_times_g = m.mul(s, g);
  Value* remainder = m.sub(m.sub(f, s_times_g), m.product_error(s, g, s_times_g));
  Value* s_low = m.div(m.sub(remainder, m.mul(s, g_low)), g);
  // z = s^2
  Value* z = m.mul(s, s);
  Value* z_low = m.add(m.product_error(s, s, z), m.mul(m.add(s, s), s_low));
  // log(1 + f) = s (2 + z (2/3 + z tail))
  Value* tail = m.mul(m.polynomial(kPowerTail64, z, m.mul(z, z)), z);
  Value* inner = m.add(m.number(kTwoThirdsHigh), tail);
  Value* inner_low = m.add(m.add(m.sub(m.number(kTwoThirdsHigh), inner), tail), m.number(kTwoThirdsLow));
  Value* middle = m.mul(z, inner);
  Value* middle_low =
      m.add(m.product_error(z, inner, middle), m.add(m.mul(z, inner_low), m.mul(z_low, inner)));
  Value* outer = m.add(m.number(2), middle);
  Value* outer_low = m.add(m.add(m.sub(m.number(2), outer), middle), middle_low);
  Value* log_f = m.mul(s, outer);
  Value* log_f_low = m.add(m.product_error(s, outer, log_f), m.add(m.mul(s, outer_low), m.mul(s_low, outer)));
  // + exponent log 2
  Value* shift = m.mul(exponent, m.number(m.format().log_2_high));
  Value* sum = m.add(shift, log_f);
  Value* sum_low = m.add(m.add(m.sub(shift, sum), log_f),
                         m.add(log_f_low, m.mul(exponent, m.number(m.format().log_2_low))));
  Value* log_x = m.add(sum, sum_low);
  Value* log_x_low = m.add(m.sub(sum, log_x), sum_low);
  // e^(y log x)
  Value* w = m.mul(y, log_x);
  Value* w_low = m.add(m.product_error(y, log_x, w), m.mul(y, log_x_low));
  w_low = m.select(b.CreateFCmpOGT(m.abs(w), m.number(800)), m.number(0), w_low);
  w = m.at_least(m.at_most(w, m.format().exp_high), m.format().exp_low);
  return exponential_in_range(m, w, w_low);
}

// x^y for float x > 0 neither infinite nor NaN, |y| <= 2^70: double has bits enough for the plain formula.
Value* power_in_range_by_double(const Math& m, Value* x, Value* y) {
  llvm::IRBuilderBase& b = m.builder();
  const Math wide = m.with_type(b.getDoubleTy());
  const LogarithmParts parts = reduce_logarithm(wide, b.CreateFPExt(x, wide.type()));
  Value* log_x = logarithm_of_parts(wide, parts.exponent, wide.sub(parts.mantissa, wide.number(1)));
  Value* w = wide.mul(b.CreateFPExt(y, wide.type()), log_x);
  return b.CreateFPTrunc(exponential_in_range(wide, wide.at_least(wide.at_most(w, 200), -200)), m.type());
}

// Whether x >= 0 is an integer; infinity is one.
Value* is_integer(const Math& m, Value* x) {
  llvm::IRBuilderBase& b = m.builder();
  Value* limit = m.number(m.is_double() ? 0x1p52 : 0x1p23);
  Value* rounded = m.sub(m.add(x, limit), limit);
  return b.CreateOr(b.CreateFCmpOGE(x, limit), b.CreateFCmpOEQ(rounded, x));
}

}  // namespace

Value* emit_exponential(llvm::IRBuilderBase& b, const MathTarget& target, Value* x) {
  const Math m(b, target, x->getType());
  return exponential_in_range(m, m.at_least(m.at_most(x, m.format().exp_high), m.format().exp_low));
}

Value* emit_exponential_minus_one(llvm::IRBuilderBase& b, const MathTarget& target, Value* x) {
  const Math m(b, target, x->getType());
  const Format& format = m.format();
  const auto [r, root] = reduce_exponential(m, m.at_least(m.at_most(x, format.exp_high), format.exp_low));
  Value* square = m.mul(r, r);
  Value* y = m.fma(square, m.polynomial(format.expm1_tail, r, square), r);
  // root^2 (1 + y) - 1 = root (root y + (root - 1 / root))
  const std::uint64_t twice_bias = static_cast<std::uint64_t>(2 * format.exponent_bias)
                                   << format.mantissa_bits;
  Value* inverse = m.from_bits(b.CreateSub(m.integer(twice_bias), m.bits(root)));
  Value* result = m.mul(root, m.fma(y, root, m.sub(root, inverse)));
  return m.select(b.CreateFCmpOEQ(x, m.number(0)), x, result);  // keeps the sign of zero
}

Value* emit_log(llvm::IRBuilderBase& b, const MathTarget& target, Value* x) {
  const Math m(b, target, x->getType());
  return logarithm_specials(m, x, x, logarithm_in_range(m, x));
}

Value* emit_log_plus_one(llvm::IRBuilderBase& b, const MathTarget& target, Value* x) {
  const Math m(b, target, x->getType());
  const Format& format = m.format();
  Value* argument = m.add(x, m.number(1));
  const LogarithmParts parts = reduce_logarithm(m, argument);
  // 1 + x = 2^exponent (1 + f), so f = x t + (t - 1), t = 2^-exponent: the rounding of 1 + x does not enter.
  // 4 t is a normal number for every exponent, t is not.
  const std::uint64_t bias =
      static_cast<std::uint64_t>(m.is_double() ? 2 * format.exponent_bias : format.exponent_bias) + 2;
  Value* four_t = m.from_bits(b.CreateSub(m.integer(bias << format.mantissa_bits), parts.exponent_bits));
  Value* quarter = m.number(0.25);
  Value* f = m.fma(m.mul(x, quarter), four_t, m.fma(four_t, quarter, m.number(-1)));
  Value* result = logarithm_of_parts(m, parts.exponent, f);
  result = m.select(b.CreateFCmpOLT(m.abs(x), m.number(format.tiny)), x, result);
  return logarithm_specials(m, x, argument, result);
}

Value* emit_tanh(llvm::IRBuilderBase& b, const MathTarget& target, Value* x) {
  const Math m(b, target, x->getType());
  const Format& format = m.format();
  Value* a = m.at_most(m.abs(x), format.tanh_end);
  // 2 a = k log 2 + 2 r; tanh(a) = (e^2a - 1) / (e^2a + 1) with e^2a = 2^k (1 + y).
  Value* magic = m.number(format.round_magic + format.exponent_bias);
  Value* shifted = m.fma(a, m.number(4 * format.log2_e_half), magic);
  Value* k = m.sub(shifted, magic);
  Value* r = m.fma(k, m.number(-format.log_2_high / 2), a);
  r = m.fma(k, m.number(-format.log_2_low / 2), r);
  Value* square = m.mul(r, r);
  Value* y = m.fma(square, m.polynomial(format.tanh_tail, r, square), m.add(r, r));
  Value* scale = m.from_bits(b.CreateShl(m.bits(shifted), format.mantissa_bits));
  // The error of the numerator is in the denominator too, and cancels where it matters.
  Value* numerator = m.fma(y, scale, m.sub(scale, m.number(1)));
  Value* result = m.div(numerator, m.add(numerator, m.number(2)));
  return m.from_bits(b.CreateOr(m.bits(result), m.sign(x)));
}

Value* emit_logistic(llvm::IRBuilderBase& b, const MathTarget& target, Value* x) {
  const Math m(b, target, x->getType());
  // e^-|x| cannot overflow, and keeps small results of negative x.
  Value* negative = m.from_bits(b.CreateOr(m.bits(x), m.integer(m.sign_mask())));
  Value* y = exponential_in_range(m, m.at_least(negative, m.format().exp_low));
  Value* one = m.number(1);
  return m.div(m.select(b.CreateFCmpOLT(x, m.number(0)), y, one), m.add(y, one));
}

Value* emit_power(llvm::IRBuilderBase& b, const MathTarget& target, Value* x, Value* y) {
  const Math m(b, target, x->getType());
  Value* zero = m.number(0);
  Value* one = m.number(1);
  Value* infinity = m.number(kInfinity);
  Value* abs_x = m.abs(x);
  Value* abs_y = m.abs(y);
  // |log x| is at least 2^-54 unless x is 1: from |y| = 2^70 on the result is 0, 1 or infinite.
  Value* limited_y = m.at_least(m.at_most(y, 0x1p70), -0x1p70);
  Value* result =
      m.is_double() ? power_in_range(m, abs_x, limited_y) : power_in_range_by_double(m, abs_x, limited_y);

  Value* x_is_zero = b.CreateFCmpOEQ(abs_x, zero);
  Value* x_is_end = b.CreateOr(x_is_zero, b.CreateFCmpOEQ(abs_x, infinity));
  Value* is_infinite = b.CreateXor(x_is_zero, b.CreateFCmpOGT(y, zero));
  result = m.select(x_is_end, m.select(is_infinite, infinity, zero), result);

  Value* y_is_integer = is_integer(m, abs_y);
  Value* y_is_odd = b.CreateAnd(y_is_integer, b.CreateNot(is_integer(m, m.mul(abs_y, m.number(0.5)))));
  result = m.from_bits(b.CreateOr(m.bits(result), m.select(y_is_odd, m.sign(x), m.integer(0))));
  Value* is_undefined =
      b.CreateAnd(b.CreateFCmpOLT(x, zero), b.CreateNot(b.CreateOr(y_is_integer, x_is_end)));
  is_undefined = b.CreateOr(is_undefined, b.CreateFCmpUNO(x, y));
  result = m.select(is_undefined, m.number(std::numeric_limits<double>::quiet_NaN()), result);
  return m.select(b.CreateOr(b.CreateFCmpOEQ(y, zero), b.CreateFCmpOEQ(x, one)), one, result);
}

Value* emit_sine(llvm::IRBuilderBase& b, const MathTarget& target, Value* x) {
  Value* sine = sine_of_quadrant(b, target, x, 0);
  return b.CreateSelect(b.CreateFCmpOEQ(x, llvm::Constant::getNullValue(x->getType())), x, sine);  // its sign
}

Value* emit_cosine(llvm::IRBuilderBase& b, const MathTarget& target, Value* x) {
  return sine_of_quadrant(b, target, x, 1);
}

Value* emit_tan(llvm::IRBuilderBase& b, const MathTarget& target, Value* x) {
  const Math m(b, target, x->getType());
  const Math wide = m.with_type(b.getDoubleTy());
  const auto [r, r_low, quadrant] = reduce_angle(m, target, x);
  Value* square_low = m.is_double() ? wide.product_error(r, r, wide.mul(r, r)) : nullptr;
  const auto parts = sine_and_cosine(wide, wide.format(), r, r_low, square_low);
  Value* sine = rounded(wide, parts.sine);
  Value* cosine = rounded(wide, parts.cosine);
  // A quarter turn further the sine is the cosine, and the cosine the sine with the other sign; the tangent
  // needs no more.
  Value* is_odd = b.CreateICmpNE(b.CreateAnd(quadrant, wide.integer(1)), wide.integer(0));
  Value* numerator = wide.select(is_odd, cosine, sine);
  Value* denominator = wide.select(is_odd, b.CreateFNeg(sine), cosine);
  Value* quotient = nullptr;
  if (!m.is_double()) {
    quotient = b.CreateFPTrunc(wide.div(numerator, denominator), m.type());
  } else {  // what is left of the numerator, and what the sine and the cosine lack
    Value* inverse = wide.div(wide.number(1), denominator);
    quotient = wide.mul(numerator, inverse);
    Value* sine_low = rest_of(wide, parts.sine, sine);
    Value* cosine_low = rest_of(wide, parts.cosine, cosine);
    Value* numerator_low = wide.select(is_odd, cosine_low, sine_low);
    Value* denominator_low = wide.select(is_odd, b.CreateFNeg(sine_low), cosine_low);
    Value* product = wide.mul(quotient, denominator);
    Value* left = wide.sub(wide.sub(numerator, product), wide.product_error(quotient, denominator, product));
    left = wide.fma(quotient, b.CreateFNeg(denominator_low), wide.add(left, numerator_low));
    quotient = wide.fma(left, inverse, quotient);
  }
  return m.select(b.CreateFCmpOEQ(x, m.number(0)), x, quotient);  // the sign of zero
}

Value* emit_cbrt(llvm::IRBuilderBase& b, const MathTarget& target, Value* x) {
  const Math m(b, target, x->getType());
  const Math wide = m.with_type(b.getDoubleTy());
  Value* y = m.is_double() ? x : b.CreateFPExt(x, wide.type());
  // Far from where cubes overflow or lose bits: by 2^300, whose cube root is 2^100.
  Value* unscaled = wide.abs(y);
  Value* is_large = b.CreateFCmpOGT(unscaled, wide.number(0x1p600));
  Value* is_small = b.CreateFCmpOLT(unscaled, wide.number(0x1p-600));
  Value* magnitude =
      wide.mul(unscaled, wide.select(is_large, wide.number(0x1p-300),
                                     wide.select(is_small, wide.number(0x1p300), wide.number(1))));
  Value* back = wide.select(is_large, wide.number(0x1p100),
                            wide.select(is_small, wide.number(0x1p-100), wide.number(1)));
  Value* root = exponential_in_range(
      wide, wide.mul(logarithm_in_range(wide, magnitude), wide.number(0x1.5555555555555p-2)));
  // One step of Newton's method on the error of the cube.
  Value* square = wide.mul(root, root);
  Value* error = wide.add(wide.sub(wide.mul(square, root), magnitude),
                          wide.product_error(square, root, wide.mul(square, root)));
  error = wide.add(error, wide.mul(wide.product_error(root, root, square), root));
  Value* better = wide.sub(root, wide.div(error, wide.mul(wide.number(3), square)));
  root = wide.mul(m.is_double() ? better : root, back);
  Value* is_special = b.CreateOr(b.CreateFCmpUEQ(unscaled, wide.number(0)),
                                 b.CreateFCmpUEQ(unscaled, wide.number(kInfinity)));
  root = wide.select(is_special, y, wide.from_bits(b.CreateOr(wide.bits(root), wide.sign(y))));
  return m.is_double() ? root : b.CreateFPTrunc(root, m.type());
}

Value* emit_atan2(llvm::IRBuilderBase& b, const MathTarget& target, Value* y, Value* x) {
  const Math m(b, target, x->getType());
  const Math wide = m.with_type(b.getDoubleTy());
  if (!m.is_double()) {
    y = b.CreateFPExt(y, wide.type());
    x = b.CreateFPExt(x, wide.type());
  }
  Value* abs_x = wide.abs(x);
  Value* abs_y = wide.abs(y);
  Value* is_over = b.CreateFCmpOGT(abs_y, abs_x);
  Value* low = wide.select(is_over, abs_x, abs_y);
  Value* high = wide.select(is_over, abs_y, abs_x);
  if (m.is_double()) {  // so that neither their sum nor a product of theirs overflows or vanishes
    Value* is_large = b.CreateFCmpOGT(high, wide.number(0x1p1000));
    Value* scale = wide.select(is_large, wide.number(0x1p-60), wide.number(1));
    scale = wide.select(b.CreateFCmpOLT(high, wide.number(0x1p-900)), wide.number(0x1p100), scale);
    low = wide.mul(low, scale);
    high = wide.mul(high, scale);
  }
  // Both infinite: the diagonal. Both zero: no angle at all.
  Value* is_diagonal = b.CreateFCmpOEQ(low, wide.number(kInfinity));
  low = wide.select(is_diagonal, wide.number(1), low);
  high = wide.select(is_diagonal, wide.number(1), high);
  high = wide.select(b.CreateFCmpOEQ(high, wide.number(0)), wide.number(1), high);
  Value* angle = arctangent_of_ratio(wide, low, high);
  constexpr double kHalfPi = 0x1.921fb54442d18p+0, kHalfPiRest = 0x1.1a62633145c07p-54;
  angle =
      wide.select(is_over, wide.add(wide.sub(wide.number(kHalfPi), angle), wide.number(kHalfPiRest)), angle);
  Value* is_left = b.CreateICmpNE(wide.sign(x), wide.integer(0));
  angle = wide.select(
      is_left, wide.add(wide.sub(wide.number(2 * kHalfPi), angle), wide.number(2 * kHalfPiRest)), angle);
  angle = wide.from_bits(b.CreateOr(wide.bits(wide.abs(angle)), wide.sign(y)));
  angle = wide.select(b.CreateFCmpUNO(x, y), wide.add(x, y), angle);
  return m.is_double() ? angle : b.CreateFPTrunc(angle, m.type());
}

Value* emit_rsqrt(llvm::IRBuilderBase& b, const MathTarget& target, Value* x) {
  const Math m(b, target, x->getType());
  return m.div(m.number(1), b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x));
}

}  // namespace cornu::inline v0::backends::cpu
