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

/// Predictions in a dtype that a loss or metric can compute in: floats stay, integers and booleans become
/// f32, so that no difference wraps around.
Tensor float_predictions(const Tensor& y_pred);

/// Labels as class ids in i32. An integer outside [0, num_classes) becomes one outside, also where i32 does
/// not hold it; floats are truncated.
Tensor class_ids(const Tensor& labels, std::int64_t num_classes);

}  // namespace cornu::inline v0::keras
