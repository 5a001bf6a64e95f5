#pragma once

#include <string_view>

#include "cornu/base/check.h"
#include "cornu/keras/layer/layer.h"
#include "cornu/tensor/ops.h"

/// Code shared by the normalization layers; not part of the interface.
namespace cornu::inline v0::keras::layers::normalization {

/// `axis` as a non-negative index; its extent is known. Errors: InvalidArgument naming the layer's class.
inline std::int64_t known_axis(const char* layer, std::int64_t axis, const Dims& input_shape) {
  const auto rank = static_cast<std::int64_t>(input_shape.size());
  if (axis < -rank || axis >= rank)
    invalid_argument({.argument = "axis"},
                     "[{}] axis must be in [{}, {}) for an input of shape {}; got axis = {}", layer, -rank,
                     rank, shape_with_none_str(input_shape), axis);
  const std::int64_t at = axis < 0 ? axis + rank : axis;
  if (input_shape[static_cast<std::size_t>(at)] == kUnknown)
    invalid_argument("[{}] the extent of axis {} must be known; got an input of shape {}", layer, axis,
                     shape_with_none_str(input_shape));
  return at;
}

/// The dtype in which normalization computes.
inline DType wide_dtype(DType dtype) {
  return ir::is_float(dtype) && ir::bit_width(dtype) >= 32 ? dtype : DType::kF32;
}

inline Tensor as_dtype(const Tensor& x, DType dtype) { return x.dtype() == dtype ? x : ops::cast(x, dtype); }

}  // namespace cornu::inline v0::keras::layers::normalization
