#pragma once

#include <cstdint>
#include <memory>

namespace cornu::inline v0 {

/// The process's CPU budget: the size of the affinity mask, limited by the cgroup's CPU quota (rounded up),
/// at least 1.
int default_num_threads();

/// Receives the work of a pool's threads; see ThreadPool::watch.
class LoopObserver {
 public:
  /// Reports that a thread of the pool (from 1; the caller of parallel_for is excluded) worked on a loop from
  /// `begin` to `end` by read_ticks(). Called on that thread.
  virtual void on_loop_part(int thread, std::int64_t begin, std::int64_t end) noexcept = 0;

 protected:
  ~LoopObserver() = default;
};

/// A fixed team of threads that run slices of one parallel loop at a time.
///
/// The results of a loop never depend on the number of threads: the caller chooses the slices, by shapes
/// alone. Workers spin for some microseconds after a loop before they sleep, because loops of one step follow
/// each other closely. A team larger than default_num_threads() never spins, because its threads compete for
/// the cores.
/// Threads: parallel_for may be called from several threads; a loop that finds the team busy runs on its
///          caller alone. The team's threads take no signals and do not keep the process alive (see
///          service_thread.h).
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

  /// Runs body(context, 0 .. num_slices - 1), each once, in any order, also on the calling thread. Returns
  /// when all are done; writes of the slices are then visible to the caller. Slices are handed out in
  /// ascending order. Allocates nothing.
  ///
  /// `body` must not throw. A nested call runs on its caller alone.
  void parallel_for(std::int64_t num_slices, Body body, void* context) noexcept;

  /// Installs `observer` from the next loop on; returns false if one is already installed. Waits for a
  /// running loop.
  bool watch(LoopObserver& observer);
  /// Removes the observer, which may then be destroyed.
  void unwatch();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cornu::inline v0
