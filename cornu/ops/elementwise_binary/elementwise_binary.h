#pragma once

#include <span>

#include "cornu/ir/builder.h"
#include "cornu/ir/op_def.h"

/// Elementwise functions of two operands: a table (elementwise_binary.cc) with a row an op.
///
/// Shapes:    lhs: [d...], rhs: [d...]  ->  [d...]; nothing is broadcast.
/// Types:     per row; both operands and the result share one dtype. Integers compute modulo 2^n.
/// Errors:    InvalidArgument when (C1) the operands' types differ, (I1) their dtype is not one that the op
///            takes.
/// Gradient:  per row; maximum and minimum give half to each operand at a tie, bit operations pass none.
/// Source:    StableHLO specification, one section an op.
namespace cornu::inline v0::ops {

/// x + y; or of i1.
ir::Value add(ir::Builder& b, ir::Value x, ir::Value y);
ir::Value subtract(ir::Builder& b, ir::Value x, ir::Value y);
/// x * y; and of i1.
ir::Value multiply(ir::Builder& b, ir::Value x, ir::Value y);
/// x / y; integers truncate, n / 0 is -1 (all bits set) and INT_MIN / -1 is INT_MIN.
ir::Value divide(ir::Builder& b, ir::Value x, ir::Value y);
/// The greater; NaN when either is NaN; or of i1.
ir::Value maximum(ir::Builder& b, ir::Value x, ir::Value y);
/// The less; NaN when either is NaN; and of i1.
ir::Value minimum(ir::Builder& b, ir::Value x, ir::Value y);
/// x to the power y. Integers: modulo 2^n; a negative y gives 0, except for x = 1 and -1.
/// The gradient is finite at x = 0 for y >= 1, and the one for y is 0 where x is 0.
ir::Value power(ir::Builder& b, ir::Value x, ir::Value y);
/// x - y * truncate(x / y): the sign is the dividend's. Integers: n % 0 is n.
ir::Value remainder(ir::Builder& b, ir::Value x, ir::Value y);
/// The angle of the point (y, x) from the positive x axis, in [-pi, pi]; floats.
ir::Value atan2(ir::Builder& b, ir::Value y, ir::Value x);
/// Logical and of i1, bitwise of integers; so or_ and xor_.
ir::Value and_(ir::Builder& b, ir::Value x, ir::Value y);
ir::Value or_(ir::Builder& b, ir::Value x, ir::Value y);
ir::Value xor_(ir::Builder& b, ir::Value x, ir::Value y);
/// x shifted by y bits; 0 when y, read as unsigned, is at least the width. So shift_right_logical.
ir::Value shift_left(ir::Builder& b, ir::Value x, ir::Value y);
ir::Value shift_right_logical(ir::Builder& b, ir::Value x, ir::Value y);
/// Shifts right and fills with the top bit; a shift by the width or more gives copies of it.
ir::Value shift_right_arithmetic(ir::Builder& b, ir::Value x, ir::Value y);

namespace elementwise_binary_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
