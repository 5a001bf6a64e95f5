#include "cli/study/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cornu/base/check.h"

namespace cornu::inline v0::study {
namespace {

/// Rounding of differences between clock readings, relative to the time that passed.
constexpr double kRounding = 1e-9;

/// A quantile of sorted values, interpolated between neighbours.
double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

Sample summarize(std::vector<double> values) {
  if (values.empty()) invalid_argument("[study] there is no measurement to summarize");
  for (const double value : values)
    if (!std::isfinite(value)) invalid_argument("[study] a measurement is {}: it must be finite", value);
  std::sort(values.begin(), values.end());
  Sample sample{.count = values.size(),
                .median = quantile(values, 0.5),
                .low = quantile(values, 0.25),
                .high = quantile(values, 0.75),
                .standard_error = std::numeric_limits<double>::infinity()};
  if (values.size() < 3) return sample;
  for (double& value : values) value = std::abs(value - sample.median);
  std::sort(values.begin(), values.end());
  // Of normal values: the deviation is 1.4826 times the median one, and the median varies 1.2533 times as
  // much as the mean.
  sample.standard_error =
      1.2533 * 1.4826 * quantile(values, 0.5) / std::sqrt(static_cast<double>(sample.count));
  return sample;
}

bool is_noise(const Sample& x, const Sample& y) {
  const double rounding = kRounding * std::max(std::abs(x.median), std::abs(y.median));
  return !(std::abs(x.median - y.median) > 2 * std::hypot(x.standard_error, y.standard_error) + rounding);
}

}  // namespace cornu::inline v0::study
