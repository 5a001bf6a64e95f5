#pragma once

#include <cstdint>
#include <vector>

#include "cornu/ir/dtype.h"
#include "cornu/ops/resize/resize.h"

namespace cornu::inline v0::ops {

/// Elements of a line whose weighted sum is one element of the interpolated line: element i of the result is the
/// sum over k of shares[i * count + k] * line[places[i * count + k]].
struct Taps {
  std::int64_t count = 0;  // for each element of the result
  std::vector<std::int32_t> places;
  std::vector<double> shares;

  bool has_shares() const { return !shares.empty(); }  // false: one tap each, of weight 1
  std::int64_t num_results() const { return static_cast<std::int64_t>(places.size()) / count; }
};

/// The taps along an axis of a resize from an extent to another one. `dtype`, f32 or f64, is the one in which positions
/// and shares are computed; positions of "nearest" are always computed in f32, as in Keras.
Taps resize_taps(const ResizeForm& form, std::int64_t from, std::int64_t to, ir::DType dtype);

}  // namespace cornu::inline v0::ops
