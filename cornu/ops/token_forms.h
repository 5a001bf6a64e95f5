#pragma once

#include <string_view>

#include "cornu/ir/op_def.h"

namespace cornu::inline v0::ops {

/// The ops of StableHLO that only order side effects (stablehlo.create_token, stablehlo.after_all), or null.
/// The readers write them out as constants of ir::token_type: a program's calls with
/// side effects keep their order in any case, see transform::order_effects.
const ir::OpDef* find_token_form(std::string_view full_name);

}  // namespace cornu::inline v0::ops
