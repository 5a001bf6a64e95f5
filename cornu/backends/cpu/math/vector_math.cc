#include "cornu/backends/cpu/math/vector_math.h"

#include <limits>

#include "cornu/backends/cpu/math/coefficients.h"

namespace cornu::inline v0::backends::cpu {

using llvm::Value;

ExponentialParts reduce_exponential(const FloatCode& m, Value* x, Value* correction) {
  const FloatFormat& format = m.format();
  Value* magic = m.number(format.round_magic + format.exponent_bias);
  Value* shifted = m.fma(x, m.number(format.log2_e_half), magic);
  Value* h = m.subtract(shifted, magic);
  Value* r = m.fma(h, m.number(-2 * format.log_2_high), x);
  if (correction != nullptr) r = m.add(r, correction);
  r = m.fma(h, m.number(-2 * format.log_2_low), r);
  Value* root = m.from_bits(m.shift_left(m.bits(shifted), format.mantissa_bits));
  return {r, root};
}

Value* exponential_in_range(const FloatCode& m, Value* x, Value* correction) {
  const auto [r, root] = reduce_exponential(m, x, correction);
  Value* square = m.multiply(r, r);
  Value* tail = m.polynomial(m.format().exp_tail, r, square);
  Value* y = m.fma(square, tail, m.add(r, m.number(1)));
  return m.multiply(m.multiply(y, root), root);
}

LogarithmParts reduce_logarithm(const FloatCode& m, Value* x) {
  const FloatFormat& format = m.format();
  const std::uint64_t root_bits = m.bits_of(m.is_double() ? 0x1.6a09e667f3bcdp-1 : 0x1.6a09e6p-1);
  const std::uint64_t mantissa_mask = (std::uint64_t{1} << format.mantissa_bits) - 1;
  Value* exponent = nullptr;
  Value* shifted = nullptr;
  if (m.is_double()) {
    // AVX2 has neither an arithmetic shift nor a conversion of 64-bit integers: the bias keeps the number
    // positive, 2^52 converts it.
    const std::uint64_t bias_bits = m.bits_of(1.0);
    shifted = m.add(m.bits(x), m.integer(bias_bits - root_bits));
    Value* biased =
        m.bit_or(m.shift_right_logical(shifted, format.mantissa_bits), m.integer(m.bits_of(0x1p52)));
    exponent = m.subtract(m.from_bits(biased), m.number(0x1p52 + format.exponent_bias));
  } else {
    shifted = m.subtract(m.bits(x), m.integer(root_bits));
    exponent = m.from_integer(m.shift_right_arithmetic(shifted, format.mantissa_bits));
  }
  Value* mantissa = m.from_bits(m.add(m.bit_and(shifted, m.integer(mantissa_mask)), m.integer(root_bits)));
  return {exponent, m.bit_and(shifted, m.integer(~mantissa_mask)), mantissa};
}

Value* logarithm_of_parts(const FloatCode& m, Value* exponent, Value* f) {
  Value* low = m.multiply(exponent, m.number(m.format().log_2_low));
  Value* high = m.number(m.format().log_2_high);
  Value* square = m.multiply(f, f);
  if (!m.is_double()) {
    Value* tail = m.fma(m.polynomial(kLogTail32, f, square), f, m.number(-0.5));
    return m.fma(exponent, high, m.add(f, m.fma(square, tail, low)));
  }
  // log(1 + f) = 2 atanh(s) = f - (f^2 / 2 - s (f^2 / 2 + R)), s = f / (2 + f).
  Value* s = m.divide(f, m.add(f, m.number(2)));
  Value* z = m.multiply(s, s);
  Value* half_square = m.multiply(square, m.number(0.5));
  Value* rest = m.fma(m.polynomial(kAtanhTail64, z, m.multiply(z, z)), z, half_square);
  return m.fma(exponent, high, m.subtract(f, m.subtract(half_square, m.fma(s, rest, low))));
}

NormalNumbers scale_subnormals(const FloatCode& m, Value* x) {
  const FloatFormat& format = m.format();
  Value* is_small = m.less(x, m.number(format.min_normal));
  return {m.select(is_small, m.multiply(x, m.number(format.subnormal_scale)), x),
          m.select(is_small, m.number(format.subnormal_exponent), m.number(0))};
}

Value* logarithm_in_range(const FloatCode& m, Value* x) {
  const NormalNumbers normal = scale_subnormals(m, x);
  const LogarithmParts parts = reduce_logarithm(m, normal.x);
  return logarithm_of_parts(m, m.subtract(parts.exponent, normal.exponent),
                            m.subtract(parts.mantissa, m.number(1)));
}

Value* logarithm_specials(const FloatCode& m, Value* x, Value* argument, Value* result) {
  result = m.select(m.less(x, m.infinity()), result, x);
  Value* outside =
      m.select(m.equal(argument, m.number(0)), m.number(-std::numeric_limits<double>::infinity()),
               m.number(std::numeric_limits<double>::quiet_NaN()));
  return m.select(m.less_equal(argument, m.number(0)), outside, result);
}

Value* TwoParts::rounded(const FloatCode& m) const {
  return smaller == nullptr ? larger : m.add(larger, smaller);
}

Value* TwoParts::rest(const FloatCode& m, Value* high) const {
  return m.add(m.subtract(larger, high), smaller);
}

SineAndCosine sine_and_cosine(const FloatCode& m, const FloatFormat& format, Value* r, Value* r_low,
                              Value* square_low) {
  Value* one = m.number(1);
  Value* z = m.multiply(r, r);
  Value* z2 = m.multiply(z, z);
  Value* cube = m.multiply(z, r);
  Value* sine_rest = m.polynomial(format.sine_tail, z, z2);
  Value* cosine_rest = m.polynomial(format.cosine_tail, z, z2);
  if (r_low == nullptr)
    return {{m.fma(cube, sine_rest, r), nullptr},
            {m.fma(m.fma(cosine_rest, z, m.number(-0.5)), z, one), nullptr}};
  Value* half = m.multiply(z, m.number(0.5));
  Value* near_cosine = m.subtract(one, half);
  Value* lost = m.subtract(m.subtract(one, near_cosine), half);
  if (square_low != nullptr) lost = m.fma(square_low, m.number(-0.5), lost);
  return {{r, m.fma(cube, sine_rest, m.multiply(r_low, near_cosine))},
          {near_cosine, m.fma(z2, cosine_rest, m.subtract(lost, m.multiply(r, r_low)))}};
}

Value* sine_of_quadrant(const FloatCode& m, Value* x, int quadrants) {
  const FloatCode wide = m.as_double();
  const auto [r, r_low, angle_quadrant] = reduce_angle(m, x);
  Value* quadrant = m.add(angle_quadrant, wide.integer(static_cast<std::uint64_t>(quadrants)));
  const auto [sine, cosine] = sine_and_cosine(wide, m.format(), r, r_low, nullptr);
  Value* is_odd = wide.has_bits(quadrant, 1);
  Value* sign = m.shift_left(m.bit_and(quadrant, wide.integer(2)), 62);
  Value* result = wide.select(is_odd, cosine.rounded(wide), sine.rounded(wide));
  result = wide.from_bits(m.bit_xor(wide.bits(result), sign));
  return m.narrowed(result);
}

}  // namespace cornu::inline v0::backends::cpu
