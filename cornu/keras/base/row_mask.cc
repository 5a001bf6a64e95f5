#include "cornu/keras/base/row_mask.h"

#include "cornu/base/check.h"
#include "cornu/tensor/ops.h"
#include "cornu/tensor/trace/replicas.h"

namespace cornu::inline v0::keras {

RowMask RowMask::first_rows(const Tensor& valid_rows, std::int64_t batch) {
  return {.valid = ops::less(ops::arange(batch), valid_rows),
          .num_valid = ops::cast(valid_rows, DType::kF32)};
}

SampleWeights literal_weights(std::initializer_list<double> sample_weight) {
  if (sample_weight.size() == 0) return {};
  return {.sample_weight = std::vector<float>(sample_weight.begin(), sample_weight.end())};
}

Tensor weighted_values(const Tensor& values, const Tensor& weight) {
  return ops::where(ops::not_equal(weight, 0), values * weight, 0);
}

Tensor RowMask::over_replicas(const Tensor& sum) const {
  return num_valid_of_all.defined() ? detail::all_reduce(sum, detail::ReplicaReduction::kSum) : sum;
}

void RowMask::require_exact(const std::string& reason) const {
  if (!defined()) return;
  if (exact_because == nullptr)
    fail(ErrorCode::kUnimplemented, "{}, in which padding rows cannot be left out", reason);
  if (exact_because->empty()) *exact_because = reason;
}

Tensor RowMask::zero_padding(const Tensor& values) const {
  if (!defined()) return values;
  Dims dims(static_cast<std::size_t>(values.rank()), 1);
  dims[0] = valid.shape()[0];
  return ops::where(ops::reshape(valid, dims), values, 0);
}

}  // namespace cornu::inline v0::keras
