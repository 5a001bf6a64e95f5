#pragma once

#include <cstdint>
#include <memory>

namespace cornu::inline v0 {

/// The process's CPU budget: the affinity mask, cut down to the cgroup's CPU quota (rounded up), at least 1.
int default_num_threads();

/// Is told what the threads of a pool did; see ThreadPool::watch.
class LoopObserver {
 public:
  /// A thread of the pool (from 1; the caller of parallel_for is not one) worked on a loop from `begin` to
  /// `end` by read_ticks(). Called on that thread.
  virtual void on_loop_part(int thread, std::int64_t begin, std::int64_t end) noexcept = 0;

 protected:
  ~LoopObserver() = default;
};

/// A fixed team of threads that run slices of one parallel loop at a time.
///
/// The results of a loop never depend on the number of threads: which slices there are is the caller's
/// choice, made from shapes. Workers spin for some microseconds after a loop before they sleep, because loops
/// of one step follow each other closely; a team larger than default_num_threads() never spins, because its
/// threads would take the cores from each other.
/// Threads: parallel_for may be called from several threads; a loop that finds the team busy runs on its
/// caller alone. The team's threads take no signals and do not keep the process alive (see service_thread.h).
class ThreadPool {
 public:
  using Body = void (*)(void* context, std::int64_t slice);

  /// `num_threads` counts the caller of parallel_for: 1 (and anything below) starts no thread.
  /// Errors: ResourceExhausted when the system refuses a thread.
  explicit ThreadPool(int num_threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int num_threads() const;

  /// Runs body(context, 0 .. num_slices - 1), each once, in any order, the caller helping; returns when all
  /// are done, and everything that the slices wrote is then visible to the caller. Slices are handed out in
  /// rising order. Allocates nothing.
  ///
  /// `body` must not throw. A nested call runs on its caller alone.
  void parallel_for(std::int64_t num_slices, Body body, void* context) noexcept;

  /// From the next loop on `observer` is told of every thread's part; false, and nothing changes, while
  /// another one is. Waits for a loop that runs.
  bool watch(LoopObserver& observer);
  /// The observer is told nothing any more, and may go.
  void unwatch();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cornu::inline v0
