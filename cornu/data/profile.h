#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cornu/base/tick_clock.h"
#include "cornu/data/stage.h"

namespace cornu::inline v0::data {

/// Statistics of an iteration's stages: elements, bytes and times.
/// Threads: safe.
class Profile {
 public:
  struct Row {
    const Stage* stage = nullptr;
    std::atomic<std::int64_t> num_items = 0;
    std::atomic<std::int64_t> size_bytes = 0;
    std::atomic<std::int64_t> ticks = 0;    // in the stage and its inputs, on the calling thread
    std::atomic<std::int64_t> threads = 0;  // the stage's own threads
    std::atomic<std::int64_t> queue = 0;    // the largest number of buffered elements
  };

  Row& row(const Stage& stage);
  /// The stage with the largest time of its own.
  const Stage& slowest(const Stage& last);
  /// A table with a row for each stage, sources last: elements and bytes a second, own time, threads and
  /// queue.
  std::string report(const Stage& last, double seconds);

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Row>> rows_;
};

}  // namespace cornu::inline v0::data
