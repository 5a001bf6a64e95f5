#include <limits>

#include "cornu/backends/cpu/emit/element_code.h"
#include "cornu/backends/cpu/math/vector_math.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ir/graph.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu::elementwise_unary_folder {
namespace {

using llvm::Value;

/// The code of one primitive.
template <Value* (ElementCode::*kFunction)(Value*) const>
Value* primitive(const ElementCode& code) {
  return (code.*kFunction)(code.operand(0));
}
template <Value* (RegisterCode::*kFunction)(Value*) const>
Value* primitive(const ElementCode& code) {
  const RegisterCode& registers = code;
  return (registers.*kFunction)(code.operand(0));
}

/// Zeros keep their sign, and NaN stays.
Value* sign(const ElementCode& code) {
  Value* const x = code.operand(0);
  Value* const zero = code.constant(0);
  if (code.is_float()) {
    Value* const one = code.copy_sign(code.constant(1), x);
    return code.select(code.unequal(x, zero), one, x);
  }
  Value* const positive = code.extend_like(x, code.greater(x, zero));
  return code.bit_or(positive,
                     code.shift_right_arithmetic(x, code.constant(ir::bit_width(code.dtype()) - 1)));
}

Value* is_finite(const ElementCode& code) {
  return code.less(code.abs(code.operand(0)), code.constant(std::numeric_limits<double>::infinity()));
}

Value* exponential(const ElementCode& code) {
  const FloatCode m = code.floats();
  Value* const x = code.operand(0);
  return exponential_in_range(m, m.at_least(m.at_most(x, m.format().exp_high), m.format().exp_low));
}

Value* exponential_minus_one(const ElementCode& code) {
  const FloatCode m = code.floats();
  Value* const x = code.operand(0);
  const FloatFormat& format = m.format();
  const auto [r, root] = reduce_exponential(m, m.at_least(m.at_most(x, format.exp_high), format.exp_low));
  Value* square = m.multiply(r, r);
  Value* y = m.fma(square, m.polynomial(format.expm1_tail, r, square), r);
  // root^2 (1 + y) - 1 = root (root y + (root - 1 / root))
  const std::uint64_t twice_bias = static_cast<std::uint64_t>(2 * format.exponent_bias)
                                   << format.mantissa_bits;
  Value* inverse = m.from_bits(m.subtract(m.integer(twice_bias), m.bits(root)));
  Value* result = m.multiply(root, m.fma(y, root, m.subtract(root, inverse)));
  return m.select(m.equal(x, m.number(0)), x, result);  // keeps the sign of zero
}

Value* log(const ElementCode& code) {
  const FloatCode m = code.floats();
  Value* const x = code.operand(0);
  return logarithm_specials(m, x, x, logarithm_in_range(m, x));
}

Value* log_plus_one(const ElementCode& code) {
  const FloatCode m = code.floats();
  Value* const x = code.operand(0);
  const FloatFormat& format = m.format();
  Value* argument = m.add(x, m.number(1));
  const LogarithmParts parts = reduce_logarithm(m, argument);
  // 1 + x = 2^exponent (1 + f), so f = x t + (t - 1), t = 2^-exponent: the rounding of 1 + x does not enter.
  // 4 t is a normal number for every exponent, t is not.
  const std::uint64_t bias =
      static_cast<std::uint64_t>(m.is_double() ? 2 * format.exponent_bias : format.exponent_bias) + 2;
  Value* four_t = m.from_bits(m.subtract(m.integer(bias << format.mantissa_bits), parts.exponent_bits));
  Value* quarter = m.number(0.25);
  Value* f = m.fma(m.multiply(x, quarter), four_t, m.fma(four_t, quarter, m.number(-1)));
  Value* result = logarithm_of_parts(m, parts.exponent, f);
  result = m.select(m.less(m.abs(x), m.number(format.tiny)), x, result);
  return logarithm_specials(m, x, argument, result);
}

Value* logistic(const ElementCode& code) {
  const FloatCode m = code.floats();
  Value* const x = code.operand(0);
  // e^-|x| cannot overflow, and keeps small results of negative x.
  Value* negative = m.from_bits(m.bit_or(m.bits(x), m.integer(m.sign_mask())));
  Value* y = exponential_in_range(m, m.at_least(negative, m.format().exp_low));
  Value* one = m.number(1);
  return m.divide(m.select(m.less(x, m.number(0)), y, one), m.add(y, one));
}

Value* tanh(const ElementCode& code) {
  const FloatCode m = code.floats();
  Value* const x = code.operand(0);
  const FloatFormat& format = m.format();
  Value* a = m.at_most(m.abs(x), format.tanh_end);
  // 2 a = k log 2 + 2 r; tanh(a) = (e^2a - 1) / (e^2a + 1) with e^2a = 2^k (1 + y).
  Value* magic = m.number(format.round_magic + format.exponent_bias);
  Value* shifted = m.fma(a, m.number(4 * format.log2_e_half), magic);
  Value* k = m.subtract(shifted, magic);
  Value* r = m.fma(k, m.number(-format.log_2_high / 2), a);
  r = m.fma(k, m.number(-format.log_2_low / 2), r);
  Value* square = m.multiply(r, r);
  Value* y = m.fma(square, m.polynomial(format.tanh_tail, r, square), m.add(r, r));
  Value* scale = m.from_bits(m.shift_left(m.bits(shifted), format.mantissa_bits));
  // The error of the numerator is in the denominator too, and cancels where it matters.
  Value* numerator = m.fma(y, scale, m.subtract(scale, m.number(1)));
  Value* result = m.divide(numerator, m.add(numerator, m.number(2)));
  return m.from_bits(m.bit_or(m.bits(result), m.sign(x)));
}

Value* rsqrt(const ElementCode& code) {
  const FloatCode m = code.floats();
  Value* const x = code.operand(0);
  return m.divide(m.number(1), m.sqrt(x));
}

Value* sine(const ElementCode& code) {
  const FloatCode m = code.floats();
  Value* const x = code.operand(0);
  return m.select(m.equal(x, m.number(0)), x, sine_of_quadrant(m, x, 0));  // keeps the sign of zero
}

Value* cosine(const ElementCode& code) {
  const FloatCode m = code.floats();
  Value* const x = code.operand(0);
  return sine_of_quadrant(m, x, 1);
}

Value* tan(const ElementCode& code) {
  const FloatCode m = code.floats();
  Value* const x = code.operand(0);
  const FloatCode wide = m.as_double();
  const auto [r, r_low, quadrant] = reduce_angle(m, x);
  Value* square_low = m.is_double() ? wide.product_error(r, r, wide.multiply(r, r)) : nullptr;
  const auto parts = sine_and_cosine(wide, wide.format(), r, r_low, square_low);
  Value* sine = parts.sine.rounded(wide);
  Value* cosine = parts.cosine.rounded(wide);
  // Odd quadrants: sin(x + pi / 2) = cos(x) and cos(x + pi / 2) = -sin(x).
  Value* is_odd = m.has_bits(quadrant, 1);
  Value* numerator = wide.select(is_odd, cosine, sine);
  Value* denominator = wide.select(is_odd, m.negate(sine), cosine);
  Value* quotient = nullptr;
  if (!m.is_double()) {
    quotient = m.narrowed(wide.divide(numerator, denominator));
  } else {  // adds the rounding errors of the numerator, the sine and the cosine
    Value* inverse = wide.divide(wide.number(1), denominator);
    quotient = wide.multiply(numerator, inverse);
    Value* sine_low = parts.sine.rest(wide, sine);
    Value* cosine_low = parts.cosine.rest(wide, cosine);
    Value* numerator_low = wide.select(is_odd, cosine_low, sine_low);
    Value* denominator_low = wide.select(is_odd, m.negate(sine_low), cosine_low);
    Value* product = wide.multiply(quotient, denominator);
    Value* left =
        wide.subtract(wide.subtract(numerator, product), wide.product_error(quotient, denominator, product));
    left = wide.fma(quotient, m.negate(denominator_low), wide.add(left, numerator_low));
    quotient = wide.fma(left, inverse, quotient);
  }
  return m.select(m.equal(x, m.number(0)), x, quotient);  // keeps the sign of zero
}

Value* cbrt(const ElementCode& code) {
  const FloatCode m = code.floats();
  Value* const x = code.operand(0);
  const FloatCode wide = m.as_double();
  Value* y = m.widened(x);
  // Scales numbers whose cubes would overflow or lose bits by 2^300, whose cube root is 2^100.
  Value* unscaled = wide.abs(y);
  Value* is_large = m.greater(unscaled, wide.number(0x1p600));
  Value* is_small = m.less(unscaled, wide.number(0x1p-600));
  Value* magnitude =
      wide.multiply(unscaled, wide.select(is_large, wide.number(0x1p-300),
                                          wide.select(is_small, wide.number(0x1p300), wide.number(1))));
  Value* back = wide.select(is_large, wide.number(0x1p100),
                            wide.select(is_small, wide.number(0x1p-100), wide.number(1)));
  Value* root = exponential_in_range(
      wide, wide.multiply(logarithm_in_range(wide, magnitude), wide.number(0x1.5555555555555p-2)));
  // One step of Newton's method on the error of the cube.
  Value* square = wide.multiply(root, root);
  Value* error = wide.add(wide.subtract(wide.multiply(square, root), magnitude),
                          wide.product_error(square, root, wide.multiply(square, root)));
  error = wide.add(error, wide.multiply(wide.product_error(root, root, square), root));
  Value* better = wide.subtract(root, wide.divide(error, wide.multiply(wide.number(3), square)));
  root = wide.multiply(m.is_double() ? better : root, back);
  Value* is_special =
      m.bit_or(m.equal_or_nan(unscaled, wide.number(0)), m.equal_or_nan(unscaled, wide.infinity()));
  root = wide.select(is_special, y, wide.from_bits(m.bit_or(wide.bits(root), wide.sign(y))));
  return m.narrowed(root);
}

constexpr CpuOp row(std::string_view name, double cost, llvm::Value* (*emit)(const ElementCode&),
                    bool keeps_numbers = false, ErrorBound error_bound = {}) {
  return {.name = name,
          .op_kind = OpKind::kElementwise,
          .cost = cost,
          .emit = emit,
          .keeps_numbers = keeps_numbers,
          .error_bound = error_bound};
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      // name, cost in additions, code, true if f16 and bf16 need no rounding, error of f32 and f64
      row("abs", 1, primitive<&ElementCode::abs>, true),
      row("negate", 1, primitive<&RegisterCode::negate>, true),
      row("sign", 1, sign),
      row("exponential", 20, exponential, false, {2, 2}),
      row("exponential_minus_one", 20, exponential_minus_one, false, {2, 2}),
      row("log", 20, log, false, {1, 1}),
      row("log_plus_one", 20, log_plus_one, false, {2, 2}),
      row("logistic", 20, logistic, false, {3.5, 3.5}),
      row("tanh", 20, tanh, false, {3, 3}),
      row("sqrt", 6, primitive<&RegisterCode::sqrt>),
      row("rsqrt", 6, rsqrt, false, {1.5, 1.5}),
      row("sine", 20, sine, false, {1, 1}),
      row("cosine", 20, cosine, false, {1, 1}),
      row("tan", 40, tan, false, {1, 1}),
      row("cbrt", 40, cbrt, false, {1, 1}),
      row("floor", 1, primitive<&ElementCode::floor>),
      row("ceil", 1, primitive<&ElementCode::ceil>),
      row("round_nearest_even", 1, primitive<&ElementCode::round_nearest_even>),
      row("round_nearest_afz", 1, primitive<&ElementCode::round_nearest_afz>),
      row("is_finite", 1, is_finite),
      row("not", 1, primitive<&RegisterCode::bit_not>),
      row("popcnt", 1, primitive<&RegisterCode::count_ones>),
      row("count_leading_zeros", 1, primitive<&RegisterCode::count_leading_zeros>),
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::elementwise_unary_folder
