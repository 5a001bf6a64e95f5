#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

/// What fits of different lengths of executions took, as a law.
namespace cornu::inline v0::examples {

/// Fits of one setting.
struct TimedFits {
  std::int64_t steps_per_execution = 1;
  double seconds = 0;  // of a fit

  std::int64_t executions(std::int64_t steps) const {
    return (steps + steps_per_execution - 1) / steps_per_execution;
  }
};

/// seconds = fit + executions * execution + steps * step; none of them is negative.
struct ExecutionLaw {
  double execution = 0, step = 0;
  double fit = 0;             // what a fit costs whatever its length: a pass over data that begins
  double relative_error = 0;  // the largest

  double seconds(std::int64_t executions, std::int64_t steps) const {
    return fit + execution * static_cast<double>(executions) + step * static_cast<double>(steps);
  }
};

/// `fit` from a fit of twice as many steps by the first setting, the others by least squares of relative
/// errors. Only of numbers of steps that are powers of two: a distant device's programs have such sizes, and
/// what fills them up is sent too.
inline ExecutionLaw fit_execution_law(const std::vector<TimedFits>& timed, std::int64_t steps,
                                      double seconds_of_twice_as_many) {
  double least = timed[0].seconds;
  for (const TimedFits& each : timed) least = std::min(least, each.seconds);
  const double of_a_fit = std::clamp(2 * timed[0].seconds - seconds_of_twice_as_many, 0.0, least);
  double aa = 0, ab = 0, bb = 0, a1 = 0, b1 = 0;
  for (const TimedFits& each : timed) {
    if (!std::has_single_bit(static_cast<std::uint64_t>(each.steps_per_execution))) continue;
    const double weight = 1 / each.seconds, value = (each.seconds - of_a_fit) * weight;
    const double a = static_cast<double>(each.executions(steps)) * weight;
    const double b = static_cast<double>(steps) * weight;
    aa += a * a, ab += a * b, bb += b * b, a1 += a * value, b1 += b * value;
  }
  const double determinant = aa * bb - ab * ab;
  ExecutionLaw law{(a1 * bb - b1 * ab) / determinant, (b1 * aa - a1 * ab) / determinant, of_a_fit};
  // Where one of them would be negative, or cannot be told apart, the other one alone explains the times
  // best.
  if (!(law.execution > 0)) law = {0, b1 / bb, of_a_fit};
  if (!(law.step > 0)) law = {a1 / aa, 0, of_a_fit};
  for (const TimedFits& each : timed)
    law.relative_error =
        std::max(law.relative_error, std::abs(law.seconds(each.executions(steps), steps) / each.seconds - 1));
  return law;
}

}  // namespace cornu::inline v0::examples
