#include "cornu/keras/trainer/slow_callback.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cornu/keras/callbacks/progbar_logger.h"

namespace cornu::inline v0::keras {
namespace {

constexpr double kHiddenShare = 0.05;  // the share of time that a callback may take unnoticed

std::string duration_str(double seconds) {
  if (seconds >= 1) return fmt::format("{:.1f} s", seconds);
  return seconds >= 1e-3 ? fmt::format("{:.1f} ms", seconds * 1e3) : fmt::format("{:.1f} us", seconds * 1e6);
}

}  // namespace

std::string SlowCallbackWatch::record(std::int64_t steps, double seconds) {
  ++executions_;
  if (executions_ == 1) {  // caches are cold, files are opened
    std::fill(seconds_.begin(), seconds_.end(), 0.0);
    return {};
  }
  steps_ += steps;
  execution_seconds_ += seconds;
  const double in_callbacks = std::accumulate(seconds_.begin(), seconds_.end(), 0.0);
  const double total = in_callbacks + execution_seconds_;
  if (executions_ <= kLeastExecutions || total < kSampleSeconds) return {};
  is_measuring_ = false;
  is_done_ = true;
  const auto slowest = std::max_element(seconds_.begin(), seconds_.end());
  const callbacks::Callback& callback =
      *callbacks_.given()[static_cast<std::size_t>(slowest - seconds_.begin())];
  if (*slowest < execution_seconds_ || dynamic_cast<const callbacks::ProgbarLogger*>(&callback) != nullptr)
    return {};
  const double a_call = *slowest / static_cast<double>(executions_ - 1);
  const double a_step = execution_seconds_ / static_cast<double>(steps_);
  const double enough = std::ceil(a_call / a_step * (1 / kHiddenShare - 1));
  return fmt::format(
      "callback {} takes {:.0f} % of the training time: {} a call beside {} a step. It is called once an "
      "execution; with steps_per_execution = {:.0f} its share would be {:.0f} %.",
      callback.name(), 100 * *slowest / total, duration_str(a_call), duration_str(a_step), enough,
      100 * kHiddenShare);
}

}  // namespace cornu::inline v0::keras
