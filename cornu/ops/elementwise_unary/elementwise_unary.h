#pragma once

#include <span>

#include "cornu/ir/builder.h"
#include "cornu/ir/op_def.h"

/// Elementwise functions of one operand: a table (elementwise_unary.cc) with a row an op.
///
/// Shapes:    operand: [d...]  ->  [d...]
/// Types:     per row; the result's dtype is the operand's, but is_finite gives i1.
/// Errors:    InvalidArgument when (I1) the operand's dtype is not one that the op takes. (C1), result like
///            operand, holds by inference.
/// Gradient:  per row; zeros for sign and the roundings; is_finite and what takes bits pass none.
/// Source:    StableHLO specification, one section an op.
namespace cornu::inline v0::ops {

/// |x|; signed integers and floats. |INT_MIN| is INT_MIN. The gradient at 0 is 1, as JAX has it.
ir::Value abs(ir::Builder& b, ir::Value x);
/// -x, modulo 2^n for integers.
ir::Value negate(ir::Builder& b, ir::Value x);
/// -1, 0 or 1 as x's sign; NaN and -0 stay; signed integers and floats.
ir::Value sign(ir::Builder& b, ir::Value x);
/// e^x
ir::Value exponential(ir::Builder& b, ir::Value x);
/// e^x - 1, exact near 0.
ir::Value exponential_minus_one(ir::Builder& b, ir::Value x);
/// Natural logarithm.
ir::Value log(ir::Builder& b, ir::Value x);
/// log(1 + x), exact near 0.
ir::Value log_plus_one(ir::Builder& b, ir::Value x);
/// 1 / (1 + e^-x)
ir::Value logistic(ir::Builder& b, ir::Value x);
ir::Value sqrt(ir::Builder& b, ir::Value x);
/// 1 / sqrt(x)
ir::Value rsqrt(ir::Builder& b, ir::Value x);
ir::Value tanh(ir::Builder& b, ir::Value x);
ir::Value sine(ir::Builder& b, ir::Value x);
ir::Value cosine(ir::Builder& b, ir::Value x);
ir::Value tan(ir::Builder& b, ir::Value x);
/// The real cube root, of negative numbers too. Its gradient at 0 is infinite.
ir::Value cbrt(ir::Builder& b, ir::Value x);
ir::Value floor(ir::Builder& b, ir::Value x);
ir::Value ceil(ir::Builder& b, ir::Value x);
/// To the nearest whole number; halves to the even one.
ir::Value round_nearest_even(ir::Builder& b, ir::Value x);
/// To the nearest whole number; halves away from zero.
ir::Value round_nearest_afz(ir::Builder& b, ir::Value x);
/// i1: neither infinite nor NaN.
ir::Value is_finite(ir::Builder& b, ir::Value x);
/// Logical not of i1, bitwise not of integers.
ir::Value not_(ir::Builder& b, ir::Value x);
/// The number of bits that are 1; integers.
ir::Value popcnt(ir::Builder& b, ir::Value x);
/// The number of bits that are 0 before the first 1 from the top; the width for 0; integers.
ir::Value count_leading_zeros(ir::Builder& b, ir::Value x);

namespace elementwise_unary_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
