#pragma once

#include <cstdint>

#include "cornu/base/cpu_info.h"

namespace cornu::inline v0::backends::cpu {

/// The largest extents of matrices that small_svds takes.
inline constexpr std::int64_t kSmallSvdColumns = 32, kSmallSvdRows = 64;

/// Up to num_register_lanes (vectors.h) row-major matrices [rows, columns] with rows >= columns, and their decompositions:
/// a = u diag(s) vh with u [rows, columns], s in descending order, vh [columns, columns].
template <typename T>
struct SmallSvds {
  std::int64_t rows = 0, columns = 0, count = 0;
  bool is_transposed = false;  // the matrices and u and vh are in memory as their transposes, vh before u
  const T* a = nullptr;
  T *u = nullptr, *s = nullptr, *vh = nullptr;  // u and vh may be null
  /// Elements of work space: small_svd_work of them.
  T* work = nullptr;
};
std::int64_t small_svd_work(std::int64_t rows, std::int64_t columns);

/// Uses Jacobi's rotations of columns. Returns the set of matrices, a bit each, without a result: these have an element
/// that is not finite, singular values that vanish beside the largest, or no convergence.
std::uint32_t small_svds(IsaLevel level, const SmallSvds<float>& matrices);
std::uint32_t small_svds(IsaLevel level, const SmallSvds<double>& matrices);

}  // namespace cornu::inline v0::backends::cpu
