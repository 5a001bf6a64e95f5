#pragma once

#include <cstdint>
#include <optional>

#include "cornu/data/element.h"

namespace cornu::inline v0::data {

struct DenseRowsOptions {  // options/data.toml
  /// Length of each row of the result; unset: that of the longest row, so that a model compiles a program for
  /// each length that occurs.
  std::optional<std::int64_t> length = {};
  /// Number that fills short rows. Undefined: -1 for integers, which is no id of a table, and 0 for other
  /// numbers, which is the weight of such ids.
  Tensor padding_value = {};
  /// True: cuts the end of longer rows; false: throws InvalidArgument for them.
  bool truncate = false;
};

/// Pads rows of different lengths to one length, for models, whose shapes are fixed.
///
///     dataset.ragged_batch(32).map([](const data::Element& batch) {
///       return data::dense_rows(batch, {.length = 8});
///     });
///
/// Shapes: n rows of numbers -> (n, length), of the numbers' dtype.
/// Errors: InvalidArgument if length is negative, a row is longer and truncate is false, the values are
///         texts, ragged rows or have several axes, or the padding value does not fit their dtype (-1 into
///         unsigned integers).
/// Source: TensorFlow, RaggedTensor.to_tensor.
Tensor dense_rows(const Ragged& rows, const DenseRowsOptions& options = {});
/// Pads all ragged rows in an element; other parts are unchanged.
Element dense_rows(const Element& element, const DenseRowsOptions& options = {});

}  // namespace cornu::inline v0::data
