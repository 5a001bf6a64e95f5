#pragma once

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// Throws InvalidArgument unless the three operands are ui32 scalars and `dims` has at most 2^32 elements.
void check_random_operands(std::span<const ir::Value> operands, const ir::Dims& dims);

/// Both threefry words for each element, flat: [number of elements] each; element i has the counter (i,
/// counter1).
std::vector<ir::Value> random_words(ir::Builder& builder, std::span<const ir::Value> operands,
                                    const ir::Dims& dims);

}  // namespace cornu::inline v0::ops
