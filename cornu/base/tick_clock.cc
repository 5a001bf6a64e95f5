#include "cornu/base/tick_clock.h"

#include <x86intrin.h>

#include <chrono>
#include <thread>

namespace cornu::inline v0 {
namespace {

using TickClockTime = std::chrono::steady_clock::time_point;
constexpr std::chrono::milliseconds kLongEnough{5};

struct TickClockStart {
  TickClockTime time = std::chrono::steady_clock::now();
  std::int64_t ticks = read_ticks();
};

const TickClockStart& tick_clock_start() {
  static const TickClockStart start;
  return start;
}

}  // namespace

std::int64_t read_ticks() { return static_cast<std::int64_t>(__rdtsc()); }

void start_tick_clock() { tick_clock_start(); }

double seconds_per_tick() {
  const TickClockStart& start = tick_clock_start();
  const auto waited = std::chrono::steady_clock::now() - start.time;
  if (waited < kLongEnough) std::this_thread::sleep_for(kLongEnough - waited);
  const TickClockTime now = std::chrono::steady_clock::now();
  return std::chrono::duration<double>(now - start.time).count() /
         static_cast<double>(read_ticks() - start.ticks);
}

}  // namespace cornu::inline v0
