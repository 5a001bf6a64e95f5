#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace cornu::inline v0::study {

/// A value that is a sum of terms, each with a factor that is looked for.
struct Observation {
  std::vector<double> terms;
  double value = 0;
};

struct TermFit {
  std::vector<double> factors;
  double squared_error = 0;  // the sum of squared relative errors

  double value(std::span<const double> terms) const;
};

/// The factors, none of them negative, with the least sum of squared relative errors.
/// Nothing where they are not determined. At most eight terms.
/// Errors: InvalidArgument for a value that is not positive and finite, and for terms that are not as many
///         everywhere.
std::optional<TermFit> fit_terms(std::span<const Observation> observations);

}  // namespace cornu::inline v0::study
