#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cornu::inline v0 {

/// Makes an untrusted text safe for a terminal: control characters, including those of C1 in UTF-8, become
/// \xNN. A text longer than `longest` bytes is shortened to its start and end, with the number of omitted
/// bytes.
std::string printable(std::string_view text, std::size_t longest = std::string_view::npos);

/// Makes a text of several lines printable: not shortened, with line feeds and tabs kept.
std::string printable_lines(std::string_view text);

}  // namespace cornu::inline v0
