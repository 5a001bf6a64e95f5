#include "cornu/ops/chlo_binary/chlo_binary.h"

#include <cmath>
#include <limits>

#include "cornu/base/check.h"
#include "cornu/ir/op_def.h"
#include "cornu/ops/bitcast_convert/bitcast_convert.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/digamma/digamma.h"
#include "cornu/ops/dtype_set.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/lgamma/lgamma.h"
#include "cornu/ops/operands.h"
#include "cornu/ops/select/select.h"

namespace cornu::inline v0::ops {
namespace chlo_binary_folder {
namespace {

using ir::Builder;
using ir::Value;

template <DTypeSet kTypes>
std::vector<ir::TensorType> infer(const ir::InferContext& context) {
  check_operands(context, 2);
  const ir::TensorType &x = context.type(0), &y = context.type(1);
  if (x != y) invalid_argument("the operands must have one type; got {} and {}", x.str(), y.str());
  if (!contains(kTypes, x.dtype))
    invalid_argument("the operands must be of {}; got {}", dtype_set_str(kTypes), x.str());
  return {x};
}

Value like(Builder& b, Value x, double value) { return full(b, x.type(), value); }
Value is_equal(Builder& b, Value x, Value y) { return compare(b, x, y, ComparisonDirection::kEq); }
Value is_nan(Builder& b, Value x) { return compare(b, x, x, ComparisonDirection::kNe); }
Value is_whole(Builder& b, Value x) { return is_equal(b, x, floor(b, x)); }

ir::DType unsigned_of(int bits) {
  return bits == 16 ? ir::DType::kU16 : bits == 32 ? ir::DType::kU32 : ir::DType::kU64;
}

/// By the bits: a step changes the magnitude by one, away from zero or towards it.
std::vector<Value> next_after_bits(Builder& b, std::span<const Value> operands, const ir::Attributes&) {
  const Value x = operands[0], y = operands[1];
  const int width = ir::bit_width(x.dtype());
  const ir::DType bits = unsigned_of(width);
  const Value x_bits = bitcast_convert(b, x, bits), y_bits = bitcast_convert(b, y, bits);
  const Value sign_mask = like(b, x_bits, std::ldexp(1.0, width - 1));
  const Value one = like(b, x_bits, 1), zero = like(b, x_bits, 0);
  const Value x_magnitude = bitcast_convert(b, abs(b, x), bits),
              y_magnitude = bitcast_convert(b, abs(b, y), bits);
  const Value x_sign = and_(b, x_bits, sign_mask), y_sign = and_(b, y_bits, sign_mask);
  const Value falls = or_(b, compare(b, x_magnitude, y_magnitude, ComparisonDirection::kGt),
                          compare(b, x_sign, y_sign, ComparisonDirection::kNe));
  const Value stepped = select(b, falls, subtract(b, x_bits, one), add(b, x_bits, one));
  const Value is_zero = is_equal(b, x_magnitude, zero);
  Value result = select(b, is_zero, or_(b, y_sign, one), stepped);
  const Value both_zero = and_(b, is_zero, is_equal(b, y_magnitude, zero));
  result = select(b, or_(b, both_zero, is_equal(b, x_bits, y_bits)), y_bits, result);
  const Value number = bitcast_convert(b, result, x.dtype());
  return {select(b, or_(b, is_nan(b, x), is_nan(b, y)), like(b, x, std::numeric_limits<double>::quiet_NaN()),
                 number)};
}

/// The upper half of a product of 64 bits, by the products of halves of 32 bits.
Value high_of_unsigned(Builder& b, Value x, Value y) {
  const Value half = like(b, x, 32), mask = like(b, x, 0xffffffffU);
  const Value x_low = and_(b, x, mask), x_high = shift_right_logical(b, x, half);
  const Value y_low = and_(b, y, mask), y_high = shift_right_logical(b, y, half);
  const Value low = multiply(b, x_low, y_low), first = multiply(b, x_high, y_low),
              second = multiply(b, x_low, y_high);
  const Value middle =
      add(b, add(b, shift_right_logical(b, low, half), and_(b, first, mask)), and_(b, second, mask));
  const Value high = add(b, multiply(b, x_high, y_high), shift_right_logical(b, first, half));
  return add(b, add(b, high, shift_right_logical(b, second, half)), shift_right_logical(b, middle, half));
}

std::vector<Value> high_of_product(Builder& b, std::span<const Value> operands, const ir::Attributes&) {
  const Value x = operands[0], y = operands[1];
  const int width = ir::bit_width(x.dtype());
  const bool is_signed = ir::is_signed_integer(x.dtype());
  if (width < 64) {
    const ir::DType wide = is_signed ? ir::DType::kI64 : ir::DType::kU64;
    const Value product = multiply(b, convert(b, x, wide), convert(b, y, wide));
    return {convert(b, shift_right_logical(b, product, like(b, product, width)), x.dtype())};
  }
  if (!is_signed) return {high_of_unsigned(b, x, y)};
  const auto bits = [&](Value v) { return bitcast_convert(b, v, ir::DType::kU64); };
  // A negative factor counts as 2^64 more in the unsigned product.
  const Value zero = like(b, x, 0),
              high = bitcast_convert(b, high_of_unsigned(b, bits(x), bits(y)), x.dtype());
  const Value of_x = select(b, compare(b, x, zero, ComparisonDirection::kLt), y, zero),
              of_y = select(b, compare(b, y, zero, ComparisonDirection::kLt), x, zero);
  return {subtract(b, subtract(b, high, of_x), of_y)};
}

Value widened(Builder& b, Value x) {
  return x.dtype() == ir::DType::kF64 ? x : convert(b, x, ir::DType::kF64);
}
Value narrowed(Builder& b, Value y, ir::DType dtype) { return y.dtype() == dtype ? y : convert(b, y, dtype); }

/// The series of Euler and Maclaurin after ten terms (F. Johansson, "Rigorous high-precision computation of the
/// Hurwitz zeta function and its derivatives", 2015, formula 5).
Value zeta_series(Builder& b, Value x, Value q) {
  constexpr int kNumTerms = 10;
  // (2 k)! / B_2k, k = 12, 11, ..., 1
  constexpr double kCoefficients[] = {-7.1661652561756670113e18,
                                      1.8152105401943546773e17,
                                      -4.5979787224074726105e15,
                                      1.1646782814350067249e14,
                                      -2.950130727918164224e12,
                                      7.47242496e10,
                                      -1.8924375803183791606e9,
                                      47900160.0,
                                      -1209600.0,
                                      30240.0,
                                      -720.0,
                                      12.0};
  constexpr int kNumCoefficients = static_cast<int>(std::size(kCoefficients));
  const Value exponent = negate(b, x);
  Value sum = power(b, q, exponent), at = q;
  for (int k = 1; k < kNumTerms; ++k) {
    at = add(b, at, like(b, q, 1));
    sum = add(b, sum, power(b, at, exponent));
  }
  at = add(b, at, like(b, q, 1));
  const Value last = power(b, at, exponent);
  const Value integral = divide(b, multiply(b, last, at), subtract(b, x, like(b, x, 1)));
  const Value inverse_square = divide(b, like(b, at, 1), multiply(b, at, at));
  Value tail = like(b, at, 0);
  for (int i = 0; i + 1 < kNumCoefficients; ++i) {
    const double order = 2 * (kNumCoefficients - 1 - i);
    const Value factor = multiply(b, add(b, x, like(b, x, order)), add(b, x, like(b, x, order - 1)));
    tail = multiply(b, factor, multiply(b, inverse_square, add(b, tail, like(b, at, 1 / kCoefficients[i]))));
  }
  tail = multiply(b, divide(b, x, at), add(b, tail, like(b, at, 1 / kCoefficients[kNumCoefficients - 1])));
  const Value correction = add(b, integral, multiply(b, last, add(b, like(b, at, 0.5), tail)));
  return select(b, is_equal(b, last, like(b, last, 0)), sum, add(b, sum, correction));
}

Value build_zeta(Builder& b, Value x, Value q) {
  const Value zero = like(b, q, 0), one = like(b, x, 1);
  const Value nan = like(b, x, std::numeric_limits<double>::quiet_NaN()),
              infinity = like(b, x, std::numeric_limits<double>::infinity());
  const auto less = [&](Value u, Value v) { return compare(b, u, v, ComparisonDirection::kLt); };
  // Beyond x <= 1 only q <= 0 is special: whole q are poles, and x must be whole.
  const Value is_even = is_equal(b, remainder(b, x, like(b, x, 2)), zero);
  const Value not_positive = compare(b, q, zero, ComparisonDirection::kLe);
  Value y = select(b, less(x, one), nan, zeta_series(b, x, q));
  y = select(b, and_(b, not_positive, not_(b, is_whole(b, x))), nan, y);
  y = select(b, and_(b, not_positive, is_whole(b, q)), select(b, is_even, infinity, nan), y);
  return select(b, is_equal(b, x, one), infinity, y);
}

Value build_polygamma(Builder& b, Value n, Value x) {
  const Value zero = like(b, n, 0), one = like(b, n, 1), two = like(b, n, 2);
  const Value next = add(b, n, one);
  const Value sign = subtract(b, multiply(b, two, remainder(b, n, two)), one);
  const Value derivative = multiply(b, multiply(b, sign, exponential(b, lgamma(b, next))), zeta(b, next, x));
  const Value y = select(b, is_equal(b, n, zero), digamma(b, x), derivative);
  const Value is_natural = and_(b, is_whole(b, n), compare(b, n, zero, ComparisonDirection::kGe));
  return select(b, is_natural, y, like(b, x, std::numeric_limits<double>::quiet_NaN()));
}

template <Value (*kFunction)(Builder&, Value, Value)>
std::vector<Value> in_f64(Builder& b, std::span<const Value> operands, const ir::Attributes&) {
  const Value y = kFunction(b, widened(b, operands[0]), widened(b, operands[1]));
  return {narrowed(b, y, operands[0].dtype())};
}

std::vector<Value> zeta_gradient(const ir::GradientContext& context) {
  Builder& b = context.builder;
  const Value x = context.op.operand(0), q = context.op.operand(1);
  const Value slope = multiply(b, negate(b, x), zeta(b, add(b, x, like(b, x, 1)), q));
  return {Value(), multiply(b, context.result_gradients[0], slope)};
}

std::vector<Value> polygamma_gradient(const ir::GradientContext& context) {
  Builder& b = context.builder;
  const Value n = context.op.operand(0), x = context.op.operand(1);
  return {Value(), multiply(b, context.result_gradients[0], polygamma(b, add(b, n, like(b, n, 1)), x))};
}

std::vector<Value> no_gradient(const ir::GradientContext&) { return std::vector<Value>(2); }

const ir::OpDef kNextAfter = {.name = "cornu.next_after",
                              .infer = infer<kFloat>,
                              .gradient = no_gradient,
                              .decompose = next_after_bits,
                              .elementwise = true};
const ir::OpDef kMulhi = {.name = "cornu.mulhi",
                          .infer = infer<kInteger>,
                          .gradient = no_gradient,
                          .decompose = high_of_product,
                          .elementwise = true};
const ir::OpDef kZeta = {.name = "cornu.zeta",
                         .infer = infer<kFloat>,
                         .gradient = zeta_gradient,
                         .decompose = in_f64<build_zeta>,
                         .elementwise = true};
const ir::OpDef kPolygamma = {.name = "cornu.polygamma",
                              .infer = infer<kFloat>,
                              .gradient = polygamma_gradient,
                              .decompose = in_f64<build_polygamma>,
                              .elementwise = true};

}  // namespace

std::span<const ir::OpDef* const> op_defs() { return ir::list_defs<kNextAfter, kMulhi, kZeta, kPolygamma>(); }

}  // namespace chlo_binary_folder

ir::Value next_after(ir::Builder& b, ir::Value x, ir::Value y) {
  return b.create(chlo_binary_folder::kNextAfter, {x, y}).result();
}
ir::Value mulhi(ir::Builder& b, ir::Value x, ir::Value y) {
  return b.create(chlo_binary_folder::kMulhi, {x, y}).result();
}
ir::Value zeta(ir::Builder& b, ir::Value x, ir::Value q) {
  return b.create(chlo_binary_folder::kZeta, {x, q}).result();
}
ir::Value polygamma(ir::Builder& b, ir::Value n, ir::Value x) {
  return b.create(chlo_binary_folder::kPolygamma, {n, x}).result();
}

}  // namespace cornu::inline v0::ops
