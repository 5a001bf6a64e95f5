#pragma once

#include <cstdint>

#include "cornu/tensor/value/tensor.h"

namespace cornu::inline v0::cli {

/// The shape of `batch` rows.
inline Dims with_batch(Dims row, std::int64_t batch) {
  row.insert(row.begin(), batch);
  return row;
}

}  // namespace cornu::inline v0::cli
