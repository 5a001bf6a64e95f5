#include "cli/study/interruptions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "cornu/base/check.h"

namespace cornu::inline v0::study {
namespace {

constexpr double kMostIntervals = 100000;
constexpr double kSecondsOfHour = 3600;
/// In an interval: what is beyond takes as good as forever, to wait for and to simulate.
constexpr double kMostInterruptions = 8;

/// The work as intervals, all of the same length.
struct Intervals {
  std::int64_t count;
  double seconds;  // of one with its checkpoint
  double rate;     // interruptions a second
  double longest;  // infinity: not limited
};

Intervals divide(const InterruptedWork& work) {
  const double values[] = {work.work_seconds, work.checkpoint_seconds, work.restart_seconds,
                           work.interruptions_per_hour, work.longest_life_seconds};
  for (const double value : values)
    if (!(value >= 0) || !std::isfinite(value))
      invalid_argument("[study] times and rates of interrupted work are finite and not negative; got {}",
                       value);
  if (!(work.checkpoint_interval_seconds > 0) || !std::isfinite(work.checkpoint_interval_seconds))
    invalid_argument("[study] the checkpoint interval must be positive; got {} s",
                     work.checkpoint_interval_seconds);
  const double count = std::ceil(work.work_seconds / work.checkpoint_interval_seconds);
  const double longest =
      work.longest_life_seconds > 0 ? work.longest_life_seconds : std::numeric_limits<double>::infinity();
  const double seconds =
      (count > 0 ? work.work_seconds / count : work.checkpoint_interval_seconds) + work.checkpoint_seconds;
  return {static_cast<std::int64_t>(std::min(count, 2 * kMostIntervals)), seconds,
          work.interruptions_per_hour / kSecondsOfHour, longest};
}

Intervals intervals_of(const InterruptedWork& work) {
  if (const std::string why = why_it_never_ends(work); !why.empty()) invalid_argument("[study] {}", why);
  return divide(work);
}

/// Seconds that a machine works at most until `limit`.
double expected_life(double rate, double limit) {
  return rate > 0 ? -std::expm1(-rate * limit) / rate : limit;
}

}  // namespace

std::string why_it_never_ends(const InterruptedWork& work) {
  const auto [count, seconds, rate, longest] = divide(work);
  if (static_cast<double>(count) > kMostIntervals)
    return fmt::format("{:.0f} s of work are more than {:.0f} intervals of {} s: take longer ones",
                       work.work_seconds, kMostIntervals, work.checkpoint_interval_seconds);
  if (seconds > longest)
    return fmt::format(
        "an interval takes {} s with its checkpoint, a machine lives {} s at most: the work would never end; "
        "take a shorter checkpoint interval",
        seconds, longest);
  if (rate * seconds > kMostInterruptions)
    return fmt::format(
        "{:.3g} interruptions are expected in the {:.4g} s that an interval takes with its checkpoint, so in "
        "practice the work would never end; take a shorter checkpoint interval",
        rate * seconds, seconds);
  return "";
}

double expected_machines(const InterruptedWork& work) {
  const Intervals intervals = intervals_of(work);
  const double each = expected_life(intervals.rate, intervals.longest) + work.restart_seconds;
  return std::max(1.0, (expected_seconds(work) + work.restart_seconds) / each);
}

double expected_seconds(const InterruptedWork& work) {
  const auto [count, seconds, rate, longest] = intervals_of(work);
  if (rate == 0 && std::isinf(longest)) return static_cast<double>(count) * seconds;
  if (std::isinf(longest))
    return static_cast<double>(count) * std::expm1(rate * seconds) * (1 / rate + work.restart_seconds);
  // left[j]: what j intervals take from a new machine on.
  const auto most = static_cast<std::int64_t>(longest / seconds);  // that one machine can do
  std::vector<double> reached;  // the probability of so many intervals by one machine
  for (std::int64_t j = 0; j <= std::min(count, most); ++j)
    reached.push_back(std::exp(-rate * seconds * static_cast<double>(j)));
  const auto reaches = [&](std::int64_t intervals) { return reached[static_cast<std::size_t>(intervals)]; };
  std::vector<double> left(static_cast<std::size_t>(count) + 1, 0.0);
  for (std::int64_t j = 1; j <= count; ++j) {
    const bool may_finish = j <= most;
    const std::int64_t done_at_most = std::min(j, most);
    double sum = expected_life(rate, may_finish ? static_cast<double>(j) * seconds : longest);
    for (std::int64_t k = 0; k < done_at_most; ++k) {
      const double probability = reaches(k) - reaches(k + 1);
      sum += probability * (work.restart_seconds + (k > 0 ? left[static_cast<std::size_t>(j - k)] : 0));
    }
    if (!may_finish) sum += reaches(most) * (work.restart_seconds + left[static_cast<std::size_t>(j - most)]);
    left[static_cast<std::size_t>(j)] = sum / reaches(1);  // what ends in the first interval begins again
  }
  return left.back();
}

SimulatedSeconds simulate_seconds(const InterruptedWork& work, int num_runs, std::uint64_t seed) {
  const auto [count, seconds, rate, longest] = intervals_of(work);
  if (num_runs < 2) invalid_argument("[study] a simulation takes at least 2 runs; got {}", num_runs);
  std::mt19937_64 random(seed);
  double sum = 0, squares = 0;
  for (int run = 0; run < num_runs; ++run) {
    double passed = 0;
    for (std::int64_t left = count; left > 0;) {
      const double until = rate > 0 ? std::exponential_distribution<double>(rate)(random)
                                    : std::numeric_limits<double>::infinity();
      const double life = std::min(until, longest);
      const double needed = static_cast<double>(left) * seconds;
      if (needed <= life) {
        passed += needed;
        break;
      }
      left -= static_cast<std::int64_t>(life / seconds);
      passed += life + work.restart_seconds;
    }
    sum += passed;
    squares += passed * passed;
  }
  const double mean = sum / num_runs;
  const double variance = std::max(0.0, squares / num_runs - mean * mean);
  return {mean, std::sqrt(variance / (num_runs - 1))};
}

}  // namespace cornu::inline v0::study
