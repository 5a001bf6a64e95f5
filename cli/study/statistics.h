#pragma once

#include <cstddef>
#include <vector>

namespace cornu::inline v0::study {

/// Summary of the repeats of a measurement, in the unit of the values.
struct Sample {
  std::size_t count = 0;
  double median = 0;
  double low = 0, high = 0;  // the quartiles
  /// Standard error of the median for normal values; infinity for fewer than three values.
  double standard_error = 0;
};

/// Errors: InvalidArgument for no values, and for one that is not finite.
Sample summarize(std::vector<double> values);

/// True if the medians differ by no more than twice the standard error of their difference, or the clock's
/// rounding.
bool is_noise(const Sample& x, const Sample& y);

}  // namespace cornu::inline v0::study
