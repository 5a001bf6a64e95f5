#pragma once

#include <cstdint>
#include <type_traits>

#include "cornu/base/cpu_info.h"

/// Inner loops of the gradient of max pooling, one version for each instruction set level.
namespace cornu::inline v0::backends::cpu {

/// Integers wrap around.
template <typename T>
inline T wrapping_sum(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  else
    return a + b;
}

namespace lanes_sse2 {
#define CORNU_TARGET
#include "cornu/backends/cpu/select_and_scatter/lanes_level.inc"
#undef CORNU_TARGET
}  // namespace lanes_sse2

namespace lanes_avx2 {
#define CORNU_TARGET __attribute__((target("avx2")))
#include "cornu/backends/cpu/select_and_scatter/lanes_level.inc"
#undef CORNU_TARGET
}  // namespace lanes_avx2

namespace lanes_avx512 {
#ifdef __clang__  // Clang accepts a vector width only as a command line option
#define CORNU_TARGET __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl")))
#else
#define CORNU_TARGET __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,prefer-vector-width=512")))
#endif
#include "cornu/backends/cpu/select_and_scatter/lanes_level.inc"
#undef CORNU_TARGET
}  // namespace lanes_avx512

template <typename T>
struct LaneLoops {
  void (*keep)(std::int64_t lanes, const T* x, std::int32_t tap, T* kept, std::int32_t* at) = nullptr;
  void (*add_selected)(std::int64_t lanes, const T* source, const std::int32_t* at, std::int32_t tap,
                       T* sums) = nullptr;
};

/// `greater`: selects by >=, else by <=.
template <typename T, bool greater>
LaneLoops<T> lane_loops(IsaLevel level) {
  switch (level) {
    case IsaLevel::kSse2: break;
    case IsaLevel::kAvx2: return {lanes_avx2::keep<T, greater>, lanes_avx2::add_selected<T>};
    case IsaLevel::kAvx512: return {lanes_avx512::keep<T, greater>, lanes_avx512::add_selected<T>};
  }
  return {lanes_sse2::keep<T, greater>, lanes_sse2::add_selected<T>};
}

}  // namespace cornu::inline v0::backends::cpu
