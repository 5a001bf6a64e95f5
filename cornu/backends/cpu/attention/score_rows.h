#pragma once

#include <cstdint>

#include "cornu/base/cpu_info.h"

/// Elementwise operations on a row of scores: one query times a block of keys. Float32. Rows have room for
/// whole lines of sixteen numbers; what stands after their keys may change.
namespace cornu::inline v0::backends::cpu::attention {

/// The keys that a query may see, and the factor of its products.
struct ScoreRow {
  std::int64_t num_keys = 0;
  std::int64_t num_earlier = 0;     // later keys, from this one on, are not seen
  const std::byte* seen = nullptr;  // nonzero where the mask is true; null: everywhere
  float scale = 1;
  float masked = 0;  // score of keys that are not seen
};

/// The functions of one instruction set level. Sums and maxima are computed in sixteen lanes at any level.
struct RowFunctions {
  /// The maximum of `before` and of the scores: products times the factor, or the masked score if a key is not
  /// seen. Replaces products by scores where the row has a mask.
  float (*largest)(const ScoreRow& row, float before, float* products) = nullptr;
  /// Replaces products, or the scores of a row with a mask, by exp(score - largest); returns the sum.
  float (*exponentials)(const ScoreRow& row, float largest, float* products) = nullptr;
  /// Replaces products by weights: exp(score - largest) * factor.
  void (*weights)(const ScoreRow& row, float largest, float factor, float* products) = nullptr;
  /// Replaces the weights' gradient by the products': weight * (d - mean) * scale, 0 if a key is not seen.
  void (*product_gradients)(const ScoreRow& row, const float* weights, float mean, float* d) = nullptr;
  /// x *= factor
  void (*multiply)(std::int64_t n, float factor, float* x) = nullptr;
  float (*dot)(std::int64_t n, const float* x, const float* y) = nullptr;
};

namespace sse2 {
extern const RowFunctions kRows;
}
namespace avx2 {
extern const RowFunctions kRows;
}
namespace avx512 {
extern const RowFunctions kRows;
}

/// avx2 and avx512 give the same bits.
inline const RowFunctions& row_functions(IsaLevel level) {
  switch (level) {
    case IsaLevel::kSse2: return sse2::kRows;
    case IsaLevel::kAvx2: return avx2::kRows;
    case IsaLevel::kAvx512: break;
  }
  return avx512::kRows;
}

}  // namespace cornu::inline v0::backends::cpu::attention
