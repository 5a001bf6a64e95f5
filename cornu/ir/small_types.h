#pragma once

#include <cstdint>

#include "cornu/ir/dtype.h"

/// Types of less than eight bits and floats of eight: their elements take a byte each, integers sign- or
/// zero-extended, floats as their bits.
namespace cornu::inline v0::ir {

inline bool is_small(DType dtype) { return is_small_float(dtype) || is_small_integer(dtype); }
inline bool is_signed_small_integer(DType dtype) { return dtype == DType::kI2 || dtype == DType::kI4; }

/// The dtype of the same bytes: i8 or ui8.
DType storage_dtype(DType small);
/// The dtype that holds each number of a small type: i8, ui8 or f32.
DType computing_dtype(DType small);

/// The result of numbers beyond the largest.
enum class SmallFloatOverflow : std::uint8_t { kInfinity, kNan, kLargest };

struct SmallFloatFormat {
  int mantissa_bits;
  int bias;
  double largest;
  SmallFloatOverflow overflow;
  /// The bits of a positive NaN; -1: there is none, and NaN becomes -0.
  int nan;
  bool has_negative_zero = true;
  /// False: powers of two only, without zero; all other numbers are NaN.
  bool has_sign = true;
};
const SmallFloatFormat& small_float_format(DType dtype);

/// The number that an element's bits stand for.
double small_to_double(DType dtype, std::uint8_t bits);
/// Rounds to nearest even, f8E8M0FNU with ties away from zero; integers truncate and saturate, NaN becomes 0.
std::uint8_t small_from_double(DType dtype, double value);
/// The low bits of an integer, sign- or zero-extended; any bits of a float that has eight, the low bits of others.
std::uint8_t small_from_bits(DType dtype, std::uint64_t bits);

}  // namespace cornu::inline v0::ir
