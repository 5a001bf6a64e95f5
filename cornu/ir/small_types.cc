#include "cornu/ir/small_types.h"

#include <algorithm>
#include <cmath>

#include "cornu/base/check.h"

namespace cornu::inline v0::ir {
namespace {

double from_integer_bits(DType dtype, std::uint8_t bits) {
  return is_signed_small_integer(dtype) ? static_cast<std::int8_t>(bits) : bits;
}

std::uint8_t to_integer_bits(DType dtype, double value) {
  const int digits = bit_width(dtype) - (is_signed_small_integer(dtype) ? 1 : 0);
  const int end = 1 << digits, begin = is_signed_small_integer(dtype) ? -end : 0;
  if (std::isnan(value)) return 0;
  return static_cast<std::uint8_t>(static_cast<int>(std::clamp(value, double(begin), double(end - 1))));
}

/// A power of two for each code; rounds to the nearest number, ties away from zero.
std::uint8_t to_power_bits(const SmallFloatFormat& format, double value) {
  if (std::isnan(value) || value <= 0) return static_cast<std::uint8_t>(format.nan);
  const int exponent = std::isinf(value) ? 1000 : std::ilogb(value);
  const double fraction = std::isinf(value) ? 1 : std::ldexp(value, -exponent);
  int code = exponent + format.bias;
  if (fraction >= 1.5) ++code;
  return static_cast<std::uint8_t>(code > 254 ? format.nan : std::max(code, 0));
}

}  // namespace

DType storage_dtype(DType small) { return is_signed_small_integer(small) ? DType::kI8 : DType::kU8; }
DType computing_dtype(DType small) { return is_small_float(small) ? DType::kF32 : storage_dtype(small); }

const SmallFloatFormat& small_float_format(DType dtype) {
  using enum SmallFloatOverflow;
  static constexpr SmallFloatFormat kFormats[] = {
      {1, 1, 6, kLargest, -1},                      // f4E2M1FN
      {3, 1, 7.5, kLargest, -1},                    // f6E2M3FN
      {2, 3, 28, kLargest, -1},                     // f6E3M2FN
      {4, 3, 15.5, kInfinity, 0x78},                // f8E3M4
      {3, 7, 240, kInfinity, 0x7c},                 // f8E4M3
      {3, 11, 30, kNan, 0x80, false},               // f8E4M3B11FNUZ
      {3, 7, 448, kNan, 0x7f},                      // f8E4M3FN
      {3, 8, 240, kNan, 0x80, false},               // f8E4M3FNUZ
      {2, 15, 57344, kInfinity, 0x7e},              // f8E5M2
      {2, 16, 57344, kNan, 0x80, false},            // f8E5M2FNUZ
      {0, 127, 0x1p127, kNan, 0xff, false, false},  // f8E8M0FNU
  };
  CORNU_CHECK(is_small_float(dtype), "a small float: {}", stablehlo_name(dtype));
  return kFormats[static_cast<int>(dtype) - static_cast<int>(DType::kF4E2M1FN)];
}

double small_to_double(DType dtype, std::uint8_t bits) {
  if (is_small_integer(dtype)) return from_integer_bits(dtype, bits);
  const SmallFloatFormat& format = small_float_format(dtype);
  if (!format.has_sign) return bits == format.nan ? std::nan("") : std::ldexp(1.0, bits - format.bias);
  const int sign_bit = 1 << (bit_width(dtype) - 1), magnitude = bits & (sign_bit - 1);
  if (!format.has_negative_zero && bits == format.nan) return std::nan("");
  const int mantissa_end = 1 << format.mantissa_bits;
  const int exponent = magnitude >> format.mantissa_bits, mantissa = magnitude & (mantissa_end - 1);
  double value = exponent == 0
                     ? std::ldexp(mantissa, 1 - format.bias - format.mantissa_bits)
                     : std::ldexp(mantissa_end + mantissa, exponent - format.bias - format.mantissa_bits);
  if (value > format.largest)
    value = format.overflow == SmallFloatOverflow::kInfinity && mantissa == 0 ? HUGE_VAL : std::nan("");
  return (bits & sign_bit) != 0 ? -value : value;
}

std::uint8_t small_from_double(DType dtype, double value) {
  if (is_small_integer(dtype)) return to_integer_bits(dtype, value);
  const SmallFloatFormat& format = small_float_format(dtype);
  if (!format.has_sign) return to_power_bits(format, value);
  const int sign_bit = 1 << (bit_width(dtype) - 1);
  const int sign = std::signbit(value) ? sign_bit : 0;
  if (std::isnan(value)) {
    if (format.nan < 0) return static_cast<std::uint8_t>(sign_bit);
    return static_cast<std::uint8_t>(format.has_negative_zero ? format.nan | sign : format.nan);
  }
  const double a = std::fabs(value);
  const int exponent = a == 0 || std::isinf(a) ? 0 : std::max(std::ilogb(a), 1 - format.bias);
  // In units of the last place, to nearest even; a carry goes into the exponent.
  const double units = std::isinf(a) ? 0 : std::nearbyint(std::ldexp(a, format.mantissa_bits - exponent));
  int magnitude = static_cast<int>(units);
  if (magnitude >= 1 << format.mantissa_bits)
    magnitude += (exponent + format.bias - 1) << format.mantissa_bits;
  if (std::isinf(a) || std::ldexp(units, exponent - format.mantissa_bits) > format.largest) {
    if (format.overflow == SmallFloatOverflow::kNan)
      return static_cast<std::uint8_t>(format.has_negative_zero ? format.nan | sign : format.nan);
    magnitude = small_from_double(dtype, format.largest);
    if (format.overflow == SmallFloatOverflow::kInfinity) ++magnitude;
  }
  if (magnitude == 0 && !format.has_negative_zero) return 0;
  return static_cast<std::uint8_t>(sign | magnitude);
}

std::uint8_t small_from_bits(DType dtype, std::uint64_t bits) {
  const int unused = 8 - bit_width(dtype);
  const auto low = static_cast<std::uint8_t>(bits << unused);
  if (is_signed_small_integer(dtype))
    return static_cast<std::uint8_t>(static_cast<std::int8_t>(low) >> unused);
  return static_cast<std::uint8_t>(low >> unused);
}

}  // namespace cornu::inline v0::ir
