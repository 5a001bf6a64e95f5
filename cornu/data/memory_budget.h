#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cornu::inline v0::data {

/// Limit and current total of the bytes of elements that wait in the buffers of one pipeline.
/// Threads: safe.
class MemoryBudget {
 public:
  /// The default budget: an eighth of the machine's memory.
  MemoryBudget();
  explicit MemoryBudget(std::int64_t limit_bytes) : limit_bytes_(limit_bytes) {}

  void add(std::size_t size_bytes) { held_bytes_ += static_cast<std::int64_t>(size_bytes); }
  void remove(std::size_t size_bytes) { held_bytes_ -= static_cast<std::int64_t>(size_bytes); }
  bool has_room() const { return held_bytes_.load() < limit_bytes_; }
  std::int64_t held_bytes() const { return held_bytes_.load(); }

 private:
  std::int64_t limit_bytes_;
  std::atomic<std::int64_t> held_bytes_{0};
};

}  // namespace cornu::inline v0::data
