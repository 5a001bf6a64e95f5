#pragma once

#include <string>
#include <string_view>

namespace cornu::inline v0 {

/// A text of others as a terminal may show it: control characters, those of C1 in UTF-8 too, as \xNN. Nothing
/// else changes.
std::string printable(std::string_view text);

/// The same for a text of several lines: line feeds and tabs stay.
std::string printable_lines(std::string_view text);

}  // namespace cornu::inline v0
