#include "cornu/keras/base/align.h"

#include "cornu/tensor/ops.h"

namespace cornu::inline v0::keras {

AlignedPair align_ranks(Tensor y_true, Tensor y_pred) {
  const auto align = [](Tensor& longer, Tensor& shorter) {
    if (longer.rank() != shorter.rank() + 1 || longer.shape().back() != 1) return;
    if (shorter.rank() == 1) {
      shorter = ops::expand_dims(shorter, -1);
    } else {
      longer = ops::squeeze(longer, -1);
    }
  };
  align(y_true, y_pred);
  align(y_pred, y_true);
  return {y_true, y_pred};
}

}  // namespace cornu::inline v0::keras
