#pragma once

#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// A data set, or a range of tensors: what layers adapt to, batch by batch.
template <typename T>
concept BatchRange = !std::is_convertible_v<const T&, Tensor> && requires(const T& batches) {
  batches.begin();
  batches.end();
};

/// The x of a batch: a tensor, a data set's element, or the first part of its
/// tuple.
template <typename T>
Tensor batch_tensor(const T& batch) {
  if constexpr (requires { batch.is_structure(); })
    return batch.is_structure() ? batch[0].tensor() : batch.tensor();
  else
    return batch;
}

}  // namespace cornu::inline v0::keras
