#pragma once

#include <cstdint>

#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// Labels and predictions of one rank.
struct AlignedPair {
  Tensor y_true;
  Tensor y_pred;
};

/// Aligns the ranks as Keras does: if they differ by one, a last extent of 1 is dropped, or added to a
/// vector.
AlignedPair align_ranks(Tensor y_true, Tensor y_pred);

/// True if labels of shape (N,) apply to all n columns of outputs of shape (N, n), n > 1, as in Keras 2.
bool is_column_of_labels(const Dims& labels, const Dims& outputs);
/// The same as align_ranks, except that labels of is_column_of_labels become (N, 1).
AlignedPair align_labels(Tensor y_true, Tensor y_pred);

/// The labels, with `substitute` where `weight` is 0. The axes of `weight` are the first axes of the labels,
/// followed by any number of axes of extent 1. Labels to which `weight` does not broadcast are returned
/// unchanged.
Tensor counted_labels(const Tensor& labels, const Tensor& weight, double substitute);

/// Predictions in a dtype in which losses and metrics compute: floats stay, integers and booleans become f32,
/// so that differences do not wrap around.
Tensor float_predictions(const Tensor& y_pred);

/// The labels as class ids in i32. Integers outside [0, num_classes) stay outside it, also if i32 cannot
/// represent them; floats are truncated.
Tensor class_ids(const Tensor& labels, std::int64_t num_classes);

}  // namespace cornu::inline v0::keras
