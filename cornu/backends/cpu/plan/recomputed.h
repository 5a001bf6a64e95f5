#pragma once

#include <unordered_set>

#include "cornu/backends/cpu/plan/plan.h"

namespace cornu::inline v0::backends::cpu {

/// The ops of a block that compute values again, from results of barriers and from weights alone, and those
/// that use such values and others, such as gradients.
struct RecomputedOps {
  std::unordered_set<const ir::Op*> again, users;

  /// True if the group computes values again: it should run when a gradient needs them, since they take memory
  /// until then.
  bool contain(const Group& group) const;
};
RecomputedOps recomputed_ops(const Plan& plan, const ir::Block& block);

}  // namespace cornu::inline v0::backends::cpu
