#include "cli/study/bootstrap.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>

#include "cli/study/statistics.h"

namespace cornu::inline v0::study {
namespace {

constexpr int kDraws = 1000;
constexpr std::uint64_t kBootstrapSeed = 90;
constexpr double kOutside = 0.05;        // of the figures on either side of an interval
constexpr double kClockRounding = 1e-9;  // of differences between clock readings, relative
constexpr std::size_t kManyRepeats = 20;

bool is_enough(std::span<const Repeats> measurements) {
  return !measurements.empty() &&
         std::all_of(measurements.begin(), measurements.end(),
                     [](const Repeats& each) { return each.size() >= kFewestRepeats; });
}

/// Draws medians of measurements.
class Draws {
 public:
  explicit Draws(std::span<const Repeats> measurements)
      : random_(kBootstrapSeed), medians_(measurements.size()) {
    for (const Repeats& repeats : measurements) {
      const double median = summarize(repeats).median;
      const auto count = static_cast<double>(repeats.size());
      const double enlarged = std::sqrt(count / (count - 1));
      values_.push_back(repeats);
      for (double& value : values_.back()) value = median + (value - median) * enlarged;
    }
  }

  std::span<const double> next() {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const Repeats& values = values_[i];
      drawn_.resize(values.size());
      // The generator's own remainder: a distribution's draws differ between standard libraries.
      for (double& each : drawn_) each = values[random_() % values.size()];
      const auto middle = drawn_.begin() + static_cast<std::ptrdiff_t>(drawn_.size() / 2);
      std::nth_element(drawn_.begin(), middle, drawn_.end());
      medians_[i] = *middle;
      if (drawn_.size() % 2 == 0) medians_[i] = (medians_[i] + *std::max_element(drawn_.begin(), middle)) / 2;
    }
    return medians_;
  }

 private:
  std::mt19937_64 random_;
  std::vector<Repeats> values_;
  Repeats drawn_, medians_;
};

}  // namespace

std::optional<Interval> bootstrap_interval(
    std::span<const Repeats> measurements,
    const std::function<double(std::span<const double> medians)>& figure) {
  if (!is_enough(measurements)) return std::nullopt;
  Draws draws(measurements);
  std::vector<double> figures;
  for (int i = 0; i < kDraws; ++i)
    if (const double found = figure(draws.next()); std::isfinite(found)) figures.push_back(found);
  if (figures.empty()) return std::nullopt;
  std::sort(figures.begin(), figures.end());
  const auto outside = static_cast<std::size_t>(kOutside * static_cast<double>(figures.size()));
  return Interval{figures[outside], figures[figures.size() - 1 - outside]};
}

std::optional<Interval> median_interval(const Repeats& repeats) {
  return bootstrap_interval({&repeats, 1}, [](std::span<const double> medians) { return medians[0]; });
}

std::optional<Leader> find_leader(std::span<const Repeats> measurements) {
  if (measurements.size() < 2 || !is_enough(measurements)) return std::nullopt;
  Draws draws(measurements);
  std::vector<double> shares(measurements.size(), 0.0);
  for (int i = 0; i < kDraws; ++i) {
    const std::span<const double> medians = draws.next();
    const double least = *std::min_element(medians.begin(), medians.end());
    const double largest = *std::max_element(medians.begin(), medians.end());
    const auto is_least = [&](double median) { return median <= least + kClockRounding * std::abs(largest); };
    const auto count = static_cast<double>(std::count_if(medians.begin(), medians.end(), is_least));
    for (std::size_t k = 0; k < shares.size(); ++k)
      if (is_least(medians[k])) shares[k] += 1 / (count * kDraws);
  }
  const auto leader = std::max_element(shares.begin(), shares.end());
  return Leader{static_cast<std::size_t>(leader - shares.begin()), *leader};
}

double spread_of(std::span<const Repeats> measurements) {
  double spread = 0;
  for (const Repeats& repeats : measurements) {
    const double median = summarize(repeats).median;
    const auto [least, most] = std::minmax_element(repeats.begin(), repeats.end());
    if (median > 0) spread = std::max(spread, (*most - *least) / median);
  }
  return spread;
}

std::string no_conclusion(std::span<const Repeats> measurements) {
  std::size_t count = 0;
  for (const Repeats& repeats : measurements) count = std::max(count, repeats.size());
  if (!(spread_of(measurements) > kClockRounding)) return "they take the same time, no conclusion";
  const std::size_t more = count < kManyRepeats ? kManyRepeats : 4 * count;
  return fmt::format(
      "the repeats differ by {:.0f} %, no conclusion; run on a quiet machine or with --repeats {}",
      100 * spread_of(measurements), more);
}

std::string interval_text(const std::optional<Interval>& interval,
                          const std::function<std::string(double)>& shown) {
  if (!interval.has_value()) return " (the error is not known)";
  if (interval->high - interval->low <= kClockRounding * std::abs(interval->low)) return "";
  return fmt::format(" (90 %: {} to {})", shown(interval->low), shown(interval->high));
}

}  // namespace cornu::inline v0::study
