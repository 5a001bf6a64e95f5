#pragma once

#include <cstdint>

#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// Labels and predictions of one rank.
struct AlignedPair {
  Tensor y_true;
  Tensor y_pred;
};

/// Where the ranks differ by one, a last extent of 1 is dropped, or added beside a vector, as Keras does.
AlignedPair align_ranks(Tensor y_true, Tensor y_pred);

/// True if labels of shape (N,) beside outputs of shape (N, n), n > 1, are one value for all n, as in
/// Keras 2.
bool is_column_of_labels(const Dims& labels, const Dims& outputs);
/// As align_ranks; such labels become (N, 1).
AlignedPair align_labels(Tensor y_true, Tensor y_pred);

/// Labels with `substitute` where `weight` is 0. The axes of `weight` are the first axes of the labels, after
/// which it may have others of extent 1. The labels stay as they are where it does not broadcast to them.
Tensor counted_labels(const Tensor& labels, const Tensor& weight, double substitute);

/// Predictions in a dtype that a loss or metric can compute in: floats stay, integers and booleans become
/// f32, so that no difference wraps around.
Tensor float_predictions(const Tensor& y_pred);

/// Labels as class ids in i32. An integer outside [0, num_classes) becomes one outside, also where i32 does
/// not hold it; floats are truncated.
Tensor class_ids(const Tensor& labels, std::int64_t num_classes);

}  // namespace cornu::inline v0::keras
