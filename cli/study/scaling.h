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
  kLimit,   // seconds = parallel / min(n, limit): the memory's bandwidth, or threads that share a core
};

/// A law whose terms, none of them negative, are fitted to timings by least squares of relative errors.
struct ScalingFit {
  ScalingLaw law = ScalingLaw::kAmdahl;
  double parallel = 0;   // seconds of one thread that n threads share
  double serial = 0;     // seconds that stay
  double crosstalk = 0;  // seconds that each thread adds
  double limit = 0;      // threads from which on more change nothing; 0: there is no such limit
  /// Root of the mean squared relative error with one degree of freedom less a term; nothing where there are
  /// no more timings than terms, so that any law of this form fits.
  std::optional<double> relative_error = {};

  double seconds(double threads) const {
    const double useful = limit > 0 && threads > limit ? limit : threads;
    return parallel / useful + serial + crosstalk * threads;
  }
};

/// Nothing for fewer timings, at different numbers of threads, than the law has terms.
/// Errors: InvalidArgument for a timing whose threads or seconds are not positive and finite.
std::optional<ScalingFit> fit_scaling(ScalingLaw law, std::span<const Timing> timings);

/// A law with its error on numbers of threads that it was not fitted to.
struct ChosenLaw {
  ScalingFit fit;
  /// The largest relative error of the law at a number of threads that was left out of the fit, over all of
  /// them; nothing where no law can be fitted without one of them.
  std::optional<double> held_out_error = {};
};
/// The law with the least error on numbers of threads that were left out of its fit in turn; without such
/// errors Amdahl's. Nothing, and errors, as fit_scaling.
std::optional<ChosenLaw> choose_scaling(std::span<const Timing> timings);

std::string scaling_law_name(ScalingLaw law);

}  // namespace cornu::inline v0::study
