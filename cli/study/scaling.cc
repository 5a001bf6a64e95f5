#include "cli/study/scaling.h"

#include <cmath>
#include <set>
#include <vector>

#include "cli/study/term_fit.h"
#include "cornu/base/check.h"

namespace cornu::inline v0::study {
std::optional<ScalingFit> fit_scaling(ScalingLaw law, std::span<const Timing> timings) {
  std::set<double> different;
  for (const Timing& timing : timings) {
    if (!(timing.threads > 0 && timing.seconds > 0) || !std::isfinite(timing.threads + timing.seconds))
      invalid_argument("[study] a timing has positive threads and seconds; got {} threads, {} s",
                       timing.threads, timing.seconds);
    different.insert(timing.threads);
  }
  const int num_terms = law == ScalingLaw::kAmdahl ? 2 : 3;
  if (static_cast<int>(different.size()) < num_terms) return std::nullopt;
  std::vector<Observation> observations;
  for (const Timing& timing : timings) {
    observations.push_back({.terms = {1 / timing.threads, 1}, .value = timing.seconds});
    if (num_terms == 3) observations.back().terms.push_back(timing.threads);
  }
  const std::optional<TermFit> best = fit_terms(observations);
  if (!best.has_value()) return std::nullopt;
  ScalingFit fit{.law = law, .parallel = best->factors[0], .serial = best->factors[1]};
  if (num_terms == 3) fit.crosstalk = best->factors[2];
  const int freedom = static_cast<int>(timings.size()) - num_terms;
  if (freedom > 0 && static_cast<int>(different.size()) > num_terms)
    fit.relative_error = std::sqrt(best->squared_error / freedom);
  return fit;
}

std::string scaling_law_name(ScalingLaw law) { return law == ScalingLaw::kAmdahl ? "Amdahl" : "USL"; }

}  // namespace cornu::inline v0::study
