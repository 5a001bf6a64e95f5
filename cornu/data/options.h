#pragma once

#include <cstdint>
#include <optional>

namespace cornu::inline v0::data {

inline constexpr std::int64_t kInfiniteCardinality = -1;
inline constexpr std::int64_t kUnknownCardinality = -2;

/// Number of parallel calls, or of buffered elements, that is tuned by measurement within the memory budget.
inline constexpr std::int64_t kAutotune = -1;

/// Options of a whole pipeline; those that are not set are left as they are.
struct Options {  // options/data.toml
  /// True: stages that work in parallel keep the order of their elements; false: elements come when they are
  /// ready. Unset: true.
  std::optional<bool> deterministic = {};
  /// Upper bound of the threads of a stage; unset: the process's CPU budget.
  std::optional<std::int64_t> num_threads = {};
  /// Upper bound of the memory in bytes of elements that wait in the buffers of prefetch, map and interleave,
  /// all together; each buffer may hold one element in any case. Elements in the buffers of shuffle and cache
  /// count too, but their number is not reduced; batches do not count. Unset: an eighth of the machine's
  /// memory.
  std::optional<std::int64_t> memory_budget_bytes = {};
};

}  // namespace cornu::inline v0::data
