#pragma once

#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// Labels and predictions of one rank.
struct AlignedPair {
  Tensor y_true;
  Tensor y_pred;
};

/// Where the ranks differ by one, a last extent of 1 is dropped, or added beside a vector, as Keras does.
AlignedPair align_ranks(Tensor y_true, Tensor y_pred);

}  // namespace cornu::inline v0::keras
