#pragma once

#include <cstdint>

#include "cornu/base/cpu_info.h"

/// What happens element by element to a row of scores: one query against a block of keys. Float32.
namespace cornu::inline v0::backends::cpu::attention {

/// Which keys a query may see, and what its products are multiplied by.
struct ScoreRow {
  std::int64_t num_keys = 0;
  std::int64_t num_earlier = 0;     // keys from there on are later ones, which are not seen
  const std::byte* seen = nullptr;  // not 0 where the mask says yes; null: everywhere
  float scale = 1;
};

/// The functions of one instruction set level. Sums and largest values go over sixteen lanes,
/// whatever the level.
struct RowFunctions {
  /// Products become scores: multiplied, or the lowest score where a key is not seen. Returns the largest
  /// of them and of `largest`.
  float (*scores)(const ScoreRow& row, float largest, float* products) = nullptr;
  /// x = exp(x - largest); returns the sum.
  float (*exponentials)(std::int64_t n, float largest, float* x) = nullptr;
  /// Products become weights: exp(score - largest) * factor.
  void (*weights)(const ScoreRow& row, float largest, float factor, float* products) = nullptr;
  /// The weights' gradient becomes the products': weight * (d - mean) * scale, 0 where a key is not seen.
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

/// The bits of avx2 and avx512 are the same.
inline const RowFunctions& row_functions(IsaLevel level) {
  switch (level) {
    case IsaLevel::kSse2: return sse2::kRows;
    case IsaLevel::kAvx2: return avx2::kRows;
    case IsaLevel::kAvx512: break;
  }
  return avx512::kRows;
}

}  // namespace cornu::inline v0::backends::cpu::attention
