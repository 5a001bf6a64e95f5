#pragma once

#include "cornu/ir/clone.h"

namespace cornu::inline v0::ir {

/// The entries of `outer` for the values from outside that a region uses: enough to copy it, and few where the
/// whole map is of a long program with many regions.
ValueMap region_map(const Block& region, const ValueMap& outer);

}  // namespace cornu::inline v0::ir
