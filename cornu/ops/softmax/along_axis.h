#pragma once

#include "cornu/ops/broadcast_in_dim/broadcast_in_dim.h"
#include "cornu/ops/index_space.h"
#include "cornu/ops/operands.h"

/// Building blocks of composites that normalize floats along the attribute `axis`.
namespace cornu::inline v0::ops {

inline std::int64_t axis_of(const ir::Attributes& attributes, ir::Value x) {
  return normalized_axis(attributes.get<std::int64_t>("axis"), x.rank());
}

/// The shape rule.
inline std::vector<ir::TensorType> infer_along_axis(const ir::InferContext& context) {
  check_operands(context, 1);
  check_float(context.type(0));
  axis_of(context.attributes, context.operands[0]);
  return {context.type(0)};
}

/// A value a row, repeated along `axis`.
inline ir::Value spread_along_axis(ir::Builder& builder, ir::Value value, ir::Value like, std::int64_t axis) {
  return broadcast_in_dim(builder, value, like.dims(), remaining_dimensions(like.rank(), {axis}));
}

}  // namespace cornu::inline v0::ops
