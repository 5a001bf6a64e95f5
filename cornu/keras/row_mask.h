#pragma once

#include <cstdint>
#include <initializer_list>

#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// Which of a batch's rows are data; the others are padding. Undefined members: all rows are.
struct RowMask {
  Tensor valid;      // i1 [batch]
  Tensor num_valid;  // f32 scalar

  bool defined() const { return valid.defined(); }
  /// The mask of the first `valid_rows` (i32 scalar) of `batch` rows.
  static RowMask first_rows(const Tensor& valid_rows, std::int64_t batch);

  /// `values` [batch, ...] with 0 in the padding rows, whatever stood there (NaN too).
  Tensor zero_padding(const Tensor& values) const;
};

/// How values of a batch count in a loss or metric.
struct SampleWeights {
  Tensor sample_weight = {};  // [batch] or broadcastable to the values; undefined: 1
  RowMask rows = {};
};

/// Weights as a literal list; none for an empty one.
SampleWeights literal_weights(std::initializer_list<double> sample_weight);

}  // namespace cornu::inline v0::keras
