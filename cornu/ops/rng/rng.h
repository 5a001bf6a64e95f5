#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// Random numbers of a distribution.
///
/// Semantics: UNIFORM: uniform in [a, b); NORMAL: mean a and standard deviation b. The specification leaves the
///            numbers to the implementation: these follow from `seed` and the row-major index alone, so the op
///            gives the same numbers in each run and in each turn of a loop. In programs that are read, the seed
///            is the op's position, so that two ops differ.
/// Shapes:    a, b: scalars; shape: [r], the extents of the result, which are dims  ->  dims
/// Types:     a, b and the result: one dtype, an integer or, for NORMAL always, a float; shape: an integer.
/// Errors:    InvalidArgument when (C1) dtypes differ, (C2) a NORMAL is of no floats, (C3) shape has another
///            number of elements than the result has dimensions, (I1) a or b is no scalar of numbers, (I3) shape
///            is no vector of integers, (I4) the distribution is unknown.
/// Gradient:  of a and b, through its decomposition.
/// Source:    StableHLO specification, rng.
ir::Value rng(ir::Builder& builder, ir::Value a, ir::Value b, ir::Value shape, std::string_view distribution,
              ir::Dims dims, std::int64_t seed);

namespace rng_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
