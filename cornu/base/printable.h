#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cornu::inline v0 {

/// A text from outside as a terminal may show it: control characters, those of C1 in UTF-8 too, as \xNN;
/// of one with more than `longest` bytes the beginning, how much is left out, and the end.
std::string printable(std::string_view text, std::size_t longest = std::string_view::npos);

/// The same for a text of several lines: all of it, and line feeds and tabs stay.
std::string printable_lines(std::string_view text);

}  // namespace cornu::inline v0
