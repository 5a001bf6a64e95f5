#pragma once

#include <string_view>

#include "cornu/ir/op_def.h"

/// Ops of StableHLO that take shapes as operands, which the readers write out in ops of static shapes; no graph
/// contains them. The types of the results must be static, and the operands whose values are needed must be
/// constants, or computed from constants: so JAX refines programs of symbolic shapes.
namespace cornu::inline v0::ops {

/// The op with this name (stablehlo.dynamic_reshape, stablehlo.dynamic_pad, stablehlo.get_dimension_size, ...),
/// or null.
const ir::OpDef* find_dynamic_form(std::string_view full_name);

}  // namespace cornu::inline v0::ops
