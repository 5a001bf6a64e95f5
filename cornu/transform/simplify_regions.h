#pragma once

#include <optional>
#include <vector>

#include "cornu/ir/clone.h"

/// What simplify does to ops with regions as a whole.
namespace cornu::inline v0::transform {

/// An op with its operands mapped into the new block.
struct RegionOp {
  ir::Builder& builder;
  const ir::Op& op;
  const std::vector<ir::Value>& operands;
  /// From values of the old function to those of the new one.
  const ir::ValueMap& map;
  /// Which results someone uses.
  const std::vector<bool>& is_used;
};

/// A branch that is known is taken out of its `if` or `case`; carried values of a `while` that nobody needs,
/// or that never change, are no longer carried. The results (an empty Value for one that nobody uses), or
/// nothing when there is nothing to do.
std::optional<std::vector<ir::Value>> rewritten_region_op(const RegionOp& c);

}  // namespace cornu::inline v0::transform
