#pragma once

#include "cornu/ir/op_def.h"

/// chlo.scan, which the readers write out as a loop.
///
///     %0:2 = chlo.scan(%x) inits(%init) dimension = 0 attributes {is_reverse = true} {
///     ^bb0(%element: tensor<f32>, %carry: tensor<f32>):
///       ...
///       stablehlo.return %output, %new_carry : tensor<f32>, tensor<f32>
///     } : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
namespace cornu::inline v0::ops {

ir::Attributes read_scan_attributes(ir::OpAttributes& text);
void read_scan_short_form(ir::ShortForm& form);
/// The outputs, one for each element of `dimension`, then the last carries.
/// Errors: InvalidArgument if the inputs, the body and the declared results do not fit together.
std::vector<ir::Value> expand_scan(const ir::ExpandContext& context);

}  // namespace cornu::inline v0::ops
