#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cornu::inline v0::study {

/// An all-reduce that was timed.
struct AllReduceCall {
  double replicas = 2;
  double bytes = 0;  // of each replica
  double seconds = 0;
};

/// Cost of an all-reduce on a ring: each replica sends 2 (n - 1) messages, which together hold
/// 2 (n - 1) / n of the bytes (Patarasuk, Yuan: Bandwidth optimal all-reduce algorithms for clusters of
/// workstations, 2009).
struct AllReduceCost {
  double message_seconds = 0;
  double byte_seconds = 0;  // 1 / bandwidth of a replica's link
  /// Root of the mean squared relative error of the fit; nothing for costs that were given,
  /// or where any two costs would fit.
  std::optional<double> relative_error = {};

  double seconds(double replicas, double bytes) const;
  /// Bytes a second on a link; infinity where bytes cost nothing.
  double bandwidth() const { return 1 / byte_seconds; }
};

/// Least squares of relative errors, no cost negative.
/// Errors: InvalidArgument for calls that do not tell the costs apart (fewer than two, or all of one size),
///         of fewer than two replicas, and for figures that are not positive and finite.
AllReduceCost fit_all_reduce(std::span<const AllReduceCall> calls);

/// Parses the file of `cornu study scaling --calls`:
/// {"calls": [{"replicas": 4, "bytes": 40e6, "seconds": 0.021}, ...]};
/// other members beside "calls" are ignored. `name` is the file's name in messages.
/// Errors: InvalidArgument for other JSON, naming the call and the member.
std::vector<AllReduceCall> parse_calls(std::string_view text, const std::string& name);

}  // namespace cornu::inline v0::study
