#pragma once

#include <cstddef>
#include <limits>

#include "cornu/ir/op_def.h"

namespace cornu::inline v0::ops {

inline constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

/// Throws InvalidArgument unless the op has at least `min` and at most `max` operands. Each shape rule begins
/// with it, which declares the number of the op's operands.
void check_operands(const ir::InferContext& context, std::size_t min, std::size_t max);
inline void check_operands(const ir::InferContext& context, std::size_t count) {
  check_operands(context, count, count);
}

}  // namespace cornu::inline v0::ops
