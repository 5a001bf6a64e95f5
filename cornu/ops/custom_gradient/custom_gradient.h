#pragma once

#include <memory>
#include <span>
#include <vector>

#include "cornu/ir/builder.h"

namespace cornu::inline v0::ops {

/// `results` with a gradient that does not come from how they were computed.
///
/// Semantics: the results themselves. Their gradients dy give gradient(captured..., dy...) as gradients of
///            `inputs`; neither what made the results nor `captured` gets any. `gradient` is a region that
///            uses nothing from around it.
/// Shapes:    results: as given; the gradients: as inputs.
/// Types:     any.
/// Errors:    InvalidArgument when the region does not map the types of captured and results to those of
///            inputs.
/// Gradient:  the region, inlined.
/// Source:    composite cornu.custom_gradient; its region is not printed.
std::vector<ir::Value> custom_gradient(ir::Builder& builder, std::span<const ir::Value> results,
                                       std::span<const ir::Value> inputs, std::span<const ir::Value> captured,
                                       std::unique_ptr<ir::Block> gradient);

namespace custom_gradient_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
