#pragma once

#include <cstdint>
#include <optional>

#include "cornu/data/element.h"

namespace cornu::inline v0::data {

struct DenseRowsOptions {
  /// The length of each row of the result. Without it rows are as long as the longest one, and a model is
  /// compiled anew for each length.
  std::optional<std::int64_t> length = {};
  /// The number that fills rows up. Without it -1 for integers, which no table has as an id, and 0 for
  /// others, which is the weight of such ids.
  Tensor padding_value = {};  // a number
  /// Whether longer rows lose their end; else they are an error.
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
