#pragma once

#include <span>
#include <string_view>

#include "cornu/ir/builder.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::ops {

enum class ComparisonDirection { kEq, kNe, kGe, kGt, kLe, kLt };

/// "EQ", "NE", "GE", "GT", "LE" or "LT", as in the attribute comparison_direction.
std::string_view comparison_direction_name(ComparisonDirection direction);
/// The other way round; aborts on a name that is none (the shape rule has checked it).
ComparisonDirection comparison_direction_from_name(std::string_view name);

/// True for compare_type TOTALORDER, the order of IEEE 754's totalOrder: -NaN < -infinity < ... < -0 < +0 < ...
/// < infinity < NaN.
bool compares_total_order(const ir::Op& compare);

/// Compares elementwise.
///
/// Semantics: result[i] = lhs[i] <direction> rhs[i]; floats by IEEE 754, so NaN is unequal to everything; i1:
///            false < true. compare_total_order: floats by the order of their signs and magnitudes as bits, in
///            which -0 is less than 0 and NaN equals a NaN of the same bits.
/// Shapes:    lhs: [d...], rhs: [d...]  ->  [d...]
/// Types:     any; both operands share one dtype; the result is i1. compare_type follows from the dtype
///            (FLOAT, SIGNED, UNSIGNED), or is TOTALORDER for floats.
/// Errors:    InvalidArgument when (C1) dtypes differ, (C2) shapes differ, (C3) compare_type does not fit the
///            dtype, (I3) comparison_direction is unknown.
/// Gradient:  none.
/// Source:    StableHLO specification, compare.
ir::Value compare(ir::Builder& b, ir::Value lhs, ir::Value rhs, ComparisonDirection direction);
/// The same with compare_type TOTALORDER for floats.
ir::Value compare_total_order(ir::Builder& b, ir::Value lhs, ir::Value rhs, ComparisonDirection direction);

namespace compare_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
