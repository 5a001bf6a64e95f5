#pragma once

#include <cstdint>
#include <optional>

namespace cornu::inline v0::data {

inline constexpr std::int64_t kInfiniteCardinality = -1;
inline constexpr std::int64_t kUnknownCardinality = -2;

/// Number of parallel calls, or of buffered elements, that is tuned by measurement within the memory budget.
inline constexpr std::int64_t kAutotune = -1;

/// Options of a whole pipeline; those that are not set are left as they are.
struct Options {
  /// Whether stages that work in parallel keep the order of their elements. True by default.
  std::optional<bool> deterministic = {};
  /// The most threads that a stage works with; by default the process's CPU budget.
  std::optional<std::int64_t> num_threads = {};
  /// The most memory that elements which wait in the buffers of `prefetch`, `map` and `interleave` may
  /// take together; each buffer may hold one element all the same. What `shuffle` and `cache` hold counts
  /// too: they are as large as they are told to be, and leave the others less. Batches do not count.
  /// Default: an eighth of the machine's memory.
  std::optional<std::int64_t> memory_budget_bytes = {};
};

}  // namespace cornu::inline v0::data
