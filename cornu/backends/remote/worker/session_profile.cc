#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "cornu/backends/remote/worker/session.h"
#include "cornu/base/machine_limits.h"

namespace cornu::inline v0::backends::remote {
namespace {

constexpr double kLimitSeconds = 0.05;  // for each of the two limits

/// This machine's limits, measured once for each number of threads and level.
runtime::ProfileLimits limits_here(int num_threads, IsaLevel isa) {
  static std::mutex& mutex = *new std::mutex;
  static auto& known = *new std::map<std::pair<int, IsaLevel>, runtime::ProfileLimits>;
  const std::lock_guard lock(mutex);
  const auto [found, is_new] = known.try_emplace({num_threads, isa});
  if (is_new) {
    ThreadPool pool(num_threads);
    found->second = {measure_fma_gflops(pool, isa, kLimitSeconds), measure_triad_gb_s(pool, kLimitSeconds)};
  }
  return found->second;
}

}  // namespace

std::int64_t Session::run_measured(Program& program, const runtime::Replica& replica,
                                   const ExecuteOrder& order, runtime::Progress& progress,
                                   ExecuteResult& result) {
  runtime::Profiler profiler({.max_events = *order.profile_slices});
  profiler.start();
  const std::int64_t done = run(program, replica, order, progress);
  profiler.stop();
  result.profile = record_of(program, profiler);
  return done;
}

ExecutionRecord Session::record_of(Program& program, const runtime::Profiler& profiler) {
  using SteadyClock = std::chrono::steady_clock;
  ExecutionRecord taken{.record = profiler.taken(), .numbers = {}};
  const SteadyClock::time_point start = SteadyClock::now();
  for (runtime::ProgramProfile& profile : taken.record.programs) {
    auto found = std::find(program.facts.begin(), program.facts.end(), profile.facts);
    const auto number = static_cast<std::size_t>(found - program.facts.begin());
    if (found == program.facts.end()) {
      auto told = std::make_shared<runtime::ProgramFacts>(*profile.facts);
      told->limits = limits_here(told->num_threads, told->isa);
      program.facts.push_back(profile.facts);
      program.told_facts.push_back(std::move(told));
    }
    profile.facts = program.told_facts[number];
    taken.numbers.push_back(number);
  }
  // The client waits for this, but it is not part of its steps.
  taken.record.left_out_seconds += std::chrono::duration<double>(SteadyClock::now() - start).count();
  return taken;
}

}  // namespace cornu::inline v0::backends::remote
