#pragma once

#include <optional>
#include <vector>

#include "cornu/ir/clone.h"

/// Rewrites of simplify for ops with regions.
namespace cornu::inline v0::transform {

/// An op with its operands mapped into the new block.
struct RegionOp {
  ir::Builder& builder;
  const ir::Op& op;
  const std::vector<ir::Value>& operands;
  /// Maps values of the old function to those of the new one.
  const ir::ValueMap& map;
  /// True for each result that is used.
  const std::vector<bool>& is_used;
};

/// Inlines a branch of an `if` or `case` with a known selector; removes carried values of a `while` that are
/// unused or never change, and computes elementwise ops on values that never change before the loop. Returns the results (an empty Value for an unused one), or nullopt if nothing
/// changes.
std::optional<std::vector<ir::Value>> rewritten_region_op(const RegionOp& c);

}  // namespace cornu::inline v0::transform
