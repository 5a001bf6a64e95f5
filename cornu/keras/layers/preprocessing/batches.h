#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "cornu/data/element.h"
#include "cornu/tensor/tensor.h"

namespace cornu::inline v0::keras {

/// A data set, or a range of tensors, to which layers adapt batch by batch.
template <typename T>
concept BatchIterable = !std::is_convertible_v<const T&, Tensor> && requires(const T& batches) {
  batches.begin();
  batches.end();
};

/// The x of a batch: a tensor, a data set's element, or the first part of its tuple.
template <typename T>
Tensor batch_tensor(const T& batch) {
  if constexpr (requires { batch.is_structure(); })
    return batch.is_structure() ? batch[0].tensor() : batch.tensor();
  else
    return batch;
}

struct AdaptOptions {  // options/layers.toml
  /// Number of batches that are read, for data sets without end; unset: all.
  std::optional<std::int64_t> steps = {};
};

/// A data set, or a range of strings, ragged rows or tensors.
template <typename T>
concept ElementRange = !std::is_convertible_v<const T&, data::Element> && requires(const T& batches) {
  data::Element(*batches.begin());
  batches.end();
};

/// Calls `see` with the x of each batch.
template <typename Batches, typename See>
void for_each_batch(const Batches& batches, const AdaptOptions& options, See&& see) {
  std::int64_t left = options.steps.value_or(-1);
  if (left == 0) return;
  for (const auto& batch : batches) {
    const data::Element& element = batch;  // made here for an array
    see(element.is_structure() ? element[0] : element);
    if (--left == 0) return;
  }
}

}  // namespace cornu::inline v0::keras
