#pragma once

#include <cstddef>
#include <optional>

namespace cornu::inline v0 {

/// Number of columns for text that is written to a file descriptor: COLUMNS where it is set, else those of
/// the terminal. Absent without both, as for a file or a pipe.
std::optional<std::size_t> terminal_width(int descriptor);

}  // namespace cornu::inline v0
