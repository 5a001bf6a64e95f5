#pragma once

#include <span>
#include <vector>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// The Threefry-2x32 block function with 20 rounds: two words of random bits from a key and a counter.
///
/// Semantics: exactly Random123's and JAX's; written in add, xor and shifts of ui32, so that every device
///            gives the same bits.
/// Shapes:    key0, key1: scalars; counter0, counter1: one shape, both results'.
/// Types:     ui32.
/// Errors:    InvalidArgument when an operand has another type or shape.
/// Gradient:  none.
/// Source:    Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011; composite
///            cornu.threefry2x32.
std::vector<ir::Value> threefry2x32(ir::Builder& builder, ir::Value key0, ir::Value key1, ir::Value counter0,
                                    ir::Value counter1);

namespace threefry2x32_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
