#pragma once

#include <atomic>
#include <thread>

namespace cornu::inline v0 {

/// A lock of one byte for critical sections of a few instructions. Not recursive.
/// Threads: safe.
class SpinLock {
 public:
  void lock() {
    while (flag_.test_and_set(std::memory_order_acquire))
      while (flag_.test(std::memory_order_relaxed)) std::this_thread::yield();
  }
  void unlock() { flag_.clear(std::memory_order_release); }

 private:
  std::atomic_flag flag_;
};

}  // namespace cornu::inline v0
