#include "cornu/backends/cpu/collectives/row_loops.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <cstring>

#include "cornu/base/elements_apart.h"

namespace cornu::inline v0::backends::cpu {
namespace {

// ids

/// Without a branch, which could not be predicted.
template <typename Id>
bool is_inside(Id id, const RowRange& range) {
  return static_cast<std::uint64_t>(id - range.first) < static_cast<std::uint64_t>(range.count);
}

template <typename Id>
std::size_t list_each(std::span<const Id> ids, const RowRange& range, std::int32_t* positions) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    positions[found] = static_cast<std::int32_t>(i);
    found += is_inside(ids[i], range) ? 1 : 0;
  }
  return found;
}

template <typename Id>
std::size_t count_each(std::span<const Id> ids, const RowRange& range) {
  std::size_t found = 0;
  for (const Id id : ids) found += is_inside(id, range) ? 1 : 0;
  return found;
}

#if defined(__x86_64__)
#define CORNU_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,popcnt")))

constexpr std::size_t kLanes = 16;

/// The set of the ids of the vector at `i` that are in the range.
CORNU_TARGET inline __mmask16 inside_of_vector(std::span<const std::int32_t> ids, std::size_t i,
                                               __m512i first, __m512i count) {
  const std::size_t rest = ids.size() - i;
  const auto is_there = static_cast<__mmask16>(rest >= kLanes ? 0xFFFFU : (1U << rest) - 1);
  const __m512i at = _mm512_sub_epi32(_mm512_maskz_loadu_epi32(is_there, ids.data() + i), first);
  return _mm512_mask_cmplt_epu32_mask(is_there, at, count);
}

CORNU_TARGET std::size_t list_vectors(std::span<const std::int32_t> ids, const RowRange& range,
                                      std::int32_t* positions) {
  const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                first = _mm512_set1_epi32(static_cast<std::int32_t>(range.first)),
                count = _mm512_set1_epi32(static_cast<std::int32_t>(range.count));
  std::size_t found = 0;
  for (std::size_t i = 0; i < ids.size(); i += kLanes) {
    const __mmask16 inside = inside_of_vector(ids, i, first, count);
    const __m512i numbers = _mm512_add_epi32(lanes, _mm512_set1_epi32(static_cast<std::int32_t>(i)));
    // In a register first: a store of selected lanes is slow on AMD's processors.
    _mm512_storeu_si512(positions + found, _mm512_maskz_compress_epi32(inside, numbers));
    found += static_cast<std::size_t>(__builtin_popcount(inside));
  }
  return found;
}

CORNU_TARGET std::size_t count_vectors(std::span<const std::int32_t> ids, const RowRange& range) {
  const __m512i first = _mm512_set1_epi32(static_cast<std::int32_t>(range.first)),
                count = _mm512_set1_epi32(static_cast<std::int32_t>(range.count));
  std::size_t found = 0;
  for (std::size_t i = 0; i < ids.size(); i += kLanes)
    found += static_cast<std::size_t>(__builtin_popcount(inside_of_vector(ids, i, first, count)));
  return found;
}
#undef CORNU_TARGET
#endif

// rows

/// Adds to a row, or writes it.
template <typename T>
[[gnu::always_inline]] inline void put(const T* from, std::size_t count, bool is_new, T* to) {
  if (is_new) {
    std::memcpy(to, from, count * sizeof(T));
    return;
  }
  CORNU_NO_ALIASING
  for (std::size_t c = 0; c < count; ++c) to[c] += from[c];
}

template <typename T>
[[gnu::always_inline]] inline void put_gradients(const LinkedGradients& gradients, std::size_t column,
                                                 std::span<const std::int32_t> positions,
                                                 const std::int32_t* places, const RowSums<T>& sums) {
  const std::size_t count = sums.count;
  for (std::size_t k = 0; k < positions.size(); ++k) {
    const bool is_new = places[k] < 0;
    T* const row = sums.rows + static_cast<std::size_t>(is_new ? ~places[k] : places[k]) * count;
    std::int32_t i = gradients.heads[positions[k]];
    if (i < 0) {
      if (is_new) std::fill_n(row, count, T{0});
      continue;
    }
    const T* from = reinterpret_cast<const T*>(gradients.row(i, column));
    i = gradients.next[i];
    // A sum from zero on: -0 becomes 0.
    if (i < 0 && !is_new) {
      CORNU_NO_ALIASING
      for (std::size_t c = 0; c < count; ++c) row[c] += from[c] + T{0};
      continue;
    }
    T* const to = is_new ? row : sums.spare;
    CORNU_NO_ALIASING
    for (std::size_t c = 0; c < count; ++c) to[c] = from[c] + T{0};
    for (; i >= 0; i = gradients.next[i]) {
      from = reinterpret_cast<const T*>(gradients.row(i, column));
      CORNU_NO_ALIASING
      for (std::size_t c = 0; c < count; ++c) to[c] += from[c];
    }
    if (!is_new) put(to, count, false, row);
  }
}

template <typename T>
[[gnu::always_inline]] inline void put_rows(const T* rows, std::span<const std::int32_t> places,
                                            const RowSums<T>& sums) {
  for (const std::int32_t place : places) {
    const bool is_new = place < 0;
    put(rows, sums.count, is_new, sums.rows + static_cast<std::size_t>(is_new ? ~place : place) * sums.count);
    rows += sums.count;
  }
}

#if defined(__x86_64__)
#define CORNU_AVX2 __attribute__((target("avx2")))
#ifdef __clang__  // Clang accepts a vector width only as a command line option
#define CORNU_AVX512 __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl")))
#else
#define CORNU_AVX512 __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,prefer-vector-width=512")))
#endif
template <typename T>
CORNU_AVX2 void put_gradients_avx2(const LinkedGradients& gradients, std::size_t column,
                                   std::span<const std::int32_t> positions, const std::int32_t* places,
                                   const RowSums<T>& sums) {
  put_gradients(gradients, column, positions, places, sums);
}
template <typename T>
CORNU_AVX512 void put_gradients_avx512(const LinkedGradients& gradients, std::size_t column,
                                       std::span<const std::int32_t> positions, const std::int32_t* places,
                                       const RowSums<T>& sums) {
  put_gradients(gradients, column, positions, places, sums);
}
template <typename T>
CORNU_AVX2 void put_rows_avx2(const T* rows, std::span<const std::int32_t> places, const RowSums<T>& sums) {
  put_rows(rows, places, sums);
}
template <typename T>
CORNU_AVX512 void put_rows_avx512(const T* rows, std::span<const std::int32_t> places,
                                  const RowSums<T>& sums) {
  put_rows(rows, places, sums);
}
#undef CORNU_AVX2
#undef CORNU_AVX512
#endif

}  // namespace

std::size_t list_positions([[maybe_unused]] IsaLevel level, std::span<const std::int32_t> ids,
                           const RowRange& range, std::int32_t* positions) {
#if defined(__x86_64__)
  if (level == IsaLevel::kAvx512) return list_vectors(ids, range, positions);
#endif
  return list_each(ids, range, positions);
}
std::size_t list_positions(IsaLevel, std::span<const std::int64_t> ids, const RowRange& range,
                           std::int32_t* positions) {
  return list_each(ids, range, positions);
}

std::size_t count_ids([[maybe_unused]] IsaLevel level, std::span<const std::int32_t> ids,
                      const RowRange& range) {
#if defined(__x86_64__)
  if (level == IsaLevel::kAvx512) return count_vectors(ids, range);
#endif
  return count_each(ids, range);
}
std::size_t count_ids(IsaLevel, std::span<const std::int64_t> ids, const RowRange& range) {
  return count_each(ids, range);
}

template <typename T>
void add_gradients([[maybe_unused]] IsaLevel level, const LinkedGradients& gradients, std::size_t column,
                   std::span<const std::int32_t> positions, const std::int32_t* places,
                   const RowSums<T>& sums) {
#if defined(__x86_64__)
  if (level == IsaLevel::kAvx512) return put_gradients_avx512(gradients, column, positions, places, sums);
  if (level == IsaLevel::kAvx2) return put_gradients_avx2(gradients, column, positions, places, sums);
#endif
  put_gradients(gradients, column, positions, places, sums);
}

template <typename T>
void add_rows([[maybe_unused]] IsaLevel level, const T* rows, std::span<const std::int32_t> places,
              const RowSums<T>& sums) {
#if defined(__x86_64__)
  if (level == IsaLevel::kAvx512) return put_rows_avx512(rows, places, sums);
  if (level == IsaLevel::kAvx2) return put_rows_avx2(rows, places, sums);
#endif
  put_rows(rows, places, sums);
}

template void add_gradients(IsaLevel, const LinkedGradients&, std::size_t, std::span<const std::int32_t>,
                            const std::int32_t*, const RowSums<float>&);
template void add_gradients(IsaLevel, const LinkedGradients&, std::size_t, std::span<const std::int32_t>,
                            const std::int32_t*, const RowSums<double>&);
template void add_rows(IsaLevel, const float*, std::span<const std::int32_t>, const RowSums<float>&);
template void add_rows(IsaLevel, const double*, std::span<const std::int32_t>, const RowSums<double>&);

}  // namespace cornu::inline v0::backends::cpu
