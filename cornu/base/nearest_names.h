#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Suggestions for misspelled names.
namespace cornu::inline v0 {

/// Converts to lower case and removes "_", "-" and " ": "log_cosh", "LogCosh" and "logcosh" are equal.
std::string canonical_name(std::string_view name);

/// The entries of `known` with the smallest edit distance to `wanted`, as canonical names; a swap of
/// neighbours counts one. Entries with the same first letter come first, then those of the most similar
/// length. Empty if no entry is within a third of the length.
std::vector<std::string> nearest_names(std::string_view wanted, std::span<const std::string> known);

/// `did you mean "mse" or "mae"?`, or `known: adam, sgd` if no entry is near.
std::string name_proposal(std::string_view wanted, std::span<const std::string> known);

}  // namespace cornu::inline v0
