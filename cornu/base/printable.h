#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cornu::inline v0 {

/// A text from outside as a message shows it: what a terminal would obey as \xNN; of one with more than
/// `longest` bytes the beginning, how much is left out, and the end.
std::string printable(std::string_view text, std::size_t longest = 400);

}  // namespace cornu::inline v0
