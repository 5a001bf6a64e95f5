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

/// What the stages of an iteration did: their elements, bytes and times.
/// Threads: safe.
class Profile {
 public:
  struct Row {
    const Stage* stage = nullptr;
    std::atomic<std::int64_t> num_items = 0;
    std::atomic<std::int64_t> size_bytes = 0;
    std::atomic<std::int64_t> ticks = 0;    // inside it and what it reads from, on its caller's thread
    std::atomic<std::int64_t> threads = 0;  // of its own
    std::atomic<std::int64_t> queue = 0;    // the most elements that waited in it
  };

  Row& row(const Stage& stage);
  /// The stage that took most of the time by itself.
  const Stage& slowest(const Stage& last);
  /// A table with a row for each stage, sources last: elements and bytes a second, the time that it took by
  /// itself, threads and queue.
  std::string report(const Stage& last, double seconds);

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Row>> rows_;
};

}  // namespace cornu::inline v0::data
