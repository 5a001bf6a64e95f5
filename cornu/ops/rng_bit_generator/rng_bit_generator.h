#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// Random bits that follow from a state; returns the new state and the bits.
///
/// Semantics: the same bits as XLA's. The first word of the state is the key, the others are a counter of 64
///            (THREE_FRY) or 128 bits (PHILOX), which the new state continues. A PHILOX state of two words has
///            the key as its third. DEFAULT is PHILOX, as on XLA's CPU and GPU backends. Types of 8 and 16 bits
///            have the low bits of words of 32.
/// Shapes:    initial_state [2], or [3] for PHILOX  ->  initial_state's, type's.
/// Types:     initial_state: ui64; type: integers.
/// Errors:    InvalidArgument when (I1) initial_state is no vector of 2 or 3 ui64, (I2) the algorithm is
///            unknown, (I3) the result's dtype is no integer. (C1) holds by inference.
/// Gradient:  none.
/// Source:    StableHLO specification, rng_bit_generator; Salmon et al., "Parallel random numbers: as easy as
///            1, 2, 3", 2011.
std::vector<ir::Value> rng_bit_generator(ir::Builder& builder, ir::Value initial_state,
                                         std::string_view algorithm, const ir::TensorType& type);

namespace rng_bit_generator_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
