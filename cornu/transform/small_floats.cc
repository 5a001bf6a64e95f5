#include "cornu/transform/small_floats.h"

#include <cmath>
#include <limits>

#include "cornu/ir/small_types.h"
#include "cornu/ops/bitcast_convert/bitcast_convert.h"
#include "cornu/ops/compare/compare.h"
#include "cornu/ops/constant/constant.h"
#include "cornu/ops/convert/convert.h"
#include "cornu/ops/elementwise_binary/elementwise_binary.h"
#include "cornu/ops/elementwise_unary/elementwise_unary.h"
#include "cornu/ops/gather/gather.h"
#include "cornu/ops/select/select.h"

namespace cornu::inline v0::transform {
namespace small_floats {
namespace {

using ir::Builder;
using ir::DType;
using ir::Value;
using ops::ComparisonDirection;

Value like(Builder& b, Value x, double value) { return ops::full(b, x.type(), value); }

Value compared(Builder& b, Value x, double bound, ComparisonDirection direction) {
  return ops::compare(b, x, like(b, x, bound), direction);
}

Value is_nan(Builder& b, Value x) { return ops::compare(b, x, x, ComparisonDirection::kNe); }

/// |x| with the sign of `sign`, also of a zero.
Value with_sign_of(Builder& b, Value magnitude, Value sign) {
  const DType bits = sign.dtype() == DType::kF64 ? DType::kU64 : DType::kU32;
  const Value sign_bits = ops::bitcast_convert(b, sign, bits);
  const Value mask = like(b, sign_bits, std::ldexp(1.0, ir::bit_width(bits) - 1));
  return ops::bitcast_convert(
      b, ops::or_(b, ops::bitcast_convert(b, magnitude, bits), ops::and_(b, sign_bits, mask)), sign.dtype());
}

/// The power of two at or below each positive normal number, at least `least`.
Value power_below(Builder& b, Value a, double least) {
  const bool is_double = a.dtype() == DType::kF64;
  const DType bits = is_double ? DType::kU64 : DType::kU32;
  const Value bounded = ops::maximum(b, a, like(b, a, least));
  const Value shift = ops::full(b, {bits, a.dims()}, is_double ? 52 : 23);
  const Value exponent = ops::shift_right_logical(b, ops::bitcast_convert(b, bounded, bits), shift);
  return ops::bitcast_convert(b, ops::shift_left(b, exponent, shift), a.dtype());
}

/// Powers of two only: a number at or above 1.5 times one goes up.
Value round_to_power(Builder& b, Value x, const ir::SmallFloatFormat& format) {
  const double least = std::ldexp(1.0, -format.bias);
  // The least number is a subnormal f32: it is found by comparison.
  const Value below = power_below(b, x, 2 * least);
  const Value up = ops::compare(b, x, ops::multiply(b, below, like(b, x, 1.5)), ComparisonDirection::kGe);
  Value y = ops::select(b, up, ops::multiply(b, below, like(b, x, 2)), below);
  y = ops::select(b, compared(b, x, 1.5 * least, ComparisonDirection::kLt), like(b, x, least), y);
  const Value fits = ops::and_(b, compared(b, x, 0, ComparisonDirection::kGt),
                               compared(b, x, 1.5 * format.largest, ComparisonDirection::kLt));
  return ops::select(b, fits, y, like(b, x, std::numeric_limits<double>::quiet_NaN()));
}

Value round_to_format(Builder& b, Value x, const ir::SmallFloatFormat& format) {
  const Value a = ops::abs(b, x);
  // In units of the last place of its power of two, to nearest even.
  const Value bounded = ops::minimum(b, a, like(b, a, 4 * format.largest));
  const Value unit = ops::multiply(b, power_below(b, bounded, std::ldexp(1.0, 1 - format.bias)),
                                   like(b, a, std::ldexp(1.0, -format.mantissa_bits)));
  Value y = ops::multiply(b, ops::round_nearest_even(b, ops::divide(b, bounded, unit)), unit);
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();
  const double beyond = format.overflow == ir::SmallFloatOverflow::kInfinity ? infinity
                        : format.overflow == ir::SmallFloatOverflow::kNan    ? nan
                                                                             : format.largest;
  y = ops::select(b, compared(b, y, format.largest, ComparisonDirection::kGt), like(b, y, beyond), y);
  y = with_sign_of(b, y, x);
  if (!format.has_negative_zero)
    y = ops::select(b, compared(b, y, 0, ComparisonDirection::kEq), like(b, y, 0), y);
  const Value of_nan = format.nan < 0 ? like(b, x, -0.0) : with_sign_of(b, like(b, x, nan), x);
  return ops::select(b, is_nan(b, x), of_nan, y);
}

}  // namespace
}  // namespace small_floats

ir::Value decode_small_float(ir::Builder& builder, ir::Value bits, ir::DType small) {
  const std::int64_t count = std::int64_t{1} << ir::bit_width(small);
  ir::Literal table(ir::TensorType{ir::DType::kF32, {count}});
  for (std::int64_t code = 0; code < count; ++code)
    table.mutable_data<float>()[static_cast<std::size_t>(code)] =
        static_cast<float>(ir::small_to_double(small, static_cast<std::uint8_t>(code)));
  return ops::gather_rows(builder, ops::constant(builder, table), bits);
}

ir::Value round_to_small_float(ir::Builder& builder, ir::Value x, ir::DType small) {
  const ir::SmallFloatFormat& format = ir::small_float_format(small);
  const ir::Value y = format.has_sign ? small_floats::round_to_format(builder, x, format)
                                      : small_floats::round_to_power(builder, x, format);
  return y.dtype() == ir::DType::kF32 ? y : ops::convert(builder, y, ir::DType::kF32);
}

ir::Value encode_small_float(ir::Builder& b, ir::Value x, ir::DType small) {
  using namespace small_floats;
  const ir::SmallFloatFormat& format = ir::small_float_format(small);
  const double least_normal = std::ldexp(1.0, 1 - format.bias);
  const Value magnitude = ops::abs(b, x);
  const Value bits = ops::bitcast_convert(b, magnitude, DType::kU32);
  // A normal number: its exponent and mantissa, with the small float's bias; the others are multiples of the
  // least.
  const Value shifted = ops::shift_right_logical(b, bits, like(b, bits, 23 - format.mantissa_bits));
  const Value normal =
      ops::subtract(b, shifted, like(b, bits, std::ldexp(127 - format.bias, format.mantissa_bits)));
  const Value units =
      ops::multiply(b, magnitude, like(b, x, std::ldexp(1.0, format.bias - 1 + format.mantissa_bits)));
  const Value is_normal = compared(b, magnitude, least_normal, ComparisonDirection::kGe);
  const Value is_number = ops::is_finite(b, x);
  const Value low = ops::convert(b, ops::select(b, is_normal, like(b, x, 0), units), DType::kU32);
  Value code = ops::select(b, ops::and_(b, is_normal, is_number), normal, low);
  if (format.overflow == ir::SmallFloatOverflow::kInfinity)
    code = ops::select(
        b, compared(b, magnitude, std::numeric_limits<double>::infinity(), ComparisonDirection::kEq),
        like(b, code, ir::small_from_double(small, HUGE_VAL)), code);
  if (format.nan >= 0) code = ops::select(b, is_nan(b, x), like(b, code, format.nan), code);
  // Where there is no negative zero, its code is the only NaN.
  if (format.has_sign) {
    const Value sign =
        ops::shift_right_logical(b, ops::bitcast_convert(b, x, DType::kU32), like(b, bits, 31));
    code = ops::or_(b, code, ops::shift_left(b, sign, like(b, bits, ir::bit_width(small) - 1)));
  }
  return ops::convert(b, code, DType::kU8);
}

}  // namespace cornu::inline v0::transform
