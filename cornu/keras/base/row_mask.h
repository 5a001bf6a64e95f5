#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>

#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// Which of a batch's rows are data; the others are padding. Undefined members: all rows are.
struct RowMask {
  Tensor valid;      // i1 [batch]
  Tensor num_valid;  // f32 scalar
  /// In a replica of a strategy: how many rows all replicas have together. Undefined: there is one.
  Tensor num_valid_of_all = {};
  /// Where require_exact() notes its reason; null: it throws.
  std::shared_ptr<std::string> exact_because = {};

  bool defined() const { return valid.defined(); }
  /// The mask of the first `valid_rows` (i32 scalar) of `batch` rows.
  static RowMask first_rows(const Tensor& valid_rows, std::int64_t batch);

  /// From a loss, a metric, a layer or a step that cannot leave padding rows out of what it computes, with
  /// the reason ("loss "f" gives one number for a batch"): what is traced is thrown away, and each size of a
  /// batch gets a program of its own. Nothing where all rows count.
  /// Errors: Unimplemented with the reason when nobody can do that.
  void require_exact(const std::string& reason) const;

  /// What means over the batch divide by; counters take num_valid, as each replica adds its own.
  const Tensor& num_counted() const { return num_valid_of_all.defined() ? num_valid_of_all : num_valid; }
  /// A sum over this replica's rows as the sum over those of all.
  Tensor over_replicas(const Tensor& sum) const;

  /// `values` [batch, ...] with 0 in the padding rows, whatever stood there (NaN too).
  Tensor zero_padding(const Tensor& values) const;
};

/// `values` times `weight`, and 0 where the weight is 0, whatever the value is (NaN and infinity too).
Tensor weighted_values(const Tensor& values, const Tensor& weight);

/// How values of a batch count in a loss or metric.
struct SampleWeights {
  Tensor sample_weight = {};  // [batch] or broadcastable to the values; undefined: 1
  RowMask rows = {};
};

/// Weights as a literal list; none for an empty one.
SampleWeights literal_weights(std::initializer_list<double> sample_weight);

}  // namespace cornu::inline v0::keras
