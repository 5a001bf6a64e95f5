#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cornu::inline v0::study {

/// The repeats of one measurement.
using Repeats = std::vector<double>;

/// A 90 % interval.
struct Interval {
  double low = 0, high = 0;
};

/// Fewer repeats do not show their spread.
inline constexpr std::size_t kFewestRepeats = 3;

/// Interval of a figure that follows from the medians of measurements.
///
/// Semantics: the repeats of each measurement are drawn with replacement, 1,000 times with fixed random
///            numbers; the interval holds the middle 90 % of the figures. Deviations from the median are
///            enlarged by sqrt(n / (n - 1)), as a sample of n values shows too little of the spread. Figures
///            that are not finite are left out.
///            Nothing for a measurement with fewer than kFewestRepeats, and if no figure is finite.
/// Errors:    as summarize.
std::optional<Interval> bootstrap_interval(
    std::span<const Repeats> measurements,
    const std::function<double(std::span<const double> medians)>& figure);
/// That of the median of one measurement.
std::optional<Interval> median_interval(const Repeats& repeats);

/// The measurement that is most often the least in such draws, and its share of them: draws in which several
/// are the least within the clock's rounding are shared out.
struct Leader {
  std::size_t index = 0;
  double share = 0;
};
/// Nothing for fewer than two measurements, and for one with fewer than kFewestRepeats.
std::optional<Leader> find_leader(std::span<const Repeats> measurements);

/// The least share of a leader that is called the winner: of two measurements that do not differ, one is
/// called the winner in less than 10 % of studies.
inline constexpr double kWinningShare = 0.95;

/// Largest difference of the repeats of a measurement, relative to its median: 0.4 for 40 %.
double spread_of(std::span<const Repeats> measurements);
/// "the repeats differ by 40 %, no conclusion; run on a quiet machine or with --repeats 20".
std::string no_conclusion(std::span<const Repeats> measurements);

/// " (90 %: 1.2 s to 1.4 s)" by `shown`; nothing where low and high are equal, as on a virtual clock; " (the
/// error is not known)" without an interval.
std::string interval_text(const std::optional<Interval>& interval,
                          const std::function<std::string(double)>& shown);

}  // namespace cornu::inline v0::study
