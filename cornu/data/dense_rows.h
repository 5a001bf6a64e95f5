#pragma once

#include <cstdint>
#include <optional>

#include "cornu/data/element.h"

namespace cornu::inline v0::data {

struct DenseRowsOptions {
  /// Of each row of the result. Unset: as long as the longest; a model is then compiled anew for each length.
  std::optional<std::int64_t> length = {};
  /// What stands behind a row's numbers. Unset: -1 for integers, which no table has as an id; 0 for others,
  /// the weight of such ids.
  Tensor padding_value = {};  // a number
  /// Longer rows lose their end. Without it they are an error.
  bool truncate = false;
};

/// Rows of different lengths as rows of one length, for models, whose shapes are fixed.
///
///     dataset.ragged_batch(32).map([](const data::Element& batch) {
///       return data::dense_rows(batch, {.length = 8});
///     });
///
/// Shapes: n rows of numbers -> (n, length), of the numbers' dtype.
/// Errors: InvalidArgument when length is negative, a row is longer and truncate is false, the values are
///         texts, ragged rows or have several axes, or the padding value does not fit their dtype (-1 into
///         unsigned integers).
/// Source: TensorFlow, RaggedTensor.to_tensor.
Tensor dense_rows(const Ragged& rows, const DenseRowsOptions& options = {});
/// The same for all ragged rows in an element; other parts stay what they are.
Element dense_rows(const Element& element, const DenseRowsOptions& options = {});

}  // namespace cornu::inline v0::data
