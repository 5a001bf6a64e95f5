#pragma once

#include <span>
#include <string>

#include "cornu/ir/builder.h"
#include "cornu/ir/op_def.h"

namespace cornu::inline v0::ops {

struct ResizeForm {
  /// "nearest", "bilinear", "bicubic" (R. G. Keys with a = -0.5), "lanczos3" or "lanczos5".
  std::string interpolation = "bilinear";
  /// True: an axis that becomes shorter widens the kernel by the ratio of its extents.
  bool antialias = false;
  /// True: the transpose of the linear map that resizes images of the result's size to those of the operand.
  bool transposed = false;
};

/// Images with other numbers of rows and columns.
///
/// Semantics: result[n, i, j, c] = sum(R[i, y] C[j, x] images[n, y, x, c]) over y and x; the matrices R and C
///            interpolate along one axis each. An axis that keeps its extent keeps its elements.
/// Shapes:    images [batch, rows, columns, channels]  ->  [batch, size[0], size[1], channels]
/// Types:     f32, f64.
/// Errors:    InvalidArgument when images have another dtype or rank or no pixel, size is not two positive
///            numbers, or interpolation has another value.
/// Gradient:  images: resize with the other value of transposed.
/// Source:    Keras, ops.image.resize; composite cornu.resize.
ir::Value resize(ir::Builder& builder, ir::Value images, ir::Dims size, const ResizeForm& form = {});

/// The form of a composite cornu.resize.
ResizeForm resize_form(const ir::Attributes& attributes);

namespace resize_folder {
std::span<const ir::OpDef* const> op_defs();
}

}  // namespace cornu::inline v0::ops
