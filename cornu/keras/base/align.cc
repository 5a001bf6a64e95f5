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

Tensor float_predictions(const Tensor& y_pred) {
  return ir::is_float(y_pred.dtype()) ? y_pred : ops::cast(y_pred, DType::kF32);
}

Tensor class_ids(const Tensor& labels, std::int64_t num_classes) {
  const DType dtype = labels.dtype();
  Tensor ids = labels;
  if (ir::is_integer(dtype) && (ir::bit_width(dtype) > 32 || dtype == DType::kU32)) {
    ids = ops::minimum(ids, Tensor(ir::Literal::scalar(dtype, static_cast<double>(num_classes))));
    if (ir::is_signed_integer(dtype)) ids = ops::maximum(ids, Tensor(ir::Literal::scalar(dtype, -1)));
  }
  return ops::cast(ids, DType::kI32);
}

}  // namespace cornu::inline v0::keras
