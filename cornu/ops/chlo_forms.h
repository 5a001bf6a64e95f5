#pragma once

#include <string_view>

#include "cornu/ir/op_def.h"

/// Ops of CHLO that the readers write out in ops of StableHLO; no graph contains them.
namespace cornu::inline v0::ops {

/// The op of CHLO with this name (chlo.broadcast_add, chlo.broadcast_compare, chlo.broadcast_select, ...,
/// chlo.constant, chlo.constant_like, chlo.conj, chlo.ragged_dot, chlo.scan), or null.
const ir::OpDef* find_chlo_form(std::string_view full_name);

}  // namespace cornu::inline v0::ops
