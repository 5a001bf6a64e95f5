#pragma once

#include "cornu/backends/cpu/math/float_code.h"

/// Parts of elementary functions that several ops share; each function is in its op's x_cpu.cc.
///
/// The code consists of additions, multiplications, divisions, fused multiply-adds, square roots, conversions,
/// comparisons, selects and integer operations: no call, no branch (except in reduce_angle), no table in memory. A
/// lane's bits do not depend on the width. Compile it with FP contraction off or standard.
///
/// Special values follow C's Annex F (IEEE 754): infinities, NaN, signs of zero, overflow to infinity,
/// gradual underflow (denormals must not be flushed). CpuOp::error_bound states the accuracy; see docs/ops.md.
namespace cornu::inline v0::backends::cpu {

/// x = 2 h log 2 + r, |r| <= log 2; root = 2^h. Because the exponent is even, root * (root * y) overflows and
/// underflows as 2^2h y does, with one rounding, and root is never out of range.
struct ExponentialParts {
  llvm::Value* r;
  llvm::Value* root;
};

/// `correction`: a small addend of x, or null.
ExponentialParts reduce_exponential(const FloatCode& m, llvm::Value* x, llvm::Value* correction = nullptr);

/// e^x for exp_low <= x <= exp_high or NaN.
llvm::Value* exponential_in_range(const FloatCode& m, llvm::Value* x, llvm::Value* correction = nullptr);

/// x = 2^exponent (1 + f), sqrt(1/2) <= 1 + f < sqrt(2), for normal x > 0.
struct LogarithmParts {
  llvm::Value* exponent;       // as a floating-point number
  llvm::Value* exponent_bits;  // the exponent at the position of its field, plus the bias for double
  llvm::Value* mantissa;       // 1 + f
};

LogarithmParts reduce_logarithm(const FloatCode& m, llvm::Value* x);

/// exponent log 2 + log(1 + f).
llvm::Value* logarithm_of_parts(const FloatCode& m, llvm::Value* exponent, llvm::Value* f);

/// x without subnormal numbers, which are scaled, and the exponent of the scale as a number.
struct NormalNumbers {
  llvm::Value* x;
  llvm::Value* exponent;
};

NormalNumbers scale_subnormals(const FloatCode& m, llvm::Value* x);

/// log of x > 0, neither infinite nor NaN.
llvm::Value* logarithm_in_range(const FloatCode& m, llvm::Value* x);

/// `result`, a logarithm of x, with the special values for an infinite or NaN x, and for an `argument` <= 0.
llvm::Value* logarithm_specials(const FloatCode& m, llvm::Value* x, llvm::Value* argument,
                                llvm::Value* result);

/// An unrounded sum of two numbers; `smaller` is null where it would not matter.
struct TwoParts {
  llvm::Value* larger;
  llvm::Value* smaller;

  llvm::Value* rounded(const FloatCode& m) const;
  /// The difference between the sum and `high`, its rounded value.
  llvm::Value* rest(const FloatCode& m, llvm::Value* high) const;
};

struct SineAndCosine {
  TwoParts sine, cosine;
};

/// Sine and cosine of doubles r + r_low, |r| <= pi / 4, by the polynomials of `format`. Only the last sum is
/// rounded much. Without r_low the results are rounded, for floats. `square_low`: the error of r^2, or null.
SineAndCosine sine_and_cosine(const FloatCode& m, const FloatFormat& format, llvm::Value* r,
                              llvm::Value* r_low, llvm::Value* square_low);

/// Sine of x + quadrants * pi / 2. Floats are computed as doubles, which is as fast as two parts of each
/// float.
llvm::Value* sine_of_quadrant(const FloatCode& m, llvm::Value* x, int quadrants);

}  // namespace cornu::inline v0::backends::cpu
