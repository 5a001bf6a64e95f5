#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "cornu/ir/builder.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::ops {

struct SamplingForm {
  /// 0: the nearest pixel; 1: linear interpolation.
  std::int64_t order = 1;
  /// Pixels outside of x: "constant" (fill_value), "nearest", "wrap", "mirror" (the edge occurs once) or "reflect" (the
  /// edge occurs twice).
  std::string fill_mode = "constant";
  double fill_value = 0;
};

/// Elements of x at positions, which may be between pixels.
///
/// Semantics: result[n, p..., c] = x[n, round(positions[0, n, p...]), round(positions[1, n, p...]), ..., c] for order 0,
///            where halves are rounded away from 0; for order 1 the sum over the two neighbours along each axis, weighted
///            by 1 - distance.
/// Shapes:    x [batch, extents..., channels], positions [num_extents, batch, d...]  ->  [batch, d..., channels];
///            or x [extents...], positions [num_extents, d...]  ->  [d...]
/// Types:     x: any number, of order 1 a float; positions: f32 or f64, of order 0 also integers.
/// Errors:    InvalidArgument when positions have another dtype or shape; x has another dtype or no pixel; order is not 0
///            or 1; fill_mode has another value.
/// Gradient:  x: a scatter that adds; positions: the differences of neighbours, of order 1.
/// Source:    Keras, ops.image.map_coordinates; composite cornu.sample_pixels.
ir::Value sample_pixels(ir::Builder& builder, ir::Value x, ir::Value positions,
                        const SamplingForm& form = {});

/// The form of a composite cornu.sample_pixels.
SamplingForm sampling_form(const ir::Attributes& attributes);

namespace sample_pixels_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
