#pragma once

#include <optional>

#include "cornu/ir/dtype.h"

namespace cornu::inline v0::ops {

/// The dtypes of a product that is read: a dot or a convolution.
struct ProductDTypes {
  ir::DType lhs, rhs, result;
  /// The accumulation type of a dot's algorithm.
  std::optional<ir::DType> accumulation = std::nullopt;
};

/// The dtype to which both operands are converted, and in which the products are summed, so that the result can
/// be converted from it: integers have that of the result, floats the widest of all, f16 and bf16 in f32. Empty
/// if the op can be made as it is, or if it must not be: an integer and a float, floats with an integer result,
/// complex numbers.
std::optional<ir::DType> common_product_dtype(const ProductDTypes& dtypes);

}  // namespace cornu::inline v0::ops
