#include "cornu/base/thread_pool.h"

#include <immintrin.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <system_error>
#include <thread>
#include <vector>

#include "cornu/base/check.h"
#include "cornu/base/float_environment.h"
#include "cornu/base/service_thread.h"
#include "cornu/base/tick_clock.h"

namespace cornu::inline v0 {
namespace {

using Clock = std::chrono::steady_clock;

// Longer than the serial part between two loops of a step, shorter than any noticeable time.
constexpr std::chrono::microseconds kSpinTime{50};
constexpr int kPausesPerClockRead = 16;

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected) {
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAIT_PRIVATE, expected, nullptr, nullptr,
          0);
}

void futex_wake(std::atomic<std::uint32_t>& word, int count) {
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

// Spins until done() or the timeout; returns the last done().
template <typename Done>
bool spin_until(bool may_spin, Done done) {
  if (done()) return true;
  if (!may_spin) return false;
  const Clock::time_point end = Clock::now() + kSpinTime;
  do {
    for (int i = 0; i < kPausesPerClockRead; ++i) {
      _mm_pause();
      if (done()) return true;
    }
  } while (Clock::now() < end);
  return false;
}

}  // namespace

// A loop is open while `generation` is odd. A worker enters by incrementing `inside` and then reading
// `generation` again; the caller closes the loop by making `generation` even and then reads `inside`. Both
// orders are sequentially consistent, so either the worker sees that the loop is closed and leaves without
// touching it, or the caller sees the worker and waits for it. So the loop's description is never written
// while it is read.
struct ThreadPool::State {
  // Written by the caller, polled by the workers: one cache line holds everything that a worker needs to
  // begin.
  alignas(64) std::atomic<std::uint32_t> generation{0};
  std::atomic<bool> stop{false};
  std::int64_t num_slices = 0;
  Body body = nullptr;
  void* context = nullptr;
  LoopObserver* observer = nullptr;  // the loop's observer; changes only while the team is busy

  alignas(64) std::atomic<std::int64_t> next_slice{0};
  alignas(64) std::atomic<std::uint32_t> inside{0};  // number of workers in the loop
  std::atomic<bool> caller_sleeps{false};
  alignas(64) std::atomic<int> sleepers{0};
  std::atomic<bool> busy{false};

  bool may_spin = false;
  std::vector<std::thread> workers;

  void run_slices() {
    const std::int64_t count = num_slices;
    const Body run = body;
    void* const data = context;
    for (;;) {
      const std::int64_t slice = next_slice.fetch_add(1, std::memory_order_relaxed);
      if (slice >= count) return;
      run(data, slice);
    }
  }

  void run_part(int thread) {
    LoopObserver* const told = observer;
    if (told == nullptr) return run_slices();
    const std::int64_t begin = read_ticks();
    run_slices();
    told->on_loop_part(thread, begin, read_ticks());
  }

  // Returns when a loop other than `seen` is open, or on stop.
  void wait_for_loop(std::uint32_t seen) {
    auto is_open = [&] {
      const std::uint32_t now = generation.load(std::memory_order_acquire);
      return (now % 2 == 1 && now != seen) || stop.load(std::memory_order_relaxed);
    };
    if (spin_until(may_spin, is_open)) return;
    sleepers.fetch_add(1);
    for (;;) {
      const std::uint32_t now = generation.load();
      if ((now % 2 == 1 && now != seen) || stop.load()) break;
      futex_wait(generation, now);
    }
    sleepers.fetch_sub(1);
  }

  void work(int thread) {
    mark_service_thread();
    const FloatEnvironment environment;  // a thread inherits the environment of its creator
    std::uint32_t seen = 0;
    for (;;) {
      wait_for_loop(seen);
      if (stop.load()) return;
      inside.fetch_add(1);
      const std::uint32_t now = generation.load();
      if (now % 2 == 1) {
        seen = now;
        run_part(thread);
      }
      inside.fetch_sub(1);
      if (caller_sleeps.load()) futex_wake(inside, 1);
    }
  }

  void take_team() {
    while (busy.exchange(true, std::memory_order_acquire)) std::this_thread::yield();
  }

  void wait_for_workers() {
    auto is_empty = [&] { return inside.load() == 0; };
    if (spin_until(may_spin, is_empty)) return;
    caller_sleeps.store(true);
    for (std::uint32_t count = inside.load(); count != 0; count = inside.load()) futex_wait(inside, count);
    caller_sleeps.store(false);
  }

  void stop_workers() {
    stop.store(true);
    generation.fetch_add(2);  // wakes sleeping workers, and the loop stays closed
    futex_wake(generation, INT_MAX);
    for (std::thread& worker : workers) worker.join();
  }
};

ThreadPool::ThreadPool(int num_threads) : state_(std::make_unique<State>()) {
  state_->may_spin = num_threads > 1 && num_threads <= default_num_threads();
  try {
    const SignalsBlocked scope;
    for (int i = 1; i < num_threads; ++i)
      state_->workers.emplace_back([state = state_.get(), i] { state->work(i); });
  } catch (const std::system_error& error) {
    const std::size_t started = state_->workers.size();
    state_->stop_workers();
    fail(ErrorCode::kResourceExhausted, "[thread_pool] the system refused thread {} of {}: {}", started + 2,
         num_threads, error.what());
  }
}

ThreadPool::~ThreadPool() { state_->stop_workers(); }

int ThreadPool::num_threads() const { return static_cast<int>(state_->workers.size()) + 1; }

void ThreadPool::parallel_for(std::int64_t num_slices, Body body, void* context) noexcept {
  State& state = *state_;
  // A nested loop, or one of another thread, finds the team busy.
  if (num_slices <= 1 || state.workers.empty() || state.busy.exchange(true, std::memory_order_acquire)) {
    for (std::int64_t slice = 0; slice < num_slices; ++slice) body(context, slice);
    return;
  }
  state.num_slices = num_slices;
  state.body = body;
  state.context = context;
  state.next_slice.store(0, std::memory_order_relaxed);
  state.generation.fetch_add(1);
  if (const int sleepers = state.sleepers.load(); sleepers > 0) {
    futex_wake(state.generation, static_cast<int>(std::min<std::int64_t>(num_slices - 1, sleepers)));
  }
  state.run_slices();
  state.generation.fetch_add(1);
  state.wait_for_workers();
  state.busy.store(false, std::memory_order_release);
}

bool ThreadPool::watch(LoopObserver& observer) {
  state_->take_team();
  const bool is_free = state_->observer == nullptr;
  if (is_free) state_->observer = &observer;
  state_->busy.store(false, std::memory_order_release);
  return is_free;
}

void ThreadPool::unwatch() {
  state_->take_team();
  state_->observer = nullptr;
  state_->busy.store(false, std::memory_order_release);
}

}  // namespace cornu::inline v0
