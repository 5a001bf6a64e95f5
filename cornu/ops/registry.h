#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "cornu/ir/op_def.h"

namespace cornu::inline v0::ops {

/// Every op and composite there is; generated from the folders.
std::span<const ir::OpDef* const> all_op_defs();

/// Null when no op has this name.
const ir::OpDef* find_op_def(std::string_view name);

}  // namespace cornu::inline v0::ops
