#include "cornu/keras/base/align.h"

#include <algorithm>
#include <utility>

#include "cornu/keras/base/shapes.h"
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

bool is_column_of_labels(const Dims& labels, const Dims& outputs) {
  const auto fits = [](std::int64_t x, std::int64_t y) { return x == y || x == kUnknown || y == kUnknown; };
  return labels.size() == 1 && outputs.size() == 2 && outputs[1] > 1 && fits(labels[0], outputs[0]);
}

AlignedPair align_labels(Tensor y_true, Tensor y_pred) {
  if (is_column_of_labels(y_true.shape(), y_pred.shape())) return {ops::expand_dims(y_true, 1), y_pred};
  return align_ranks(std::move(y_true), std::move(y_pred));
}

Tensor counted_labels(const Tensor& labels, const Tensor& weight, double substitute) {
  Tensor counts = ops::not_equal(weight, 0);
  while (counts.rank() > labels.rank() && counts.shape().back() == 1) counts = ops::squeeze(counts, -1);
  while (counts.rank() < labels.rank()) counts = ops::expand_dims(counts, -1);
  const auto fits = [](std::int64_t x, std::int64_t y) { return x == y || x == 1; };
  const Dims &from = counts.shape(), &to = labels.shape();
  if (from.size() != to.size() || !std::equal(from.begin(), from.end(), to.begin(), fits)) return labels;
  return ops::where(counts, labels, Tensor(ir::Literal::scalar(labels.dtype(), substitute)));
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
