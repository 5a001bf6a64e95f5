#pragma once

#include <vector>

#include "cornu/ir/op_def.h"

namespace cornu::inline v0::ops {

/// The number of states kept at a time for a loop with a run-time trip count, on each of two levels.
constexpr std::int64_t kCheckpointSlots = 128;
/// A known trip count gets a slot an iteration as long as the slots take no more than this; else it is
/// treated as one of run time.
constexpr std::int64_t kMaxStackedBytes = std::int64_t{1} << 30;

/// The gradient of a loop: a loop that runs backwards over what a first one has kept; see while.h.
std::vector<ir::Value> while_gradient(const ir::GradientContext& context);

}  // namespace cornu::inline v0::ops
