#include <cmath>
#include <limits>

#include "cornu/backends/cpu/emit/element_code.h"
#include "cornu/backends/cpu/math/coefficients.h"
#include "cornu/backends/cpu/math/vector_math.h"
#include "cornu/backends/cpu/op/cpu_op.h"
#include "cornu/ir/graph.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::backends::cpu::elementwise_binary_folder {
namespace {

using llvm::Value;

/// The code of one primitive.
template <Value* (ElementCode::*kFunction)(Value*, Value*) const>
Value* primitive(const ElementCode& code) {
  return (code.*kFunction)(code.operand(0), code.operand(1));
}
template <Value* (RegisterCode::*kFunction)(Value*, Value*) const>
Value* primitive(const ElementCode& code) {
  const RegisterCode& registers = code;
  return (registers.*kFunction)(code.operand(0), code.operand(1));
}

/// Division by zero gives -1 (all ones) and INT_MIN / -1 gives INT_MIN, as in the reference kernels; x86 would
/// trap. The remainders are x and 0.
Value* divide_integers(const ElementCode& code, bool wants_remainder) {
  Value* const x = code.operand(0);
  Value* const y = code.operand(1);
  Value* const is_zero = code.equal(y, code.constant(0));
  Value* divisor = code.select(is_zero, code.constant(1), y);
  Value* const of_zero = wants_remainder ? x : code.constant(-1);
  const int width = ir::bit_width(code.dtype());
  if (width <= 16) {
    Value* const quotient = code.divide_narrow_integers(x, divisor);
    Value* const result = wants_remainder ? code.subtract(x, code.multiply(quotient, divisor)) : quotient;
    return code.select(is_zero, of_zero, result);
  }
  Value* overflows = nullptr;
  if (code.is_signed()) {
    Value* const lowest = code.constant(-std::ldexp(1.0, width - 1));
    overflows = code.bit_and(code.equal(x, lowest), code.equal(y, code.constant(-1)));
    divisor = code.select(overflows, code.constant(1), divisor);
  }
  Value* result = wants_remainder ? code.remainder_of_integers(x, divisor) : code.divide_integers(x, divisor);
  if (wants_remainder && overflows != nullptr) result = code.select(overflows, code.constant(0), result);
  return code.select(is_zero, of_zero, result);
}

Value* divide(const ElementCode& code) {
  return code.is_float() ? code.divide(code.operand(0), code.operand(1)) : divide_integers(code, false);
}

Value* remainder(const ElementCode& code) {
  return code.is_float() ? code.remainder(code.operand(0), code.operand(1)) : divide_integers(code, true);
}

enum class Shift { kLeft, kRightLogical, kRightArithmetic };

/// A shift by the width or more gives zeros (copies of the sign for the arithmetic one), as shifting bit by
/// bit would.
template <Shift kShift>
Value* shift(const ElementCode& code) {
  constexpr bool kIsArithmetic = kShift == Shift::kRightArithmetic;
  Value* const x = code.operand(0);
  Value* const y = code.operand(1);
  const int width = ir::bit_width(code.dtype());
  Value* const in_range = code.less_unsigned(y, code.constant(width));
  Value* const amount = code.select(in_range, y, code.constant(kIsArithmetic ? width - 1 : 0));
  if (kIsArithmetic) return code.shift_right_arithmetic(x, amount);
  Value* const shifted =
      kShift == Shift::kLeft ? code.shift_left(x, amount) : code.shift_right_logical(x, amount);
  return code.select(in_range, shifted, code.constant(0));
}

/// Squares as long as a lane has bits of its exponent left; a negative exponent gives 0, except for bases 1
/// and -1.
Value* power_of_integers(const ElementCode& code) {
  Value* const x = code.operand(0);
  Value* const y = code.operand(1);
  Value* const zero = code.constant(0);
  Value* const one = code.constant(1);
  Value* const is_negative = code.is_signed() ? code.less(y, zero) : nullptr;
  Value* const exponent = code.is_signed() ? code.select(is_negative, zero, y) : y;
  Value* const first[] = {one, x, exponent};
  const auto turn = [&](std::span<Value* const> variables) -> RegisterCode::Turn {
    Value* const product = variables[0];
    Value* const base = variables[1];
    Value* const has_bit = code.has_bits(variables[2], 1);
    Value* const result = code.select(has_bit, code.multiply(product, base), product);
    Value* const square = code.multiply(base, base);
    Value* const rest = code.shift_right_logical(variables[2], one);
    return {{result, square, rest}, code.unequal(rest, zero)};
  };
  Value* const result = code.repeat(first, turn)[0];
  if (!code.is_signed()) return result;
  Value* const is_odd = code.has_bits(y, 1);
  Value* const minus_one = code.constant(-1);
  Value* const sign = code.select(is_odd, minus_one, one);
  Value* const is_one = code.equal(x, one);
  Value* const is_minus_one = code.equal(x, minus_one);
  Value* const inverse = code.select(is_one, one, code.select(is_minus_one, sign, zero));
  return code.select(is_negative, inverse, result);
}

/// x^y for double x > 0 neither infinite nor NaN, |y| <= 2^70: the logarithm in two parts, about 2^-64
/// relative to its exact value.
Value* power_in_range(const FloatCode& m, Value* x, Value* y) {
  constexpr double kTwoThirdsHigh = 0x1.5555555555555p-1, kTwoThirdsLow = 0x1.5555555555555p-55;
  const NormalNumbers normal = scale_subnormals(m, x);
  const LogarithmParts parts = reduce_logarithm(m, normal.x);
  Value* exponent = m.subtract(parts.exponent, normal.exponent);
  Value* one = m.number(1);
  // s = f / (2 + f)
  Value* f = m.subtract(parts.mantissa, one);
  Value* g = m.add(parts.mantissa, one);
  Value* g_low = m.subtract(parts.mantissa, m.subtract(g, one));
  Value* s = m.divide(f, g);
  Value* s_times_g = m.multiply(s, g);
  Value* remainder = m.subtract(m.subtract(f, s_times_g), m.product_error(s, g, s_times_g));
  Value* s_low = m.divide(m.subtract(remainder, m.multiply(s, g_low)), g);
  // z = s^2
  Value* z = m.multiply(s, s);
  Value* z_low = m.add(m.product_error(s, s, z), m.multiply(m.add(s, s), s_low));
  // log(1 + f) = s (2 + z (2/3 + z tail))
  Value* tail = m.multiply(m.polynomial(kPowerTail64, z, m.multiply(z, z)), z);
  Value* inner = m.add(m.number(kTwoThirdsHigh), tail);
  Value* inner_low = m.add(m.add(m.subtract(m.number(kTwoThirdsHigh), inner), tail), m.number(kTwoThirdsLow));
  Value* middle = m.multiply(z, inner);
  Value* middle_low =
      m.add(m.product_error(z, inner, middle), m.add(m.multiply(z, inner_low), m.multiply(z_low, inner)));
  Value* outer = m.add(m.number(2), middle);
  Value* outer_low = m.add(m.add(m.subtract(m.number(2), outer), middle), middle_low);
  Value* log_f = m.multiply(s, outer);
  Value* log_f_low =
      m.add(m.product_error(s, outer, log_f), m.add(m.multiply(s, outer_low), m.multiply(s_low, outer)));
  // + exponent log 2
  Value* shift = m.multiply(exponent, m.number(m.format().log_2_high));
  Value* sum = m.add(shift, log_f);
  Value* sum_low = m.add(m.add(m.subtract(shift, sum), log_f),
                         m.add(log_f_low, m.multiply(exponent, m.number(m.format().log_2_low))));
  Value* log_x = m.add(sum, sum_low);
  Value* log_x_low = m.add(m.subtract(sum, log_x), sum_low);
  // e^(y log x)
  Value* w = m.multiply(y, log_x);
  Value* w_low = m.add(m.product_error(y, log_x, w), m.multiply(y, log_x_low));
  w_low = m.select(m.greater(m.abs(w), m.number(800)), m.number(0), w_low);
  w = m.at_least(m.at_most(w, m.format().exp_high), m.format().exp_low);
  return exponential_in_range(m, w, w_low);
}

/// x^y for float x > 0 neither infinite nor NaN, |y| <= 2^70: double has enough bits for the plain formula.
Value* power_in_range_by_double(const FloatCode& m, Value* x, Value* y) {
  const FloatCode wide = m.as_double();
  const LogarithmParts parts = reduce_logarithm(wide, m.widened(x));
  Value* log_x = logarithm_of_parts(wide, parts.exponent, wide.subtract(parts.mantissa, wide.number(1)));
  Value* w = wide.multiply(m.widened(y), log_x);
  return m.narrowed(exponential_in_range(wide, wide.at_least(wide.at_most(w, 200), -200)));
}

/// True if x >= 0 is an integer, or infinite.
Value* is_integer(const FloatCode& m, Value* x) {
  Value* limit = m.number(m.is_double() ? 0x1p52 : 0x1p23);
  Value* rounded = m.subtract(m.add(x, limit), limit);
  return m.bit_or(m.greater_equal(x, limit), m.equal(rounded, x));
}

Value* power_of_floats(const FloatCode& m, Value* x, Value* y) {
  Value* zero = m.number(0);
  Value* one = m.number(1);
  Value* infinity = m.infinity();
  Value* abs_x = m.abs(x);
  Value* abs_y = m.abs(y);
  // |log x| is at least 2^-54 unless x is 1: from |y| = 2^70 on the result is 0, 1 or infinite.
  Value* limited_y = m.at_least(m.at_most(y, 0x1p70), -0x1p70);
  Value* result =
      m.is_double() ? power_in_range(m, abs_x, limited_y) : power_in_range_by_double(m, abs_x, limited_y);

  Value* x_is_zero = m.equal(abs_x, zero);
  Value* x_is_end = m.bit_or(x_is_zero, m.equal(abs_x, infinity));
  Value* is_infinite = m.bit_xor(x_is_zero, m.greater(y, zero));
  result = m.select(x_is_end, m.select(is_infinite, infinity, zero), result);

  Value* y_is_integer = is_integer(m, abs_y);
  Value* y_is_odd = m.bit_and(y_is_integer, m.bit_not(is_integer(m, m.multiply(abs_y, m.number(0.5)))));
  result = m.from_bits(m.bit_or(m.bits(result), m.select(y_is_odd, m.sign(x), m.integer(0))));
  Value* is_undefined = m.bit_and(m.less(x, zero), m.bit_not(m.bit_or(y_is_integer, x_is_end)));
  is_undefined = m.bit_or(is_undefined, m.any_nan(x, y));
  result = m.select(is_undefined, m.number(std::numeric_limits<double>::quiet_NaN()), result);
  return m.select(m.bit_or(m.equal(y, zero), m.equal(x, one)), one, result);
}

Value* power(const ElementCode& code) {
  return code.is_float() ? power_of_floats(code.floats(), code.operand(0), code.operand(1))
                         : power_of_integers(code);
}

/// atan(u), 0 <= u <= 1, for double.
Value* arctangent_of_ratio(const FloatCode& m, Value* low, Value* high) {
  // Above tan(pi / 8) from pi / 4: atan(l / h) = pi / 4 + atan((l - h) / (l + h)).
  Value* is_steep = m.greater(low, m.multiply(high, m.number(0x1.a827999fcef34p-2)));
  Value* u =
      m.divide(m.select(is_steep, m.subtract(low, high), low), m.select(is_steep, m.add(low, high), high));
  Value* z = m.multiply(u, u);
  Value* tail = m.multiply(m.multiply(u, z), m.polynomial(kAtanTail64, z, m.multiply(z, z)));
  Value* base = m.select(is_steep, m.number(0x1.921fb54442d18p-1), m.number(0));
  Value* base_low = m.select(is_steep, m.number(0x1.1a62633145c07p-55), m.number(0));
  return m.add(base, m.add(u, m.add(tail, base_low)));
}

Value* atan2(const ElementCode& code) {
  const FloatCode m = code.floats();
  const FloatCode wide = m.as_double();
  Value* const y = m.widened(code.operand(0));
  Value* const x = m.widened(code.operand(1));
  Value* abs_x = wide.abs(x);
  Value* abs_y = wide.abs(y);
  Value* is_over = m.greater(abs_y, abs_x);
  Value* low = wide.select(is_over, abs_x, abs_y);
  Value* high = wide.select(is_over, abs_y, abs_x);
  if (m.is_double()) {  // keeps their sum and their products from overflow and underflow
    Value* is_large = m.greater(high, wide.number(0x1p1000));
    Value* scale = wide.select(is_large, wide.number(0x1p-60), wide.number(1));
    scale = wide.select(m.less(high, wide.number(0x1p-900)), wide.number(0x1p100), scale);
    low = wide.multiply(low, scale);
    high = wide.multiply(high, scale);
  }
  // Both infinite: the diagonal. Both zero: no angle at all.
  Value* is_diagonal = m.equal(low, wide.infinity());
  low = wide.select(is_diagonal, wide.number(1), low);
  high = wide.select(is_diagonal, wide.number(1), high);
  high = wide.select(m.equal(high, wide.number(0)), wide.number(1), high);
  Value* angle = arctangent_of_ratio(wide, low, high);
  constexpr double kHalfPi = 0x1.921fb54442d18p+0, kHalfPiRest = 0x1.1a62633145c07p-54;
  angle = wide.select(is_over, wide.add(wide.subtract(wide.number(kHalfPi), angle), wide.number(kHalfPiRest)),
                      angle);
  Value* is_left = m.unequal(wide.sign(x), wide.integer(0));
  angle = wide.select(
      is_left, wide.add(wide.subtract(wide.number(2 * kHalfPi), angle), wide.number(2 * kHalfPiRest)), angle);
  angle = wide.from_bits(m.bit_or(wide.bits(wide.abs(angle)), wide.sign(y)));
  angle = wide.select(m.any_nan(x, y), wide.add(x, y), angle);
  return m.narrowed(angle);
}

constexpr CpuOp row(std::string_view name, double cost, double integer_cost,
                    llvm::Value* (*emit)(const ElementCode&), bool keeps_numbers = false,
                    Combiner combiner = Combiner::kNone, ErrorBound error_bound = {}) {
  return {.name = name,
          .op_kind = OpKind::kElementwise,
          .cost = cost,
          .integer_cost = integer_cost,
          .combiner = combiner,
          .emit = emit,
          .keeps_numbers = keeps_numbers,
          .error_bound = error_bound};
}

}  // namespace

std::span<const CpuOp> cpu_ops() {
  static constexpr CpuOp kRows[] = {
      // name, cost in additions, cost for integers if it differs, code, true if f16 and bf16 need no
      // rounding,
      // combiner, error of f32 and f64
      row("add", 1, 0, primitive<&RegisterCode::add>, false, Combiner::kSum),
      row("subtract", 1, 0, primitive<&RegisterCode::subtract>),
      row("multiply", 1, 0, primitive<&RegisterCode::multiply>, false, Combiner::kProduct),
      row("divide", 6, 20, divide),
      row("remainder", 40, 20, remainder),
      row("maximum", 1, 0, primitive<&ElementCode::maximum>, true, Combiner::kMaximum),
      row("minimum", 1, 0, primitive<&ElementCode::minimum>, true, Combiner::kMinimum),
      row("power", 40, 0, power, false, Combiner::kNone, {1, 3}),
      row("atan2", 40, 0, atan2, false, Combiner::kNone, {1, 2}),
      row("and", 1, 0, primitive<&RegisterCode::bit_and>, false, Combiner::kAnd),
      row("or", 1, 0, primitive<&RegisterCode::bit_or>, false, Combiner::kOr),
      row("xor", 1, 0, primitive<&RegisterCode::bit_xor>),
      row("shift_left", 1, 0, shift<Shift::kLeft>),
      row("shift_right_logical", 1, 0, shift<Shift::kRightLogical>),
      row("shift_right_arithmetic", 1, 0, shift<Shift::kRightArithmetic>),
  };
  return kRows;
}

}  // namespace cornu::inline v0::backends::cpu::elementwise_binary_folder
