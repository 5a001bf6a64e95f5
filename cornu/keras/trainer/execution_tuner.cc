#include "cornu/keras/trainer/execution_tuner.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cornu::inline v0::keras {
namespace {

constexpr double kShortSeconds = 0.2;
constexpr double kTargetSeconds = 0.5;
constexpr double kLongSeconds = 1.0;
constexpr int kMeasurements = 3;  // for each number before a decision: a single one may have been disturbed
constexpr double kEnoughSeconds = 0.1;  // an execution this long is trusted at once
constexpr double kNoise = 1.02;         // a number slower than the fastest by more than this factor is slower
constexpr auto is_faster = [](const auto& a, const auto& b) {
  return a.second.seconds_per_step < b.second.seconds_per_step;
};
constexpr std::int64_t kLargestFactor = 8;  // of one decision: estimates from few steps are rough

}  // namespace

void ExecutionTuner::set_limit(std::int64_t limit) {
  const std::int64_t before = std::exchange(limit_, std::max<std::int64_t>(1, limit));
  if (!is_auto()) return;
  if (limit_ > before && is_held_) settled_ = shrinking_ = is_held_ = false;
  is_held_ = is_held_ || steps_ > limit_;
  steps_ = std::min(steps_, limit_);
}

void ExecutionTuner::begin_with(std::int64_t steps) {
  if (is_auto() && executions_ == 0 && steps_ == 1) move_to(steps);
}

void ExecutionTuner::settle_at(std::int64_t steps) {
  if (!is_auto()) return;
  is_held_ = steps > limit_;
  settled_ = true;
  move_to(steps);
}

StateEntry ExecutionTuner::state(std::string path) {
  StateEntry entry = state_of(std::move(path), steps_);
  entry.load = [this](const Tensor& value) {
    if (is_auto()) move_to(value.data<std::int64_t>()[0]);
  };
  return entry;
}

void ExecutionTuner::move_to(std::int64_t steps) { steps_ = std::clamp<std::int64_t>(steps, 1, limit_); }

void ExecutionTuner::record(std::int64_t steps, double seconds) {
  if (!is_auto() || steps != steps_ || !(seconds > 0)) return;
  if (++executions_ == 1) return;  // the first execution warms caches up
  const double seconds_per_step = seconds / static_cast<double>(steps);
  if (seconds > kLongSeconds && steps > 1) {  // steps have become slower: earlier measurements no longer hold
    measured_.clear();
    settled_ = shrinking_ = is_held_ = false;
    move_to(static_cast<std::int64_t>(kTargetSeconds / seconds_per_step));
    return;
  }
  Measurement& here = measured_[steps];
  here.seconds_per_step =
      here.count == 0 ? seconds_per_step : std::min(here.seconds_per_step, seconds_per_step);
  ++here.count;
  if (here.count < kMeasurements && seconds < kEnoughSeconds) return;

  if (settled_) return;

  const auto fastest = std::min_element(measured_.begin(), measured_.end(), is_faster);
  if (here.seconds_per_step > kNoise * fastest->second.seconds_per_step) {
    settle();
    return;
  }
  if (!pays(here.seconds_per_step)) return;  // at best the remaining steps take no time
  const bool wants_more = !shrinking_ && here.seconds_per_step * static_cast<double>(steps) < kShortSeconds;
  is_held_ = is_held_ || (wants_more && steps >= limit_);
  if (wants_more && steps < limit_) {
    const auto wanted = static_cast<std::int64_t>(std::lround(kTargetSeconds / here.seconds_per_step));
    move_to(std::clamp(wanted, steps + 1, steps * kLargestFactor));
    return;
  }
  // Growth has ended: try half the number, unless it was measured before.
  shrinking_ = true;
  const std::int64_t half = steps / 2;
  if (half < 1 || measured_.contains(half)) {
    settle();
  } else {
    move_to(half);
  }
}

// Settles on the largest of the numbers that are as fast as the fastest: it returns to the host least often.
void ExecutionTuner::settle() {
  settled_ = true;
  const auto fastest = std::min_element(measured_.begin(), measured_.end(), is_faster);
  const double enough = kNoise * fastest->second.seconds_per_step;
  std::int64_t best = fastest->first;
  for (const auto& [steps, measurement] : measured_)
    if (measurement.seconds_per_step <= enough) best = std::max(best, steps);
  move_to(best);
}

}  // namespace cornu::inline v0::keras
