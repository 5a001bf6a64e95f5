#pragma once

#include <array>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// The Philox-4x32 block function with 10 rounds: four words of random bits from a key of two ui32 scalars and a
/// counter of four ui32 tensors of one shape.
std::array<ir::Value, 4> philox4x32(ir::Builder& builder, std::array<ir::Value, 2> key,
                                    std::array<ir::Value, 4> counter);

}  // namespace cornu::inline v0::ops
