#include "cli/study/scaling.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "cli/study/term_fit.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::study {
namespace {

int num_terms_of(ScalingLaw law) { return law == ScalingLaw::kAmdahl ? 2 : 3; }

std::set<double> different_threads(std::span<const Timing> timings) {
  std::set<double> different;
  for (const Timing& timing : timings) different.insert(timing.threads);
  return different;
}

struct FittedTerms {
  ScalingFit fit;
  double squared_error = 0;
};

std::optional<FittedTerms> fit_sum(ScalingLaw law, std::span<const Timing> timings) {
  std::vector<Observation> observations;
  for (const Timing& timing : timings) {
    observations.push_back({.terms = {1 / timing.threads, 1}, .value = timing.seconds});
    if (law == ScalingLaw::kUsl) observations.back().terms.push_back(timing.threads);
  }
  const std::optional<TermFit> best = fit_terms(observations);
  if (!best.has_value()) return std::nullopt;
  FittedTerms found;
  found.fit.law = law;
  found.fit.parallel = best->factors[0];
  found.fit.serial = best->factors[1];
  if (law == ScalingLaw::kUsl) found.fit.crosstalk = best->factors[2];
  found.squared_error = best->squared_error;
  return found;
}

/// Each number of threads is tried as the limit; the serial part is fitted beside it.
std::optional<FittedTerms> fit_limit(std::span<const Timing> timings) {
  std::optional<FittedTerms> best;
  for (const double limit : different_threads(timings)) {
    std::vector<Observation> observations;
    for (const Timing& timing : timings)
      observations.push_back({.terms = {1 / std::min(timing.threads, limit), 1}, .value = timing.seconds});
    const std::optional<TermFit> found = fit_terms(observations);
    if (!found.has_value() || (best.has_value() && best->squared_error <= found->squared_error)) continue;
    best = FittedTerms{{.law = ScalingLaw::kLimit,
                        .parallel = found->factors[0],
                        .serial = found->factors[1],
                        .limit = limit},
                       found->squared_error};
  }
  return best;
}

/// The largest relative error at a number of threads that the law was not fitted to.
std::optional<double> held_out_error(ScalingLaw law, std::span<const Timing> timings) {
  std::optional<double> largest;
  for (const double left_out : different_threads(timings)) {
    std::vector<Timing> kept;
    for (const Timing& timing : timings)
      if (timing.threads != left_out) kept.push_back(timing);
    const std::optional<ScalingFit> fit = fit_scaling(law, kept);
    if (!fit.has_value()) return std::nullopt;
    for (const Timing& timing : timings)
      if (timing.threads == left_out)
        largest = std::max(largest.value_or(0), std::abs(fit->seconds(left_out) / timing.seconds - 1));
  }
  return largest;
}

}  // namespace

std::optional<ScalingFit> fit_scaling(ScalingLaw law, std::span<const Timing> timings) {
  for (const Timing& timing : timings)
    if (!(timing.threads > 0 && timing.seconds > 0) || !std::isfinite(timing.threads + timing.seconds))
      invalid_argument("[study] a timing has positive threads and seconds; got {} threads, {} s",
                       timing.threads, timing.seconds);
  const int num_terms = num_terms_of(law), different = static_cast<int>(different_threads(timings).size());
  if (different < num_terms) return std::nullopt;
  std::optional<FittedTerms> best = law == ScalingLaw::kLimit ? fit_limit(timings) : fit_sum(law, timings);
  if (!best.has_value()) return std::nullopt;
  const int freedom = static_cast<int>(timings.size()) - num_terms;
  if (freedom > 0 && different > num_terms)
    best->fit.relative_error = std::sqrt(best->squared_error / freedom);
  return best->fit;
}

std::optional<ChosenLaw> choose_scaling(std::span<const Timing> timings) {
  std::optional<ChosenLaw> chosen;
  for (const ScalingLaw law : {ScalingLaw::kAmdahl, ScalingLaw::kUsl, ScalingLaw::kLimit}) {
    const std::optional<ScalingFit> fit = fit_scaling(law, timings);
    if (!fit.has_value()) continue;
    const std::optional<double> error = held_out_error(law, timings);
    if (!chosen.has_value() ||
        (error.has_value() && (!chosen->held_out_error.has_value() || *error < *chosen->held_out_error)))
      chosen = ChosenLaw{*fit, error};
  }
  return chosen;
}

std::string scaling_law_name(ScalingLaw law) {
  switch (law) {
    case ScalingLaw::kAmdahl: return "Amdahl";
    case ScalingLaw::kUsl: return "USL";
    case ScalingLaw::kLimit: return "limit";
  }
  return "";
}

}  // namespace cornu::inline v0::study
