#include "cornu/base/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <new>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

namespace {
std::atomic<std::int64_t> num_allocations{0};
}  // namespace

// The whole test binary counts its allocations; on malloc and free, which sanitizers watch. Inlined, GCC
// would take them for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size_bytes) {
  num_allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(size_bytes == 0 ? 1 : size_bytes)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size_bytes, const std::nothrow_t&) noexcept {
  num_allocations.fetch_add(1, std::memory_order_relaxed);
  return std::malloc(size_bytes == 0 ? 1 : size_bytes);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace cornu::inline v0 {
namespace {

template <typename F>
void run(ThreadPool& pool, std::int64_t num_slices, F body) {
  pool.parallel_for(
      num_slices, [](void* context, std::int64_t slice) { (*static_cast<F*>(context))(slice); }, &body);
}

class ThreadPoolSizeTest : public testing::TestWithParam<int> {};

TEST_P(ThreadPoolSizeTest, RunsEverySliceOnceAndShowsItsWrites) {
  ThreadPool pool(GetParam());
  EXPECT_EQ(pool.num_threads(), GetParam());
  std::vector<int> runs;
  for (int num_slices : {0, 1, 2, 3, 7, 16, 100, 1000}) {
    for (int repetition = 0; repetition < 50; ++repetition) {
      runs.assign(static_cast<std::size_t>(num_slices), 0);
      run(pool, num_slices, [&](std::int64_t slice) {
        ++runs[static_cast<std::size_t>(slice)];
      });  // plain ints: a race is a TSan report
      for (int count : runs) ASSERT_EQ(count, 1);
    }
  }
}

TEST_P(ThreadPoolSizeTest, RunsNestedLoopsOnTheirCaller) {
  ThreadPool pool(GetParam());
  std::vector<int> runs(20 * 10, 0);
  run(pool, 20, [&](std::int64_t outer) {
    const std::thread::id self = std::this_thread::get_id();
    run(pool, 10, [&](std::int64_t inner) {
      EXPECT_EQ(std::this_thread::get_id(), self);
      ++runs[static_cast<std::size_t>(outer * 10 + inner)];
    });
  });
  for (int count : runs) EXPECT_EQ(count, 1);
}

TEST_P(ThreadPoolSizeTest, TakesLoopsFromSeveralThreadsAtOnce) {
  ThreadPool pool(GetParam());
  std::vector<std::int64_t> sums(4, 0);
  std::vector<std::thread> callers;
  for (std::size_t caller = 0; caller < sums.size(); ++caller) {
    callers.emplace_back([&, caller] {
      std::vector<std::int64_t> values(50);
      for (int repetition = 0; repetition < 300; ++repetition) {
        run(pool, 50, [&](std::int64_t slice) { values[static_cast<std::size_t>(slice)] = slice; });
        sums[caller] += std::accumulate(values.begin(), values.end(), std::int64_t{0});
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  for (std::int64_t sum : sums) EXPECT_EQ(sum, 300 * 49 * 50 / 2);
}

TEST_P(ThreadPoolSizeTest, WakesWorkersThatSleep) {
  ThreadPool pool(GetParam());
  std::vector<int> runs(8, 0);
  for (int repetition = 0; repetition < 30; ++repetition) {
    std::this_thread::sleep_for(std::chrono::microseconds(100 * (repetition % 3)));
    run(pool, 8, [&](std::int64_t slice) { ++runs[static_cast<std::size_t>(slice)]; });
  }
  for (int count : runs) EXPECT_EQ(count, 30);
}

INSTANTIATE_TEST_SUITE_P(Sizes, ThreadPoolSizeTest, testing::Values(1, 2, 3, 8, 16));

TEST(ThreadPoolTest, AllThreadsOfTheTeamHelp) {
  constexpr int kThreads = 4;
  ThreadPool pool(kThreads);
  // Every slice waits for all the others to have begun: only a full team gets through.
  std::atomic<int> num_begun{0};
  run(pool, kThreads, [&](std::int64_t) {
    num_begun.fetch_add(1);
    while (num_begun.load() < kThreads) std::this_thread::yield();
  });
  EXPECT_EQ(num_begun.load(), kThreads);
}

TEST(ThreadPoolTest, AllocatesNothingInALoop) {
  ThreadPool pool(3);
  std::atomic<int> sum{0};
  run(pool, 10, [&](std::int64_t) { sum.fetch_add(1); });
  const std::int64_t before = num_allocations.load();
  for (int repetition = 0; repetition < 1000; ++repetition)
    run(pool, 10, [&](std::int64_t) { sum.fetch_add(1); });
  EXPECT_EQ(num_allocations.load(), before);
  EXPECT_EQ(sum.load(), 10010);
}

TEST(ThreadPoolTest, ATeamLargerThanTheMachineIsStillQuick) {
  ThreadPool pool(16);
  std::atomic<int> sum{0};
  const auto start = std::chrono::steady_clock::now();
  for (int repetition = 0; repetition < 1000; ++repetition)
    run(pool, 16, [&](std::int64_t) { sum.fetch_add(1); });
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(sum.load(), 16000);
  EXPECT_LT(seconds.count(), 10.0);  // about 0.03 s; threads that spin against each other would take minutes
}

TEST(ThreadPoolTest, ZeroOrNegativeSizesRunOnTheCaller) {
  for (int size : {0, -3}) {
    ThreadPool pool(size);
    EXPECT_EQ(pool.num_threads(), 1);
    int sum = 0;
    run(pool, 5, [&](std::int64_t slice) { sum += static_cast<int>(slice); });
    EXPECT_EQ(sum, 10);
  }
}

TEST(ThreadPoolTest, AWatcherIsToldOfThePartsOfThreadsUntilItIsTakenAway) {
  struct Watcher : LoopObserver {
    std::atomic<int> parts{0};
    std::atomic<bool> sane{true};
    void on_loop_part(int thread, std::int64_t begin, std::int64_t end) noexcept override {
      parts.fetch_add(1);
      if (thread < 1 || thread > 2 || end < begin) sane = false;
    }
  } watcher, other;
  ThreadPool pool(3);
  EXPECT_TRUE(pool.watch(watcher));
  EXPECT_FALSE(pool.watch(other)) << "one at a time";
  // The caller waits in its slices until both threads have taken one, so both take part.
  std::atomic<int> inside{0};
  run(pool, 3, [&](std::int64_t) {
    inside.fetch_add(1);
    while (inside.load() < 3) std::this_thread::yield();
  });
  EXPECT_EQ(watcher.parts.load(), 2);
  EXPECT_TRUE(watcher.sane.load());
  pool.unwatch();
  run(pool, 3, [](std::int64_t) {});
  EXPECT_EQ(watcher.parts.load(), 2);
  EXPECT_EQ(other.parts.load(), 0);
}

std::ptrdiff_t num_process_threads() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"),
                       std::filesystem::directory_iterator());
}

TEST(ThreadPoolTest, ATeamThatStopsAtOnceRunsItsSlicesAndLeavesNoThread) {
  const std::ptrdiff_t before = num_process_threads();
  for (int repetition = 0; repetition < 50; ++repetition) {
    std::atomic<int> runs{0};
    {
      ThreadPool pool(1 + repetition % 5);
      if (repetition % 2 == 0) run(pool, 3, [&](std::int64_t) { runs.fetch_add(1); });
    }
    ASSERT_EQ(runs.load(), repetition % 2 == 0 ? 3 : 0);
  }
  // The system lists a thread for a moment after it was joined.
  for (int wait = 0; wait < 1000 && num_process_threads() > before; ++wait)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(num_process_threads(), before);
}

}  // namespace
}  // namespace cornu::inline v0
