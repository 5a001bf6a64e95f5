#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>

#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// The mask of a batch's data rows; the other rows are padding. If undefined, all rows are data.
struct RowMask {
  Tensor valid;      // i1 [batch]
  Tensor num_valid;  // f32 scalar
  /// In a replica of a strategy: the number of data rows of all replicas together. Undefined: there is one
  /// replica.
  Tensor num_valid_of_all = {};
  /// The string to which require_exact() writes its reason; null: it throws.
  std::shared_ptr<std::string> exact_because = {};

  bool defined() const { return valid.defined(); }
  /// The mask of the first `valid_rows` (i32 scalar) of `batch` rows.
  static RowMask first_rows(const Tensor& valid_rows, std::int64_t batch);

  /// Called by a loss, metric, layer or step that cannot mask padding rows, with the reason ("loss "f" gives
  /// one number for a batch"): the trace is discarded, and each size of a batch gets its own program. No
  /// effect if the mask is undefined.
  /// Errors: Unimplemented, with the reason, if the caller cannot compile such programs.
  void require_exact(const std::string& reason) const;

  /// The divisor of means over the batch. Counters add num_valid, since each replica adds its own rows.
  const Tensor& num_counted() const { return num_valid_of_all.defined() ? num_valid_of_all : num_valid; }
  /// Converts a sum over this replica's rows to the sum over the rows of all replicas.
  Tensor over_replicas(const Tensor& sum) const;

  /// `values` [batch, ...] with 0 in the padding rows, also where they are NaN.
  Tensor zero_padding(const Tensor& values) const;
};

/// `values` times `weight`, and 0 where the weight is 0, also for NaN and infinity.
Tensor weighted_values(const Tensor& values, const Tensor& weight);

/// The weights of a batch's values in a loss or metric.
struct SampleWeights {
  Tensor sample_weight = {};  // [batch] or broadcastable to the values; undefined: 1
  RowMask rows = {};
};

/// Weights given as a list; undefined for an empty one.
SampleWeights literal_weights(std::initializer_list<double> sample_weight);

}  // namespace cornu::inline v0::keras
