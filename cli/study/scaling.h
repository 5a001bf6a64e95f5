#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>

namespace cornu::inline v0::study {

/// The time of a run with a number of threads.
struct Timing {
  double threads = 1;
  double seconds = 0;
};

enum class ScalingLaw {
  kAmdahl,  // seconds = serial + parallel / n
  kUsl,     // the universal scalability law: with crosstalk * n besides
};

/// A law whose terms, none of them negative, are fitted to timings by least squares of relative errors.
struct ScalingFit {
  ScalingLaw law = ScalingLaw::kAmdahl;
  double parallel = 0;   // seconds of one thread that n threads share
  double serial = 0;     // seconds that stay
  double crosstalk = 0;  // seconds that each thread adds
  /// Root of the mean squared relative error with one degree of freedom less a term; nothing where there are
  /// no more timings than terms, so that any law of this form fits.
  std::optional<double> relative_error = {};

  double seconds(double threads) const { return parallel / threads + serial + crosstalk * threads; }
};

/// Nothing for fewer timings, at different numbers of threads, than the law has terms.
/// Errors: InvalidArgument for a timing whose threads or seconds are not positive and finite.
std::optional<ScalingFit> fit_scaling(ScalingLaw law, std::span<const Timing> timings);

std::string scaling_law_name(ScalingLaw law);

}  // namespace cornu::inline v0::study
