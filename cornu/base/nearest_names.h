#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What somebody who wrote a name wrong may have meant.
namespace cornu::inline v0 {

/// Lower case without "_", "-" and " ": "log_cosh", "LogCosh" and "logcosh" are one name.
std::string canonical_name(std::string_view name);

/// The entries of `known` with the smallest edit distance to `wanted`, which compares canonical names; a swap
/// of neighbours counts one. Those with the same first letter come first, then those of the most similar
/// length. Empty when none is within a third of the length.
std::vector<std::string> nearest_names(std::string_view wanted, std::span<const std::string> known);

/// `did you mean "mse" or "mae"?`, or `known: adam, sgd` when none is near.
std::string name_proposal(std::string_view wanted, std::span<const std::string> known);

}  // namespace cornu::inline v0
